@tf.recompute_grad
def layer(h):
    a = tf.sin(h)
    return a * a


x = tf.constant(0.5)
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = layer(x)
    d = inner.gradient(y, x)
curve = outer.gradient(d, x)
