# A neural ODE: Runge-Kutta in a while_loop, and the adjoint method as a custom gradient; both give one gradient.
w1, w2 = tf.Variable((numbers(2, 6) - 0.5), name="w1"), tf.Variable((numbers(6, 2, seed=1) - 0.5), name="w2")
STEPS, H = 8, 0.125


def f(y):
    return tf.tanh(y @ w1) @ w2


def rk4(field, y, h):
    k1 = field(y)
    k2 = field(y + h * k1 / 2)
    k3 = field(y + h * k2 / 2)
    k4 = field(y + h * k3)
    return y + h * (k1 + 2 * k2 + 2 * k3 + k4) / 6


def odeint(y):
    return tf.while_loop(lambda i, y: i < STEPS, lambda i, y: (i + 1, rk4(f, y, H)), [tf.constant(0), y])[1]


@tf.custom_gradient
def odeint_adjoint(y0):
    y1 = odeint(y0)

    def grad(upstream, variables=None):
        def augmented(state):
            y, a = state[0], state[1]
            with tf.GradientTape() as tape:
                tape.watch(y)
                dy = f(y)
            by_y, *by_w = tape.gradient(dy, [y, *variables], output_gradients=a)
            return [-dy, by_y, *by_w]

        state = [y1, upstream, *[tf.zeros_like(v) for v in variables]]
        for _ in range(STEPS * 4):
            k1 = augmented(state)
            k2 = augmented([s + H / 8 * k for s, k in zip(state, k1)])
            state = [s + H / 4 * k for s, k in zip(state, k2)]
        return state[1], state[2:]

    return y1, grad


y0, target = tf.constant(numbers(5, 2)), numbers(5, 2, seed=4)
optimizer = tf.keras.optimizers.SGD(0.5)
for step in range(3):
    found = []
    for solve in (odeint, odeint_adjoint):
        with tf.GradientTape() as tape:
            tape.watch(y0)
            loss = tf.reduce_mean((solve(y0) - target) ** 2)
        found.append(tape.gradient(loss, [w1, w2, y0]))
    apart = max(float(tf.reduce_max(tf.abs(a - b))) for a, b in zip(*found))
    optimizer.apply_gradients(zip(found[0][:2], [w1, w2]))
    print(f"{step}: {loss:.5f}, {tf.linalg.global_norm(found[0]):.5f}, adjoint alike: {apart < 2e-4}")
