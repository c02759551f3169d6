# PPO: a clipped surrogate, log-probabilities by one_hot, generalized advantages, an early stop by the KL divergence.
keras, layers = tf.keras, tf.keras.layers
num_actions, clip_ratio, gamma, lam = 3, 0.2, 0.99, 0.97


def discounted_cumulative_sums(x, discount):
    answer, total = np.zeros(len(x), "float32"), 0.0
    for i in reversed(range(len(x))):
        total = answer[i] = x[i] + discount * total
    return answer


def mlp(x, sizes, activation=keras.activations.tanh, output_activation=None):
    for size in sizes[:-1]:
        x = layers.Dense(units=size, activation=activation)(x)
    return layers.Dense(units=sizes[-1], activation=output_activation)(x)


def logprobabilities(logits, a):
    logprobabilities_all = keras.ops.log_softmax(logits)
    return keras.ops.sum(keras.ops.one_hot(a, num_actions) * logprobabilities_all, axis=1)


observation_input = keras.Input(shape=(4,), dtype="float32")
actor = keras.Model(inputs=observation_input, outputs=mlp(observation_input, [8, num_actions]))
value = keras.ops.squeeze(mlp(observation_input, [8, 1]), axis=1)
critic = keras.Model(inputs=observation_input, outputs=value)
fill(actor), fill(critic)
policy_optimizer, value_optimizer = keras.optimizers.Adam(learning_rate=3e-2), keras.optimizers.Adam(learning_rate=1e-2)


@tf.function
def train_policy(observations, actions, old, advantages):
    with tf.GradientTape() as tape:
        ratio = keras.ops.exp(logprobabilities(actor(observations), actions) - old)
        min_advantage = keras.ops.where(advantages > 0, (1 + clip_ratio) * advantages, (1 - clip_ratio) * advantages)
        policy_loss = -keras.ops.mean(keras.ops.minimum(ratio * advantages, min_advantage))
    policy_grads = tape.gradient(policy_loss, actor.trainable_variables)
    policy_optimizer.apply_gradients(zip(policy_grads, actor.trainable_variables))
    kl = keras.ops.mean(old - logprobabilities(actor(observations), actions))
    return keras.ops.sum(kl)


@tf.function
def train_value_function(observations, returns):
    with tf.GradientTape() as tape:
        value_loss = keras.ops.mean((returns - critic(observations)) ** 2)
    value_grads = tape.gradient(value_loss, critic.trainable_variables)
    value_optimizer.apply_gradients(zip(value_grads, critic.trainable_variables))
    return value_loss


observations, actions = numbers(16, 4), (np.arange(16) * 7 % 3).astype("int32")
values, rewards = critic(observations).numpy(), np.sin(np.arange(16)).astype("float32")
deltas = rewards + gamma * np.append(values[1:], 0) - values
advantages, returns = discounted_cumulative_sums(deltas, gamma * lam), discounted_cumulative_sums(rewards, gamma)
advantages = ((advantages - advantages.mean()) / advantages.std()).astype("float32")
old = logprobabilities(actor(observations), actions)
for step in range(10):
    kl = train_policy(observations, actions, old, advantages)
    print(f"policy {step}: kl {kl:.5f}")
    if kl > 1.5 * 0.01:
        break
for step in range(3):
    print(f"value {step}: {train_value_function(observations, returns):.5f}")
