# Hamiltonian Monte Carlo and Langevin steps on a density, the score by a tape, Hessian-vector products by an accumulator.
def log_density(x):
    return tf.reduce_logsumexp(tf.stack([-tf.reduce_sum((x - 1.0) ** 2, -1), -2.0 * tf.reduce_sum((x + 0.5) ** 2, -1)]), axis=0)


def score(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        value = log_density(x)
    return value, tape.gradient(value, x)


draw = np.random.RandomState(0)
x = tf.Variable(numbers(4, 2), name="particles")
accepted = tf.Variable(0)
for step in range(5):
    momentum = tf.constant(draw.normal(size=(4, 2)), tf.float32)
    position, speed = tf.identity(x), momentum
    start, slope = score(position)
    for leap in range(3):
        speed += 0.1 * slope
        position += 0.2 * speed
        end, slope = score(position)
        speed += 0.1 * slope
    gain = end - start + 0.5 * tf.reduce_sum(momentum**2 - speed**2, -1)
    take = tf.math.log(tf.constant(draw.uniform(size=4), tf.float32)) < gain
    x.assign(tf.where(take[:, None], position, x))
    accepted.assign_add(tf.math.count_nonzero(take, dtype=tf.int32))
print(accepted.numpy(), np.round(x.numpy().ravel(), 4))
direction = tf.ones_like(x)
with tf.autodiff.ForwardAccumulator(x, direction) as acc:
    with tf.GradientTape() as tape:
        value = tf.reduce_sum(log_density(x))
    gradient = tape.gradient(value, x)
print(np.round(acc.jvp(gradient).numpy().ravel(), 4))
states = tf.TensorArray(tf.float32, size=0, dynamic_size=True, clear_after_read=False)
i = tf.constant(0)
while i < 4:
    states = states.write(i, score(x)[1])
    x.assign_add(0.1 * states.read(i))
    i += 1
print(states.size().numpy(), np.round(tf.reduce_sum(states.stack(), [1, 2]).numpy(), 4))
print(tf.linalg.norm(states.concat()).numpy().round(4), tf.math.reduce_std(x, 0).numpy().round(4))
