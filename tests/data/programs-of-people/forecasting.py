# Time-series forecasting: windows by timeseries_dataset_from_array, a conv and an LSTM model, residual wrapper, feedback decoding.
t = np.arange(80, dtype="float32")
df = np.stack([np.sin(t / 5), np.cos(t / 7), (t % 10) / 10], 1).astype("float32")
train, val = df[:60], df[60:]
mean, std = train.mean(0), train.std(0)
train, val = (train - mean) / std, (val - mean) / std


class WindowGenerator:
    def __init__(self, input_width, label_width, shift, label_columns=None):
        self.input_width, self.label_width, self.shift, self.label_columns = input_width, label_width, shift, label_columns
        self.total = input_width + shift
        self.input_slice = slice(0, input_width)
        self.labels_slice = slice(self.total - label_width, None)

    def split_window(self, features):
        inputs = features[:, self.input_slice, :]
        labels = features[:, self.labels_slice, :]
        if self.label_columns is not None:
            labels = tf.stack([labels[:, :, i] for i in self.label_columns], axis=-1)
        inputs.set_shape([None, self.input_width, None])
        labels.set_shape([None, self.label_width, None])
        return inputs, labels

    def make_dataset(self, data):
        data = np.array(data, dtype=np.float32)
        ds = tf.keras.utils.timeseries_dataset_from_array(data=data, targets=None, sequence_length=self.total, sequence_stride=1, shuffle=False, batch_size=16)
        return ds.map(self.split_window)


class ResidualWrapper(tf.keras.Model):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def call(self, inputs, *args, **kwargs):
        return inputs + self.model(inputs, *args, **kwargs)


w = WindowGenerator(6, 6, 1)
for inputs, labels in w.make_dataset(train).take(1):
    print(inputs.shape, labels.shape, f"{tf.reduce_sum(labels):.3f}")
residual = ResidualWrapper(tf.keras.Sequential([tf.keras.layers.LSTM(5, return_sequences=True), tf.keras.layers.Dense(3, kernel_initializer=tf.initializers.zeros())]))
residual(np.zeros((1, 6, 3), "float32"))
fill(residual)
residual.compile(loss=tf.keras.losses.MeanSquaredError(), optimizer=tf.keras.optimizers.Adam(0.01), metrics=[tf.keras.metrics.MeanAbsoluteError()])
history = residual.fit(w.make_dataset(train), epochs=2, validation_data=w.make_dataset(val), verbose=0, shuffle=False)
for k, v in sorted(history.history.items()):
    print(k, np.round(v, 4))


class FeedBack(tf.keras.Model):
    def __init__(self, units, out_steps):
        super().__init__()
        self.out_steps, self.units = out_steps, units
        self.lstm_cell = tf.keras.layers.LSTMCell(units)
        self.lstm_rnn = tf.keras.layers.RNN(self.lstm_cell, return_state=True)
        self.dense = tf.keras.layers.Dense(3)

    def warmup(self, inputs):
        x, *state = self.lstm_rnn(inputs)
        return self.dense(x), state

    def call(self, inputs, training=None):
        predictions = []
        prediction, state = self.warmup(inputs)
        predictions.append(prediction)
        for n in range(1, self.out_steps):
            x, state = self.lstm_cell(prediction, states=state, training=training)
            prediction = self.dense(x)
            predictions.append(prediction)
        predictions = tf.stack(predictions)
        return tf.transpose(predictions, [1, 0, 2])


multi = WindowGenerator(8, 4, 4)
feedback = FeedBack(units=4, out_steps=4)
feedback(np.zeros((1, 8, 3), "float32"))
fill(feedback)
feedback.compile(loss="mse", optimizer="adam")
print([round(float(v), 4) for v in feedback.fit(multi.make_dataset(train), epochs=2, verbose=0, shuffle=False).history["loss"]])
conv = tf.keras.Sequential([tf.keras.layers.Lambda(lambda x: x[:, -3:, :]), tf.keras.layers.Conv1D(4, activation="relu", kernel_size=3), tf.keras.layers.Dense(12, kernel_initializer=tf.initializers.zeros()), tf.keras.layers.Reshape([4, 3])])
print(conv(np.zeros((2, 8, 3), "float32")).shape)
