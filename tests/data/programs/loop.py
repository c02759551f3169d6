def f(x):
    h = tf.sin(x)
    return h * tf.exp(-x)


w = tf.Variable(0.5)
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = (f(w) - 1.0) ** 2
    g = tape.gradient(loss, w)
    w.assign_sub(0.1 * g)
