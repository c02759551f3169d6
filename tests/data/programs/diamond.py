x = tf.Variable(2.0)
y = tf.Variable(3.0)
with tf.GradientTape() as tape:
    s = x + y
    z = s * y
dx, dy = tape.gradient(z, [x, y])
