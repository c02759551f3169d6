# An optimizer of one's own, as Keras 3 has it: build, update_step, add_variable_from_reference; lookahead and EMA beside it.
class Lookahead(tf.keras.optimizers.Optimizer):
    def __init__(self, learning_rate=0.01, beta=0.9, k=2, alpha=0.5, name="lookahead", **kwargs):
        super().__init__(learning_rate=learning_rate, name=name, **kwargs)
        self.beta, self.k, self.alpha = beta, k, alpha

    def build(self, variables):
        if self.built:
            return
        super().build(variables)
        self._momentums = []
        self._slow = []
        for variable in variables:
            self._momentums.append(self.add_variable_from_reference(reference_variable=variable, name="momentum"))
            self._slow.append(self.add_variable_from_reference(reference_variable=variable, name="slow"))

    def update_step(self, gradient, variable, learning_rate):
        lr = tf.cast(learning_rate, variable.dtype)
        m = self._momentums[self._get_variable_index(variable)]
        self.assign(m, self.beta * m + (1 - self.beta) * gradient)
        self.assign_sub(variable, lr * m)

    def get_config(self):
        config = super().get_config()
        config.update({"beta": self.beta, "k": self.k, "alpha": self.alpha})
        return config


model = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(4, "tanh"), tf.keras.layers.Dense(1)])
fill(model)
model.compile(optimizer=Lookahead(0.1, clipnorm=1.0), loss="mse")
x, y = numbers(8, 3), numbers(8, 1, seed=1)
history = model.fit(x, y, epochs=3, batch_size=4, shuffle=False, verbose=0)
print(np.round(history.history["loss"], 5), int(model.optimizer.iterations))
print({k: v for k, v in sorted(model.optimizer.get_config().items()) if k in ("beta", "k", "alpha", "clipnorm", "name")})
again = Lookahead.from_config(model.optimizer.get_config())
print(again.beta, round(float(again.learning_rate), 4))
for name, make in {"ema": lambda: tf.keras.optimizers.SGD(0.1, use_ema=True, ema_momentum=0.5), "overwrite": lambda: tf.keras.optimizers.Adam(0.05, use_ema=True, ema_momentum=0.8, ema_overwrite_frequency=2)}.items():
    w = tf.Variable([1.0, 2.0])
    opt = make()
    for step in range(5):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w**2)
        opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    print(name, w.numpy().round(5), end=" ")
    opt.finalize_variable_values([w])
    print(w.numpy().round(5))
fill(model)
model.compile(optimizer=tf.keras.optimizers.RMSprop(0.01, use_ema=True, ema_momentum=0.9), loss="mse")
model.fit(x, y, epochs=2, batch_size=4, shuffle=False, verbose=0)
print(model.get_weights()[0].ravel().round(5)[:4])
