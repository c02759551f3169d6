tf.random.set_seed(1)
model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="tanh"), tf.keras.layers.Dense(1)])
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
model(x)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(x) ** 2)
slopes = tape.gradient(loss, model.trainable_variables)
for weight, slope in zip(model.trainable_variables, slopes):
    weight.assign_sub(0.1 * slope)
