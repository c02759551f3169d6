# A miniature GPT: causal mask by ops, token and position embeddings, a model that returns two outputs with one loss, clipnorm, warm-up.
keras, layers, ops = tf.keras, tf.keras.layers, tf.keras.ops


def causal_attention_mask(n_dest, n_src, dtype):
    i = ops.arange(n_dest)[:, None]
    j = ops.arange(n_src)
    m = i >= j - n_src + n_dest
    mask = ops.cast(m, dtype)
    return ops.reshape(mask, [1, n_dest, n_src])


class TransformerBlock(layers.Layer):
    def __init__(self, embed_dim, num_heads, ff_dim, rate=0.0):
        super().__init__()
        self.att = layers.MultiHeadAttention(num_heads, embed_dim)
        self.ffn = keras.Sequential([layers.Dense(ff_dim, activation="relu"), layers.Dense(embed_dim)])
        self.layernorm1, self.layernorm2 = layers.LayerNormalization(epsilon=1e-6), layers.LayerNormalization(epsilon=1e-6)
        self.dropout1, self.dropout2 = layers.Dropout(rate), layers.Dropout(rate)

    def call(self, inputs):
        input_shape = ops.shape(inputs)
        seq_len = input_shape[1]
        causal_mask = causal_attention_mask(seq_len, seq_len, "bool")
        attention_output = self.att(inputs, inputs, attention_mask=causal_mask)
        attention_output = self.dropout1(attention_output)
        out1 = self.layernorm1(inputs + attention_output)
        return self.layernorm2(out1 + self.dropout2(self.ffn(out1)))


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, maxlen, vocab_size, embed_dim):
        super().__init__()
        self.token_emb = layers.Embedding(input_dim=vocab_size, output_dim=embed_dim)
        self.pos_emb = layers.Embedding(input_dim=maxlen, output_dim=embed_dim)

    def call(self, x):
        maxlen = ops.shape(x)[-1]
        positions = ops.arange(0, maxlen, 1)
        return self.token_emb(x) + self.pos_emb(positions)


vocab_size, maxlen = 7, 6
inputs = layers.Input(shape=(maxlen,), dtype="int32")
x = TokenAndPositionEmbedding(maxlen, vocab_size, 4)(inputs)
x = TransformerBlock(4, 2, 8)(x)
outputs = layers.Dense(vocab_size)(x)
model = keras.Model(inputs=inputs, outputs=[outputs, x])
fill(model)


class WarmUp(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4):
        super().__init__()
        self.d_model, self.warmup_steps = tf.cast(d_model, tf.float32), warmup_steps

    def __call__(self, step):
        step = tf.cast(step, dtype=tf.float32)
        return tf.math.rsqrt(self.d_model) * tf.math.minimum(tf.math.rsqrt(step), step * (self.warmup_steps**-1.5))


loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(keras.optimizers.SGD(WarmUp(4), momentum=0.9, clipnorm=0.5), loss=[loss_fn, None])
tokens = np.random.RandomState(0).randint(0, vocab_size, (12, maxlen + 1))
dataset = tf.data.Dataset.from_tensor_slices((tokens[:, :-1], tokens[:, 1:])).batch(4).repeat()
history = model.fit(dataset, epochs=3, steps_per_epoch=2, verbose=0, validation_data=dataset, validation_steps=1)
print(np.round(history.history["loss"], 4), np.round(history.history["val_loss"], 4))
y, _ = model.predict(tokens[:2, :-1], verbose=0)
print(y.shape, np.round(y[0, 0], 3))
