# A recommender: embeddings with dot products and biases, callbacks, validation, a plateau schedule, sigmoid output.
class RecommenderNet(tf.keras.Model):
    def __init__(self, num_users, num_items, embedding_size, **kwargs):
        super().__init__(**kwargs)
        L = tf.keras.layers
        self.user_embedding = L.Embedding(num_users, embedding_size, embeddings_initializer="he_normal", embeddings_regularizer=tf.keras.regularizers.l2(1e-3))
        self.user_bias = L.Embedding(num_users, 1)
        self.item_embedding = L.Embedding(num_items, embedding_size, embeddings_initializer="he_normal", embeddings_regularizer=tf.keras.regularizers.l2(1e-3))
        self.item_bias = L.Embedding(num_items, 1)

    def call(self, inputs):
        user_vector = self.user_embedding(inputs[:, 0])
        user_bias = self.user_bias(inputs[:, 0])
        item_vector = self.item_embedding(inputs[:, 1])
        item_bias = self.item_bias(inputs[:, 1])
        dot = tf.reduce_sum(user_vector * item_vector, axis=1, keepdims=True)
        return tf.nn.sigmoid(dot + user_bias + item_bias)


pairs = np.stack([np.arange(24) % 6, (np.arange(24) * 7) % 5], 1)
ratings = numbers(24)
model = RecommenderNet(6, 5, 4)
model(pairs[:1])
fill(model)
model.compile(loss=tf.keras.losses.BinaryCrossentropy(), optimizer=tf.keras.optimizers.Adam(learning_rate=0.05), metrics=[tf.keras.metrics.MeanAbsoluteError(name="mae"), tf.keras.metrics.RootMeanSquaredError()])
callbacks = [
    tf.keras.callbacks.ReduceLROnPlateau(monitor="val_loss", factor=0.5, patience=1, min_delta=0.01, verbose=0),
    tf.keras.callbacks.EarlyStopping(monitor="val_loss", patience=3, restore_best_weights=True),
    tf.keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: print(epoch, sorted(logs), f"{logs['loss']:.4f}")),
    tf.keras.callbacks.TerminateOnNaN(),
]
history = model.fit(pairs, ratings, batch_size=8, epochs=6, shuffle=False, verbose=0, validation_split=0.25, callbacks=callbacks)
for name in sorted(history.history):
    print(name, np.round(history.history[name], 4))
scores = model.predict(np.array([[0, i] for i in range(5)]), verbose=0).flatten()
print(scores.argsort()[-3:][::-1], scores.round(4))
print({k: round(float(v), 4) for k, v in model.evaluate(pairs[:8], ratings[:8], return_dict=True, verbose=0).items()})
