# A small GPT: token and position embeddings, causal attention, fit with one of two outputs, letters read out.
def causal_attention_mask(batch_size, n_dest, n_src, dtype):
    i = tf.range(n_dest)[:, None]
    j = tf.range(n_src)
    m = i >= j - n_src + n_dest
    mask = tf.cast(m, dtype)
    mask = tf.reshape(mask, [1, n_dest, n_src])
    mult = tf.concat([tf.expand_dims(batch_size, -1), tf.constant([1, 1], dtype=tf.int32)], 0)
    return tf.tile(mask, mult)


class TransformerBlock(tf.keras.layers.Layer):
    def __init__(self, embed_dim, num_heads, ff_dim, rate=0.0):
        super().__init__()
        self.att = tf.keras.layers.MultiHeadAttention(num_heads, embed_dim)
        self.ffn = tf.keras.Sequential([tf.keras.layers.Dense(ff_dim, activation="relu"), tf.keras.layers.Dense(embed_dim)])
        self.layernorm1 = tf.keras.layers.LayerNormalization(epsilon=1e-6)
        self.layernorm2 = tf.keras.layers.LayerNormalization(epsilon=1e-6)
        self.dropout1 = tf.keras.layers.Dropout(rate)
        self.dropout2 = tf.keras.layers.Dropout(rate)

    def call(self, inputs):
        s = tf.shape(inputs)
        mask = causal_attention_mask(s[0], s[1], s[1], tf.bool)
        a = self.dropout1(self.att(inputs, inputs, attention_mask=mask))
        o = self.layernorm1(inputs + a)
        return self.layernorm2(o + self.dropout2(self.ffn(o)))


class TokenAndPositionEmbedding(tf.keras.layers.Layer):
    def __init__(self, maxlen, vocab_size, embed_dim):
        super().__init__()
        self.token_emb = tf.keras.layers.Embedding(input_dim=vocab_size, output_dim=embed_dim)
        self.pos_emb = tf.keras.layers.Embedding(input_dim=maxlen, output_dim=embed_dim)

    def call(self, x):
        maxlen = tf.shape(x)[-1]
        p = tf.range(0, maxlen, 1)
        return self.token_emb(x) + self.pos_emb(p)


inputs = tf.keras.layers.Input(shape=(6,), dtype="int32")
x = TokenAndPositionEmbedding(6, 11, 4)(inputs)
x = TransformerBlock(4, 2, 8)(x)
outputs = tf.keras.layers.Dense(11)(x)
model = tf.keras.Model(inputs=inputs, outputs=[outputs, x])
fill(model)
model.compile("adam", loss=[tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), None])
t = np.random.RandomState(0).randint(0, 11, (4, 7))
h = model.fit(t[:, :-1], t[:, 1:], epochs=3, verbose=0, shuffle=False)
print([f"{v:.4f}" for v in h.history["loss"]])
toks = [1, 2]
for _ in range(4):
    pad = toks + [0] * (6 - len(toks))
    y, _ = model.predict(np.array([pad]), verbose=0)
    toks.append(int(y[0, len(toks) - 1].argmax()))
print(toks)
