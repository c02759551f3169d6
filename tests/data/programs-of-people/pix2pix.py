# A pix2pix step: downsample and upsample blocks, skips, a PatchGAN, L1 loss, dropout off.
OUTPUT_CHANNELS, LAMBDA = 3, 100


def downsample(filters, size, apply_batchnorm=True):
    initializer = tf.random_normal_initializer(0.0, 0.02)
    result = tf.keras.Sequential()
    result.add(tf.keras.layers.Conv2D(filters, size, strides=2, padding="same", kernel_initializer=initializer, use_bias=False))
    if apply_batchnorm:
        result.add(tf.keras.layers.BatchNormalization())
    result.add(tf.keras.layers.LeakyReLU())
    return result


def upsample(filters, size, apply_dropout=False):
    initializer = tf.random_normal_initializer(0.0, 0.02)
    result = tf.keras.Sequential()
    result.add(tf.keras.layers.Conv2DTranspose(filters, size, strides=2, padding="same", kernel_initializer=initializer, use_bias=False))
    result.add(tf.keras.layers.BatchNormalization())
    if apply_dropout:
        result.add(tf.keras.layers.Dropout(0.0))
    result.add(tf.keras.layers.ReLU())
    return result


def Generator():
    inputs = tf.keras.layers.Input(shape=[8, 8, 3])
    down_stack = [downsample(4, 4, apply_batchnorm=False), downsample(6, 4), downsample(6, 4)]
    up_stack = [upsample(6, 4, apply_dropout=True), upsample(4, 4)]
    last = tf.keras.layers.Conv2DTranspose(OUTPUT_CHANNELS, 4, strides=2, padding="same", activation="tanh")
    x = inputs
    skips = []
    for down in down_stack:
        x = down(x)
        skips.append(x)
    skips = reversed(skips[:-1])
    for up, skip in zip(up_stack, skips):
        x = up(x)
        x = tf.keras.layers.Concatenate()([x, skip])
    return tf.keras.Model(inputs=inputs, outputs=last(x))


def Discriminator():
    inp = tf.keras.layers.Input(shape=[8, 8, 3], name="input_image")
    tar = tf.keras.layers.Input(shape=[8, 8, 3], name="target_image")
    x = tf.keras.layers.concatenate([inp, tar])
    down1 = downsample(4, 4, False)(x)
    zero_pad1 = tf.keras.layers.ZeroPadding2D()(down1)
    conv = tf.keras.layers.Conv2D(6, 4, strides=1, use_bias=False)(zero_pad1)
    batchnorm1 = tf.keras.layers.BatchNormalization()(conv)
    leaky_relu = tf.keras.layers.LeakyReLU()(batchnorm1)
    zero_pad2 = tf.keras.layers.ZeroPadding2D()(leaky_relu)
    last = tf.keras.layers.Conv2D(1, 4, strides=1)(zero_pad2)
    return tf.keras.Model(inputs=[inp, tar], outputs=last)


generator, discriminator = Generator(), Discriminator()
fill(generator), fill(discriminator)
loss_object = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def generator_loss(disc_generated_output, gen_output, target):
    gan_loss = loss_object(tf.ones_like(disc_generated_output), disc_generated_output)
    l1_loss = tf.reduce_mean(tf.abs(target - gen_output))
    return gan_loss + (LAMBDA * l1_loss), gan_loss, l1_loss


def discriminator_loss(real, generated):
    return loss_object(tf.ones_like(real), real) + loss_object(tf.zeros_like(generated), generated)


generator_optimizer = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
discriminator_optimizer = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)


@tf.function
def train_step(input_image, target, step):
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        gen_output = generator(input_image, training=True)
        disc_real_output = discriminator([input_image, target], training=True)
        disc_generated_output = discriminator([input_image, gen_output], training=True)
        total, gan, l1 = generator_loss(disc_generated_output, gen_output, target)
        disc_loss = discriminator_loss(disc_real_output, disc_generated_output)
    generator_gradients = gen_tape.gradient(total, generator.trainable_variables)
    discriminator_gradients = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(generator_gradients, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(zip(discriminator_gradients, discriminator.trainable_variables))
    return total, gan, l1, disc_loss


def normalize(input_image, real_image):
    return (input_image * 2) - 1, (real_image * 2) - 1


def load_image_train(pair):
    input_image, real_image = pair[:, :8], pair[:, 8:]
    stacked = tf.stack([input_image, real_image], axis=0)
    stacked = tf.image.resize(stacked, [10, 10], method=tf.image.ResizeMethod.NEAREST_NEIGHBOR)
    stacked = tf.image.crop_to_bounding_box(stacked, 1, 1, 8, 8)
    return normalize(tf.image.flip_left_right(stacked[0]), stacked[1])


dataset = tf.data.Dataset.from_tensor_slices(numbers(4, 8, 16, 3)).map(load_image_train, num_parallel_calls=tf.data.AUTOTUNE).batch(2)
for step, (input_image, target) in dataset.repeat().take(3).enumerate():
    print(int(step), " ".join(f"{v:.4f}" for v in train_step(input_image, target, step)))
print(generator.output_shape, discriminator.output_shape, len(generator.layers), discriminator.count_params())
