# Forecasting: windows of a series by tf.data, an LSTM and a linear baseline, early stopping, mean absolute errors.
keras = tf.keras
series = (np.sin(np.arange(60) / 3) + np.arange(60) / 50).astype("float32")[:, None]
mean, std = series[:42].mean(), series[:42].std()
series = (series - mean) / std
INPUT, SHIFT = 6, 1


def windows(data, batch=8):
    dataset = tf.data.Dataset.from_tensor_slices(data).window(INPUT + SHIFT, shift=1, drop_remainder=True)
    dataset = dataset.flat_map(lambda window: window.batch(INPUT + SHIFT))
    return dataset.map(lambda window: (window[:INPUT], window[INPUT:])).batch(batch).cache().prefetch(tf.data.AUTOTUNE)


class Baseline(keras.Model):
    def call(self, inputs):
        return inputs[:, -1:, :]


train, val, test = windows(series[:42]), windows(series[42:54]), windows(series[48:])
print(int(train.cardinality()), [tuple(x.shape) for x, y in train.take(2)])
dense = keras.Sequential([keras.layers.Lambda(lambda x: x[:, -1:, :]), keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1)])
lstm = keras.Sequential([keras.layers.LSTM(5, return_sequences=False), keras.layers.Dense(1, kernel_initializer=tf.initializers.zeros()), keras.layers.Reshape([1, 1])])
for name, model in {"baseline": Baseline(), "dense": dense, "lstm": lstm}.items():
    model.compile(loss=keras.losses.MeanSquaredError(), optimizer=keras.optimizers.Adam(0.02), metrics=[keras.metrics.MeanAbsoluteError()], run_eagerly=True)
    for inputs, labels in train.take(1):
        model(inputs)
    if name != "baseline":
        fill(model)
        early_stopping = keras.callbacks.EarlyStopping(monitor="val_loss", patience=2, mode="min")
        history = model.fit(train, epochs=5, validation_data=val, callbacks=[early_stopping], verbose=0)
        print(name, len(history.history["val_loss"]), " ".join(f"{value:.4f}" for value in history.history["val_loss"]))
    print(name, {key: round(value, 4) for key, value in model.evaluate(test, return_dict=True, verbose=0).items()})
