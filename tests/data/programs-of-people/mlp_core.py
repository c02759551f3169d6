# The core guide's MLP: Xavier weights, layers as modules, an Adam of one's own, tf.data with map.
class DenseLayer(tf.Module):
    def __init__(self, out_dim, seed, activation=tf.identity):
        super().__init__()
        self.out_dim, self.activation, self.built, self.seed = out_dim, activation, False, seed

    def __call__(self, x):
        if not self.built:
            self.in_dim = x.shape[1]
            lim = tf.sqrt(6.0) / tf.sqrt(tf.cast(self.in_dim + self.out_dim, tf.float32))
            self.w = tf.Variable((numbers(self.in_dim, self.out_dim, seed=self.seed) * 2 - 1) * lim)
            self.b = tf.Variable(tf.zeros(shape=(self.out_dim,)))
            self.built = True
        return self.activation(tf.add(tf.matmul(x, self.w), self.b))


class MLP(tf.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Adam:
    def __init__(self, learning_rate=1e-2, beta_1=0.9, beta_2=0.999, ep=1e-7):
        self.beta_1, self.beta_2, self.rate, self.ep, self.t = beta_1, beta_2, learning_rate, ep, 1.0
        self.v, self.s, self.built = [], [], False

    def apply_gradients(self, grads, vars):
        if not self.built:
            for var in vars:
                self.v.append(tf.Variable(tf.zeros(shape=var.shape)))
                self.s.append(tf.Variable(tf.zeros(shape=var.shape)))
            self.built = True
        for i, (d, var) in enumerate(zip(grads, vars)):
            self.v[i].assign(self.beta_1 * self.v[i] + (1 - self.beta_1) * d)
            self.s[i].assign(self.beta_2 * self.s[i] + (1 - self.beta_2) * tf.square(d))
            v, s = self.v[i] / (1 - self.beta_1**self.t), self.s[i] / (1 - self.beta_2**self.t)
            var.assign_sub(self.rate * (v / (tf.sqrt(s) + self.ep)))
        self.t += 1.0


def preprocess(x, y):
    return tf.reshape(x, shape=[-1, 6]), y


model = MLP([DenseLayer(8, 1, tf.nn.relu), DenseLayer(8, 2, tf.nn.relu), DenseLayer(4, 3)])
images, labels = numbers(24, 2, 3), np.arange(24) % 4
train = tf.data.Dataset.from_tensor_slices((images, labels)).batch(8).map(preprocess)
optimizer = Adam()
for epoch in range(3):
    losses, accuracies = [], []
    for x, y in train:
        with tf.GradientTape() as tape:
            logits = model(x)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
            accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(tf.nn.softmax(logits), axis=1), tf.cast(y, tf.int64)), tf.float32))
        optimizer.apply_gradients(tape.gradient(loss, model.variables), model.variables)
        losses.append(loss)
        accuracies.append(accuracy)
    print(f"epoch {epoch}: {tf.reduce_mean(losses):.5f}, {tf.reduce_mean(accuracies):.4f}")
print(len(model.variables), [v.shape.as_list() for v in model.layers[0].variables])
