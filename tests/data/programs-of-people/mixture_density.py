# A mixture density network: logits, means and scales from three heads; logsumexp; a functional model with several outputs.
K = 3
inputs = tf.keras.Input(shape=(1,), name="x")
h = tf.keras.layers.Dense(10, activation="gelu", kernel_regularizer=tf.keras.regularizers.L2(1e-3))(inputs)
h = tf.keras.layers.LayerNormalization()(h)
pi = tf.keras.layers.Dense(K, name="pi")(h)
mu = tf.keras.layers.Dense(K, name="mu")(h)
sigma = tf.keras.layers.Dense(K, activation="softplus", name="sigma")(h)
model = tf.keras.Model(inputs, [pi, mu, sigma])
fill(model)


def mdn_loss(y, pi, mu, sigma):
    log_component = -0.5 * tf.math.square((y - mu) / (sigma + 1e-3)) - tf.math.log(sigma + 1e-3) - 0.5 * tf.math.log(2 * np.pi)
    return -tf.reduce_mean(tf.reduce_logsumexp(tf.nn.log_softmax(pi, axis=-1) + log_component, axis=-1))


schedule = tf.keras.optimizers.schedules.ExponentialDecay(1e-2, decay_steps=2, decay_rate=0.9, staircase=True)
optimizer = tf.keras.optimizers.Nadam(learning_rate=schedule)
x, y = numbers(16, 1), numbers(16, 1, seed=1)
data = tf.data.Dataset.from_tensor_slices((x, y)).cache().batch(8, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
mean_loss = tf.keras.metrics.Mean("loss", dtype=tf.float32)
for epoch in range(3):
    mean_loss.reset_state()
    for xb, yb in data:
        with tf.GradientTape() as tape:
            out = model(xb, training=True)
            loss = mdn_loss(yb, *out) + tf.add_n(model.losses)
        grads, norm = tf.clip_by_global_norm(tape.gradient(loss, model.trainable_weights), 1.0)
        optimizer.apply_gradients(zip(grads, model.trainable_weights))
        mean_loss.update_state(loss)
    tf.print("epoch", epoch)
    print(f"{mean_loss.result().numpy():.5f} {norm:.5f} {float(optimizer.learning_rate):.6f}")
pi, mu, sigma = model.predict(x[:2], verbose=0)
print((tf.nn.softmax(pi).numpy() * mu).sum(-1).round(4), model.output_names)
