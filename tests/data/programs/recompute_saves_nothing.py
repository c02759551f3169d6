@tf.recompute_grad
def layer(h):
    return tf.tanh(h)


x = tf.constant([0.5, 1.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = layer(x)
slope = tape.gradient(y, x)
