# Style transfer: Gram matrices of a small network's features, total variation, an image that is optimized.
filters = [tf.constant(numbers(3, 3, 3, 4) - 0.5), tf.constant(numbers(3, 3, 4, 5, seed=1) - 0.5)]


def features(image):
    first = tf.nn.relu(tf.nn.conv2d(image, filters[0], strides=1, padding="SAME"))
    pooled = tf.nn.avg_pool2d(first, 2, 2, "SAME")
    return {"style": [first], "content": [tf.nn.relu(tf.nn.conv2d(pooled, filters[1], strides=1, padding="SAME"))]}


def gram_matrix(x):
    result = tf.linalg.einsum("bijc,bijd->bcd", x, x)
    shape = tf.shape(x)
    return result / tf.cast(shape[1] * shape[2], tf.float32)


content = tf.image.resize(tf.constant(numbers(5, 7, 3)), [8, 8])[tf.newaxis]
style = tf.image.convert_image_dtype((numbers(1, 8, 8, 3, seed=2) * 255).astype("uint8"), tf.float32)
style_targets = [gram_matrix(layer) for layer in features(style)["style"]]
content_targets = features(content)["content"]
image = tf.Variable(content)
opt = tf.keras.optimizers.Adam(learning_rate=0.02, beta_1=0.99, epsilon=1e-1)
for step in range(4):
    with tf.GradientTape() as tape:
        outputs = features(image)
        style_loss = tf.add_n([tf.reduce_mean((gram_matrix(a) - b) ** 2) for a, b in zip(outputs["style"], style_targets)])
        content_loss = tf.add_n([tf.reduce_mean((a - b) ** 2) for a, b in zip(outputs["content"], content_targets)])
        loss = style_loss + 10.0 * content_loss + 0.01 * tf.image.total_variation(image)[0]
    grad = tape.gradient(loss, image)
    opt.apply_gradients([(grad, image)])
    image.assign(tf.clip_by_value(image, clip_value_min=0.0, clip_value_max=1.0))
    print(f"step {step}: {loss:.5f} (style {style_loss:.5f}, content {content_loss:.5f})")
print(image.numpy()[0, 0, :3].round(4))
