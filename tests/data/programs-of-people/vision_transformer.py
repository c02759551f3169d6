# A vision transformer: patches cut out by an op, position embeddings, MultiHeadAttention, AdamW.
keras, layers = tf.keras, tf.keras.layers


def mlp(x, hidden_units, dropout_rate):
    for units in hidden_units:
        x = layers.Dense(units, activation=keras.activations.gelu)(x)
        x = layers.Dropout(dropout_rate)(x)
    return x


class Patches(layers.Layer):
    def __init__(self, patch_size):
        super().__init__()
        self.patch_size = patch_size

    def call(self, images):
        patches = tf.image.extract_patches(images=images, sizes=[1, self.patch_size, self.patch_size, 1], strides=[1, self.patch_size, self.patch_size, 1], rates=[1, 1, 1, 1], padding="VALID")
        return tf.reshape(patches, [-1, 4, 48])


class PatchEncoder(layers.Layer):
    def __init__(self, num_patches, projection_dim):
        super().__init__()
        self.num_patches = num_patches
        self.projection = layers.Dense(units=projection_dim)
        self.position_embedding = layers.Embedding(input_dim=num_patches, output_dim=projection_dim)

    def call(self, patch):
        positions = tf.expand_dims(tf.range(start=0, limit=self.num_patches, delta=1), axis=0)
        return self.projection(patch) + self.position_embedding(positions)


inputs = keras.Input(shape=(8, 8, 3))
patches = Patches(4)(inputs)
encoded_patches = PatchEncoder(4, 6)(patches)
for _ in range(2):
    x1 = layers.LayerNormalization(epsilon=1e-6)(encoded_patches)
    attention_output = layers.MultiHeadAttention(num_heads=2, key_dim=6, dropout=0.0)(x1, x1)
    x2 = layers.Add()([attention_output, encoded_patches])
    x3 = layers.LayerNormalization(epsilon=1e-6)(x2)
    x3 = mlp(x3, hidden_units=[12, 6], dropout_rate=0.0)
    encoded_patches = layers.Add()([x3, x2])
representation = layers.LayerNormalization(epsilon=1e-6)(encoded_patches)
representation = layers.Flatten()(representation)
features = mlp(representation, hidden_units=[8], dropout_rate=0.0)
model = keras.Model(inputs=inputs, outputs=layers.Dense(5)(features))
fill(model)
optimizer = keras.optimizers.AdamW(learning_rate=0.001, weight_decay=0.0001)
model.compile(optimizer=optimizer, loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=[keras.metrics.SparseCategoricalAccuracy(name="accuracy"), keras.metrics.SparseTopKCategoricalAccuracy(2, name="top-2-accuracy")])
history = model.fit(x=numbers(16, 8, 8, 3), y=np.arange(16)[:, None] % 5, batch_size=8, epochs=2, shuffle=False, validation_split=0.25, verbose=0)
for name, values in sorted(history.history.items()):
    print(name, " ".join(f"{value:.4f}" for value in values))
_, accuracy, top = model.evaluate(numbers(4, 8, 8, 3), np.arange(4)[:, None], verbose=0)
print(f"{accuracy:.3f} {top:.3f}", model.count_params())
