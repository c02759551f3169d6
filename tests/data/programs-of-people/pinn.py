# A physics-informed network for the heat equation u_t = 0.1 u_xx: second derivatives inside of the loss.
net = tf.keras.Sequential([tf.keras.layers.Dense(10, activation="tanh"), tf.keras.layers.Dense(10, activation="tanh"), tf.keras.layers.Dense(1)])
net(numbers(1, 2))
fill(net)
x, t = tf.constant(numbers(20, 1)), tf.constant(numbers(20, 1, seed=1))
x0 = tf.constant(numbers(10, 1, seed=2))
optimizer = tf.keras.optimizers.Adam(learning_rate=5e-3)


def residual(x, t):
    with tf.GradientTape(persistent=True) as outer:
        outer.watch([x, t])
        with tf.GradientTape(persistent=True) as inner:
            inner.watch([x, t])
            u = net(tf.concat([x, t], axis=1))
        u_x = inner.gradient(u, x)
        u_t = inner.gradient(u, t)
    u_xx = outer.gradient(u_x, x)
    return u_t - 0.1 * u_xx


for step in range(5):
    with tf.GradientTape() as tape:
        physics = tf.reduce_mean(tf.square(residual(x, t)))
        start = tf.reduce_mean(tf.square(net(tf.concat([x0, tf.zeros_like(x0)], 1)) - tf.sin(np.pi * x0)))
        edge = tf.reduce_mean(tf.square(net(tf.concat([tf.zeros_like(t), t], 1))))
        loss = physics + start + edge
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    print(f"{step}: {loss:.5f} = {physics:.5f} + {start:.5f} + {edge:.5f}")
