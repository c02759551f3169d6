x = tf.Variable([1.0, 2.0])
try:
    with tf.GradientTape() as tape:
        y = x * 2.0
        z = y + tf.constant([1.0, 2.0, 3.0])
except tf.errors.InvalidArgumentError:
    pass
dy = tape.gradient(y, x)
