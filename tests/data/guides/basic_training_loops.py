# TensorFlow's guide "Basic training loops", its calls in our own words.

# %% 1 the imports, and colours
colors = plt.rcParams["axes.prop_cycle"].by_key()["color"]

# %% 2 a line with noise
TRUE_W = 3.0
TRUE_B = 2.0
NUM_EXAMPLES = 201
x = tf.linspace(-2, 2, NUM_EXAMPLES)
x = tf.cast(x, tf.float32)


def f(x):
    return x * TRUE_W + TRUE_B


noise = tf.random.normal(shape=[NUM_EXAMPLES])
y = f(x) + noise

# %% 3 plotted
plt.plot(x, y, ".")
plt.show()


# %% 4 a module of two variables
class Line(tf.Module):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.w = tf.Variable(5.0)
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return self.w * x + self.b


model = Line()
print("its variables:", model.variables)
assert model(3.0).numpy() == 15.0


# %% 5 how far off
def loss(target_y, predicted_y):
    return tf.reduce_mean(tf.square(target_y - predicted_y))


# %% 6 before training
plt.plot(x, y, ".", label="data")
plt.plot(x, f(x), label="truth")
plt.plot(x, model(x), label="prediction")
plt.legend()
plt.show()
print("loss now: %1.6f" % loss(y, model(x)).numpy())


# %% 7 one step
def train(model, x, y, learning_rate):
    with tf.GradientTape() as t:
        current_loss = loss(y, model(x))
    dw, db = t.gradient(current_loss, [model.w, model.b])
    model.w.assign_sub(learning_rate * dw)
    model.b.assign_sub(learning_rate * db)


# %% 8 ten steps
model = Line()
weights = []
biases = []
epochs = range(10)


def report(model, loss):
    return f"w = {model.w.numpy():1.2f}, b = {model.b.numpy():1.2f}, loss={loss:2.5f}"


def training_loop(model, x, y):
    for epoch in epochs:
        train(model, x, y, learning_rate=0.1)
        weights.append(model.w.numpy())
        biases.append(model.b.numpy())
        current_loss = loss(y, model(x))
        print(f"epoch {epoch:2d}:")
        print("    ", report(model, current_loss))


# %% 9 run
current_loss = loss(y, model(x))
print("before:")
print("    ", report(model, current_loss))
training_loop(model, x, y)

# %% 10 how the weights went
plt.plot(epochs, weights, label="w", color=colors[0])
plt.plot(epochs, [TRUE_W] * len(epochs), "--", label="true w", color=colors[0])
plt.plot(epochs, biases, label="b", color=colors[1])
plt.plot(epochs, [TRUE_B] * len(epochs), "--", label="true b", color=colors[1])
plt.legend()
plt.show()

# %% 11 after training
plt.plot(x, y, ".", label="data")
plt.plot(x, f(x), label="truth")
plt.plot(x, model(x), label="prediction")
plt.legend()
plt.show()
print("loss now: %1.6f" % loss(model(x), y).numpy())


# %% 12 the same as a Keras model, but for its weights in a file
class KerasLine(tf.keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.w = tf.Variable(5.0)
        self.b = tf.Variable(0.0)

    def call(self, x):
        return self.w * x + self.b


keras_model = KerasLine()
training_loop(keras_model, x, y)

# %% 13 Keras 2: how to fit it
keras_model = KerasLine()
keras_model.compile(
    run_eagerly=False,
    optimizer=tf.keras.optimizers.SGD(learning_rate=0.1),
    loss=tf.keras.losses.mean_squared_error,
)

# %% 14 differs: no times are printed, so that a run prints the same each time; the losses are those of Keras 2
#: 201
#: Epoch 1/10
#: 1/1 - loss: 10.3985
#: Epoch 2/10
#: 1/1 - loss: 6.4037
#: Epoch 3/10
#: 1/1 - loss: 4.1190
#: Epoch 4/10
#: 1/1 - loss: 2.8020
#: Epoch 5/10
#: 1/1 - loss: 2.0366
#: Epoch 6/10
#: 1/1 - loss: 1.5881
#: Epoch 7/10
#: 1/1 - loss: 1.3232
#: Epoch 8/10
#: 1/1 - loss: 1.1654
#: Epoch 9/10
#: 1/1 - loss: 1.0707
#: Epoch 10/10
#: 1/1 - loss: 1.0135
#: <History of 10 epochs: loss>
print(x.shape[0])
keras_model.fit(x, y, epochs=10, batch_size=1000)
