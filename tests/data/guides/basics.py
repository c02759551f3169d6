# TensorFlow's guide "TensorFlow basics", its calls in our own words.

# %% 1 a matrix
x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
print(x)
print(x.shape)
print(x.dtype)

# %% 2 a sum
x + x

# %% 3 a multiple
5 * x

# %% 4 a product
x @ tf.transpose(x)

# %% 5 rows below each other
tf.concat([x, x, x], axis=0)

# %% 6 a softmax
tf.nn.softmax(x, axis=-1)

# %% 7 summed
tf.reduce_sum(x)

# %% 8 a list becomes a tensor
tf.convert_to_tensor([1, 2, 3])

# %% 9 an op on a list
tf.reduce_sum([1, 2, 3])

# %% 10 the machine
if tf.config.list_physical_devices("GPU"):
    print("there is a GPU")
else:
    print("there is no GPU")

# %% 11 a variable
var = tf.Variable([0.0, 0.0, 0.0])

# %% 12 differs: an assignment gives the variable back, with its name
#: <tf.Variable 'Variable:0' shape=(3,) dtype=float32, numpy=array([1., 2., 3.], dtype=float32)>
var.assign([1, 2, 3])

# %% 13 differs: an assignment gives the variable back, with its name
#: <tf.Variable 'Variable:0' shape=(3,) dtype=float32, numpy=array([2., 3., 4.], dtype=float32)>
var.assign_add([1, 1, 1])

# %% 14 a function of a variable
x = tf.Variable(1.0)


def f(x):
    return x**2 + 2 * x - 5


# %% 15 its value
f(x)

# %% 16 its slope
with tf.GradientTape() as tape:
    y = f(x)
g_x = tape.gradient(y, x)
g_x


# %% 17 a function that says when it runs
@tf.function
def summed(x):
    print("running\n")
    return tf.reduce_sum(x)


# %% 18 called
x = tf.constant([1, 2, 3])
summed(x)

# %% 19 differs: runs each time
#: running
#:
#: <tf.Tensor: shape=(), dtype=int32, numpy=27>
x = tf.constant([10, 9, 8])
summed(x)

# %% 20 with another dtype
x = tf.constant([10.0, 9.1, 8.2], dtype=tf.float32)
summed(x)


# %% 21 a module
class Weighted(tf.Module):
    def __init__(self, value):
        self.weight = tf.Variable(value)

    @tf.function
    def multiply(self, x):
        return x * self.weight


# %% 22 called
mod = Weighted(3)
mod.multiply(tf.constant([1, 2, 3]))

# %% 23 left out: saved models

# %% 24 left out: saved models

# %% 25 the size of plots
plt.rcParams["figure.figsize"] = [9, 6]

# %% 26 a curve with noise
x = tf.linspace(-2, 2, 201)
x = tf.cast(x, tf.float32)


def f(x):
    return x**2 + 2 * x - 5


y = f(x) + tf.random.normal(shape=[201])
plt.plot(x.numpy(), y.numpy(), ".", label="data")
plt.plot(x, f(x), label="truth")
plt.legend()


# %% 27 a model of it
class Curve(tf.Module):
    def __init__(self):
        rand_init = tf.random.uniform(shape=[3], minval=0.0, maxval=5.0, seed=22)
        self.w_q = tf.Variable(rand_init[0])
        self.w_l = tf.Variable(rand_init[1])
        self.b = tf.Variable(rand_init[2])

    @tf.function
    def __call__(self, x):
        return self.w_q * (x**2) + self.w_l * x + self.b


# %% 28 made
curve = Curve()


# %% 29 how to draw it
def plot_preds(x, y, f, model, title):
    plt.figure()
    plt.plot(x, y, ".", label="data")
    plt.plot(x, f(x), label="truth")
    plt.plot(x, model(x), label="prediction")
    plt.title(title)
    plt.legend()


# %% 30 before training
plot_preds(x, y, f, curve, "before")


# %% 31 how far off
def mse_loss(y_pred, y):
    return tf.reduce_mean(tf.square(y_pred - y))


# %% 32 in batches
batch_size = 32
dataset = tf.data.Dataset.from_tensor_slices((x, y))
dataset = dataset.shuffle(buffer_size=1).batch(batch_size)  # 1, so that the order is nobody's draw

# %% 33 the training loop
epochs = 100
learning_rate = 0.01
losses = []
for epoch in range(epochs):
    for x_batch, y_batch in dataset:
        with tf.GradientTape() as tape:
            batch_loss = mse_loss(curve(x_batch), y_batch)
        grads = tape.gradient(batch_loss, curve.variables)
        for g, v in zip(grads, curve.variables):
            v.assign_sub(learning_rate * g)
    loss = mse_loss(curve(x), y)
    losses.append(loss)
    if epoch % 10 == 0:
        print(f"squared error, step {epoch}: {loss.numpy():0.3f}")
print("\n")
plt.plot(range(epochs), losses)
plt.xlabel("epoch")
plt.ylabel("squared error")
plt.title("the loss")

# %% 34 after training
plot_preds(x, y, f, curve, "after")

# %% 35 the same of Keras's layers
new_model = tf.keras.Sequential([
    tf.keras.layers.Lambda(lambda x: tf.stack([x, x**2], axis=1)),
    tf.keras.layers.Dense(units=1, kernel_initializer=tf.random.normal),
])

# %% 36 fitted, but not saved
new_model.compile(loss=tf.keras.losses.MSE, optimizer=tf.keras.optimizers.SGD(learning_rate=0.01))
history = new_model.fit(x, y, epochs=100, batch_size=32, verbose=0, shuffle=False)  # the guide shuffles, by chance
print(history.history["loss"][::20])  # also

# %% 37 how the loss went
plt.plot(history.history["loss"])
plt.xlabel("epoch")
plt.ylim([0, max(plt.ylim())])
plt.ylabel("loss")
plt.title("Keras")

# %% 38 after training
plot_preds(x, y, f, new_model, "after, Keras")
