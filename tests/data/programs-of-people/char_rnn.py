# A character model: Embedding, GRU, Dense; trained with windows of a text, then read out letter by letter.
text = "hello tape, hello gradient. "
vocab = sorted(set(text))
ids = np.array([vocab.index(c) for c in text])
sequences = tf.data.Dataset.from_tensor_slices(ids).batch(8, drop_remainder=True)
dataset = sequences.map(lambda sequence: (sequence[:-1], sequence[1:])).batch(3, drop_remainder=True)


class CharModel(tf.keras.Model):
    def __init__(self, vocab_size, embedding_dim, rnn_units):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(vocab_size, embedding_dim)
        self.gru = tf.keras.layers.GRU(rnn_units, return_sequences=True, return_state=True)
        self.dense = tf.keras.layers.Dense(vocab_size)

    def call(self, inputs, states=None, return_state=False, training=False):
        x = self.embedding(inputs, training=training)
        x, states = self.gru(x, initial_state=states, training=training)
        x = self.dense(x, training=training)
        return (x, states) if return_state else x


model = CharModel(len(vocab), 4, 6)
for example, _ in dataset.take(1):
    print(model(example).shape)
fill(model)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(1.0)
for epoch in range(4):
    for inputs, targets in dataset:
        with tf.GradientTape() as tape:
            loss = loss_fn(targets, model(inputs, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(f"epoch {epoch}: {loss:.4f}")
states, letter, result = None, tf.constant([[vocab.index("h")]]), "h"
for _ in range(5):
    logits, states = model(letter, states=states, return_state=True)
    letter = tf.argmax(logits[:, -1:], axis=-1)
    result += vocab[int(letter[0, 0])]
print(repr(result))
