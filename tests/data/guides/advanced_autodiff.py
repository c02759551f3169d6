# TensorFlow's guide "Advanced automatic differentiation", its calls in our own words.

# -- leaving out, starting over, stopping
x, y = tf.Variable(2.0), tf.Variable(3.0)
with tf.GradientTape() as t:
    x_sq = x * x
    with t.stop_recording():
        y_sq = y * y
    z = x_sq + y_sq
grad = t.gradient(z, {"x": x, "y": y})
print("dz/dx:", grad["x"])
print("dz/dy:", grad["y"])
with tf.GradientTape() as t:
    y_sq = y * y
    t.reset()
    z = x * x + y_sq
grad = t.gradient(z, {"x": x, "y": y})
print("dz/dx:", grad["x"])
print("dz/dy:", grad["y"])
with tf.GradientTape() as t:
    y_sq = y**2
    z = x**2 + tf.stop_gradient(y_sq)
grad = t.gradient(z, {"x": x, "y": y})
print("dz/dx:", grad["x"])
print("dz/dy:", grad["y"])


# -- a derivative of one's own
@tf.custom_gradient
def clipped(value):
    def backward(dy):
        return tf.clip_by_norm(dy, 0.5)

    return value, backward


v = tf.Variable(2.0)
with tf.GradientTape() as t:
    output = clipped(v * v)
print(t.gradient(output, v))


class Holder(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec(None)])
    def call_it(self, value):
        return clipped(value)


holder = Holder()
with tf.GradientTape() as t:
    output = holder.call_it(v * v)
print(t.gradient(output, v))

# -- two tapes
x0, x1 = tf.constant(0.0), tf.constant(0.0)
with tf.GradientTape() as tape0, tf.GradientTape() as tape1:
    tape0.watch(x0)
    tape1.watch(x1)
    y0 = tf.math.sin(x0)
    y1 = tf.nn.sigmoid(x1)
    ys = tf.reduce_sum(y0 + y1)
print(tape0.gradient(ys, x0).numpy())
print(tape1.gradient(ys, x1).numpy())
x = tf.Variable(1.0)
with tf.GradientTape() as t2:
    with tf.GradientTape() as t1:
        y = x * x * x
    dy_dx = t1.gradient(y, x)
d2y_dx2 = t2.gradient(dy_dx, x)
print("dy_dx:", dy_dx.numpy())
print("d2y_dx2:", d2y_dx2.numpy())

# -- the size of a gradient
x = tf.random.normal([7, 5])
layer = settled(tf.keras.layers.Dense(10, activation=tf.nn.relu), [7, 5])
with tf.GradientTape() as t2:
    with tf.GradientTape(watch_accessed_variables=False) as t1:
        t1.watch(x)
        y = layer(x)
        out = tf.reduce_sum(layer(x) ** 2)
    g1 = t1.gradient(out, x)
    g1_mag = tf.norm(g1)
dg1_mag = t2.gradient(g1_mag, layer.trainable_variables)
print([var.shape for var in dg1_mag])
print(g1_mag.numpy(), tf.reduce_sum(dg1_mag[0]).numpy(), tf.reduce_sum(dg1_mag[1]).numpy())

# -- Jacobians
x = tf.linspace(-10.0, 10.0, 200 + 1)
delta = tf.Variable(0.0)
with tf.GradientTape() as tape:
    y = tf.nn.sigmoid(x + delta)
dy_dx = tape.jacobian(y, delta)
print(y.shape)
print(dy_dx.shape)
plt.plot(x.numpy(), y, label="y")
plt.plot(x.numpy(), dy_dx, label="dy/dx")
x = tf.random.normal([7, 5])
with tf.GradientTape(persistent=True) as tape:
    y = layer(x)
print(y.shape, layer.kernel.shape)
j = tape.jacobian(y, layer.kernel)
print(j.shape)
g = tape.gradient(y, layer.kernel)
print("g.shape:", g.shape)
j_sum = tf.reduce_sum(j, axis=[0, 1])
delta = tf.reduce_max(abs(g - j_sum)).numpy()
assert delta < 1e-3

# -- the Hessian, and Newton's step
x = tf.random.normal([7, 5])
layer1 = settled(tf.keras.layers.Dense(8, activation=tf.nn.relu), [7, 5])
layer2 = settled(tf.keras.layers.Dense(6, activation=tf.nn.relu), [7, 8])
with tf.GradientTape() as t2:
    with tf.GradientTape() as t1:
        x = layer1(x)
        x = layer2(x)
        loss = tf.reduce_mean(x**2)
    g = t1.gradient(loss, layer1.kernel)
h = t2.jacobian(g, layer1.kernel)
print(f"layer.kernel.shape: {layer1.kernel.shape}")
print(f"h.shape: {h.shape}")
n_params = tf.reduce_prod(layer1.kernel.shape)
g_vec = tf.reshape(g, [n_params, 1])
h_mat = tf.reshape(h, [n_params, n_params])


def centered(image, **kwargs):
    lim = tf.reduce_max(abs(image))
    plt.imshow(image, vmin=-lim, vmax=lim, cmap="seismic", **kwargs)
    plt.colorbar()


centered(h_mat)
eps = 1e-1
eye_eps = tf.eye(h_mat.shape[0]) * eps
update = tf.linalg.solve(h_mat + eye_eps, g_vec)
_ = layer1.kernel.assign_sub(tf.reshape(update, layer1.kernel.shape))
print(tf.reduce_max(abs(h_mat - tf.transpose(h_mat))).numpy() < 1e-5, f"{tf.norm(layer1.kernel).numpy():.4f}")

# -- a batch of Jacobians
x = tf.random.normal([7, 5])
layer1 = settled(tf.keras.layers.Dense(8, activation=tf.nn.elu), [7, 5])
layer2 = settled(tf.keras.layers.Dense(6, activation=tf.nn.elu), [7, 8])
with tf.GradientTape(persistent=True, watch_accessed_variables=False) as tape:
    tape.watch(x)
    y = layer1(x)
    y = layer2(y)
print(y.shape)
j = tape.jacobian(y, x)
print(j.shape)
centered(j[:, 0, :, 0])


def patches(j):
    j = tf.transpose(j, [1, 0, 3, 2])
    lim = tf.reduce_max(abs(j))
    j = tf.pad(j, [[0, 0], [1, 1], [0, 0], [1, 1]], constant_values=-lim)
    s = j.shape
    j = tf.reshape(j, [s[0] * s[1], s[2] * s[3]])
    centered(j, extent=[-0.5, s[2] - 0.5, s[0] - 0.5, -0.5])
    print(j.shape, f"{tf.reduce_sum(j).numpy():.3f}")


patches(j)
j_sum = tf.reduce_sum(j, axis=2)
print(j_sum.shape)
j_select = tf.einsum("bxby->bxy", j)
print(j_select.shape)
jb = tape.batch_jacobian(y, x)
print(jb.shape)
error = tf.reduce_max(abs(jb - j_sum))
assert error < 1e-3
x = tf.random.normal([7, 5])
layer1 = settled(tf.keras.layers.Dense(8, activation=tf.nn.elu), [7, 5])
bn = tf.keras.layers.BatchNormalization()
layer2 = settled(tf.keras.layers.Dense(6, activation=tf.nn.elu), [7, 8])
with tf.GradientTape(persistent=True, watch_accessed_variables=False) as tape:
    tape.watch(x)
    y = layer1(x)
    y = bn(y, training=True)
    y = layer2(y)
j = tape.jacobian(y, x)
print(f"j.shape: {j.shape}")
patches(j)
jb = tape.batch_jacobian(y, x)
print(f"jb.shape: {jb.shape}")
