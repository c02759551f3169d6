# Layers around layers, cells in loops, models that call what they inherit, and copies.
keras, layers = tf.keras, tf.keras.layers


class Normalized(layers.Wrapper):
    def build(self, input_shape):
        super().build(input_shape)
        width = self.layer.kernel.shape[-1]
        self.u = self.add_weight(shape=(1, width), initializer=keras.initializers.Constant(0.5), trainable=False, name="u")

    def call(self, x, training=None):
        kernel = self.layer.kernel
        v = tf.math.l2_normalize(tf.matmul(self.u, kernel, transpose_b=True))
        u = tf.math.l2_normalize(tf.matmul(v, kernel))
        if training:
            self.u.assign(u)
        sigma = tf.matmul(tf.matmul(tf.stop_gradient(v), kernel), tf.stop_gradient(u), transpose_b=True)
        return tf.matmul(x, kernel / sigma) + self.layer.bias


x = numbers(4, 2)
layer = Normalized(layers.Dense(3))
layer(x)
fill(layer)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(layer(x, training=True) ** 2)
print(loss.numpy(), layer.u.numpy())
for gradient in tape.gradient(loss, layer.trainable_variables):
    print(gradient.numpy())
print([isinstance(one, layers.Wrapper) for one in (layers.TimeDistributed(layer), layers.SpectralNormalization(layers.Dense(1)))])

cell = layers.LSTMCell(3)
states = cell.get_initial_state(batch_size=4)
for _ in range(2):
    output, states = cell(x, states)
    fill(cell)
print(cell.output_size, output.shape, len(states), layers.SimpleRNNCell(3).get_initial_state(batch_size=2)[0].shape)
print(layers.LSTM(4).units, layers.GRU(3, activation="relu").activation.__name__, list(layers.LSTM(3).state_size))


class Twice(keras.Sequential):
    def call(self, inputs, training=None, mask=None):
        return super().call(inputs, training=training) * 2.0


class Shifted(keras.Model):
    def call(self, inputs, training=None, mask=None):
        return super().call(inputs, training=training, mask=mask) + 1.0


class Scaled(layers.Dense):
    def call(self, inputs, training=None):
        return super().call(inputs, training=training) * 3.0


inputs = keras.Input((2,))
models = [
    Twice([keras.Input((2,)), layers.BatchNormalization(momentum=0.5), layers.Dense(1)]),
    Shifted(inputs, layers.Dense(1)(layers.BatchNormalization(momentum=0.5)(inputs))),
    keras.Sequential([keras.Input((2,)), Scaled(2), layers.BatchNormalization(momentum=0.5)]),
]
for model in models:
    fill(model)
    for training in (False, True, False):
        print(model(x, training=training).numpy().ravel())



@keras.utils.register_keras_serializable()
def tiled(t):
    return tf.tile(t, [1, 4])


other = keras.Input((1,))
wide = layers.Lambda(tiled, output_shape=(4,))(other)
net = keras.Model([inputs, other], layers.Dense(2)(layers.Concatenate()([inputs, wide])))
fill(net)
copy = keras.models.clone_model(net)
copy.set_weights(net.get_weights())
again = keras.Model.from_config(keras.Model(inputs, layers.Dense(2)(inputs)).get_config())
print(copy([x, x[:, :1]]).numpy(), [tuple(one.shape) for one in copy.inputs], again.output_shape, again.input_shape)
print(layers.InputLayer.from_config(again.layers[0].get_config()).batch_shape)
dense = layers.Dense(3)
dense.build((None, 5))
print(dense.input_spec)
