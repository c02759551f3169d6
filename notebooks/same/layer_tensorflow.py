import tensorflow as tf

x, aim = tf.constant([[1.0, 2.0], [3.0, -1.0]]), tf.constant([[1.0], [0.0]])
w, b = tf.Variable([[0.5], [-0.25]]), tf.Variable([0.1])
with tf.GradientTape() as tape:
    out = tf.tanh(tf.matmul(x, w) + b)
    loss = tf.reduce_mean(tf.square(out - aim))
by_w, by_b = tape.gradient(loss, [w, b])
w.assign_sub(0.1 * by_w)
