# Custom training as it was written for Keras 2: compiled_loss, compiled_metrics, K.function-free saliency, a clipped optimizer.
K = tf.keras.backend


class CustomModel(tf.keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compiled_loss(y, y_pred, regularization_losses=self.losses)
        trainable_vars = self.trainable_variables
        gradients = tape.gradient(loss, trainable_vars)
        gradients = [K.clip(g, -0.5, 0.5) for g in gradients]
        self.optimizer.apply_gradients(zip(gradients, trainable_vars))
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, y_pred)
        return {m.name: m.result() for m in self.metrics}


inputs = tf.keras.Input(shape=(6,))
x = tf.keras.layers.Dense(5, kernel_regularizer=tf.keras.regularizers.l1_l2(1e-3, 1e-3))(inputs)
x = tf.keras.layers.PReLU()(x)
x = tf.keras.layers.BatchNormalization(momentum=0.9)(x)
x = tf.keras.layers.GaussianNoise(0.0)(x)
outputs = tf.keras.layers.Dense(1)(x)
model = CustomModel(inputs, outputs)
fill(model)


def custom_loss(y_true, y_pred):
    return K.mean(K.square(y_pred - y_true), axis=-1) + 0.1 * K.mean(K.abs(y_pred), axis=-1)


def r2(y_true, y_pred):
    ss_res = K.sum(K.square(y_true - y_pred))
    return 1 - ss_res / (K.sum(K.square(y_true - K.mean(y_true))) + K.epsilon())


model.compile(optimizer=tf.keras.optimizers.Adamax(0.02), loss=custom_loss, metrics=["mae", r2])
X, y = numbers(12, 6), numbers(12, 1, seed=3)
history = model.fit(X, y, epochs=3, batch_size=4, shuffle=False, verbose=0)
for name in sorted(history.history):
    print(name, np.round(history.history[name], 4))
image = tf.Variable(X[:1])
with tf.GradientTape() as tape:
    pred = model(image, training=False)
print(K.eval(tape.gradient(pred, image)).round(4), K.int_shape(pred), K.floatx())
a, b = K.constant(numbers(2, 3, 4)), K.constant(numbers(2, 4, 5, seed=1))
print(K.batch_dot(a, b).shape, f"{K.get_value(K.sum(K.batch_dot(a, b))):.4f}", f"{float(K.max(K.l2_normalize(a, axis=-1))):.4f}")
v = K.variable(np.ones((2, 2)))
K.set_value(v, K.get_value(v) * 3)
K.update_add(v, K.ones((2, 2)))
print(K.get_value(v), K.ndim(v), K.permute_dimensions(a, (0, 2, 1)).shape, K.concatenate([a, a]).shape)
