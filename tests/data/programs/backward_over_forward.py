w = tf.Variable(1.5)
with tf.GradientTape() as tape:
    with tf.autodiff.ForwardAccumulator(w, tf.constant(2.0)) as acc:
        y = tf.sin(w) * w
    slope = acc.jvp(y)
second = tape.gradient(slope, w)
