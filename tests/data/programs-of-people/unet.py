# A U-Net of separable convolutions with residuals, as for segmentation, trained by fit on a dataset.
keras, layers = tf.keras, tf.keras.layers


def get_model(img_size, num_classes):
    inputs = keras.Input(shape=img_size + (3,))
    x = layers.Conv2D(4, 3, strides=2, padding="same")(inputs)
    x = layers.BatchNormalization()(x)
    x = layers.Activation("relu")(x)
    previous_block_activation = x
    for filters in [5]:
        x = layers.Activation("relu")(x)
        x = layers.SeparableConv2D(filters, 3, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
        residual = layers.Conv2D(filters, 1, strides=2, padding="same")(previous_block_activation)
        x = layers.add([x, residual])
        previous_block_activation = x
    for filters in [5, 4]:
        x = layers.Activation("relu")(x)
        x = layers.Conv2DTranspose(filters, 3, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.UpSampling2D(2)(x)
        residual = layers.UpSampling2D(2)(previous_block_activation)
        residual = layers.Conv2D(filters, 1, padding="same")(residual)
        x = layers.add([x, residual])
        previous_block_activation = x
    outputs = layers.Conv2D(num_classes, 3, activation="softmax", padding="same")(x)
    return keras.Model(inputs, outputs)


model = get_model((8, 8), 3)
fill(model)
images, masks = numbers(8, 8, 8, 3), np.random.RandomState(0).randint(0, 3, (8, 8, 8, 1))
train = tf.data.Dataset.from_tensor_slices((images, masks)).batch(4)
model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="sparse_categorical_crossentropy", metrics=["accuracy", keras.metrics.MeanIoU(num_classes=3, sparse_y_pred=False)])
history = model.fit(train, epochs=2, validation_data=train.take(1), verbose=0)
print({name: [round(value, 3) for value in values] for name, values in sorted(history.history.items())})
print(model.count_params(), np.round(model.predict(train, verbose=0)[0, 0, 0], 3), np.argmax(model.predict(train, verbose=0), axis=-1).sum() > 0)
