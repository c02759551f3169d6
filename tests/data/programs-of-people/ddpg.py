# DDPG: actor and critic, target networks that follow slowly, a buffer class, Ornstein-Uhlenbeck noise.
keras, layers = tf.keras, tf.keras.layers
num_states, num_actions, upper_bound = 3, 1, 2.0


class OUActionNoise:
    def __init__(self, mean, std_deviation, theta=0.15, dt=1e-2):
        self.theta, self.mean, self.std_dev, self.dt = theta, mean, std_deviation, dt
        self.x_prev, self.draw = np.zeros_like(mean), np.random.RandomState(0)

    def __call__(self):
        x = self.x_prev + self.theta * (self.mean - self.x_prev) * self.dt + self.std_dev * np.sqrt(self.dt) * self.draw.normal(size=self.mean.shape)
        self.x_prev = x
        return x


class Buffer:
    def __init__(self, buffer_capacity=100, batch_size=8):
        self.buffer_capacity, self.batch_size, self.buffer_counter = buffer_capacity, batch_size, 0
        self.state_buffer = np.zeros((buffer_capacity, num_states))
        self.action_buffer = np.zeros((buffer_capacity, num_actions))
        self.reward_buffer = np.zeros((buffer_capacity, 1))
        self.next_state_buffer = np.zeros((buffer_capacity, num_states))
        self.draw = np.random.RandomState(1)

    def record(self, obs_tuple):
        index = self.buffer_counter % self.buffer_capacity
        self.state_buffer[index], self.action_buffer[index], self.reward_buffer[index], self.next_state_buffer[index] = obs_tuple
        self.buffer_counter += 1

    @tf.function
    def update(self, state_batch, action_batch, reward_batch, next_state_batch):
        with tf.GradientTape() as tape:
            target_actions = target_actor(next_state_batch, training=True)
            y = reward_batch + gamma * target_critic([next_state_batch, target_actions], training=True)
            critic_value = critic_model([state_batch, action_batch], training=True)
            critic_loss = keras.ops.mean(keras.ops.square(y - critic_value))
        critic_grad = tape.gradient(critic_loss, critic_model.trainable_variables)
        critic_optimizer.apply_gradients(zip(critic_grad, critic_model.trainable_variables))
        with tf.GradientTape() as tape:
            actions = actor_model(state_batch, training=True)
            critic_value = critic_model([state_batch, actions], training=True)
            actor_loss = -keras.ops.mean(critic_value)
        actor_grad = tape.gradient(actor_loss, actor_model.trainable_variables)
        actor_optimizer.apply_gradients(zip(actor_grad, actor_model.trainable_variables))
        return critic_loss, actor_loss

    def learn(self):
        record_range = min(self.buffer_counter, self.buffer_capacity)
        batch_indices = self.draw.choice(record_range, self.batch_size)
        state_batch = keras.ops.convert_to_tensor(self.state_buffer[batch_indices])
        action_batch = keras.ops.convert_to_tensor(self.action_buffer[batch_indices])
        reward_batch = keras.ops.convert_to_tensor(self.reward_buffer[batch_indices])
        reward_batch = keras.ops.cast(reward_batch, dtype="float32")
        next_state_batch = keras.ops.convert_to_tensor(self.next_state_buffer[batch_indices])
        return self.update(state_batch, action_batch, reward_batch, next_state_batch)


def update_target(target, original, tau):
    target_weights, original_weights = target.get_weights(), original.get_weights()
    for i in range(len(target_weights)):
        target_weights[i] = original_weights[i] * tau + target_weights[i] * (1 - tau)
    target.set_weights(target_weights)


def get_actor():
    last_init = keras.initializers.RandomUniform(minval=-0.003, maxval=0.003)
    inputs = layers.Input(shape=(num_states,))
    out = layers.Dense(6, activation="relu")(inputs)
    outputs = layers.Dense(1, activation="tanh", kernel_initializer=last_init)(out)
    return keras.Model(inputs, outputs * upper_bound)


def get_critic():
    state_input = layers.Input(shape=(num_states,))
    state_out = layers.Dense(4, activation="relu")(state_input)
    action_input = layers.Input(shape=(num_actions,))
    action_out = layers.Dense(4, activation="relu")(action_input)
    concat = layers.Concatenate()([state_out, action_out])
    out = layers.Dense(6, activation="relu")(concat)
    return keras.Model([state_input, action_input], layers.Dense(1)(out))


actor_model, critic_model, target_actor, target_critic = get_actor(), get_critic(), get_actor(), get_critic()
fill(actor_model), fill(critic_model)
target_actor.set_weights(actor_model.get_weights())
target_critic.set_weights(critic_model.get_weights())
critic_optimizer, actor_optimizer = keras.optimizers.Adam(0.002), keras.optimizers.Adam(0.001)
gamma, tau, noise, buffer = 0.99, 0.05, OUActionNoise(mean=np.zeros(1), std_deviation=float(0.2) * np.ones(1)), Buffer()
state = numbers(3)
for step in range(10):
    tf_prev_state = keras.ops.expand_dims(keras.ops.convert_to_tensor(state), 0)
    sampled = keras.ops.squeeze(actor_model(tf_prev_state)).numpy() + noise()
    action = [np.squeeze(np.clip(sampled, -upper_bound, upper_bound))]
    following = np.sin(state + action[0]).astype("float32")
    buffer.record((state, action[0], -float(np.sum(following**2)), following))
    critic_loss, actor_loss = buffer.learn()
    update_target(target_actor, actor_model, tau)
    update_target(target_critic, critic_model, tau)
    state = following
    if step % 3 == 0:
        print(f"{step}: action {float(action[0]):.4f} critic {critic_loss:.4f} actor {actor_loss:.4f}")
