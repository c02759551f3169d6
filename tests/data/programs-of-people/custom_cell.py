# Recurrent cells of one's own, states, masks, tf.scan and tf.while_loop with a TensorArray.
class MinimalRNNCell(tf.keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.state_size = units

    def build(self, input_shape):
        self.kernel = self.add_weight(shape=(input_shape[-1], self.units), initializer="uniform", name="kernel")
        self.recurrent_kernel = self.add_weight(shape=(self.units, self.units), initializer="uniform", name="recurrent_kernel")

    def call(self, inputs, states):
        p = states[0]
        h = tf.matmul(inputs, self.kernel)
        o = tf.nn.tanh(h + tf.matmul(p, self.recurrent_kernel))
        return o, [o]


x = tf.constant(numbers(2, 5, 3))
rnn = tf.keras.layers.RNN([MinimalRNNCell(4), MinimalRNNCell(2)], return_sequences=True)
rnn(x)
fill(rnn)
with tf.GradientTape() as t:
    t.watch(x)
    y = rnn(x)
    l = tf.reduce_sum(y * y)
print(y.shape, f"{l.numpy():.5f}", [f"{tf.norm(g).numpy():.5f}" for g in t.gradient(l, rnn.trainable_variables)])
lstm = tf.keras.layers.LSTM(3, stateful=True, batch_input_shape=(2, 5, 3)) if False else tf.keras.layers.LSTM(3, stateful=True)
lstm(x)
lstm.reset_states() if hasattr(lstm, "reset_states") else lstm.reset_state()
fill(lstm)
a = lstm(x)
b = lstm(x)
print(f"{float(tf.reduce_sum(a)):.5f} {float(tf.reduce_sum(b)):.5f}")
lstm.reset_state()
print(bool(np.allclose(a, lstm(x))))
# scan
W = tf.Variable(numbers(3, 3) - 0.5)
U = tf.Variable(numbers(3, 3, seed=1) - 0.5)
with tf.GradientTape() as t:
    hs = tf.scan(lambda h, i: tf.tanh(i @ W + h @ U), tf.transpose(x, [1, 0, 2]), initializer=tf.zeros([2, 3]))
    l = tf.reduce_mean(hs[-1] ** 2)
print(f"{l.numpy():.6f}", [f"{tf.norm(g).numpy():.6f}" for g in t.gradient(l, [W, U])])


def body(i, h, ta):
    h = tf.tanh(x[:, i] @ W + h @ U)
    return i + 1, h, ta.write(i, h)


with tf.GradientTape() as t:
    i, h, ta = tf.while_loop(lambda i, h, ta: i < 5, body, [tf.constant(0), tf.zeros([2, 3]), tf.TensorArray(tf.float32, size=5)])
    l2 = tf.reduce_mean(ta.stack()[-1] ** 2)
print(f"{l2.numpy():.6f}", [f"{tf.norm(g).numpy():.6f}" for g in t.gradient(l2, [W, U])])
enc = tf.keras.layers.LSTM(4, return_state=True, name="encoder")
o, h, c = enc(x)
d = tf.keras.layers.LSTM(4)(x, initial_state=[h, c])
print(o.shape, d.shape)
bi = tf.keras.layers.Bidirectional(
    tf.keras.layers.LSTM(2, return_sequences=True),
    backward_layer=tf.keras.layers.GRU(2, return_sequences=True, go_backwards=True),
)
print(bi(x).shape)
mask = tf.keras.layers.Masking(mask_value=0.0)
xx = x * tf.constant([[1.0], [1.0], [1.0], [0.0], [0.0]])
g = tf.keras.layers.GRU(3)
g(mask(xx))
fill(g)
print(f"{float(tf.reduce_sum(g(mask(xx)))):.5f} {float(tf.reduce_sum(g(x[:, :3]))):.5f}")
