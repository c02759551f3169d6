# TensorFlow's guide "Introduction to gradients and automatic differentiation", its calls in our own words.

# %% 1 the imports
import numpy as np

# %% 2 write down a square
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x**2

# %% 3 its slope
dy_dx = tape.gradient(y, x)
dy_dx.numpy()

# %% 4 two variables
w = tf.Variable(tf.random.normal((3, 2)), name="w")
b = tf.Variable(tf.zeros(2, dtype=tf.float32), name="b")
x = [[1.0, 2.0, 3.0]]
with tf.GradientTape(persistent=True) as tape:
    y = x @ w + b
    loss = tf.reduce_mean(y**2)

# %% 5 sources in a list
[by_w, by_b] = tape.gradient(loss, [w, b])
print(by_w, by_b)  # also

# %% 6 a gradient has the shape of its source
print(w.shape)
print(by_w.shape)

# %% 7 sources in a dict
both = {"w": w, "b": b}
grad = tape.gradient(loss, both)
grad["b"]

# %% 8 by the variables of a layer
layer = tf.keras.layers.Dense(2, activation="relu")
x = tf.constant([[1.0, 2.0, 3.0]])
with tf.GradientTape() as tape:
    y = layer(x)
    loss = tf.reduce_mean(y**2)
grad = tape.gradient(loss, layer.trainable_variables)

# %% 9 their names
for var, g in zip(layer.trainable_variables, grad):
    print(f"{var.name}, shape: {g.shape}")
    print(g)  # also

# %% 10 who is watched by itself
x0 = tf.Variable(3.0, name="x0")
x1 = tf.Variable(3.0, name="x1", trainable=False)
x2 = tf.Variable(2.0, name="x2") + 1.0
x3 = tf.constant(3.0, name="x3")
with tf.GradientTape() as tape:
    y = (x0**2) + (x1**2) + (x2**2)
grad = tape.gradient(y, [x0, x1, x2, x3])
for g in grad:
    print(g)

# %% 11 the tape's own list
[var.name for var in tape.watched_variables()]

# %% 12 watched by hand
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x**2
dy_dx = tape.gradient(y, x)
print(dy_dx.numpy())

# %% 13 nothing watched by itself
x0 = tf.Variable(0.0)
x1 = tf.Variable(10.0)
with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(x1)
    y0 = tf.math.sin(x0)
    y1 = tf.nn.softplus(x1)
    y = y0 + y1
    ys = tf.reduce_sum(y)

# %% 14 so one of them has no gradient
grad = tape.gradient(ys, {"x0": x0, "x1": x1})
print("by x0:", grad["x0"])
print("by x1:", grad["x1"].numpy())

# %% 15 by a value in between
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
    z = y * y
print(tape.gradient(z, y).numpy())

# %% 16 two questions
x = tf.constant([1, 3.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
    z = y * y
print(tape.gradient(z, x).numpy())
print(tape.gradient(y, x).numpy())

# %% 17 the tape is dropped
del tape

# %% 18 a target each
x = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    y0 = x**2
    y1 = 1 / x
print(tape.gradient(y0, x).numpy())
print(tape.gradient(y1, x).numpy())

# %% 19 both targets at once
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y0 = x**2
    y1 = 1 / x
print(tape.gradient({"y0": y0, "y1": y1}, x).numpy())

# %% 20 a target of two numbers
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = x * [3.0, 4.0]
print(tape.gradient(y, x).numpy())

# %% 21 element by element
x = tf.linspace(-10.0, 10.0, 200 + 1)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.sigmoid(x)
dy_dx = tape.gradient(y, x)
print(dy_dx[95:105])  # also

# %% 22 plotted
plt.plot(x, y, label="y")
plt.plot(x, dy_dx, label="dy/dx")
plt.legend()
_ = plt.xlabel("x")

# %% 23 the branch that was taken
x = tf.constant(1.0)
v0 = tf.Variable(2.0)
v1 = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    if x > 0.0:
        result = v0
    else:
        result = v1**2
dv0, dv1 = tape.gradient(result, [v0, v1])
print(dv0)
print(dv1)

# %% 24 the question has no slope
dx = tape.gradient(result, x)
print(dx)

# %% 25 not connected
x = tf.Variable(2.0)
y = tf.Variable(3.0)
with tf.GradientTape() as tape:
    z = y * y
print(tape.gradient(z, x))

# %% 26 differs: the names of the classes
#: Variable : tf.Tensor(1.0, shape=(), dtype=float32)
#: Tensor : None
x = tf.Variable(2.0)
for epoch in range(2):
    with tf.GradientTape() as tape:
        y = x + 1
    print(type(x).__name__, ":", tape.gradient(y, x))
    x = x + 1

# %% 27 through NumPy
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]], dtype=tf.float32)
with tf.GradientTape() as tape:
    x2 = x**2
    y = np.mean(x2, axis=0)
    y = tf.reduce_mean(y, axis=0)
print(tape.gradient(y, x))

# %% 28 through whole numbers
x = tf.constant(10)
with tf.GradientTape() as g:
    g.watch(x)
    y = x * x
print(g.gradient(y, x))

# %% 29 through the state of a variable
x0 = tf.Variable(3.0)
x1 = tf.Variable(0.0)
with tf.GradientTape() as tape:
    x1.assign_add(x0)
    y = x1**2
print(tape.gradient(y, x0))

# %% 30 an op without a derivative
image = tf.Variable([[[0.5, 0.0, 0.0]]])
delta = tf.Variable(0.1)
with tf.GradientTape() as tape:
    new_image = tf.image.adjust_contrast(image, delta)
try:
    print(tape.gradient(new_image, [image, delta]))
    assert False
except LookupError as e:
    print(f"{type(e).__name__}: {e}")

# %% 31 zeros instead of None
x = tf.Variable([2.0, 2.0])
y = tf.Variable(3.0)
with tf.GradientTape() as tape:
    z = y**2
print(tape.gradient(z, x, unconnected_gradients=tf.UnconnectedGradients.ZERO))
