net = tf.checkpoint_sequential([tf.sin] * 4, schedule="sqrt")
x = tf.constant(1.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = net(x)
slope = tape.gradient(y, x)
