w = tf.Variable(0.5)
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    with viz.region("encoder"):
        h = tf.sin(w * x)
    with viz.region("loss"):
        loss = tf.reduce_sum(h * h)
slope = tape.gradient(loss, w)
