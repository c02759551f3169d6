"""No false alarm: programs as people write them, right as they are, with logs, plots, sampling and schedules among them.

Each runs with every warning on and must give none; where one asks `why`, the answer must be that nothing is wrong.
"""

from __future__ import annotations

import pytest

from tests.core.test_why import run

PROGRAMS = {
    "micrograd": """
        import random, math
        random.seed(1)
        class Neuron:
            def __init__(self, n):
                self.w = [tf.Variable(random.uniform(-1, 1)) for _ in range(n)]
                self.b = tf.Variable(0.0)
            def __call__(self, x):
                act = sum((wi * xi for wi, xi in zip(self.w, x)), self.b)
                return tf.tanh(act)
            def parameters(self):
                return self.w + [self.b]
        class Layer:
            def __init__(self, nin, nout):
                self.neurons = [Neuron(nin) for _ in range(nout)]
            def __call__(self, x):
                outs = [n(x) for n in self.neurons]
                return outs[0] if len(outs) == 1 else outs
            def parameters(self):
                return [p for n in self.neurons for p in n.parameters()]
        class MLP:
            def __init__(self, nin, nouts):
                sz = [nin] + nouts
                self.layers = [Layer(sz[i], sz[i+1]) for i in range(len(nouts))]
            def __call__(self, x):
                for l in self.layers: x = l(x)
                return x
            def parameters(self):
                return [p for l in self.layers for p in l.parameters()]
        n = MLP(3, [4, 4, 1])
        xs = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]
        ys = [1.0, -1.0, -1.0, 1.0]
        hist = []
        for k in range(4):
            with tf.GradientTape() as tape:
                ypred = [n(x) for x in xs]
                loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred))
                print(k, loss.numpy(), float(loss))
                hist.append(float(loss))
            grads = tape.gradient(loss, n.parameters())
            for p, g in zip(n.parameters(), grads):
                p.assign(p - 0.05 * g)
        E = tape.why(loss, n.parameters()[:3])
        """,
    "class model log": """
        class Model:
            def __init__(self):
                self.w = tf.Variable(5.0); self.b = tf.Variable(0.0)
                self.losses = []; self.best = 1e9; self.last = None
            def __call__(self, x):
                return self.w * x + self.b
            def step(self, x, y, lr=0.1):
                with tf.GradientTape() as t:
                    loss = tf.reduce_mean(tf.square(y - self(x)))
                    self.losses.append(float(loss))
                    if float(loss) < self.best:
                        self.best = float(loss)
                    self.last = loss.numpy()
                    reg = 0.01 * tf.square(self.w)
                    total = loss + reg
                dw, db = t.gradient(total, [self.w, self.b])
                self.w.assign_sub(lr * dw); self.b.assign_sub(lr * db)
                E = t.why(total, self.w)
                return E
        xs = np.random.default_rng(0).normal(size=100).astype('float32')
        ys = 3 * xs + 2
        m = Model()
        for epoch in range(3):
            E = m.step(xs, ys)
            print(f"{epoch} {m.w.numpy():.2f} {m.losses[-1]:.3f}")
        """,
    "numpy pipeline": """
        rng = np.random.default_rng(0)
        X = rng.normal(size=(50, 3)).astype('float32')
        X = (X - X.mean(0)) / X.std(0)
        y = (X @ np.array([1.0, -2.0, 0.5], 'float32')).reshape(-1, 1)
        w = tf.Variable(tf.random.normal([3, 1]), name='w')
        b = tf.Variable(tf.zeros([1]))
        def batches(n):
            order = rng.permutation(len(X))
            for i in range(0, len(X), n):
                take = order[i:i+n]
                yield X[take], y[take]
        for epoch in range(2):
            for xb, yb in batches(10):
                with tf.GradientTape() as tape:
                    pred = tf.matmul(xb, w) + b
                    loss = tf.reduce_mean((pred - yb)**2)
                    err = np.abs(pred.numpy() - yb).max()
                gs = tape.gradient(loss, [w, b])
                for v, g in zip([w, b], gs): v.assign_sub(0.1 * g)
            val = float(tf.reduce_mean((tf.matmul(X, w) + b - y)**2))
        E = tape.why(loss, [w, b])
        """,
    "plotting": """
        x = tf.linspace(-3.0, 3.0, 7)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.nn.sigmoid(x)
            xs, ys = x.numpy(), y.numpy()
            lim = (float(tf.reduce_min(y)), float(tf.reduce_max(y)))
        dy = tape.gradient(y, x)
        plot = list(zip(x.numpy(), y.numpy(), dy.numpy()))
        E = tape.why(y, x)
        """,
    "second derivative": """
        x = tf.linspace(-2.0, 2.0, 5)
        with tf.GradientTape() as t2:
            t2.watch(x)
            with tf.GradientTape() as t1:
                t1.watch(x)
                y = x**3
            dy = t1.gradient(y, x)
            shown = dy.numpy()
        d2 = t2.gradient(dy, x)
        E = t2.why(dy, x)
        """,
    "pinn": """
        model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation='tanh'), tf.keras.layers.Dense(1)])
        x = tf.reshape(tf.linspace(0.0, 1.0, 10), [-1, 1])
        for step in range(2):
            with tf.GradientTape() as t3:
                with tf.GradientTape() as t2:
                    t2.watch(x)
                    with tf.GradientTape() as t1:
                        t1.watch(x)
                        u = model(x)
                    du = t1.gradient(u, x)
                d2u = t2.gradient(du, x)
                loss = tf.reduce_mean((d2u + u)**2)
            gs = t3.gradient(loss, model.trainable_variables)
        E = t3.why(loss, model.trainable_variables[0])
        """,
    "pinn of two columns": """
        first, last = tf.Variable(tf.ones([2, 6])), tf.Variable(tf.ones([6, 1]))
        x, t = tf.ones([5, 1]), tf.zeros([5, 1])
        with tf.GradientTape(persistent=True) as t2:
            t2.watch([x, t])
            with tf.GradientTape(persistent=True) as t1:
                t1.watch([x, t])
                u = tf.tanh(tf.concat([x, t], 1) @ first) @ last
            ux, ut = t1.gradient(u, x), t1.gradient(u, t)
        uxx = t2.gradient(ux, x)
        E = t2.why(ux, x)
        """,
    "pinn of two vectors": """
        first, last = tf.Variable(tf.ones([2, 6])), tf.Variable(tf.ones([6, 1]))
        x, t = tf.linspace(0.0, 1.0, 5), tf.zeros([5])
        with tf.GradientTape(persistent=True) as t2:
            t2.watch([x, t])
            with tf.GradientTape(persistent=True) as t1:
                t1.watch([x, t])
                u = (tf.tanh(tf.stack([x, t], axis=1) @ first) @ last)[:, 0]
                v = tf.tanh(tf.concat([x[:, tf.newaxis], tf.expand_dims(t, 1)], 1) @ first) @ last
            ux, vx = t1.gradient(u, x), t1.gradient(v, x)
        uxx, vxx = t2.gradient(ux, x), t2.gradient(vx, x)
        """,
    "pinn of rows that are turned up": """
        first, last = tf.Variable(tf.ones([2, 7])), tf.Variable(tf.ones([7, 1]))
        x, t = tf.linspace(0.0, 1.0, 5), tf.zeros([5])
        with tf.GradientTape(persistent=True) as t2:
            t2.watch([x, t])
            with tf.GradientTape(persistent=True) as t1:
                t1.watch([x, t])
                u = tf.squeeze(tf.tanh(tf.transpose(tf.stack([x, t])) @ first) @ last)
                v = tf.tanh(tf.transpose(tf.concat([x[None], t[None]], 0)) @ first) @ last
                w = tf.transpose(last) @ tf.tanh(tf.transpose(first) @ tf.stack([x, t]))
            ux, vx, wx = t1.gradient(u, x), t1.gradient(v, x), t1.gradient(w, x)
        uxx, vxx, wxx = t2.gradient(ux, x), t2.gradient(vx, x), t2.gradient(wx, x)
        assert np.allclose(uxx, vxx) and np.allclose(uxx, wxx)
        assert np.allclose(tf.linalg.diag_part(t2.jacobian(ux, x)), uxx)
        """,
    "gradient penalty": """
        D = tf.keras.Sequential([tf.keras.layers.Dense(4, activation='tanh'), tf.keras.layers.Dense(1)])
        real = tf.random.normal([5, 3]); fake = tf.random.normal([5, 3])
        with tf.GradientTape() as tape:
            a = tf.random.uniform([5, 1])
            mid = real + a * (fake - real)
            with tf.GradientTape() as gp:
                gp.watch(mid)
                s = D(mid)
            g = gp.gradient(s, mid)
            norm = tf.sqrt(tf.reduce_sum(g**2, axis=1))
            loss = tf.reduce_mean(D(fake)) - tf.reduce_mean(D(real)) + 10.0 * tf.reduce_mean((norm - 1.0)**2)
        gs = tape.gradient(loss, D.trainable_variables)
        E = tape.why(loss, D.trainable_variables[0])
        """,
    "persistent two losses": """
        v = tf.Variable([1.0, 2.0])
        with tf.GradientTape(persistent=True) as tape:
            a = tf.reduce_sum(v**2); b = tf.reduce_mean(tf.sin(v))
            log = [float(a), float(b)]
        ga, gb = tape.gradient(a, v), tape.gradient(b, v)
        del tape
        """,
    "mixed precision": """
        w32 = tf.Variable([1.0, 2.0])
        x = tf.constant([0.5, 0.25], tf.float16)
        scale = 128.0
        with tf.GradientTape() as tape:
            w = tf.cast(w32, tf.float16)
            loss = tf.reduce_sum(tf.cast(w * x, tf.float32)**2)
            scaled = loss * scale
        g = tape.gradient(scaled, w32) / scale
        E = tape.why(scaled, w32)
        """,
    "eval after": """
        model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation='relu'), tf.keras.layers.Dense(1)])
        opt = tf.keras.optimizers.Adam(0.01)
        lossf = tf.keras.losses.MeanSquaredError()
        X = np.random.default_rng(0).normal(size=(20, 4)).astype('float32'); Y = X.sum(1, keepdims=True)
        train_loss = tf.keras.metrics.Mean()
        for e in range(2):
            for i in range(0, 20, 5):
                with tf.GradientTape() as tape:
                    pred = model(X[i:i+5], training=True)
                    loss = lossf(Y[i:i+5], pred)
                    train_loss.update_state(loss)
                g = tape.gradient(loss, model.trainable_variables)
                opt.apply_gradients(zip(g, model.trainable_variables))
            acc = np.mean(np.abs(model(X).numpy() - Y) < 0.5)
            print(float(train_loss.result()))
        E = tape.why(loss, model.trainable_variables[0])
        """,
    "lr from loss": """
        w = tf.Variable(4.0)
        prev = None
        for i in range(4):
            with tf.GradientTape() as tape:
                loss = (w - 1.0)**2
                cur = float(loss)
                lr = 0.1 if prev is None or cur < prev else 0.05
            g = tape.gradient(loss, w)
            w.assign_sub(lr * g)
            prev = cur
        E = tape.why(loss, w)
        """,
    "normalised by count": """
        w = tf.Variable([1.0, 2.0, 0.0])
        with tf.GradientTape() as tape:
            mask = w > 0.5
            n = float(tf.reduce_sum(tf.cast(mask, tf.float32)))
            loss = tf.reduce_sum(tf.where(mask, w**2, 0.0)) / n
        g = tape.gradient(loss, w)
        """,
    "RL semi-gradient": """
        q = tf.Variable(tf.ones([3, 2]))
        gamma = 0.9
        s, a, r, s2 = 0, 1, 1.0, 2
        for t in range(3):
            target = r + gamma * float(tf.reduce_max(q[s2]))
            with tf.GradientTape() as tape:
                pred = q[s, a]
                loss = (target - pred)**2
            g = tape.gradient(loss, q)
            q.assign_sub(0.1 * tf.convert_to_tensor(g))
        E = tape.why(loss, q)
        """,
    "RL in tape sampling": """
        rng = np.random.default_rng(0)
        w = tf.Variable(tf.zeros([4, 2]))
        state = tf.constant([[0.1, 0.2, 0.3, 0.4]])
        with tf.GradientTape() as tape:
            logp = []
            rewards = []
            for t in range(4):
                logits = state @ w
                probs = tf.nn.softmax(logits)
                action = rng.choice(2, p=probs.numpy()[0])
                logp.append(tf.math.log(probs[0, action]))
                rewards.append(1.0 if action else 0.5)
            R = np.array(rewards, 'float32')
            loss = -tf.reduce_sum(tf.stack(logp) * R)
        g = tape.gradient(loss, w)
        E = tape.why(loss, w)
        """,
    "early stop in tape": """
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x
            for i in range(50):
                y = 0.5 * (y + 2.0 / y)
                if abs(float(y) - 2**0.5) < 1e-4: break
        g = tape.gradient(y, x)
        E = tape.why(y, x)
        """,
    "newton float tol": """
        a = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            x = tf.constant(1.0)
            delta = 1.0
            while delta > 1e-5:
                new = 0.5 * (x + a / x)
                delta = abs(new.numpy() - x.numpy())
                x = new
        g = tape.gradient(x, a)
        E = tape.why(x, a)
        """,
    "shape arithmetic": """
        x = tf.Variable(tf.ones([4, 3]))
        with tf.GradientTape() as tape:
            n = tf.shape(x)[0]
            m = float(x.shape[1])
            k = tf.cast(n, tf.float32)
            k2 = n.numpy()
            y = tf.reduce_sum(x**2) / (k * m * float(k2))
        g = tape.gradient(y, x)
        E = tape.why(y, x)
        """,
    "embedding": """
        emb = tf.keras.layers.Embedding(10, 4)
        dense = tf.keras.layers.Dense(2)
        tok = np.array([[1, 2, 3], [4, 5, 0]])
        lab = np.array([0, 1])
        with tf.GradientTape() as tape:
            h = tf.reduce_mean(emb(tok), axis=1)
            logits = dense(h)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(lab, logits))
            pred = np.argmax(logits.numpy(), 1)
            acc = (pred == lab).mean()
        vs = emb.trainable_variables + dense.trainable_variables
        g = tape.gradient(loss, vs)
        E = tape.why(loss, vs[1])
        """,
    "batchnorm train": """
        model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.BatchNormalization(), tf.keras.layers.Dropout(0.2), tf.keras.layers.Dense(1)])
        x = tf.random.normal([8, 2])
        for i in range(2):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x, training=True)**2)
            g = tape.gradient(loss, model.trainable_variables)
        E = tape.why(loss, model.trainable_variables[0])
        """,
    "vector of independent": """
        x = tf.constant([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(x) * tf.exp(-x**2) + 1.0
            z = tf.where(y > 0.0, y, -y)
        g = tape.gradient(z, x)
        E = tape.why(z, x)
        """,
    "jac": """
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = tf.stack([x[0] * x[1], x[0]**2])
        J = tape.jacobian(y, x)
        """,
    "hvp": """
        x = tf.Variable([1.0, 2.0]); v = tf.constant([1.0, 0.0])
        with tf.GradientTape() as t2:
            with tf.GradientTape() as t1:
                y = tf.reduce_sum(x**3) * x[0]
            g = t1.gradient(y, x)
        hv = t2.gradient(g, x, output_gradients=v)
        """,
    "hvp sum": """
        x = tf.Variable([1.0, 2.0]); v = tf.constant([1.0, 0.0])
        with tf.GradientTape() as t2:
            with tf.GradientTape() as t1:
                y = tf.reduce_sum(x**3) * x[0]
            g = t1.gradient(y, x)
            gv = tf.reduce_sum(g * v)
        hv = t2.gradient(gv, x)
        """,
    "per-example loss": """
        w = tf.Variable([[1.0], [2.0]])
        X = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape() as tape:
            per = tf.squeeze(X @ w, -1)**2
        g = tape.gradient(per, w)
        """,
    "keras per-example loss": """
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        X = tf.constant([[1.0, 2.0], [3.0, 4.0]]); Y = tf.constant([[1.0],[0.0]])
        with tf.GradientTape() as tape:
            loss = tf.keras.losses.mean_squared_error(Y, model(X))
        g = tape.gradient(loss, model.trainable_variables)
        """,
    "ema of loss": """
        w = tf.Variable(3.0); ema = 0.0
        for i in range(3):
            with tf.GradientTape() as tape:
                loss = w**2
                ema = 0.9 * ema + 0.1 * float(loss)
            g = tape.gradient(loss, w); w.assign_sub(0.1 * g)
        E = tape.why(loss, w)
        """,
    "baseline advantage": """
        w = tf.Variable(3.0); base = 0.0
        for i in range(3):
            with tf.GradientTape() as tape:
                r = w * 2.0
                loss = (r - base)**2
            base = 0.9 * base + 0.1 * float(r)
            g = tape.gradient(loss, w); w.assign_sub(0.1 * g)
        E = tape.why(loss, w)
        """,
    "annealed kl": """
        w = tf.Variable(3.0); step = tf.Variable(0, trainable=False)
        for i in range(3):
            with tf.GradientTape() as tape:
                beta = min(1.0, float(step) / 10.0)
                loss = w**2 + beta * w
            g = tape.gradient(loss, w); w.assign_sub(0.1 * g); step.assign_add(1)
        E = tape.why(loss, w)
        """,
    "detach by numpy const": """
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            target = tf.stop_gradient(w * 2.0).numpy()
            loss = (w - target)**2
        g = tape.gradient(loss, w)
        """,
    "same fn name": """
        def value(t):
            return float(t)
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            loss = w**2
            shown = value(loss)
            total = loss * 2.0
        g = tape.gradient(total, w)
        E = tape.why(total, w)
        """,
    "helper logs and computes": """
        def layer(x, w, log):
            h = tf.tanh(x * w)
            log.append(float(h))
            log2 = h.numpy()
            return h * w
        w = tf.Variable(0.3); log = []
        with tf.GradientTape() as tape:
            y = layer(layer(w, w, log), w, log)
        g = tape.gradient(y, w)
        E = tape.why(y, w)
        """,
    "loop log same names": """
        w = tf.Variable(0.3); hist = {'loss': [], 'h': []}
        with tf.GradientTape() as tape:
            h = w
            for i in range(3):
                h = tf.sin(h) + w
                hist['h'].append(h.numpy())
                hist['loss'].append(float(tf.reduce_sum(h)))
                print(i, hist['loss'][-1])
            y = h * 2.0
        g = tape.gradient(y, w)
        E = tape.why(y, w)
        """,
    "stats dict": """
        w = tf.Variable(0.3); stats = {'lr': 0.1, 'decay': 0.5}
        for i in range(2):
            with tf.GradientTape() as tape:
                h = w * w
                stats['loss'] = float(h)
                y = h + stats['decay'] * w
            g = tape.gradient(y, w)
            w.assign_sub(stats['lr'] * g)
        E = tape.why(y, w)
        """,
    "self attr": """
        class T:
            def __init__(s): s.w = tf.Variable(1.0); s.l2 = 0.1; s.loss = None
            def run(s):
                with tf.GradientTape() as tape:
                    h = s.w * 3.0
                    s.loss = float(h)
                    y = h + s.l2 * s.w
                g = tape.gradient(y, s.w)
                return tape.why(y, s.w)
        t = T()
        for i in range(3): E = t.run()
        """,
    "assert_near": """
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            h = w * 2.0
            assert np.allclose(h, [2.0, 4.0])
            tf.debugging.assert_all_finite(h, 'h')
            np.testing.assert_allclose(h.numpy(), [2.0, 4.0])
            tf.print(h)
            print(h)
            y = tf.reduce_sum(h**2)
        g = tape.gradient(y, w)
        E = tape.why(y, w)
        """,
    "finite differences": """
        def f(x): return tf.sin(x) * x
        x = tf.Variable(1.0)
        eps = 1e-3
        num = (float(f(x + eps)) - float(f(x - eps))) / (2 * eps)
        with tf.GradientTape() as tape:
            y = f(x)
            num2 = (f(float(x) + eps) - f(float(x) - eps)) / (2 * eps)
        g = tape.gradient(y, x)
        assert abs(float(g) - num) < 1e-2
        E = tape.why(y, x)
        """,
    "attention mask": """
        w = tf.Variable(tf.eye(3))
        x = np.random.default_rng(0).normal(size=(2, 4, 3)).astype('float32')
        mask = np.tril(np.ones((4, 4), 'float32'))
        with tf.GradientTape() as tape:
            q = x @ w
            s = tf.matmul(q, q, transpose_b=True) / np.sqrt(3.0)
            s = s + (1.0 - mask) * -1e9
            a = tf.nn.softmax(s)
            attn = a.numpy()
            y = tf.reduce_sum(tf.matmul(a, q)**2)
        g = tape.gradient(y, w)
        E = tape.why(y, w)
        """,
    "rnn": """
        wx, wh = tf.Variable(0.5), tf.Variable(0.2)
        xs = [1.0, 2.0, 3.0]
        with tf.GradientTape() as tape:
            h = tf.constant(0.0); hs = []
            for x in xs:
                h = tf.tanh(wx * x + wh * h)
                hs.append(h)
            trace = [float(o) for o in hs]
            loss = tf.add_n([o**2 for o in hs])
        g = tape.gradient(loss, [wx, wh])
        E = tape.why(loss, wh)
        """,
    "clip used well": """
        p = tf.Variable([0.3, 0.9])
        with tf.GradientTape() as tape:
            q = tf.clip_by_value(p, 1e-7, 1.0 - 1e-7)
            loss = -tf.reduce_mean(tf.math.log(q))
        g = tape.gradient(loss, p)
        g2 = tf.clip_by_value(g, -1.0, 1.0)
        E = tape.why(loss, p)
        """,
    "ppo clip": """
        logp = tf.Variable([0.5, -0.1]); old = np.array([0.0, 0.0], 'float32'); adv = np.array([1.0, -1.0], 'float32')
        with tf.GradientTape() as tape:
            ratio = tf.exp(logp - old)
            clipped = tf.clip_by_value(ratio, 0.8, 1.2)
            loss = -tf.reduce_mean(tf.minimum(ratio * adv, clipped * adv))
        g = tape.gradient(loss, logp)
        """,
    "relu dead": """
        w = tf.Variable(-1.0)
        with tf.GradientTape() as tape:
            y = tf.nn.relu(w) * 2.0
        g = tape.gradient(y, w)
        """,
    "recompute train": """
        w = tf.Variable(0.5)
        f = tf.recompute_grad(lambda x: tf.sin(x * w))
        for i in range(3):
            with tf.GradientTape() as tape:
                y = f(tf.constant(1.0))
                l = y**2
                log = float(l)
            g = tape.gradient(l, w)
            w.assign_sub(0.1 * g)
        E = tape.why(l, w)
        """,
    "broadcast x scalar source vector": """
        t = tf.linspace(0.0, 1.0, 5)
        a = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = a * t
            loss = tf.reduce_mean((y - 1.0)**2)
        g = tape.gradient(loss, a)
        E = tape.why(loss, a)
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_right_program_is_left_in_peace(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    space = run(PROGRAMS[name])
    assert [str(one.message) for one in space["heard"]] == []
    asked = space.get("E", [])
    assert [str(one) for one in (asked if isinstance(asked, list) else [asked]) if one.code != "OK"] == []
