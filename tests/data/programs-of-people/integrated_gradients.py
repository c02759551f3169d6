# Integrated gradients: a path of images between a baseline and an input, gradients along it, the sum that completeness asks for.
model = tf.keras.Sequential([
    tf.keras.layers.InputLayer(shape=(6, 6, 3)),
    tf.keras.layers.Conv2D(4, 3, activation="relu"),
    tf.keras.layers.MaxPool2D(),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(5, activation="softmax"),
])
fill(model)
image = tf.image.convert_image_dtype((numbers(6, 6, 3) * 255).astype("uint8"), tf.float32)
baseline = tf.zeros(shape=image.shape)
m_steps = 20
alphas = tf.linspace(start=0.0, stop=1.0, num=m_steps + 1)


def interpolate_images(baseline, image, alphas):
    alphas_x = alphas[:, tf.newaxis, tf.newaxis, tf.newaxis]
    baseline_x = tf.expand_dims(baseline, axis=0)
    input_x = tf.expand_dims(image, axis=0)
    delta = input_x - baseline_x
    return baseline_x + alphas_x * delta


def compute_gradients(images, target_class_idx):
    with tf.GradientTape() as tape:
        tape.watch(images)
        logits = model(images)
        probs = tf.nn.softmax(logits, axis=-1)[:, target_class_idx]
    return tape.gradient(probs, images)


def integral_approximation(gradients):
    grads = (gradients[:-1] + gradients[1:]) / tf.constant(2.0)
    return tf.math.reduce_mean(grads, axis=0)


@tf.function
def one_batch(baseline, image, alpha_batch, target_class_idx):
    return compute_gradients(interpolate_images(baseline, image, alpha_batch), target_class_idx)


def integrated_gradients(baseline, image, target_class_idx, m_steps=20, batch_size=8):
    gradient_batches = []
    for alpha in tf.range(0, len(alphas), batch_size):
        from_ = alpha
        to = tf.minimum(from_ + batch_size, len(alphas))
        gradient_batches.append(one_batch(baseline, image, alphas[from_:to], target_class_idx))
    total_gradients = tf.concat(gradient_batches, axis=0)
    avg_gradients = integral_approximation(gradients=total_gradients)
    return (image - baseline) * avg_gradients


ig = integrated_gradients(baseline, image, target_class_idx=2)
mask = tf.reduce_sum(tf.math.abs(ig), axis=-1)
print(ig.shape, mask.numpy().round(5)[0])
print(f"{tf.reduce_sum(ig):.5f}")
top = tf.math.top_k(tf.reshape(mask, [-1]), k=3)
print(top.indices.numpy(), top.values.numpy().round(5))
