# Actor-critic with one network of two heads, on a pendulum of our own; TensorArrays hold the episode.
class ActorCritic(tf.keras.Model):
    def __init__(self, actions, hidden):
        super().__init__()
        self.common = tf.keras.layers.Dense(hidden, activation="relu")
        self.actor = tf.keras.layers.Dense(actions)
        self.critic = tf.keras.layers.Dense(1)

    def call(self, inputs):
        x = self.common(inputs)
        return self.actor(x), self.critic(x)


def env_step(state, action):
    angle, speed = state
    speed = speed + 0.1 * angle + (0.2 if action else -0.2)
    return np.array([angle + 0.1 * speed, speed], "float32"), 1.0 - abs(float(angle))


model = ActorCritic(2, 8)
model(numbers(1, 2))
fill(model)
optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)
draw = np.random.RandomState(1)


def run_episode(max_steps):
    action_probs = tf.TensorArray(dtype=tf.float32, size=0, dynamic_size=True)
    values = tf.TensorArray(dtype=tf.float32, size=0, dynamic_size=True)
    rewards = tf.TensorArray(dtype=tf.float32, size=0, dynamic_size=True)
    state = np.array([0.1, 0.0], "float32")
    for t in tf.range(max_steps):
        logits, value = model(tf.expand_dims(state, 0))
        probs = tf.nn.softmax(logits)
        action = int(draw.uniform() < float(probs[0, 1]))
        values = values.write(t, tf.squeeze(value))
        action_probs = action_probs.write(t, probs[0, action])
        state, reward = tf.numpy_function(env_step, [state, action], [tf.float32, tf.float64])
        rewards = rewards.write(t, tf.cast(reward, tf.float32))
    return action_probs.stack(), values.stack(), rewards.stack()


def expected_return(rewards, gamma):
    n = tf.shape(rewards)[0]
    returns = tf.TensorArray(dtype=tf.float32, size=n)
    total = tf.constant(0.0)
    for i in tf.range(n):
        total = rewards[::-1][i] + gamma * total
        returns = returns.write(i, total)
    returns = returns.stack()[::-1]
    return (returns - tf.math.reduce_mean(returns)) / (tf.math.reduce_std(returns) + 1e-7)


for episode in range(4):
    with tf.GradientTape() as tape:
        action_probs, values, rewards = run_episode(8)
        returns = expected_return(rewards, 0.99)
        action_probs, values, returns = [tf.expand_dims(x, 1) for x in [action_probs, values, returns]]
        advantage = returns - values
        actor_loss = -tf.math.reduce_sum(tf.math.log(action_probs) * advantage)
        error = returns - values
        critic_loss = tf.reduce_sum(tf.where(tf.abs(error) < 1.0, 0.5 * error**2, tf.abs(error) - 0.5))
        loss = actor_loss + critic_loss
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(f"episode {episode}: loss {loss:.4f}, reward {tf.reduce_sum(rewards):.5f}")
