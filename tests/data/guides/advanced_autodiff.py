# TensorFlow's guide "Advanced automatic differentiation", its calls in our own words.

# %% 1 the imports, and the size of plots
plt.rcParams["figure.figsize"] = (8, 6)

# %% 2 stopped for a while
x = tf.Variable(2.0)
y = tf.Variable(3.0)
with tf.GradientTape() as t:
    x_sq = x * x
    with t.stop_recording():
        y_sq = y * y
    z = x_sq + y_sq
grad = t.gradient(z, {"x": x, "y": y})
print("by x:", grad["x"])
print("by y:", grad["y"])

# %% 3 started anew
x = tf.Variable(2.0)
y = tf.Variable(3.0)
reset = True
with tf.GradientTape() as t:
    y_sq = y * y
    if reset:
        t.reset()
    z = x * x + y_sq
grad = t.gradient(z, {"x": x, "y": y})
print("by x:", grad["x"])
print("by y:", grad["y"])

# %% 4 stopped along one path
x = tf.Variable(2.0)
y = tf.Variable(3.0)
with tf.GradientTape() as t:
    y_sq = y**2
    z = x**2 + tf.stop_gradient(y_sq)
grad = t.gradient(z, {"x": x, "y": y})
print("by x:", grad["x"])
print("by y:", grad["y"])


# %% 5 a derivative of one's own
@tf.custom_gradient
def gently(value):
    def backward(dy):
        return tf.clip_by_norm(dy, 0.5)

    return value, backward


v = tf.Variable(2.0)
with tf.GradientTape() as t:
    output = gently(v * v)
print(t.gradient(output, v))


# %% 6 inside of a module
class Gentle(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec(None)])
    def call_custom_grad(self, value):
        return gently(value)


model = Gentle()

# %% 7 left out: saved models

# %% 8 two tapes, each with its own tensor
x0 = tf.constant(0.0)
x1 = tf.constant(0.0)
with tf.GradientTape() as tape0, tf.GradientTape() as tape1:
    tape0.watch(x0)
    tape1.watch(x1)
    y0 = tf.math.sin(x0)
    y1 = tf.nn.sigmoid(x1)
    y = y0 + y1
    ys = tf.reduce_sum(y)

# %% 9 what the first says
tape0.gradient(ys, x0).numpy()

# %% 10 what the second says
tape1.gradient(ys, x1).numpy()

# %% 11 a slope of a slope
x = tf.Variable(1.0)
with tf.GradientTape() as t2:
    with tf.GradientTape() as t1:
        y = x * x * x
    dy_dx = t1.gradient(y, x)
d2y_dx2 = t2.gradient(dy_dx, x)
print("first:", dy_dx.numpy())
print("second:", d2y_dx2.numpy())

# %% 12 an input and a layer
x = tf.random.normal([7, 5])
layer = tf.keras.layers.Dense(10, activation=tf.nn.relu)

# %% 13 the gradient of the size of a gradient
with tf.GradientTape() as t2:
    with tf.GradientTape(watch_accessed_variables=False) as t1:
        t1.watch(x)
        y = layer(x)
        out = tf.reduce_sum(layer(x) ** 2)
    g1 = t1.gradient(out, x)
    g1_mag = tf.norm(g1)
dg1_mag = t2.gradient(g1_mag, layer.trainable_variables)
print(g1_mag.numpy(), tf.reduce_sum(dg1_mag[0]).numpy(), tf.reduce_sum(dg1_mag[1]).numpy())  # also

# %% 14 its shapes
[var.shape for var in dg1_mag]

# %% 15 a Jacobian by one number
x = tf.linspace(-10.0, 10.0, 200 + 1)
delta = tf.Variable(0.0)
with tf.GradientTape() as tape:
    y = tf.nn.sigmoid(x + delta)
dy_dx = tape.jacobian(y, delta)

# %% 16 has the shape of the target
print(y.shape)
print(dy_dx.shape)

# %% 17 plotted
plt.plot(x.numpy(), y, label="y")
plt.plot(x.numpy(), dy_dx, label="dy/dx")
plt.legend()
_ = plt.xlabel("x")

# %% 18 a layer's output
x = tf.random.normal([7, 5])
layer = tf.keras.layers.Dense(10, activation=tf.nn.relu)
with tf.GradientTape(persistent=True) as tape:
    y = layer(x)
y.shape

# %% 19 its kernel
layer.kernel.shape

# %% 20 the Jacobian by the kernel
j = tape.jacobian(y, layer.kernel)
print(tf.norm(j).numpy())  # also
j.shape

# %% 21 summed over the target it is the gradient
g = tape.gradient(y, layer.kernel)
print("g.shape:", g.shape)
j_sum = tf.reduce_sum(j, axis=[0, 1])
delta = tf.reduce_max(abs(g - j_sum)).numpy()
assert delta < 1e-3
print("near:", delta < 1e-5)

# %% 22 a Hessian
x = tf.random.normal([7, 5])
layer1 = tf.keras.layers.Dense(8, activation=tf.nn.relu)
layer2 = tf.keras.layers.Dense(6, activation=tf.nn.relu)
with tf.GradientTape() as t2:
    with tf.GradientTape() as t1:
        x = layer1(x)
        x = layer2(x)
        loss = tf.reduce_mean(x**2)
    g = t1.gradient(loss, layer1.kernel)
h = t2.jacobian(g, layer1.kernel)

# %% 23 its shape
print(f"layer1.kernel.shape: {layer1.kernel.shape}")
print(f"h.shape: {h.shape}")

# %% 24 as a matrix
n_params = tf.reduce_prod(layer1.kernel.shape)
g_vec = tf.reshape(g, [n_params, 1])
h_mat = tf.reshape(h, [n_params, n_params])
print(tf.reduce_max(abs(h_mat - tf.transpose(h_mat))).numpy() < 1e-5, f"{tf.norm(h_mat).numpy():.5f}")  # also


# %% 25 how to draw it
def centered(image, **kwargs):
    lim = tf.reduce_max(abs(image))
    plt.imshow(image, vmin=-lim, vmax=lim, cmap="seismic", **kwargs)
    plt.colorbar()


# %% 26 drawn
centered(h_mat)

# %% 27 a little of the identity
eps = 1e-3
eye_eps = tf.eye(h_mat.shape[0]) * eps

# %% 28 Newton's step
update = tf.linalg.solve(h_mat + eye_eps, g_vec)
_ = layer1.kernel.assign_sub(tf.reshape(update, layer1.kernel.shape))

# %% 29 two layers on a batch
x = tf.random.normal([7, 5])
layer1 = tf.keras.layers.Dense(8, activation=tf.nn.elu)
layer2 = tf.keras.layers.Dense(6, activation=tf.nn.elu)
with tf.GradientTape(persistent=True, watch_accessed_variables=False) as tape:
    tape.watch(x)
    y = layer1(x)
    y = layer2(y)
y.shape

# %% 30 the Jacobian of the whole batch
j = tape.jacobian(y, x)
j.shape

# %% 31 a slice of it
centered(j[:, 0, :, 0])
_ = plt.title("one slice")


# %% 32 all slices side by side
def patches(j):
    j = tf.transpose(j, [1, 0, 3, 2])
    lim = tf.reduce_max(abs(j))
    j = tf.pad(j, [[0, 0], [1, 1], [0, 0], [1, 1]], constant_values=-lim)
    s = j.shape
    j = tf.reshape(j, [s[0] * s[1], s[2] * s[3]])
    centered(j, extent=[-0.5, s[2] - 0.5, s[0] - 0.5, -0.5])


patches(j)
_ = plt.title("all slices")

# %% 33 summed, or its diagonals taken
j_sum = tf.reduce_sum(j, axis=2)
print(j_sum.shape)
j_select = tf.einsum("bxby->bxy", j)
print(j_select.shape)

# %% 34 a Jacobian for each of the batch
jb = tape.batch_jacobian(y, x)
jb.shape

# %% 35 is the same
error = tf.reduce_max(abs(jb - j_sum))
assert error < 1e-3
print(error.numpy())

# %% 36 where the batch does not fall apart
x = tf.random.normal([7, 5])
layer1 = tf.keras.layers.Dense(8, activation=tf.nn.elu)
bn = tf.keras.layers.BatchNormalization()
layer2 = tf.keras.layers.Dense(6, activation=tf.nn.elu)
with tf.GradientTape(persistent=True, watch_accessed_variables=False) as tape:
    tape.watch(x)
    y = layer1(x)
    y = bn(y, training=True)
    y = layer2(y)
j = tape.jacobian(y, x)
print(f"j.shape: {j.shape}")
print(tf.reduce_sum(abs(j)).numpy())  # also

# %% 37 drawn
patches(j)
_ = plt.title("not diagonal")
_ = plt.xlabel("no batch_jacobian here")

# %% 38 it has a shape all the same
jb = tape.batch_jacobian(y, x)
print(f"jb.shape: {jb.shape}")
print(tf.norm(jb).numpy())  # also
