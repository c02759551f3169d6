import tensorflow as tf


@tf.recompute_grad
def wave(a):
    return tf.exp(tf.cos(tf.sin(a))) * 2.0


x = tf.Variable([0.5, 1.5])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(wave(x * 2.0))
slope = tape.gradient(loss, x)
