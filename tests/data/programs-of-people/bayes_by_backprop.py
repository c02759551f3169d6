# Bayes by backprop: weights that are normal distributions, a KL term per layer through add_loss.
class DenseVariational(tf.keras.layers.Layer):
    def __init__(self, units, kl_weight, activation=None, prior_sigma_1=1.5, prior_sigma_2=0.1, prior_pi=0.5, **kwargs):
        self.units = units
        self.kl_weight = kl_weight
        self.activation = tf.keras.activations.get(activation)
        self.prior_sigma_1 = prior_sigma_1
        self.prior_sigma_2 = prior_sigma_2
        self.prior_pi_1 = prior_pi
        self.prior_pi_2 = 1.0 - prior_pi
        super().__init__(**kwargs)

    def compute_output_shape(self, input_shape):
        return input_shape[0], self.units

    def build(self, input_shape):
        init = tf.keras.initializers.RandomNormal(mean=0.0, stddev=0.1)
        self.kernel_mu = self.add_weight(name="kernel_mu", shape=(input_shape[1], self.units), initializer=init, trainable=True)
        self.bias_mu = self.add_weight(name="bias_mu", shape=(self.units,), initializer=init, trainable=True)
        self.kernel_rho = self.add_weight(name="kernel_rho", shape=(input_shape[1], self.units), initializer=tf.keras.initializers.Constant(0.0), trainable=True)
        self.bias_rho = self.add_weight(name="bias_rho", shape=(self.units,), initializer=tf.keras.initializers.Zeros(), trainable=True)
        super().build(input_shape)

    def call(self, inputs, **kwargs):
        kernel_sigma = tf.math.softplus(self.kernel_rho)
        kernel = self.kernel_mu + kernel_sigma * (numbers(*self.kernel_mu.shape, seed=3) - 0.5)
        bias_sigma = tf.math.softplus(self.bias_rho)
        bias = self.bias_mu + bias_sigma * (numbers(*self.bias_mu.shape, seed=4) - 0.5)
        self.add_loss(self.kl_loss(kernel, self.kernel_mu, kernel_sigma) + self.kl_loss(bias, self.bias_mu, bias_sigma))
        return self.activation(tf.matmul(inputs, kernel) + bias)

    def kl_loss(self, w, mu, sigma):
        return self.kl_weight * tf.reduce_sum(self.log_prob(w, mu, sigma) - self.log_prior_prob(w))

    @staticmethod
    def log_prob(w, mu, sigma):
        return -0.5 * tf.math.log(2.0 * np.pi) - tf.math.log(sigma) - 0.5 * ((w - mu) / sigma) ** 2

    def log_prior_prob(self, w):
        one = tf.exp(self.log_prob(w, 0.0, self.prior_sigma_1))
        two = tf.exp(self.log_prob(w, 0.0, self.prior_sigma_2))
        return tf.math.log(self.prior_pi_1 * one + self.prior_pi_2 * two)


x_in = tf.keras.layers.Input(shape=(1,))
x = DenseVariational(8, 0.1, activation="relu")(x_in)
x = DenseVariational(8, 0.1, activation="relu")(x)
x = DenseVariational(1, 0.1)(x)
model = tf.keras.models.Model(x_in, x)
fill(model)


def neg_log_likelihood(y_obs, y_pred, sigma=0.5):
    z = (y_obs - y_pred) / sigma
    return tf.reduce_sum(0.5 * tf.square(z) + tf.math.log(sigma) + 0.5 * tf.math.log(2 * np.pi))


model.compile(loss=neg_log_likelihood, optimizer=tf.keras.optimizers.Adam(learning_rate=0.03), metrics=["mse"])
X = numbers(12, 1) - 0.5
y = np.sin(4 * X) + 0.1 * numbers(12, 1, seed=1)
history = model.fit(X, y, batch_size=4, epochs=3, shuffle=False, verbose=0)
for name, values in history.history.items():
    print(name, np.round(values, 3))
print(len(model.losses), model.predict(X[:3], verbose=0).round(4).ravel())
print([w.name for w in model.layers[1].weights])
