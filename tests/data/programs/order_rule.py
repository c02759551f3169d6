x = tf.constant(1.1)
one = tf.constant(1.0)
with tf.autodiff.ForwardAccumulator(x, one) as outer:
    with tf.autodiff.ForwardAccumulator(x, one) as inner:
        y = x**3.5
dy = inner.jvp(y)
d2y = outer.jvp(dy)
t = outer.jvp(y)
nothing = inner.jvp(t)
