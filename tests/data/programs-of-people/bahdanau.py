# Attention over a GRU's steps, with a teacher: embeddings that are looked up once per step, masked losses, Adam.
V, E, U, B = 9, 4, 5, 2


class Encoder(tf.keras.Model):
    def __init__(self, vocab_size, embedding_dim, enc_units, batch_sz):
        super(Encoder, self).__init__()
        self.batch_sz = batch_sz
        self.enc_units = enc_units
        self.embedding = tf.keras.layers.Embedding(vocab_size, embedding_dim)
        self.gru = tf.keras.layers.GRU(
            enc_units, return_sequences=True, return_state=True, recurrent_initializer="glorot_uniform"
        )

    def call(self, x, hidden):
        x = self.embedding(x)
        output, state = self.gru(x, initial_state=hidden)
        return output, state

    def initialize_hidden_state(self):
        return tf.zeros((self.batch_sz, self.enc_units))


class BahdanauAttention(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.W1 = tf.keras.layers.Dense(units)
        self.W2 = tf.keras.layers.Dense(units)
        self.V = tf.keras.layers.Dense(1)

    def call(self, query, values):
        q = tf.expand_dims(query, 1)
        score = self.V(tf.nn.tanh(self.W1(q) + self.W2(values)))
        w = tf.nn.softmax(score, axis=1)
        c = tf.reduce_sum(w * values, axis=1)
        return c, w


class Decoder(tf.keras.Model):
    def __init__(self, vocab_size, embedding_dim, dec_units):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(vocab_size, embedding_dim)
        self.gru = tf.keras.layers.GRU(dec_units, return_sequences=True, return_state=True)
        self.fc = tf.keras.layers.Dense(vocab_size)
        self.attention = BahdanauAttention(dec_units)

    def call(self, x, hidden, enc_output):
        c, w = self.attention(hidden, enc_output)
        x = self.embedding(x)
        x = tf.concat([tf.expand_dims(c, 1), x], axis=-1)
        output, state = self.gru(x)
        output = tf.reshape(output, (-1, output.shape[2]))
        return self.fc(output), state, w


enc, dec = Encoder(V, E, U, B), Decoder(V, E, U)
optimizer = tf.keras.optimizers.Adam()
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


def loss_function(real, pred):
    mask = tf.math.logical_not(tf.math.equal(real, 0))
    l = loss_object(real, pred)
    mask = tf.cast(mask, dtype=l.dtype)
    l *= mask
    return tf.reduce_mean(l)


inp = np.array([[1, 2, 3, 4], [5, 6, 7, 0]])
targ = np.array([[1, 3, 4, 2], [1, 8, 2, 0]])
s, h = enc(inp, enc.initialize_hidden_state())
dec(tf.zeros((B, 1)), h, s)
fill(enc)
fill(dec)


@tf.function
def train_step(inp, targ, enc_hidden):
    loss = 0
    with tf.GradientTape() as tape:
        enc_output, enc_hidden = enc(inp, enc_hidden)
        dec_hidden = enc_hidden
        dec_input = tf.expand_dims([1] * B, 1)
        for t in range(1, targ.shape[1]):
            predictions, dec_hidden, _ = dec(dec_input, dec_hidden, enc_output)
            loss += loss_function(targ[:, t], predictions)
            dec_input = tf.expand_dims(targ[:, t], 1)
    batch_loss = loss / int(targ.shape[1])
    variables = enc.trainable_variables + dec.trainable_variables
    g = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(g, variables))
    return batch_loss


for e in range(4):
    print(f"Epoch {e + 1} Loss {train_step(inp, targ, enc.initialize_hidden_state()).numpy():.4f}")
print(dec.embedding.get_weights()[0].round(4).tolist())
