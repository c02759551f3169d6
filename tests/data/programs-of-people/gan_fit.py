# A GAN in fit: two optimizers in compile, train_step of its own.
class GAN(tf.keras.Model):
    def __init__(self, discriminator, generator, latent_dim):
        super().__init__()
        self.discriminator = discriminator
        self.generator = generator
        self.latent_dim = latent_dim
        self.d_loss_tracker = tf.keras.metrics.Mean(name="d_loss")
        self.g_loss_tracker = tf.keras.metrics.Mean(name="g_loss")
        self.seed_generator = tf.keras.random.SeedGenerator(1337)

    def compile(self, d_optimizer, g_optimizer, loss_fn):
        super().compile()
        self.d_optimizer = d_optimizer
        self.g_optimizer = g_optimizer
        self.loss_fn = loss_fn

    def train_step(self, real):
        if isinstance(real, tuple):
            real = real[0]
        b = tf.shape(real)[0]
        z = tf.ones(shape=(b, self.latent_dim)) * 0.3
        gen = self.generator(z)
        comb = tf.concat([gen, real], axis=0)
        labels = tf.concat([tf.ones((b, 1)), tf.zeros((b, 1))], axis=0)
        labels += 0.05 * 0.5
        with tf.GradientTape() as tape:
            p = self.discriminator(comb)
            dl = self.loss_fn(labels, p)
        g = tape.gradient(dl, self.discriminator.trainable_weights)
        self.d_optimizer.apply_gradients(zip(g, self.discriminator.trainable_weights))
        with tf.GradientTape() as tape:
            p = self.discriminator(self.generator(z))
            gl = self.loss_fn(tf.zeros((b, 1)), p)
        g = tape.gradient(gl, self.generator.trainable_weights)
        self.g_optimizer.apply_gradients(zip(g, self.generator.trainable_weights))
        self.d_loss_tracker.update_state(dl)
        self.g_loss_tracker.update_state(gl)
        return {"d_loss": self.d_loss_tracker.result(), "g_loss": self.g_loss_tracker.result()}


L = tf.keras.layers
disc = tf.keras.Sequential(
    [
        tf.keras.Input(shape=(8, 8, 1)),
        L.Conv2D(4, (3, 3), strides=(2, 2), padding="same"),
        L.LeakyReLU(negative_slope=0.2),
        L.Conv2D(4, (3, 3), strides=(2, 2), padding="same"),
        L.LeakyReLU(negative_slope=0.2),
        L.GlobalMaxPooling2D(),
        L.Dense(1),
    ],
    name="discriminator",
)
gen = tf.keras.Sequential(
    [
        tf.keras.Input(shape=(4,)),
        L.Dense(2 * 2 * 4),
        L.LeakyReLU(negative_slope=0.2),
        L.Reshape((2, 2, 4)),
        L.Conv2DTranspose(4, (4, 4), strides=(2, 2), padding="same"),
        L.LeakyReLU(negative_slope=0.2),
        L.Conv2DTranspose(4, (4, 4), strides=(2, 2), padding="same"),
        L.LeakyReLU(negative_slope=0.2),
        L.Conv2D(1, (7, 7), padding="same", activation="sigmoid"),
    ],
    name="generator",
)
fill(disc)
fill(gen)
gan = GAN(discriminator=disc, generator=gen, latent_dim=4)
gan.compile(
    d_optimizer=tf.keras.optimizers.Adam(learning_rate=0.0003),
    g_optimizer=tf.keras.optimizers.Adam(learning_rate=0.0003),
    loss_fn=tf.keras.losses.BinaryCrossentropy(from_logits=True),
)
h = gan.fit(numbers(8, 8, 8, 1), batch_size=4, epochs=3, shuffle=False, verbose=0)
for k in sorted(h.history):
    print(k, [f"{float(v):.4f}" for v in h.history[k]])
print(gan.generator.count_params(), [w.shape for w in gen.weights][:3])
