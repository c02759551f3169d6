x = tf.Variable(1.01)
with tf.GradientTape() as tape:
    y = x
    for _ in range(200):
        y = tf.sin(y) * x
slope = tape.gradient(y, x)
