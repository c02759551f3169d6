v = tf.Variable([1.0, 2.0])
with tf.autodiff.ForwardAccumulator(v, tf.constant([1.0, 0.0])) as acc:
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(v**3.0)
    backward = tape.gradient(y, v)
product = acc.jvp(backward)
