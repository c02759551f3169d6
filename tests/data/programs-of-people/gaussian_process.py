# A Gaussian process: the marginal likelihood through a Cholesky factor, log-parameters, predictions with their variance.
X = tf.constant(np.linspace(0, 4, 9), tf.float64)[:, tf.newaxis]
Y = tf.math.sin(X) + 0.1 * tf.constant(numbers(9, 1), tf.float64)
log_amplitude, log_length, log_noise = (tf.Variable(value, dtype=tf.float64, name=name) for name, value in (("amplitude", 0.0), ("length", 0.3), ("noise", -2.0)))


def kernel(a, b):
    distance = tf.reduce_sum(tf.math.squared_difference(a[:, None, :], b[None, :, :]), -1)
    return tf.exp(2 * log_amplitude) * tf.exp(-0.5 * distance / tf.exp(2 * log_length))


def negative_log_likelihood():
    K = kernel(X, X) + tf.exp(2 * log_noise) * tf.eye(tf.shape(X)[0], dtype=tf.float64)
    L = tf.linalg.cholesky(K)
    alpha = tf.linalg.cholesky_solve(L, Y)
    fit = 0.5 * tf.squeeze(tf.matmul(Y, alpha, transpose_a=True))
    return fit + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(L))) + 4.5 * tf.math.log(tf.constant(2 * np.pi, tf.float64))


variables = [log_amplitude, log_length, log_noise]
optimizer = tf.keras.optimizers.Adam(learning_rate=0.1)
for step in range(6):
    with tf.GradientTape() as tape:
        loss = negative_log_likelihood()
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    print(f"{step}: {loss:.5f}", " ".join(f"{variable.name}={float(variable):.4f}" for variable in variables))
Z = tf.constant([[0.5], [5.0]], tf.float64)
L = tf.linalg.cholesky(kernel(X, X) + tf.exp(2 * log_noise) * tf.eye(9, dtype=tf.float64))
half = tf.linalg.triangular_solve(L, kernel(X, Z))
mean = tf.matmul(half, tf.linalg.triangular_solve(L, Y), transpose_a=True)
variance = tf.linalg.diag_part(kernel(Z, Z) - tf.matmul(half, half, transpose_a=True))
print(np.round(mean.numpy().ravel(), 4), np.round(variance.numpy(), 4))
