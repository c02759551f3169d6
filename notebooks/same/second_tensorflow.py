import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x * x * x
    slope = inner.gradient(y, x)
bend = outer.gradient(slope, x)
