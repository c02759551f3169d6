# Text classification: an embedding that masks zeros, bidirectional LSTMs, sequences of different lengths.
keras, layers = tf.keras, tf.keras.layers
lengths = [2, 5, 3, 6, 1, 4, 6, 2]
x_train = keras.utils.pad_sequences([[(i * 7 + j * 3) % 9 + 1 for j in range(n)] for i, n in enumerate(lengths)], maxlen=6, padding="post")
y_train = np.array([0, 1, 0, 1, 0, 1, 1, 0])
model = keras.Sequential([
    layers.Embedding(input_dim=10, output_dim=4, mask_zero=True),
    layers.Bidirectional(layers.LSTM(3, return_sequences=True)),
    layers.Bidirectional(layers.LSTM(2)),
    layers.Dense(4, activation="relu"),
    layers.Dropout(0.0),
    layers.Dense(1),
])
model(x_train)
fill(model)
model.compile(loss=keras.losses.BinaryCrossentropy(from_logits=True), optimizer=keras.optimizers.SGD(1e-1, momentum=0.9), metrics=[keras.metrics.BinaryAccuracy(threshold=0.0)])
history = model.fit(x_train, y_train, epochs=3, batch_size=4, shuffle=False, validation_data=(x_train[:4], y_train[:4]), verbose=0)
for name, values in sorted(history.history.items()):
    print(name, " ".join(f"{value:.4f}" for value in values))
short, padded = model.predict(x_train[:1, :2], verbose=0), model.predict(x_train[:1], verbose=0)
print(np.round(short, 4), np.round(padded, 4))
