# DQN: a replay memory, a target network, one_hot masks, the Huber loss.
def network():
    net = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2)])
    net(numbers(1, 3))
    fill(net)
    return net


model, target = network(), network()
optimizer, huber = tf.keras.optimizers.Adam(learning_rate=0.01, clipnorm=1.0), tf.keras.losses.Huber()
draw, gamma = np.random.RandomState(0), 0.9
memory = [(numbers(3, seed=i), i % 2, float(np.sin(i)), numbers(3, seed=i + 1), float(i % 7 == 6)) for i in range(30)]
for step in range(5):
    batch = [memory[i] for i in draw.choice(30, 8, replace=False)]
    states, actions, rewards, following, done = (np.array(part) for part in zip(*batch))
    future = tf.reduce_max(target(following.astype("float32")), axis=1)
    updated = tf.cast(rewards, tf.float32) + gamma * future * (1 - tf.cast(done, tf.float32))
    masks = tf.one_hot(actions, 2)
    with tf.GradientTape() as tape:
        q_values = model(states.astype("float32"))
        q_action = tf.reduce_sum(tf.multiply(q_values, masks), axis=1)
        loss = huber(updated, q_action)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    if step % 2:
        target.set_weights(model.get_weights())
    print(f"{step}: loss {loss:.5f}, best action {int(tf.argmax(model(numbers(1, 3))[0]))}")
