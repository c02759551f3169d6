x = tf.Variable(5.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x * x * x
    d = inner.gradient(y, x)
d2 = outer.gradient(d, x)
