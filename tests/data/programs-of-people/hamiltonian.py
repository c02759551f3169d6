# A Hamiltonian network: the time derivative is a gradient of a scalar network, integrated by leapfrog; float64.
tf.keras.backend.set_floatx("float64")
H = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(12, "tanh"), tf.keras.layers.Dense(12, "tanh"), tf.keras.layers.Dense(1, use_bias=False)])
fill(H)
J = tf.constant([[0.0, 1.0], [-1.0, 0.0]], dtype=tf.float64)


def field(z):
    with tf.GradientTape() as tape:
        tape.watch(z)
        energy = H(z)
    return tf.einsum("ij,bj->bi", J, tape.gradient(energy, z))


t = np.linspace(0, 1, 9)
z = tf.constant(np.stack([np.cos(t), -np.sin(t)], 1))
dz = tf.constant(np.stack([-np.sin(t), -np.cos(t)], 1))
opt = tf.keras.optimizers.Adam(1e-2)
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.math.squared_difference(field(z), dz))
    opt.apply_gradients(zip(tape.gradient(loss, H.trainable_variables), H.trainable_variables))
    print(step, f"{loss.numpy():.8f}", loss.dtype.name)


@tf.function
def rollout(z0, steps, dt):
    states = tf.TensorArray(tf.float64, size=steps + 1)
    states = states.write(0, z0)
    z = z0
    for i in tf.range(steps):
        k1 = field(z)
        k2 = field(z + 0.5 * dt * k1)
        z = z + dt * k2
        states = states.write(i + 1, z)
    return states.stack()


path = rollout(tf.constant([[1.0, 0.0]], tf.float64), 5, 0.1)
print(path.shape, path[-1].numpy().round(7))
tf.keras.backend.set_floatx("float32")
