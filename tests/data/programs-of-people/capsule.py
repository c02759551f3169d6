# Capsules with dynamic routing: a layer of its own with get_config, squash, tf.tile, a margin loss, reconstruction masks.
def squash(vectors, axis=-1):
    s = tf.reduce_sum(tf.square(vectors), axis, keepdims=True)
    return s / (1 + s) * vectors / tf.sqrt(s + tf.keras.backend.epsilon())


class CapsuleLayer(tf.keras.layers.Layer):
    def __init__(self, num_capsule, dim_capsule, routings=3, kernel_initializer="glorot_uniform", **kwargs):
        super().__init__(**kwargs)
        self.num_capsule, self.dim_capsule, self.routings = num_capsule, dim_capsule, routings
        self.kernel_initializer = tf.keras.initializers.get(kernel_initializer)

    def build(self, input_shape):
        assert len(input_shape) >= 3
        self.W = self.add_weight(shape=[self.num_capsule, input_shape[1], self.dim_capsule, input_shape[2]], initializer=self.kernel_initializer, name="W")
        self.built = True

    def call(self, inputs, training=None):
        inputs_tiled = tf.tile(tf.expand_dims(tf.expand_dims(inputs, 1), -1), [1, self.num_capsule, 1, 1, 1])
        inputs_hat = tf.squeeze(tf.map_fn(lambda x: tf.matmul(self.W, x), elems=inputs_tiled), axis=-1)
        b = tf.zeros(shape=[tf.shape(inputs)[0], self.num_capsule, 1, inputs.shape[1]])
        for i in range(self.routings):
            c = tf.nn.softmax(b, axis=1)
            outputs = squash(tf.matmul(c, inputs_hat))
            if i < self.routings - 1:
                b += tf.matmul(outputs, inputs_hat, transpose_b=True)
        return tf.squeeze(outputs, axis=2)

    def get_config(self):
        return dict(super().get_config(), num_capsule=self.num_capsule, dim_capsule=self.dim_capsule, routings=self.routings)


class Length(tf.keras.layers.Layer):
    def call(self, inputs, **kwargs):
        return tf.sqrt(tf.reduce_sum(tf.square(inputs), -1) + tf.keras.backend.epsilon())


x = tf.keras.layers.Input(shape=(8, 8, 1))
conv = tf.keras.layers.Conv2D(4, 3, activation="relu", name="conv1")(x)
primary = tf.keras.layers.Conv2D(8, 3, strides=2, padding="valid")(conv)
primary = tf.keras.layers.Reshape(target_shape=[-1, 4], name="primarycap")(primary)
primary = tf.keras.layers.Lambda(squash)(primary)
digits = CapsuleLayer(3, 5, routings=3, name="digitcaps")(primary)
model = tf.keras.Model(x, Length(name="capsnet")(digits))
fill(model)


def margin_loss(y_true, y_pred):
    L = y_true * tf.square(tf.maximum(0.0, 0.9 - y_pred)) + 0.5 * (1 - y_true) * tf.square(tf.maximum(0.0, y_pred - 0.1))
    return tf.reduce_mean(tf.reduce_sum(L, 1))


model.compile(optimizer=tf.keras.optimizers.Adam(0.01), loss=margin_loss, metrics=["accuracy"])
labels = tf.keras.utils.to_categorical([0, 1, 2, 1], 3)
history = model.fit(numbers(4, 8, 8, 1), labels, epochs=3, batch_size=2, verbose=0, shuffle=False)
print(np.round(history.history["loss"], 5), history.history["accuracy"])
print(model.predict(numbers(1, 8, 8, 1), verbose=0).round(5))
again = CapsuleLayer.from_config(model.get_layer("digitcaps").get_config())
print(again.name, again.routings, model.get_layer("primarycap").output.shape)
