# TensorFlow's tutorial "Custom training: basics", its calls in our own words.
x = tf.zeros([10, 10])
x += 2
print(x)
v = tf.Variable(1.0)
assert v.numpy() == 1.0
v.assign(3.0)
assert v.numpy() == 3.0
v.assign(tf.square(v))
assert v.numpy() == 9.0


class Model:
    def __init__(self):
        self.W = tf.Variable(5.0)
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return self.W * x + self.b


model = Model()
assert model(3.0).numpy() == 15.0


def loss(predicted_y, target_y):
    return tf.reduce_mean(tf.square(predicted_y - target_y))


inputs = tf.random.normal(shape=[1000])
noise = tf.random.normal(shape=[1000])
outputs = inputs * 3.0 + 2.0 + noise
plt.scatter(inputs, outputs, c="b")
plt.scatter(inputs, model(inputs), c="r")
print("Current loss: %1.6f" % loss(model(inputs), outputs).numpy())


def train(model, inputs, outputs, learning_rate):
    with tf.GradientTape() as t:
        current_loss = loss(model(inputs), outputs)
    dW, db = t.gradient(current_loss, [model.W, model.b])
    model.W.assign_sub(learning_rate * dW)
    model.b.assign_sub(learning_rate * db)


Ws, bs = [], []
for epoch in range(10):
    Ws.append(model.W.numpy())
    bs.append(model.b.numpy())
    current_loss = loss(model(inputs), outputs)
    train(model, inputs, outputs, learning_rate=0.1)
    print("Epoch %2d: W=%1.2f b=%1.2f, loss=%2.5f" % (epoch, Ws[-1], bs[-1], current_loss))
plt.plot(range(10), Ws, "r", range(10), bs, "b")
