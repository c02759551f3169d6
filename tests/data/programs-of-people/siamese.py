# A Siamese network: shared layers, a Lambda for the distance, the contrastive loss as a closure, fit on a dataset of pairs.
from collections import OrderedDict

keras, layers = tf.keras, tf.keras.layers


def euclidean_distance(vects):
    x, y = vects
    sum_square = keras.ops.sum(keras.ops.square(x - y), axis=1, keepdims=True)
    return keras.ops.sqrt(keras.ops.maximum(sum_square, keras.backend.epsilon()))


def loss(margin=1):
    def contrastive_loss(y_true, y_pred):
        square_pred = keras.ops.square(y_pred)
        margin_square = keras.ops.square(keras.ops.maximum(margin - (y_pred), 0))
        return keras.ops.mean((1 - y_true) * square_pred + (y_true) * margin_square)

    return contrastive_loss


inputs = layers.Input((8, 8, 1))
x = layers.BatchNormalization()(inputs)
x = layers.Conv2D(4, (3, 3), activation="tanh")(x)
x = layers.AveragePooling2D(pool_size=(2, 2))(x)
x = layers.Flatten()(x)
x = layers.BatchNormalization()(x)
x = layers.Dense(5, activation="tanh")(x)
embedding_network = keras.Model(inputs, x)
input_1, input_2 = layers.Input((8, 8, 1)), layers.Input((8, 8, 1))
tower_1, tower_2 = embedding_network(input_1), embedding_network(input_2)
merge_layer = layers.Lambda(euclidean_distance, output_shape=(1,))([tower_1, tower_2])
normal_layer = layers.BatchNormalization()(merge_layer)
output_layer = layers.Dense(1, activation="sigmoid")(normal_layer)
siamese = keras.Model(inputs=[input_1, input_2], outputs=output_layer)
fill(siamese)
siamese.compile(loss=loss(margin=1), optimizer="RMSprop", metrics=["accuracy"])
pairs, labels = numbers(20, 2, 8, 8, 1), (np.arange(20) % 2).astype("float32")[:, None]
val = numbers(6, 2, 8, 8, 1, seed=3)
history = siamese.fit([pairs[:, 0], pairs[:, 1]], labels, validation_data=([val[:, 0], val[:, 1]], labels[:6]), batch_size=5, epochs=2, shuffle=False, verbose=0)
for name, values in OrderedDict(sorted(history.history.items())).items():
    print(name, " ".join(f"{value:.4f}" for value in values))
results = siamese.evaluate([val[:, 0], val[:, 1]], labels[:6], verbose=0)
print("test loss, test acc:", " ".join(f"{each:.4f}" for each in results))
print(np.round(siamese.predict([val[:, 0], val[:, 1]], verbose=0).ravel(), 4))
