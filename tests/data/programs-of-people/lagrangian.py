# A Lagrangian network for a pendulum: Hessians in the velocity by batch_jacobian, a solve, softplus twice.
net = tf.keras.Sequential([tf.keras.layers.Dense(8, activation=tf.nn.softplus), tf.keras.layers.Dense(1)])
net(tf.zeros((1, 4)))
fill(net)


def acceleration(q, qd):
    with tf.GradientTape(persistent=True) as outer:
        outer.watch([q, qd])
        with tf.GradientTape(persistent=True) as inner:
            inner.watch([q, qd])
            lagrangian = net(tf.concat([q, qd], axis=-1))
        dl_dq = inner.gradient(lagrangian, q)
        dl_dqd = inner.gradient(lagrangian, qd)
    hess = outer.batch_jacobian(dl_dqd, qd)
    mixed = outer.batch_jacobian(dl_dqd, q)
    right = dl_dq[..., tf.newaxis] - tf.matmul(mixed, qd[..., tf.newaxis])
    return tf.squeeze(tf.linalg.solve(hess + 0.5 * tf.eye(2, batch_shape=[q.shape[0]]), right), -1)


q, qd = tf.constant(numbers(5, 2)), tf.constant(numbers(5, 2, seed=1))
target = -tf.sin(q)
opt = tf.keras.optimizers.SGD(0.05, momentum=0.9, nesterov=True)
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(acceleration(q, qd) - target))
    grads = tape.gradient(loss, net.trainable_variables)
    print(step, f"{loss:.5f}", f"{tf.linalg.global_norm([g for g in grads if g is not None]):.5f}", [g is None for g in grads])
    opt.apply_gradients((g, v) for g, v in zip(grads, net.trainable_variables) if g is not None)
