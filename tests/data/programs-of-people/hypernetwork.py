# A hypernetwork: one network makes the weights of another.
class HyperNet(tf.keras.Model):
    def __init__(self, shapes, hidden=8):
        super().__init__()
        self.shapes = shapes
        self.sizes = [int(np.prod(s)) for s in shapes]
        self.hidden = tf.keras.layers.Dense(hidden, activation=tf.nn.tanh, name="hidden")
        self.out = tf.keras.layers.Dense(sum(self.sizes), kernel_initializer="zeros", name="out")

    def call(self, z):
        flat = tf.squeeze(self.out(self.hidden(z)), axis=0)
        parts = tf.split(flat, self.sizes)
        return [tf.reshape(p, s) for p, s in zip(parts, self.shapes)]


def target_net(x, weights):
    w1, b1, w2, b2 = weights
    return tf.nn.relu(x @ w1 + b1) @ w2 + b2


hyper = HyperNet([(2, 5), (5,), (5, 1), (1,)])
codes = tf.Variable(numbers(3, 1, 4) - 0.5, name="codes")
hyper(codes[0])
fill(hyper)
optimizer = tf.keras.optimizers.RMSprop(1e-2, rho=0.9, momentum=0.5)
tasks = [(numbers(8, 2, seed=t), numbers(8, 1, seed=10 + t)) for t in range(3)]
for epoch in range(3):
    losses = []
    for t, (x, y) in enumerate(tasks):
        with tf.GradientTape() as tape:
            pred = target_net(x, hyper(codes[t]))
            loss = tf.reduce_mean(tf.keras.losses.MSE(y, pred))
        variables = hyper.trainable_variables + [codes]
        grads = tape.gradient(loss, variables)
        optimizer.apply_gradients(zip(grads, variables))
        losses.append(loss.numpy())
    print(epoch, [f"{v:.5f}" for v in losses])
print(codes.shape, f"{tf.norm(codes):.5f}", int(optimizer.iterations))
print([v.path for v in hyper.trainable_variables])
