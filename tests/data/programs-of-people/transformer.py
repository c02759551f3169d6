# A transformer block: attention from its definition, masks, residual paths, layer normalization, a warm-up schedule.
def positional_encoding(length, depth):
    rates = 1 / (10000 ** (np.arange(depth / 2)[np.newaxis] / (depth / 2)))
    angles = np.arange(length)[:, np.newaxis] * rates
    return tf.cast(np.concatenate([np.sin(angles), np.cos(angles)], axis=-1), dtype=tf.float32)


class Block(tf.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.width = heads, width
        self.q, self.k, self.v, self.o = (tf.Variable(numbers(width, width, seed=s) - 0.5) for s in range(4))
        self.up, self.down = tf.Variable(numbers(width, 2 * width, seed=5) - 0.5), tf.Variable(numbers(2 * width, width, seed=6) - 0.5)
        self.gain, self.shift = tf.Variable(tf.ones([2, width])), tf.Variable(tf.zeros([2, width]))

    def normed(self, x, place):
        mean, variance = tf.nn.moments(x, axes=[-1], keepdims=True)
        return tf.nn.batch_normalization(x, mean, variance, self.shift[place], self.gain[place], 1e-6)

    def split(self, x):
        return tf.transpose(tf.reshape(x, [x.shape[0], x.shape[1], self.heads, -1]), [0, 2, 1, 3])

    def __call__(self, x):
        q, k, v = (self.split(x @ w) for w in (self.q, self.k, self.v))
        scores = tf.matmul(q, k, transpose_b=True) / tf.math.sqrt(tf.cast(q.shape[-1], tf.float32))
        mask = 1 - tf.linalg.band_part(tf.ones((x.shape[1], x.shape[1])), -1, 0)
        attention = tf.nn.softmax(scores + mask * -1e9, axis=-1)
        mixed = tf.reshape(tf.transpose(attention @ v, [0, 2, 1, 3]), x.shape)
        x = self.normed(x + mixed @ self.o, 0)
        return self.normed(x + tf.nn.gelu(x @ self.up, approximate=True) @ self.down, 1), attention


def rate(step, width=8, warmup=4):
    step = tf.cast(step, tf.float32)
    return tf.math.rsqrt(tf.cast(width, tf.float32)) * tf.math.minimum(tf.math.rsqrt(step), step * (warmup**-1.5))


block, table = Block(8, 2), tf.Variable(numbers(11, 8, seed=7) - 0.5)
optimizer = tf.keras.optimizers.Adam(0.01, beta_1=0.9, beta_2=0.98, epsilon=1e-9)
tokens = np.array([[1, 5, 2, 7, 3], [4, 4, 9, 0, 6]])
for step in range(1, 5):
    optimizer.learning_rate = rate(step) * 0.05
    with tf.GradientTape() as tape:
        x = tf.gather(table, tokens[:, :-1]) * tf.math.sqrt(8.0) + positional_encoding(4, 8)
        hidden, attention = block(x)
        logits = tf.matmul(hidden, table, transpose_b=True)
        per_token = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tokens[:, 1:], logits=logits)
        mask = tf.cast(tokens[:, 1:] != 0, tf.float32)
        loss = tf.reduce_sum(per_token * mask) / tf.reduce_sum(mask)
    variables = [*block.trainable_variables, table]
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    print(f"{step}: {loss:.4f}, rate {float(optimizer.learning_rate):.6f}")
print(attention[0, 0].numpy().round(4))
