# A diffusion model (DDPM): a noise schedule, training on noise, and the way back.
T = 10
beta = np.linspace(1e-3, 0.2, T).astype("float32")
alpha_bar = np.cumprod(1.0 - beta)


def noised(x, t, noise):
    level = tf.reshape(tf.gather(alpha_bar, t), [-1, 1])
    return tf.sqrt(level) * x + tf.sqrt(1.0 - level) * noise


class Denoiser(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.time = tf.keras.layers.Embedding(T, 4)
        self.first, self.last = tf.keras.layers.Dense(16, activation="swish"), tf.keras.layers.Dense(2)

    def call(self, inputs):
        x, t = inputs
        return self.last(self.first(tf.concat([x, self.time(t)], axis=-1)))


model = Denoiser()
model((numbers(1, 2), np.array([0])))
fill(model)
optimizer = tf.keras.optimizers.SGD(0.5)
data = tf.data.Dataset.from_tensor_slices(np.stack([np.cos(np.arange(24)), np.sin(np.arange(24))], 1).astype("float32"))
data = data.cache().repeat(2).batch(12)
for step, x in enumerate(data):
    t, noise = np.random.RandomState(step).randint(0, T, 12), numbers(12, 2, seed=step) - 0.5
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(noise - model((noised(x, t, noise), t))))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
    print(f"{step}: {loss:.5f}")
x = tf.constant(numbers(3, 2, seed=40) * 2 - 1)
for t in reversed(range(T)):
    noise = model((x, np.full(3, t)))
    x = (x - beta[t] / np.sqrt(1 - alpha_bar[t]) * noise) / np.sqrt(1 - beta[t])
print(x.numpy().round(4))
