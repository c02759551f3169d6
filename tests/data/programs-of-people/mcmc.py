# Hamiltonian Monte Carlo and Langevin steps over a log density; while loops, vectorized chains, stateless numbers replaced by ours.
data = tf.constant(numbers(20) * 2)


def log_prob(theta):
    mu, log_s = theta[..., 0], theta[..., 1]
    s = tf.exp(log_s)
    ll = tf.reduce_sum(-0.5 * tf.square((data - mu[..., tf.newaxis]) / s[..., tf.newaxis]) - log_s[..., tf.newaxis], axis=-1)
    return ll - 0.5 * tf.reduce_sum(theta**2, axis=-1)


def value_and_grad(theta):
    with tf.GradientTape() as tape:
        tape.watch(theta)
        value = log_prob(theta)
    return value, tape.gradient(value, theta)


@tf.function
def leapfrog(theta, momentum, eps, steps):
    _, grad = value_and_grad(theta)
    momentum += 0.5 * eps * grad

    def body(i, theta, momentum):
        theta = theta + eps * momentum
        _, grad = value_and_grad(theta)
        return i + 1, theta, momentum + eps * grad

    i, theta, momentum = tf.while_loop(lambda i, *_: tf.less(i, steps), body, [tf.constant(0), theta, momentum])
    _, grad = value_and_grad(theta)
    return theta, momentum - 0.5 * eps * grad


theta = tf.constant(numbers(4, 2) - 0.5)
accepted = tf.zeros([4], tf.int32)
for step in range(4):
    p = tf.constant(numbers(4, 2, seed=step + 1) - 0.5)
    new, q = leapfrog(theta, p, 0.05, 5)
    ratio = (log_prob(new) - 0.5 * tf.reduce_sum(q * q, -1)) - (log_prob(theta) - 0.5 * tf.reduce_sum(p * p, -1))
    take = tf.math.log(tf.constant(numbers(4, seed=step + 30)) + 1e-3) < ratio
    theta = tf.where(take[:, tf.newaxis], new, theta)
    accepted += tf.cast(take, tf.int32)
    print(step, theta.numpy().round(4).tolist())
print(accepted.numpy(), tf.reduce_mean(theta, 0).numpy().round(4))
x = tf.Variable(theta)
opt = tf.keras.optimizers.SGD(0.01)
for _ in range(5):
    tf.debugging.assert_all_finite(x, "diverged")
    with tf.GradientTape() as tape:
        loss = -tf.reduce_sum(log_prob(x))
    opt.apply_gradients([(tape.gradient(loss, x), x)])
print(x.numpy().round(4)[0])
