w = tf.Variable(0.5)
x = tf.constant([1.0, 2.0, 3.0])
for epoch in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x - 2.0 * x) ** 2)
    slope = tape.gradient(loss, w)
    w.assign_sub(0.05 * slope)
