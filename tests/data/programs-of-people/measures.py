# Measures: in layers, by name, of several outputs, and the order in which they come back.
keras, layers = tf.keras, tf.keras.layers


class Watched(layers.Layer):
    def __init__(self, **options):
        super().__init__(**options)
        self.dense, self.activity = layers.Dense(2), keras.metrics.Mean(name="activity")

    def call(self, x):
        y = self.dense(x)
        self.activity.update_state(tf.reduce_mean(y))
        return y


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.watched = Watched()

    def call(self, x):
        return tf.nn.sigmoid(self.watched(x))


model = Model()
x, y = numbers(6, 3), (numbers(6, 2, seed=1) > 0.5).astype("float32")
model(x)
fill(model)
model.compile("sgd", "MeanSquaredError", metrics=["mse", "AUC", "Precision", "mean_absolute_error", "accuracy"], run_eagerly=True)
history = model.fit(x, y, epochs=2, batch_size=3, shuffle=False, verbose=0, validation_data=(x, y)).history
for name in sorted(history):
    print(name, np.round(history[name], 5).tolist())
print([metric.name for metric in model.watched.metrics])
print(np.round(model.evaluate(x, y, verbose=0), 5).tolist())

inputs = keras.Input((3,))
zebra, ant = layers.Dense(1, name="zebra")(inputs), layers.Dense(2, activation="sigmoid", name="ant")(inputs)
two = keras.Model(inputs, [zebra, ant])
fill(two)
two.compile("sgd", ["mse", "binary_crossentropy"], metrics=[["mae"], ["accuracy"]])
print(np.round(two.evaluate(x, [y[:, :1], y], verbose=0), 5).tolist())
print(np.round(two.train_on_batch(x, [y[:, :1], y]), 5).tolist())


class Own(keras.Model):
    def __init__(self, names):
        super().__init__()
        self.names, self.dense = names, layers.Dense(1)

    def call(self, x):
        return self.dense(x)

    def test_step(self, data):
        return {name: tf.constant(float(place)) for place, name in enumerate(self.names)}


for names in (["z", "a", "q"], ["only"]):
    own = Own(names)
    own.compile("sgd", "mse", run_eagerly=True)
    print(np.array(own.evaluate(x, y[:, :1], verbose=0)).tolist())
for name in ("mse", "MeanSquaredError", "kl_divergence", "huber", "bce"):
    print(name, keras.losses.get(name)(y, x[:, :2]).numpy())
print(keras.metrics.get("mse").name, keras.metrics.get("AUC").name)
for order in (["b", "a"], ["a", "b"]):
    named = {name: layers.Dense(1, name=f"d{name}")(inputs) for name in ("a", "b")}
    for outputs, losses in (
        (named, {name: "mse" if name == "a" else "mae" for name in order}),
        (list(named.values()), {f"d{name}": "mse" if name == "a" else "mae" for name in order}),
    ):
        net = keras.Model(inputs, outputs)
        fill(net)
        net.compile("sgd", losses)
        truths = {"a": y[:, :1], "b": y[:, 1:]} if isinstance(outputs, dict) else [y[:, :1], y[:, 1:]]
        print(order, np.round(net.evaluate(x, truths, verbose=0), 5).tolist())
