# VQ-VAE: a codebook layer with add_loss, the straight-through trick, a trainer model around another.
keras, layers = tf.keras, tf.keras.layers


class VectorQuantizer(layers.Layer):
    def __init__(self, num_embeddings, embedding_dim, beta=0.25, **kwargs):
        super().__init__(**kwargs)
        self.embedding_dim, self.num_embeddings, self.beta = embedding_dim, num_embeddings, beta
        w_init = tf.random_uniform_initializer()
        self.embeddings = tf.Variable(initial_value=w_init(shape=(embedding_dim, num_embeddings), dtype="float32"), trainable=True, name="embeddings_vqvae")
        self.embeddings.assign(numbers(embedding_dim, num_embeddings, seed=4))

    def call(self, x):
        input_shape = tf.shape(x)
        flattened = tf.reshape(x, [-1, self.embedding_dim])
        encoding_indices = self.get_code_indices(flattened)
        encodings = tf.one_hot(encoding_indices, self.num_embeddings)
        quantized = tf.matmul(encodings, self.embeddings, transpose_b=True)
        quantized = tf.reshape(quantized, input_shape)
        commitment_loss = tf.reduce_mean((tf.stop_gradient(quantized) - x) ** 2)
        codebook_loss = tf.reduce_mean((quantized - tf.stop_gradient(x)) ** 2)
        self.add_loss(self.beta * commitment_loss + codebook_loss)
        quantized = x + tf.stop_gradient(quantized - x)
        return quantized

    def get_code_indices(self, flattened_inputs):
        similarity = tf.matmul(flattened_inputs, self.embeddings)
        distances = tf.reduce_sum(flattened_inputs**2, axis=1, keepdims=True) + tf.reduce_sum(self.embeddings**2, axis=0) - 2 * similarity
        return tf.argmin(distances, axis=1)


encoder = keras.Sequential([layers.Conv2D(4, 3, activation="relu", strides=2, padding="same"), layers.Conv2D(3, 1, padding="same")])
decoder = keras.Sequential([layers.Conv2DTranspose(4, 3, activation="relu", strides=2, padding="same"), layers.Conv2DTranspose(1, 3, padding="same")])
quantizer = VectorQuantizer(6, 3, name="vector_quantizer")
decoder(quantizer(encoder(numbers(1, 8, 8, 1))))
fill(encoder), fill(decoder)
optimizer, total, x_train = keras.optimizers.Adam(1e-2), keras.metrics.Mean(name="loss"), numbers(8, 8, 8, 1)
variance = np.var(x_train)
for epoch in range(3):
    with tf.GradientTape() as tape:
        reconstructions = decoder(quantizer(encoder(x_train)))
        reconstruction_loss = tf.reduce_mean((x_train - reconstructions) ** 2) / variance
        total_loss = reconstruction_loss + sum(quantizer.losses)
    variables = encoder.trainable_variables + decoder.trainable_variables + [quantizer.embeddings]
    grads = tape.gradient(total_loss, variables)
    optimizer.apply_gradients(zip(grads, variables))
    total.update_state(total_loss)
    print(f"{epoch}: {total.result():.4f} of it {reconstruction_loss:.4f}, codebook {tf.norm(grads[-1]):.4f}")
print(np.bincount(quantizer.get_code_indices(tf.reshape(encoder(x_train), [-1, 3])).numpy(), minlength=6))
