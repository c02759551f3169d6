# A DCGAN: transposed convolutions, leaky ReLU, two tapes and two optimizers.
layers = tf.keras.layers
generator = tf.keras.Sequential([
    layers.Dense(2 * 2 * 4, use_bias=False), layers.BatchNormalization(), layers.LeakyReLU(), layers.Reshape((2, 2, 4)),
    layers.Conv2DTranspose(3, (3, 3), strides=(2, 2), padding="same", use_bias=False), layers.LeakyReLU(),
    layers.Conv2DTranspose(1, (3, 3), strides=(2, 2), padding="same", activation="tanh"),
])
discriminator = tf.keras.Sequential([
    layers.Conv2D(4, (3, 3), strides=(2, 2), padding="same"), layers.LeakyReLU(), layers.Dropout(0.0), layers.Flatten(), layers.Dense(1),
])
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)
generator_optimizer, discriminator_optimizer = tf.keras.optimizers.Adam(1e-3), tf.keras.optimizers.Adam(1e-3)
discriminator(generator(numbers(1, 5)))
fill(generator), fill(discriminator)


@tf.function
def train_step(images, noise):
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        generated = generator(noise, training=True)
        real_output = discriminator(images, training=True)
        fake_output = discriminator(generated, training=True)
        gen_loss = cross_entropy(tf.ones_like(fake_output), fake_output)
        disc_loss = cross_entropy(tf.ones_like(real_output), real_output) + cross_entropy(tf.zeros_like(fake_output), fake_output)
    gen_gradients = gen_tape.gradient(gen_loss, generator.trainable_variables)
    disc_gradients = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gen_gradients, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(zip(disc_gradients, discriminator.trainable_variables))
    return gen_loss, disc_loss


for step in range(3):
    gen_loss, disc_loss = train_step(numbers(3, 8, 8, 1, seed=step), numbers(3, 5, seed=step + 10))
    print(f"generator {gen_loss:.5f} discriminator {disc_loss:.5f}")
print(f"{tf.reduce_mean(generator(numbers(2, 5), training=False)):.5f}")
