"""`tf.recompute_grad`: second derivatives and forward mode."""


def recompute_second_order_nested_tape(c):
    """D2/dx2 of recompute_grad(x*x*x) at 2 by nested tapes."""
    g = tf.recompute_grad(f3)
    x = tf.constant(2.0)
    st = {}

    def first():
        with tf.GradientTape() as o:
            o.watch(x)
            with tf.GradientTape() as t:
                t.watch(x)
                r = g(x)
            d = t.gradient(r, x)
        st["o"] = o
        st["d"] = d
        return d

    c.exc("first_order", first)
    c.exc("second_order", lambda: st["o"].gradient(st["d"], x))


def recompute_second_order_persistent_same_tape(c):
    """Second order by calling gradient inside a persistent tape."""
    g = tf.recompute_grad(f3)
    x = tf.constant(2.0)

    def go():
        with tf.GradientTape(persistent=True) as t:
            t.watch(x)
            r = g(x)
            d = t.gradient(r, x)
        return t.gradient(d, x)

    c.exc("second_order", go)


def recompute_second_order_var(c):
    """Second order wrt a captured variable y, f=x*y*y."""
    y = tf.Variable(3.0)
    g = tf.recompute_grad(lambda x: x * y * y)
    x = tf.constant(2.0)
    st = {}

    def first():
        with tf.GradientTape() as o:
            with tf.GradientTape() as t:
                r = g(x)
            d = t.gradient(r, y)
        st.update(o=o, d=d)
        return d

    c.exc("first_order", first)
    c.exc("second_order", lambda: st["o"].gradient(st["d"], y))


def recompute_forward_mode(c):
    """Recompute_grad(x*x*x) at 2 under ForwardAccumulator with tangent 1."""
    n = [0]

    def f(x):
        n[0] += 1
        return x * x * x

    g = tf.recompute_grad(f)
    x = tf.constant(2.0)

    def go():
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
            r = g(x)
        return {"r": r, "jvp": acc.jvp(r), "calls": n[0]}

    c.exc("jvp", go)
    c.out["calls"] = n[0]


def recompute_forward_mode_variable(c):
    """Recompute_grad with captured variable y under ForwardAccumulator on y."""
    n = [0]
    y = tf.Variable(3.0)

    def f(x):
        n[0] += 1
        return x * y * y

    g = tf.recompute_grad(f)
    x = tf.constant(2.0)

    def go():
        with tf.autodiff.ForwardAccumulator(y, tf.constant(1.0)) as acc:
            r = g(x)
        return {"r": r, "jvp": acc.jvp(r), "calls": n[0]}

    c.exc("jvp", go)
    c.out["calls"] = n[0]

    def go2():
        n[0] = 0
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
            r = g(x)
        return {"r": r, "jvp": acc.jvp(r), "calls": n[0]}

    c.exc("jvp_x", go2)


def recompute_forward_mode_vector(c):
    """Vector function A@x with tanh in recompute under ForwardAccumulator."""
    A = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    g = tf.recompute_grad(lambda x: tf.tanh(tf.linalg.matvec(A, x)))
    x = tf.constant([0.1, 0.2])
    v = tf.constant([1.0, -1.0])

    def go():
        with tf.autodiff.ForwardAccumulator(x, v) as acc:
            r = g(x)
        return {"jvp": acc.jvp(r)}

    c.exc("jvp", go)
    with tf.autodiff.ForwardAccumulator(x, v) as acc:
        r = tf.tanh(tf.linalg.matvec(A, x))
    c.out["plain"] = acc.jvp(r)


def recompute_forward_over_backward(c):
    """HVP forward-over-backward: ForwardAccumulator around a tape around recompute_grad(x*x*x)."""
    n = [0]

    def f(x):
        n[0] += 1
        return x * x * x

    g = tf.recompute_grad(f)
    x = tf.constant(2.0)

    def go():
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
            with tf.GradientTape() as t:
                t.watch(x)
                r = g(x)
            d = t.gradient(r, x)
        return {"d": d, "hvp": acc.jvp(d), "calls": n[0]}

    c.exc("hvp", go)
    c.out["calls"] = n[0]


def recompute_forward_nested(c):
    """Two nested ForwardAccumulators over recompute_grad(x*x*x)."""
    g = tf.recompute_grad(f3)
    x = tf.constant(2.0)

    def go():
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as a:
            with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as b:
                r = g(x)
            p = b.jvp(r)
        return {"p": p, "q": a.jvp(p)}

    c.exc("nested_jvp", go)


def recompute_backward_over_forward(c):
    """Tape around a ForwardAccumulator around recompute."""
    g = tf.recompute_grad(f3)
    x = tf.constant(2.0)

    def go():
        with tf.GradientTape() as t:
            t.watch(x)
            with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as a:
                r = g(x)
            p = a.jvp(r)
        return {"p": p, "grad_of_jvp": t.gradient(p, x)}

    c.exc("bof", go)


def recompute_second_order_x3(c):
    """Same nested-tape second order, at x=3 (f'=27, f''=18), outer gradient wrt watched input, no variables."""
    g = tf.recompute_grad(lambda x: x * x * x)
    x = tf.constant(3.0)
    st = {}

    def go():
        with tf.GradientTape() as o:
            o.watch(x)
            with tf.GradientTape() as t:
                t.watch(x)
                r = g(x)
            d = t.gradient(r, x)
        return [d, o.gradient(d, x)]

    c.exc("single_call", go)

    def chain(k):
        def go():
            with tf.GradientTape() as o:
                o.watch(x)
                with tf.GradientTape() as t:
                    t.watch(x)
                    r = x
                    for _ in range(k):
                        r = g(r)
                d = t.gradient(r, x)
            return [d, o.gradient(d, x)]

        return go

    c.exc("chain_of_two", chain(2))

    def post():
        with tf.GradientTape() as o:
            o.watch(x)
            with tf.GradientTape() as t:
                t.watch(x)
                r = tf.sin(g(x))
            d = t.gradient(r, x)
        return [d, o.gradient(d, x)]

    c.exc("nonlinear_after", post)

    def pre():
        with tf.GradientTape() as o:
            o.watch(x)
            with tf.GradientTape() as t:
                t.watch(x)
                r = g(tf.sin(x))
            d = t.gradient(r, x)
        return [d, o.gradient(d, x)]

    c.exc("nonlinear_before", pre)
    y = tf.Variable(2.0)
    gv = tf.recompute_grad(lambda x: x * x * y)

    def mixed():
        with tf.GradientTape() as o:
            o.watch(x)
            with tf.GradientTape() as t:
                t.watch(x)
                r = gv(x)
            d = t.gradient(r, x)
        return [d, o.gradient(d, x)]

    c.exc("captured_variable_second_order_wrt_x", mixed)

    def hess():
        with tf.GradientTape(persistent=True) as o:
            o.watch(x)
            with tf.GradientTape() as t:
                t.watch(x)
                r = g(x)
            d = t.gradient(r, x)
        return o.jacobian(d, x)

    c.exc("jacobian_of_gradient", hess)

    def third():
        with tf.GradientTape() as p:
            p.watch(x)
            with tf.GradientTape() as o:
                o.watch(x)
                with tf.GradientTape() as t:
                    t.watch(x)
                    r = g(x)
                d = t.gradient(r, x)
            d2 = o.gradient(d, x)
        return [d, d2, p.gradient(d2, x)]

    c.exc("third_order_single_call", third)


def recompute_second_order_calls(c):
    """Leaf calls in a successful single second-order evaluation."""
    n = [0]

    def f(x):
        n[0] += 1
        return x * x * x

    g = tf.recompute_grad(f)
    x = tf.constant(3.0)
    with tf.GradientTape() as o:
        o.watch(x)
        with tf.GradientTape() as t:
            t.watch(x)
            r = g(x)
        a = n[0]
        d = t.gradient(r, x)
        b = n[0]
    d2 = o.gradient(d, x)
    c.out = {"after_forward": a, "after_first_gradient": b, "after_second_gradient": n[0], "d": j(d), "d2": j(d2)}
