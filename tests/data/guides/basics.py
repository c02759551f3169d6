# TensorFlow's guide "TensorFlow basics", its calls in our own words.
x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
print(x)
print(x.shape)
print(x.dtype)
for one in (x + x, 5 * x, x @ tf.transpose(x), tf.concat([x, x, x], axis=0), tf.nn.softmax(x, axis=-1), tf.reduce_sum(x)):
    print(repr(one))
print(repr(tf.convert_to_tensor([1, 2, 3])))
print(repr(tf.reduce_sum([1, 2, 3])))
print(bool(tf.config.list_physical_devices("GPU")))
var = tf.Variable([0.0, 0.0, 0.0])
var.assign([1, 2, 3])
var.assign_add([1, 1, 1])
print(var)


def f(x):
    return x**2 + 2 * x - 5


x = tf.Variable(1.0)
print(repr(f(x)))
with tf.GradientTape() as tape:
    y = f(x)
print(repr(tape.gradient(y, x)))


@tf.function
def summed(x):
    return tf.reduce_sum(x)


print(repr(summed(tf.constant([1, 2, 3]))))
print(repr(summed(tf.constant([10.0, 9.1, 8.2], dtype=tf.float32))))


class Weighted(tf.Module):
    def __init__(self, value):
        self.weight = tf.Variable(value)

    @tf.function
    def multiply(self, x):
        return x * self.weight


mod = Weighted(3)
print(repr(mod.multiply(tf.constant([1, 2, 3]))))

# -- a curve, by hand
x = tf.linspace(-2, 2, 201)
x = tf.cast(x, tf.float32)
y = f(x) + tf.random.normal(shape=[201])
plt.plot(x.numpy(), y.numpy(), ".", label="Data")
plt.plot(x, f(x), label="Ground truth")


class Curve(tf.Module):
    def __init__(self):
        rand_init = tf.random.uniform(shape=[3], minval=0.0, maxval=5.0, seed=22)
        self.w_q = tf.Variable(rand_init[0])
        self.w_l = tf.Variable(rand_init[1])
        self.b = tf.Variable(rand_init[2])

    @tf.function
    def __call__(self, x):
        return self.w_q * (x**2) + self.w_l * x + self.b


curve = Curve()


def mse_loss(y_pred, y):
    return tf.reduce_mean(tf.square(y_pred - y))


losses = []
for epoch in range(50):
    with tf.GradientTape() as tape:
        batch_loss = mse_loss(curve(x), y)
    grads = tape.gradient(batch_loss, curve.variables)
    for g, v in zip(grads, curve.variables):
        v.assign_sub(0.01 * g)
    loss = mse_loss(curve(x), y)
    losses.append(loss)
    if epoch % 10 == 0:
        print(f"Mean squared error for step {epoch}: {loss.numpy():0.3f}")
plt.plot(range(50), losses)

# -- and with Keras
new_model = tf.keras.Sequential([
    tf.keras.layers.Lambda(lambda x: tf.stack([x, x**2], axis=1)),
    tf.keras.layers.Dense(units=1),
])
new_model.compile(loss=tf.keras.losses.MSE, optimizer=tf.keras.optimizers.SGD(learning_rate=0.01))
new_model(x)
settled(new_model.layers[1])
history = new_model.fit(x, y, epochs=20, batch_size=201, verbose=0)
print([f"{one:.4f}" for one in history.history["loss"][::5]])
