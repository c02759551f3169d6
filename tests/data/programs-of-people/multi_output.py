# A functional model with several inputs and outputs, fed by dicts, with class weights, a schedule callback and its config.
keras, layers = tf.keras, tf.keras.layers
title = keras.Input(shape=(5,), dtype="int32", name="title")
body = keras.Input(shape=(7,), dtype="int32", name="body")
tags = keras.Input(shape=(4,), name="tags")
title_features = layers.LSTM(4)(layers.Embedding(10, 3)(title))
body_features = layers.GRU(3)(layers.Embedding(12, 3)(body))
x = layers.concatenate([title_features, body_features, tags])
priority = layers.Dense(1, name="priority")(x)
department = layers.Dense(3, name="department", activation="softmax")(x)
model = keras.Model(inputs=[title, body, tags], outputs={"priority": priority, "department": department})
fill(model)
model.compile(
    optimizer=keras.optimizers.SGD(1e-2, momentum=0.9),
    loss={"priority": keras.losses.BinaryCrossentropy(from_logits=True), "department": keras.losses.CategoricalCrossentropy()},
    loss_weights={"priority": 1.0, "department": 0.2},
    metrics={"department": ["accuracy"]},
)
draw = np.random.RandomState(3)
data = {"title": draw.randint(0, 10, (12, 5)), "body": draw.randint(0, 12, (12, 7)), "tags": numbers(12, 4)}
targets = {"priority": (np.arange(12) % 2).astype("float32")[:, None], "department": np.eye(3, dtype="float32")[np.arange(12) % 3]}
rates = []
history = model.fit(data, targets, epochs=2, batch_size=4, shuffle=False, verbose=0, callbacks=[
    keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.5 if epoch else rate),
    keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: rates.append(round(float(model.optimizer.learning_rate), 5))),
])
for name, values in sorted(history.history.items()):
    print(name, " ".join(f"{value:.4f}" for value in values))
print(rates, sorted(model.predict(data, verbose=0)), [tuple(each.shape) for each in model.inputs])
dataset = tf.data.Dataset.from_tensor_slices((data, targets)).batch(4)
print({name: round(value, 4) for name, value in sorted(model.evaluate(dataset, return_dict=True, verbose=0).items())})
