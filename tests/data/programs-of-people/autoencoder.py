# Subclassed autoencoders: fit(x, x), an anomaly threshold, weights saved and loaded, a frozen encoder under a classifier.
import os
import tempfile

from types import SimpleNamespace

keras, layers = tf.keras, tf.keras.layers
Model, losses = tf.keras.models.Model, tf.keras.losses


class AnomalyDetector(Model):
    def __init__(self):
        super(AnomalyDetector, self).__init__()
        self.encoder = tf.keras.Sequential([layers.Dense(8, activation="relu"), layers.Dense(3, activation="relu")])
        self.decoder = tf.keras.Sequential([layers.Dense(8, activation="relu"), layers.Dense(12, activation="sigmoid")])

    def call(self, x):
        encoded = self.encoder(x)
        decoded = self.decoder(encoded)
        return decoded


data = numbers(24, 12)
normal, odd = data[:16], 1 - data[16:] * 0.3
autoencoder = AnomalyDetector()
autoencoder(normal[:1])
fill(autoencoder)
autoencoder.compile(optimizer="adam", loss="mae")
history = autoencoder.fit(normal, normal, epochs=3, batch_size=8, validation_data=(data, data), shuffle=False, verbose=0)
print({name: np.round(values, 4).tolist() for name, values in sorted(history.history.items())})
encoded = autoencoder.encoder(odd).numpy()
decoded = autoencoder.decoder(encoded).numpy()
train_loss = tf.keras.losses.mae(autoencoder.predict(normal, verbose=0), normal)
threshold = np.mean(train_loss) + np.std(train_loss)


def predict(model, data, threshold):
    loss = tf.keras.losses.mae(model(data), data)
    return tf.math.less(loss, threshold)


print(f"{threshold:.4f}", predict(autoencoder, odd, threshold).numpy().tolist(), decoded.shape)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "a.weights.h5")
    autoencoder.save_weights(path)
    twin = AnomalyDetector()
    twin(normal[:1])
    twin.load_weights(path)
print(np.allclose(twin(odd), autoencoder(odd)))
autoencoder.encoder.trainable = False
classifier = keras.Sequential([autoencoder.encoder, layers.Dense(1, activation="sigmoid", kernel_initializer="ones")])
classifier.compile("sgd", "binary_crossentropy", metrics=["accuracy", keras.metrics.AUC(name="auc"), keras.metrics.Precision(), keras.metrics.Recall()])
before = autoencoder.encoder.get_weights()[0].copy()
history = classifier.fit(data, (np.arange(24) % 2).astype("float32"), epochs=2, batch_size=6, shuffle=False, verbose=0)
print([round(value, 4) for value in history.history["loss"]], [round(value, 4) for value in history.history["auc"]], sorted(history.history)[:3])
print(bool((before == autoencoder.encoder.get_weights()[0]).all()), len(classifier.trainable_weights), len(classifier.non_trainable_weights))
