# A CycleGAN step: four networks, one persistent tape, cycle and identity losses, an instance normalization of one's own.
class InstanceNormalization(tf.keras.layers.Layer):
    def __init__(self, epsilon=1e-5):
        super().__init__()
        self.epsilon = epsilon

    def build(self, input_shape):
        self.scale = self.add_weight(name="scale", shape=input_shape[-1:], initializer=tf.random_normal_initializer(1.0, 0.02), trainable=True)
        self.offset = self.add_weight(name="offset", shape=input_shape[-1:], initializer="zeros", trainable=True)

    def call(self, x):
        mean, variance = tf.nn.moments(x, axes=[1, 2], keepdims=True)
        inv = tf.math.rsqrt(variance + self.epsilon)
        return self.scale * (x - mean) * inv + self.offset


def downsample(filters, size, apply_norm=True):
    initializer = tf.random_normal_initializer(0.0, 0.02)
    result = tf.keras.Sequential()
    result.add(tf.keras.layers.Conv2D(filters, size, strides=2, padding="same", kernel_initializer=initializer, use_bias=False))
    if apply_norm:
        result.add(InstanceNormalization())
    result.add(tf.keras.layers.LeakyReLU())
    return result


def upsample(filters, size, apply_dropout=False):
    result = tf.keras.Sequential()
    result.add(tf.keras.layers.Conv2DTranspose(filters, size, strides=2, padding="same", use_bias=False))
    result.add(InstanceNormalization())
    if apply_dropout:
        result.add(tf.keras.layers.Dropout(0.0))
    result.add(tf.keras.layers.ReLU())
    return result


def generator():
    down_stack = [downsample(3, 4, False), downsample(4, 4)]
    up_stack = [upsample(3, 4, apply_dropout=True)]
    last = tf.keras.layers.Conv2DTranspose(1, 4, strides=2, padding="same", activation="tanh")
    inputs = tf.keras.layers.Input(shape=[None, None, 1])
    x = inputs
    skips = []
    for down in down_stack:
        x = down(x)
        skips.append(x)
    for up, skip in zip(up_stack, reversed(skips[:-1])):
        x = up(x)
        x = tf.keras.layers.Concatenate()([x, skip])
    return tf.keras.Model(inputs=inputs, outputs=last(x))


def discriminator():
    inp = tf.keras.layers.Input(shape=[None, None, 1], name="input_image")
    x = downsample(3, 4, False)(inp)
    x = tf.keras.layers.ZeroPadding2D()(x)
    x = tf.keras.layers.Conv2D(4, 3, strides=1, use_bias=False)(x)
    x = tf.keras.layers.LeakyReLU()(x)
    return tf.keras.Model(inputs=inp, outputs=tf.keras.layers.Conv2D(1, 2)(x))


LAMBDA = 10
loss_obj = tf.keras.losses.BinaryCrossentropy(from_logits=True)
generator_g, generator_f, discriminator_x, discriminator_y = generator(), generator(), discriminator(), discriminator()
models = [generator_g, generator_f, discriminator_x, discriminator_y]
for model in models:
    fill(model)
optimizers = [tf.keras.optimizers.Adam(2e-4, beta_1=0.5) for _ in models]


def discriminator_loss(real, generated):
    return (loss_obj(tf.ones_like(real), real) + loss_obj(tf.zeros_like(generated), generated)) * 0.5


@tf.function
def train_step(real_x, real_y):
    with tf.GradientTape(persistent=True) as tape:
        fake_y = generator_g(real_x, training=True)
        cycled_x = generator_f(fake_y, training=True)
        fake_x = generator_f(real_y, training=True)
        cycled_y = generator_g(fake_x, training=True)
        same_x, same_y = generator_f(real_x, training=True), generator_g(real_y, training=True)
        disc_fake_x, disc_fake_y = discriminator_x(fake_x, training=True), discriminator_y(fake_y, training=True)
        cycle = LAMBDA * (tf.reduce_mean(tf.abs(real_x - cycled_x)) + tf.reduce_mean(tf.abs(real_y - cycled_y)))
        total_g = loss_obj(tf.ones_like(disc_fake_y), disc_fake_y) + cycle + LAMBDA * 0.5 * tf.reduce_mean(tf.abs(real_y - same_y))
        total_f = loss_obj(tf.ones_like(disc_fake_x), disc_fake_x) + cycle + LAMBDA * 0.5 * tf.reduce_mean(tf.abs(real_x - same_x))
        loss_x = discriminator_loss(discriminator_x(real_x, training=True), disc_fake_x)
        loss_y = discriminator_loss(discriminator_y(real_y, training=True), disc_fake_y)
    losses = [total_g, total_f, loss_x, loss_y]
    for loss, model, optimizer in zip(losses, models, optimizers):
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return losses


for step in range(2):
    losses = train_step(numbers(1, 8, 8, 1, seed=step), numbers(1, 8, 8, 1, seed=step + 5))
    print(" ".join(f"{float(loss):.4f}" for loss in losses))
print(len(generator_g.layers), len(generator_g.trainable_variables), generator_g.output_shape)
