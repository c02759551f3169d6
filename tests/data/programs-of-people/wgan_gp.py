# A Wasserstein GAN with a gradient penalty: a tape inside of a tape.
critic = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Lambda(tf.nn.leaky_relu), tf.keras.layers.Dense(1)])
generator = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(2)])
critic_optimizer, generator_optimizer = tf.keras.optimizers.RMSprop(1e-3), tf.keras.optimizers.RMSprop(1e-3)
critic(generator(numbers(1, 3)))
fill(critic), fill(generator)


def gradient_penalty(real, fake, epsilon):
    interpolated = epsilon * real + (1.0 - epsilon) * fake
    with tf.GradientTape() as tape:
        tape.watch(interpolated)
        prediction = critic(interpolated, training=True)
    grads = tape.gradient(prediction, [interpolated])[0]
    norm = tf.sqrt(tf.reduce_sum(tf.square(grads), axis=[1]))
    return tf.reduce_mean((norm - 1.0) ** 2)


for step in range(3):
    for turn in range(2):
        real, noise = tf.constant(numbers(6, 2, seed=step + turn)), numbers(6, 3, seed=50 + step + turn)
        with tf.GradientTape() as tape:
            fake = generator(noise, training=True)
            penalty = gradient_penalty(real, fake, numbers(6, 1, seed=turn))
            cost = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * penalty
        gradients = tape.gradient(cost, critic.trainable_variables)
        critic_optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(critic(generator(noise, training=True)))
    gradients = tape.gradient(loss, generator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gradients, generator.trainable_variables))
    print(f"critic {cost:.5f} penalty {penalty:.5f} generator {loss:.5f}")
