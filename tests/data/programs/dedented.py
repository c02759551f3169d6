x = tf.constant(5.0)
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = x * x
d = inner.gradient(y, x)
d2 = outer.gradient(d, x)
