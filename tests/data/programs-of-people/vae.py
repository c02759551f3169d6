# A variational autoencoder: Dense layers, a custom train step, tf.data.
class Autoencoder(tf.keras.Model):
    def __init__(self, latent):
        super().__init__()
        self.latent = latent
        self.encoder = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="relu"), tf.keras.layers.Dense(2 * latent)])
        self.decoder = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="relu"), tf.keras.layers.Dense(8)])

    def encode(self, x):
        return tf.split(self.encoder(x), num_or_size_splits=2, axis=1)

    def reparameterize(self, mean, logvar, noise):
        return noise * tf.exp(logvar * 0.5) + mean

    def decode(self, z, apply_sigmoid=False):
        logits = self.decoder(z)
        return tf.sigmoid(logits) if apply_sigmoid else logits


def log_normal_pdf(sample, mean, logvar, raxis=1):
    log2pi = tf.math.log(2.0 * np.pi)
    return tf.reduce_sum(-0.5 * ((sample - mean) ** 2.0 * tf.exp(-logvar) + logvar + log2pi), axis=raxis)


def compute_loss(model, x, noise):
    mean, logvar = model.encode(x)
    z = model.reparameterize(mean, logvar, noise)
    cross_ent = tf.nn.sigmoid_cross_entropy_with_logits(logits=model.decode(z), labels=x)
    logpx_z = -tf.reduce_sum(cross_ent, axis=1)
    return -tf.reduce_mean(logpx_z + log_normal_pdf(z, 0.0, 0.0) - log_normal_pdf(z, mean, logvar))


model, optimizer = Autoencoder(2), tf.keras.optimizers.Adam(1e-2)
images = (numbers(12, 8) > 0.5).astype("float32")
model.encoder(images[:1]), model.decoder(np.zeros((1, 2), "float32"))
fill(model.encoder), fill(model.decoder)
train = tf.data.Dataset.from_tensor_slices(images).batch(4)
for epoch in range(1, 4):
    for step, x in enumerate(train):
        with tf.GradientTape() as tape:
            loss = compute_loss(model, x, numbers(4, 2, seed=step))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    elbo = tf.keras.metrics.Mean()
    for x in train:
        elbo(compute_loss(model, x, numbers(4, 2, seed=9)))
    print(f"epoch {epoch}: ELBO {-elbo.result():.5f}")
print(model.decode(np.zeros((1, 2), "float32"), apply_sigmoid=True).numpy().round(5))
