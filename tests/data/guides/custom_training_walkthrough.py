# TensorFlow's tutorial "Custom training: walkthrough", its calls in our own words.

# %% 1 left out: downloads

# %% 2 the imports, but for the data's
print("eager: {}".format(tf.executing_eagerly()))

# %% 3 left out: downloads

# %% 4 names of the classes
class_names = ["first", "second", "third"]

# %% 5 left out: downloads

# %% 6 a batch of our own in place of the downloaded one
features = tf.constant((np.random.RandomState(0).randint(0, 11, (30, 4)) / 10).astype("float32"))
labels = tf.argmax(features[:, :3], axis=1)
print(features)
print(labels)

# %% 7 plotted
plt.scatter(features[:, 0], features[:, 2], c=labels, cmap="viridis")
plt.xlabel("first")
plt.ylabel("third")
plt.show()

# %% 8 a model
model = tf.keras.Sequential([
    tf.keras.layers.Dense(10, activation=tf.nn.relu, input_shape=(4,)),
    tf.keras.layers.Dense(10, activation=tf.nn.relu),
    tf.keras.layers.Dense(3),
])

# %% 9 called
predictions = model(features)
predictions[:5]

# %% 10 as probabilities
tf.nn.softmax(predictions[:5])

# %% 11 as classes
print("said: {}".format(tf.math.argmax(predictions, axis=1)))
print("true: {}".format(labels))

# %% 12 a loss
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


# %% 13 of a model
def loss(model, x, y, training):
    y_ = model(x, training=training)
    return loss_object(y_true=y, y_pred=y_)


l = loss(model, features, labels, training=False)
print("loss: {}".format(l))


# %% 14 its gradients
def grad(model, inputs, targets):
    with tf.GradientTape() as tape:
        loss_value = loss(model, inputs, targets, training=True)
    return loss_value, tape.gradient(loss_value, model.trainable_variables)


# %% 15 an optimizer
optimizer = tf.keras.optimizers.SGD(learning_rate=0.01)

# %% 16 one step
loss_value, grads = grad(model, features, labels)
print("step {}, loss before: {}".format(optimizer.iterations.numpy(), loss_value.numpy()))
optimizer.apply_gradients(zip(grads, model.trainable_variables))
print(
    "step {}, loss after: {}".format(
        optimizer.iterations.numpy(), loss(model, features, labels, training=True).numpy()
    )
)

# %% 17 many steps
ds_train_batch = [(features[:16], labels[:16]), (features[16:], labels[16:])]  # in place of tf.data
train_loss_results = []
train_accuracy_results = []
num_epochs = 201
for epoch in range(num_epochs):
    epoch_loss_avg = tf.keras.metrics.Mean()
    epoch_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
    for x, y in ds_train_batch:
        loss_value, grads = grad(model, x, y)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        epoch_loss_avg.update_state(loss_value)
        epoch_accuracy.update_state(y, model(x, training=True))
    train_loss_results.append(epoch_loss_avg.result())
    train_accuracy_results.append(epoch_accuracy.result())
    if epoch % 50 == 0:
        print(
            "epoch {:03d}: loss: {:.3f}, accuracy: {:.3%}".format(
                epoch, epoch_loss_avg.result(), epoch_accuracy.result()
            )
        )

# %% 18 plotted
fig, axes = plt.subplots(2, sharex=True, figsize=(12, 8))
fig.suptitle("training")
axes[0].set_ylabel("loss", fontsize=14)
axes[0].plot(train_loss_results)
axes[1].set_ylabel("accuracy", fontsize=14)
axes[1].set_xlabel("epoch", fontsize=14)
axes[1].plot(train_accuracy_results)
plt.show()

# %% 19 measured
test_accuracy = tf.keras.metrics.Accuracy()
ds_test_batch = [(features[:10], labels[:10]), (features[10:20], labels[10:20])]  # in place of tf.data
for x, y in ds_test_batch:
    logits = model(x, training=False)
    prediction = tf.math.argmax(logits, axis=1, output_type=tf.int64)
    test_accuracy(prediction, y)
print("accuracy: {:.3%}".format(test_accuracy.result()))

# %% 20 truths beside predictions
tf.stack([y, prediction], axis=1)

# %% 21 what it says of new examples
predict_dataset = tf.convert_to_tensor([[0.3, 0.8, 0.4, 0.5], [0.4, 0.1, 0.8, 0.5], [0.7, 0.9, 0.8, 0.4]])
predictions = model(predict_dataset, training=False)
for i, logits in enumerate(predictions):
    class_idx = tf.math.argmax(logits).numpy()
    p = tf.nn.softmax(logits)[class_idx]
    name = class_names[class_idx]
    print("example {} is {} ({:4.1f}%)".format(i, name, 100 * p))
