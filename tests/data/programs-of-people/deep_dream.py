# Deep dream: gradient ascent on an image, in octaves.
kernels = [numbers(3, 3, 3, 4) - 0.5, numbers(3, 3, 4, 4, seed=1) - 0.5]


def activations(image):
    x, found = image, []
    for kernel in kernels:
        x = tf.nn.relu(tf.nn.conv2d(x, kernel, 2, "SAME"))
        found.append(x)
    return found


def calc_loss(image):
    return tf.reduce_sum([tf.math.reduce_mean(layer) for layer in activations(tf.expand_dims(image, axis=0))])


@tf.function(input_signature=(tf.TensorSpec(shape=[None, None, 3], dtype=tf.float32), tf.TensorSpec(shape=[], dtype=tf.int32), tf.TensorSpec(shape=[], dtype=tf.float32)))
def dream(image, steps, step_size):
    loss = tf.constant(0.0)
    for n in tf.range(steps):
        with tf.GradientTape() as tape:
            tape.watch(image)
            loss = calc_loss(image)
        gradients = tape.gradient(loss, image)
        gradients /= tf.math.reduce_std(gradients) + 1e-8
        image = tf.clip_by_value(image + gradients * step_size, -1, 1)
    return loss, image


image = tf.constant(numbers(8, 9, 3) - 0.5)
base = tf.cast(tf.shape(image)[:-1], tf.float32)
for n in range(-1, 2):
    new_shape = tf.cast(base * (1.3**n), tf.int32)
    image = tf.image.resize(image, new_shape)
    loss, image = dream(image, tf.constant(3), tf.constant(0.05))
    print(f"octave {n}: {new_shape.numpy()}, loss {loss:.5f}, mean {tf.reduce_mean(image):.5f}")
print(tf.image.convert_image_dtype((image + 1) / 2, tf.uint8)[0, :3].numpy())
