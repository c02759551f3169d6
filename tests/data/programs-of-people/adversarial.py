# The fast gradient sign method, and a saliency map by integrated gradients.
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(4, 3, activation="relu"), tf.keras.layers.MaxPooling2D(), tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(3, activation="softmax"),
])
image = tf.constant(numbers(1, 8, 8, 1))
model(image)
fill(model)
loss_object = tf.keras.losses.CategoricalCrossentropy()
label = tf.one_hot([int(tf.argmax(model(image)[0]))], 3)
with tf.GradientTape() as tape:
    tape.watch(image)
    loss = loss_object(label, model(image))
signed = tf.sign(tape.gradient(loss, image))
for eps in [0.0, 0.01, 0.1, 0.15]:
    adversarial = tf.clip_by_value(image + eps * signed, -1, 1)
    print(f"{eps}: {tf.reduce_sum(model(adversarial) * label):.5f}")

baseline = tf.zeros_like(image)
alphas = tf.linspace(start=0.0, stop=1.0, num=5)[:, tf.newaxis, tf.newaxis, tf.newaxis]
path = baseline + alphas * (image - baseline)
with tf.GradientTape() as tape:
    tape.watch(path)
    probs = model(path)[:, int(tf.argmax(label[0]))]
grads = tape.gradient(probs, path)
average = tf.math.reduce_mean((grads[:-1] + grads[1:]) / tf.constant(2.0), axis=0)
attribution = (image - baseline) * average
print(f"{tf.reduce_sum(attribution):.5f} of {probs[-1] - probs[0]:.5f}")
print(tf.reduce_sum(attribution, axis=-1)[0, :2].numpy().round(5))
