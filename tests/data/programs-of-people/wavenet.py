# Dilated causal convolutions over windows of a tf.data series; Huber, momentum, a rate by epoch.
L = tf.keras.layers
inp = L.Input(shape=(None, 2))
x = L.Conv1D(4, 1)(inp)
skips = []
for d in (1, 2, 4):
    t = L.Conv1D(4, 2, padding="causal", dilation_rate=d, activation="tanh")(x)
    s = L.Conv1D(4, 2, padding="causal", dilation_rate=d, activation="sigmoid")(x)
    z = L.Multiply()([t, s])
    k = L.Conv1D(4, 1)(z)
    skips.append(k)
    x = L.Add()([x, k])
o = L.Activation("relu")(L.Add()(skips))
o = L.Conv1D(1, 1)(o)
m = tf.keras.models.Model(inp, o)
fill(m)


def window(ds, n, b):
    ds = ds.window(n + 1, shift=1, drop_remainder=True)
    ds = ds.flat_map(lambda w: w.batch(n + 1))
    ds = ds.map(lambda w: (w[:-1], w[1:, :1]))
    return ds.batch(b).prefetch(1)


s = np.stack([np.sin(np.arange(40) / 5), np.cos(np.arange(40) / 5)], 1).astype("f")
ds = window(tf.data.Dataset.from_tensor_slices(s), 12, 8)
print(ds.element_spec)
m.compile(loss=tf.keras.losses.Huber(), optimizer=tf.keras.optimizers.SGD(learning_rate=1e-2, momentum=0.9), metrics=["mae"])
lr = tf.keras.callbacks.LearningRateScheduler(lambda e: 1e-3 * 10 ** (e / 2))
h = m.fit(ds, epochs=4, callbacks=[lr], verbose=0)
for k in sorted(h.history):
    print(k, [f"{float(v):.5f}" for v in h.history[k]])
print(
    m.predict(s[None, :12], verbose=0)[0, -1].round(4).tolist(),
    m.predict(window(tf.data.Dataset.from_tensor_slices(s), 12, 8).map(lambda x, y: x), verbose=0).shape,
)
