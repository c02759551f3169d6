# Soft actor-critic: a squashed Gaussian policy, two critics, targets that follow slowly, a temperature that is learned.
class Actor(tf.keras.Model):
    def __init__(self, act_dim):
        super().__init__()
        self.d1 = tf.keras.layers.Dense(12, activation="relu")
        self.mu = tf.keras.layers.Dense(act_dim)
        self.log_std = tf.keras.layers.Dense(act_dim)

    def call(self, s, noise=None):
        h = self.d1(s)
        mu, log_std = self.mu(h), tf.clip_by_value(self.log_std(h), -20.0, 2.0)
        std = tf.exp(log_std)
        u = mu + std * noise
        logp = tf.reduce_sum(-0.5 * (tf.square((u - mu) / std) + 2 * log_std + np.log(2 * np.pi)), axis=1, keepdims=True)
        logp -= tf.reduce_sum(2.0 * (np.log(2.0) - u - tf.nn.softplus(-2.0 * u)), axis=1, keepdims=True)
        return tf.tanh(u), logp


def critic():
    s, a = tf.keras.layers.Input((3,)), tf.keras.layers.Input((2,))
    x = tf.keras.layers.Concatenate(axis=-1)([s, a])
    x = tf.keras.layers.Dense(12, activation="relu")(x)
    return tf.keras.Model([s, a], tf.keras.layers.Dense(1)(x))


actor, q1, q2, t1, t2 = Actor(2), critic(), critic(), critic(), critic()
actor(numbers(1, 3), noise=numbers(1, 2))
fill(actor), fill(q1), fill(q2)
q2.set_weights([w * 0.9 for w in q2.get_weights()])
t1.set_weights(q1.get_weights()), t2.set_weights(q2.get_weights())
log_alpha = tf.Variable(0.0, dtype=tf.float32)
alpha = tf.exp(log_alpha)
opts = [tf.keras.optimizers.Adam(3e-3) for _ in range(4)]
target_entropy = -tf.constant(2, dtype=tf.float32)


@tf.function
def update(s, a, r, s2, done, n1, n2):
    a2, logp2 = actor(s2, noise=n2)
    tq = tf.minimum(t1([s2, a2]), t2([s2, a2])) - tf.exp(log_alpha) * logp2
    y = tf.stop_gradient(r + 0.99 * (1.0 - done) * tq)
    losses = []
    for q, opt in ((q1, opts[0]), (q2, opts[1])):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.losses.MSE(y, q([s, a])))
        opt.apply_gradients(zip(tape.gradient(loss, q.trainable_variables), q.trainable_variables))
        losses.append(loss)
    with tf.GradientTape() as tape:
        pi, logp = actor(s, noise=n1)
        actor_loss = tf.reduce_mean(tf.exp(log_alpha) * logp - tf.minimum(q1([s, pi]), q2([s, pi])))
    opts[2].apply_gradients(zip(tape.gradient(actor_loss, actor.trainable_variables), actor.trainable_variables))
    with tf.GradientTape() as tape:
        alpha_loss = -tf.reduce_mean(log_alpha * tf.stop_gradient(logp + target_entropy))
    opts[3].apply_gradients(zip(tape.gradient(alpha_loss, [log_alpha]), [log_alpha]))
    for q, t in ((q1, t1), (q2, t2)):
        for w, tw in zip(q.weights, t.weights):
            tw.assign(0.995 * tw + 0.005 * w)
    return (*losses, actor_loss, alpha_loss)


for step in range(3):
    s, s2 = numbers(8, 3, seed=step), numbers(8, 3, seed=step + 1)
    a, r = numbers(8, 2, seed=step + 5) * 2 - 1, numbers(8, 1, seed=step + 6)
    done = (numbers(8, 1, seed=step + 7) > 0.8).astype("float32")
    out = update(s, a, r, s2, done, numbers(8, 2, seed=step + 8) - 0.5, numbers(8, 2, seed=step + 9) - 0.5)
    print(step, " ".join(f"{v.numpy():.5f}" for v in out))
print(f"{log_alpha.numpy():.6f} {t1.get_weights()[0].sum():.5f}")
