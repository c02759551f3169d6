x = tf.Variable([1.0, 3.0])
with tf.GradientTape() as tape:
    y = x * x
J = tape.jacobian(y, x)
