# "Writing a training loop from scratch": a functional model, metrics, validation, tf.data.
inputs = tf.keras.Input(shape=(6,), name="digits")
x = tf.keras.layers.Dense(8, activation="relu", name="dense_1")(inputs)
x = tf.keras.layers.Dense(8, activation="relu", name="dense_2")(x)
outputs = tf.keras.layers.Dense(3, name="predictions")(x)
model = tf.keras.Model(inputs=inputs, outputs=outputs)
fill(model)
optimizer = tf.keras.optimizers.SGD(learning_rate=0.1)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
x_train, y_train = numbers(40, 6), np.argmax(numbers(40, 6)[:, :3], 1)
train_dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(buffer_size=1).batch(8)
val_dataset = tf.data.Dataset.from_tensor_slices((x_train[:16], y_train[:16])).batch(8).prefetch(tf.data.AUTOTUNE)
train_acc_metric = tf.keras.metrics.SparseCategoricalAccuracy()
val_acc_metric = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss_value = loss_fn(y, logits)
    grads = tape.gradient(loss_value, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    train_acc_metric.update_state(y, logits)
    return loss_value


print(len(train_dataset), train_dataset.element_spec[0].shape)
for epoch in range(3):
    for step, (x_batch, y_batch) in enumerate(train_dataset):
        loss_value = train_step(x_batch, y_batch)
    print(f"epoch {epoch}: loss {float(loss_value):.5f}, accuracy {float(train_acc_metric.result()):.4f}")
    train_acc_metric.reset_state()
    for x_batch, y_batch in val_dataset:
        val_acc_metric.update_state(y_batch, model(x_batch, training=False))
    print(f"validation accuracy {float(val_acc_metric.result()):.4f}")
    val_acc_metric.reset_state()
