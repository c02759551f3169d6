@tf.recompute_grad
def layer(h):
    a = tf.sin(h)
    b = tf.cos(a)
    return tf.sin(b)


x = tf.constant(0.5)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = layer(x)
    z = layer(y)
slope = tape.gradient(z, x)
