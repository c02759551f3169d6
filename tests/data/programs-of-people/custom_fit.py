# A step of one's own between symbols, weights of examples and classes; an own metric, loss, callback and layer with a loss.
class CustomModel(tf.keras.Model):
    def train_step(self, data):
        if len(data) == 3:
            x, y, sample_weight = data
        else:
            sample_weight = None
            x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(x=x, y=y, y_pred=y_pred, sample_weight=sample_weight)
        tv = self.trainable_variables
        self.optimizer.apply(tape.gradient(loss, tv), tv)
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, y_pred)
        return {m.name: m.result() for m in self.metrics}

    def test_step(self, data):
        x, y = data
        y_pred = self(x, training=False)
        loss = self.compute_loss(y=y, y_pred=y_pred)
        for metric in self.metrics:
            metric.update_state(loss) if metric.name == "loss" else metric.update_state(y, y_pred)
        return {m.name: m.result() for m in self.metrics}


i = tf.keras.Input(shape=(5,))
o = tf.keras.layers.Dense(1, kernel_regularizer=tf.keras.regularizers.L2(0.01))(i)
m = CustomModel(i, o)
fill(m)
m.compile(optimizer="adam", loss="mse", metrics=["mae", tf.keras.metrics.MeanAbsolutePercentageError()])
x, y, w = numbers(20, 5), numbers(20, 1, seed=1) + 0.1, numbers(20, 1, seed=2)
h = m.fit(x, y, sample_weight=w, epochs=2, batch_size=7, shuffle=False, verbose=0)
for k in sorted(h.history):
    print(k, [f"{float(v):.4f}" for v in h.history[k]])
print([f"{float(v):.4f}" for v in m.evaluate(x, y, verbose=0)])


class CategoricalTruePositives(tf.keras.metrics.Metric):
    def __init__(self, name="categorical_true_positives", **kwargs):
        super().__init__(name=name, **kwargs)
        self.true_positives = self.add_variable(shape=(), name="ctp", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_pred = tf.keras.ops.argmax(y_pred, axis=1)
        v = tf.cast(y_true, "int32") == tf.cast(y_pred, "int32")
        v = tf.cast(v, "float32")
        if sample_weight is not None:
            v = tf.multiply(v, tf.cast(sample_weight, "float32"))
        self.true_positives.assign_add(tf.reduce_sum(v))

    def result(self):
        return self.true_positives

    def reset_state(self):
        self.true_positives.assign(0.0)


class ActivityLayer(tf.keras.layers.Layer):
    def call(self, inputs):
        self.add_loss(tf.reduce_sum(inputs) * 0.1)
        return inputs


class LossHistory(tf.keras.callbacks.Callback):
    def on_train_begin(self, logs):
        self.per_batch_losses = []

    def on_train_batch_end(self, batch, logs):
        self.per_batch_losses.append(round(float(logs.get("loss")), 4))


class CustomMSE(tf.keras.losses.Loss):
    def __init__(self, regularization_factor=0.1, name="custom_mse"):
        super().__init__(name=name)
        self.f = regularization_factor

    def call(self, y_true, y_pred):
        return tf.reduce_mean(tf.square(y_true - y_pred), axis=-1) + tf.reduce_mean(tf.square(0.5 - y_pred), axis=-1) * self.f


i = tf.keras.Input(shape=(5,), name="digits")
z = tf.keras.layers.Dense(4, activation="relu")(i)
z = ActivityLayer()(z)
o = tf.keras.layers.Dense(3, activation="softmax")(z)
m = tf.keras.Model(i, o)
fill(m)
lh = LossHistory()
m.compile(
    optimizer=tf.keras.optimizers.RMSprop(1e-2),
    loss=tf.keras.losses.SparseCategoricalCrossentropy(),
    metrics=[CategoricalTruePositives()],
)
c = np.arange(20) % 3
h = m.fit(x, c, batch_size=8, epochs=2, shuffle=False, verbose=0, callbacks=[lh], class_weight={0: 1.0, 1: 2.0, 2: 0.5})
print(lh.per_batch_losses, [float(v) for v in h.history["categorical_true_positives"]])
m.compile("sgd", loss=CustomMSE())
h = m.fit(x, np.eye(3)[c], epochs=2, shuffle=False, verbose=0)
print([f"{v:.5f}" for v in h.history["loss"]])
r = m.evaluate(x, np.eye(3)[c], return_dict=True, verbose=0)
print(round(float(r["loss"]), 4))
