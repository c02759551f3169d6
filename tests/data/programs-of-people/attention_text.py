# Text classification with additive attention over a bidirectional GRU, masks, K functions; Keras 2's ways of writing.
from collections import Counter
K = tf.keras.backend
tf.get_logger().setLevel("ERROR")
reviews = ["good fun film", "bad dull film", "great fun", "dull plot and bad acting", "good acting great plot", "bad"]
labels = np.array([1, 0, 1, 0, 1, 0], "float32")
words = Counter(w for r in reviews for w in r.split())
index = {w: i + 1 for i, (w, _) in enumerate(sorted(words.items()))}
x = tf.keras.utils.pad_sequences([[index[w] for w in r.split()] for r in reviews], maxlen=5, padding="post")


def f1(y_true, y_pred):
    tp = K.sum(K.round(K.clip(y_true * y_pred, 0, 1)))
    precision = tp / (K.sum(K.round(K.clip(y_pred, 0, 1))) + K.epsilon())
    recall = tp / (K.sum(K.round(K.clip(y_true, 0, 1))) + K.epsilon())
    return 2 * precision * recall / (precision + recall + K.epsilon())


class AttentionPool(tf.keras.layers.Layer):
    def build(self, input_shape):
        self.w = self.add_weight(name="att_weight", shape=(input_shape[-1], 1), initializer="normal")
        self.b = self.add_weight(name="att_bias", shape=(input_shape[1], 1), initializer="zeros")
        super().build(input_shape)

    def call(self, x):
        et = K.squeeze(K.tanh(K.dot(x, self.w) + self.b), axis=-1)
        at = K.expand_dims(K.softmax(et), axis=-1)
        return K.sum(x * at, axis=1)


inputs = tf.keras.layers.Input(shape=(5,), dtype="int32")
h = tf.keras.layers.Embedding(len(index) + 1, 6)(inputs)
h = tf.keras.layers.SpatialDropout1D(0.0)(h)
seq = tf.keras.layers.Bidirectional(tf.keras.layers.GRU(4, return_sequences=True))(h)
att = tf.keras.layers.AdditiveAttention(name="additive")([seq, seq])
both = tf.keras.layers.Concatenate()([tf.keras.layers.GlobalAveragePooling1D()(att), AttentionPool()(seq)])
out = tf.keras.layers.Dense(1, activation="sigmoid")(both)
model = tf.keras.Model(inputs, out)
fill(model)
model.compile("adam", "binary_crossentropy", metrics=["accuracy", f1, tf.keras.metrics.AUC(name="auc")])
h = model.fit(x, labels, epochs=4, batch_size=3, verbose=0, shuffle=False, callbacks=[tf.keras.callbacks.TerminateOnNaN()])
for name in sorted(h.history):
    print(name, np.round(h.history[name], 4))
print(model.predict(x, verbose=0).ravel().round(4))
probe = tf.keras.Model(model.inputs, model.get_layer("additive").output)
print(probe(x[:1]).numpy().round(4)[0, 0])
