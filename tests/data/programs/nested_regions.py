@tf.recompute_grad
def inner(h):
    a = tf.sin(h)
    return tf.cos(a)


@tf.recompute_grad
def outer(h):
    b = inner(h)
    c = tf.sin(b)
    return inner(c)


x = tf.constant(0.5)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = outer(x)
slope = tape.gradient(y, x)
