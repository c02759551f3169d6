# ResNet blocks written as functions, a schedule in the optimizer, weight decay, label smoothing, callbacks that stop early.
keras, layers = tf.keras, tf.keras.layers


def residual_block(x, filters, stride=1):
    shortcut = x
    x = layers.Conv2D(filters, 3, strides=stride, padding="same", use_bias=False, kernel_regularizer=keras.regularizers.l2(1e-3))(x)
    x = layers.BatchNormalization(momentum=0.9, epsilon=1e-5)(x)
    x = layers.ReLU()(x)
    x = layers.Conv2D(filters, 3, padding="same", use_bias=False, kernel_regularizer=keras.regularizers.l2(1e-3))(x)
    x = layers.BatchNormalization(momentum=0.9, epsilon=1e-5)(x)
    if stride != 1 or shortcut.shape[-1] != filters:
        shortcut = layers.Conv2D(filters, 1, strides=stride, use_bias=False)(shortcut)
        shortcut = layers.BatchNormalization()(shortcut)
    return layers.ReLU()(layers.Add()([x, shortcut]))


inputs = keras.Input((8, 8, 3), name="image")
x = residual_block(residual_block(inputs, 4), 6, stride=2)
x = layers.GlobalAveragePooling2D()(x)
outputs = layers.Dense(4)(x)
model = keras.Model(inputs, outputs, name="resnet")
fill(model)
schedule = keras.optimizers.schedules.PiecewiseConstantDecay([3, 6], [0.1, 0.05, 0.01])
optimizer = keras.optimizers.SGD(schedule, momentum=0.9, nesterov=True)
model.compile(optimizer, keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1), metrics=["categorical_accuracy", keras.metrics.TopKCategoricalAccuracy(2, name="top2")])
x_train, y_train = numbers(16, 8, 8, 3), keras.utils.to_categorical(np.arange(16) % 4, 4)


class Rates(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(f"epoch {epoch}: rate {float(self.model.optimizer.learning_rate):.3f}, {sorted(logs)}")


stop = keras.callbacks.EarlyStopping(monitor="loss", patience=1, min_delta=0.5, restore_best_weights=True)
history = model.fit(x_train, y_train, batch_size=4, epochs=4, shuffle=False, verbose=0, validation_data=(x_train[:4], y_train[:4]), callbacks=[Rates(), stop])
for name in sorted(history.history):
    print(name, " ".join(f"{value:.3f}" for value in history.history[name]))
print(stop.stopped_epoch, int(optimizer.iterations))
