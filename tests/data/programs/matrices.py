X = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
W = tf.Variable([[0.5, -0.5, 1.0], [0.1, 0.2, -0.3]])
b = tf.Variable([0.0, 1.0, 0.0])
with tf.GradientTape() as tape:
    h = tf.tanh(X @ W + b)
    loss = tf.reduce_mean(h * h)
dW, db = tape.gradient(loss, [W, b])
W.assign_sub(0.1 * dW)
