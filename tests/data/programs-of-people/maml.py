# MAML: the gradient of a loss after a step of gradient descent, through that step.
def forward(weights, x):
    w1, b1, w2, b2 = weights
    return tf.nn.relu(x @ w1 + b1) @ w2 + b2


def mse(y, p):
    return tf.reduce_mean((y - p) ** 2)


weights = [tf.Variable(numbers(1, 8) - 0.5), tf.Variable(numbers(8, seed=1) - 0.5), tf.Variable(numbers(8, 1, seed=2) - 0.5), tf.Variable([0.1])]
meta = tf.keras.optimizers.Adam(0.01)
for iteration in range(4):
    with tf.GradientTape() as outer:
        losses = []
        for task in range(3):
            amplitude, phase = 1.0 + task, 0.5 * task
            support, query = numbers(5, 1, seed=task + 3 * iteration) * 4, numbers(5, 1, seed=90 + task) * 4
            with tf.GradientTape() as inner:
                inner.watch(weights)
                loss = mse(amplitude * np.sin(support + phase), forward(weights, support))
            fast = [w - 0.05 * g for w, g in zip(weights, inner.gradient(loss, weights))]
            losses.append(mse(amplitude * np.sin(query + phase), forward(fast, query)))
        meta_loss = tf.add_n(losses) / len(losses)
    gradients = outer.gradient(meta_loss, weights)
    meta.apply_gradients(zip(gradients, weights))
    print(f"{iteration}: {meta_loss:.5f}, gradient norm {tf.linalg.global_norm(gradients):.5f}")
