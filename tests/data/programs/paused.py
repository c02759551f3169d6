x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
    with tape.stop_recording():
        z = y * 2.0
    w = y + z
dw = tape.gradient(w, x)
