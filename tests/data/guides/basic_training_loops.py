# TensorFlow's guide "Basic training loops", its calls in our own words.
TRUE_W, TRUE_B, NUM_EXAMPLES = 3.0, 2.0, 201
x = tf.linspace(-2, 2, NUM_EXAMPLES)
x = tf.cast(x, tf.float32)


def f(x):
    return x * TRUE_W + TRUE_B


noise = tf.random.normal(shape=[NUM_EXAMPLES])
y = f(x) + noise
plt.plot(x, y, ".")


class Line(tf.Module):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.w = tf.Variable(5.0)
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return self.w * x + self.b


model = Line()
print("Variables:", model.variables)
assert model(3.0).numpy() == 15.0


def loss(target_y, predicted_y):
    return tf.reduce_mean(tf.square(target_y - predicted_y))


plt.plot(x, y, ".", label="Data")
plt.plot(x, f(x), label="Ground truth")
plt.plot(x, model(x), label="Predictions")
print("Current loss: %1.6f" % loss(y, model(x)).numpy())


def train(model, x, y, learning_rate):
    with tf.GradientTape() as t:
        current_loss = loss(y, model(x))
    dw, db = t.gradient(current_loss, [model.w, model.b])
    model.w.assign_sub(learning_rate * dw)
    model.b.assign_sub(learning_rate * db)


weights, biases, epochs = [], [], range(10)


def report(model, loss):
    return f"W = {model.w.numpy():1.2f}, b = {model.b.numpy():1.2f}, loss={loss:2.5f}"


def training_loop(model, x, y):
    for epoch in epochs:
        train(model, x, y, learning_rate=0.1)
        weights.append(model.w.numpy())
        biases.append(model.b.numpy())
        print(f"Epoch {epoch:2d}:")
        print("    ", report(model, loss(y, model(x))))


print("Starting:")
print("    ", report(model, loss(y, model(x))))
training_loop(model, x, y)
plt.plot(epochs, weights, label="Weights")
plt.plot(epochs, [TRUE_W] * len(epochs), "--", label="True weight")
plt.plot(epochs, biases, label="bias")
print("Current loss: %1.6f" % loss(model(x), y).numpy())


# -- the same with Keras
class KerasLine(tf.keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.w = tf.Variable(5.0)
        self.b = tf.Variable(0.0)

    def call(self, x):
        return self.w * x + self.b


keras_model = KerasLine()
training_loop(keras_model, x, y)


class FittedLine(tf.keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.w = self.add_weight(shape=(), initializer=tf.keras.initializers.Constant(5.0))
        self.b = self.add_weight(shape=(), initializer="zeros")

    def call(self, x):
        return self.w * x + self.b


keras_model = FittedLine()
keras_model.compile(run_eagerly=False, optimizer=tf.keras.optimizers.SGD(learning_rate=0.1), loss=tf.keras.losses.MeanSquaredError())
print(x.shape[0])
history = keras_model.fit(x, y, epochs=10, batch_size=1000, verbose=0)
print([f"{one:.4f}" for one in history.history["loss"]])
