"""`tf.recompute_grad`: what happens inside of the function."""


def recompute_nested_counts(c):
    """Nested recompute_grad: outer(inner(inner(x))), leaf call counts per phase."""
    for depth in (1, 2, 3, 4):
        n = [0]

        def leaf(x):
            n[0] += 1
            return x * x

        f = tf.recompute_grad(leaf)
        for d in range(depth - 1):
            f = tf.recompute_grad((lambda ff: lambda x: ff(x))(f))
        x = tf.constant(2.0)

        def go():
            with tf.GradientTape() as t:
                t.watch(x)
                r = f(x)
            a = n[0]
            g = t.gradient(r, x)
            return {"fwd": a, "bwd": n[0] - a, "grad": g}

        c.exc(f"depth{depth}", go)


def recompute_nested_two_level_segments(c):
    """4 leaves; two outer segments each with two inner recomputed leaves: leaf calls."""
    n = [0]

    def leaf(x):
        n[0] += 1
        return x * 1.5

    L = tf.recompute_grad(leaf)
    seg = tf.recompute_grad(lambda x: L(L(x)))
    x = tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        r = seg(seg(x))
    a = n[0]
    g = t.gradient(r, x)
    c.out = {"fwd": a, "bwd": n[0] - a, "r": j(r), "grad": j(g)}
    n[0] = 0
    seg = tf.recompute_grad(lambda x: leaf(leaf(x)))
    with tf.GradientTape() as t:
        t.watch(x)
        r = seg(seg(x))
    a = n[0]
    g = t.gradient(r, x)
    c.out["one_level"] = {"fwd": a, "bwd": n[0] - a, "grad": j(g)}


def recompute_random(c):
    """Dropout-like randomness: forward mask vs recomputed mask differ silently."""
    tf.random.set_seed(0)
    masks = []

    def f(x):
        m = tf.cast(tf.random.uniform([8]) > 0.5, tf.float32)
        masks.append(m.numpy().tolist())
        return x * m

    g = tf.recompute_grad(f)
    x = tf.ones([8])
    with tf.GradientTape() as t:
        t.watch(x)
        r = g(x)
    gr = t.gradient(r, x)
    c.out = {
        "forward_mask_equals_value": bool(np.array_equal(masks[0], r)),
        "gradient_equals_forward_mask": bool(np.array_equal(gr, masks[0])),
        "gradient_equals_second_mask": bool(np.array_equal(gr, masks[1])),
        "error": None,
        "n_masks": len(masks),
    }

    def fs(x):
        return x * tf.cast(tf.random.stateless_uniform([8], seed=[1, 2]) > 0.5, tf.float32)

    g = tf.recompute_grad(fs)
    with tf.GradientTape() as t:
        t.watch(x)
        r = g(x)
    c.out["stateless_consistent"] = bool(np.array_equal(t.gradient(r, x), r))


def recompute_exceptions(c):
    """F raises only on the second (recompute) call; changes shape on recompute; different number of outputs."""
    n = [0]

    def f(x):
        n[0] += 1
        if n[0] == 2:
            raise RuntimeError("boom during recompute")
        return x * x

    x = tf.constant(2.0)
    g = tf.recompute_grad(f)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        r = g(x)
    c.exc("raise_on_recompute", lambda: t.gradient(r, x))
    c.exc("third_try", lambda: t.gradient(r, x))
    c.out["calls"] = n[0]
    m = [0]

    def f2(x):
        m[0] += 1
        return x * x if m[0] == 1 else tf.stack([x * x, x])

    g = tf.recompute_grad(f2)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        r = g(x)
    c.exc("shape_change", lambda: t.gradient(r, x))
    q = [0]

    def f4(x):
        q[0] += 1
        return x * x if q[0] == 1 else x * x * x

    g = tf.recompute_grad(f4)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        r = g(x)
    c.exc("different_function_silent", lambda: t.gradient(r, x))
    p = [0]

    def f5(x):
        p[0] += 1
        return (x * x, x) if p[0] == 1 else (x * x,)

    g = tf.recompute_grad(f5)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        r = g(x)
        s = r[0] + r[1]
    c.exc("fewer_outputs", lambda: t.gradient(s, x))


def recompute_while_loop(c):
    """Recompute_grad inside eager tf.while_loop of 5 iterations (Python loop eagerly): call counts."""
    n = [0]
    y = tf.Variable(2.0)

    def f(x):
        n[0] += 1
        return x * y

    g = tf.recompute_grad(f)
    x = tf.constant(1.0)

    def go():
        with tf.GradientTape() as t:
            t.watch(x)
            i, r = tf.while_loop(lambda i, r: i < 5, lambda i, r: (i + 1, g(r)), [tf.constant(0), x])
        a = n[0]
        gr = t.gradient(r, [x, y])
        return {"fwd": a, "bwd": n[0] - a, "r": r, "grads": gr}

    c.exc("eager", go)
    n[0] = 0

    @tf.function
    def fn(x):
        with tf.GradientTape() as t:
            t.watch(x)
            i, r = tf.while_loop(lambda i, r: i < 5, lambda i, r: (i + 1, g(r)), [tf.constant(0), x])
        return r, t.gradient(r, [x, y])

    c.exc("in_tf_function", lambda: fn(x))
    c.out["trace_calls_in_tf_function"] = n[0]


def recompute_in_tf_function(c):
    """Doc example inside tf.function: traces and run-time tf.print lines."""
    y = tf.Variable(1.0)
    n = [0]

    def f(x):
        n[0] += 1
        tf.print("running")
        return x * y

    g = tf.recompute_grad(f)

    @tf.function
    def fn():
        with tf.GradientTape() as t:
            r = tf.constant(1.0)
            for i in range(4):
                r = g(r)
        return t.gradient(r, [y])

    with c.phase("first_call"):
        o = fn()
    with c.phase("second_call"):
        o = fn()
    c.out = {"trace_calls": n[0], "grad": j(o)}


def recompute_while_function_error(c):
    """Recompute_grad inside tf.while_loop inside tf.function with a captured variable: full error text head."""
    y = tf.Variable(2.0)
    g = tf.recompute_grad(lambda x: x * y)
    x = tf.constant(1.0)

    @tf.function
    def fn(x):
        with tf.GradientTape() as t:
            t.watch(x)
            i, r = tf.while_loop(lambda i, r: i < 5, lambda i, r: (i + 1, g(r)), [tf.constant(0), x])
        return r, t.gradient(r, [x, y])

    c.exc("captured_variable", lambda: fn(x))
    g2 = tf.recompute_grad(lambda x: x * 2.0)

    @tf.function
    def fn2(x):
        with tf.GradientTape() as t:
            t.watch(x)
            i, r = tf.while_loop(lambda i, r: i < 5, lambda i, r: (i + 1, g2(r)), [tf.constant(0), x])
        return r, t.gradient(r, [x])

    c.exc("no_variable", lambda: fn2(x))
    g3 = tf.recompute_grad(lambda x, v: x * v)

    @tf.function
    def fn3(x):
        with tf.GradientTape() as t:
            t.watch(x)
            i, r = tf.while_loop(lambda i, r: i < 5, lambda i, r: (i + 1, g3(r, y)), [tf.constant(0), x])
        return r, t.gradient(r, [x, y])

    c.exc("variable_as_argument", lambda: fn3(x))

    @tf.function
    def fn4(x):
        with tf.GradientTape() as t:
            t.watch(x)
            r = tf.cond(x > 0.0, lambda: g(x), lambda: x)
        return r, t.gradient(r, [x, y])

    c.exc("in_cond", lambda: fn4(x))


def recompute_inner_gradient_tape(c):
    """F itself opens a GradientTape (gradient of x^3): tapes inside f do not record during the un-recorded forward of
    recompute_grad.
    """
    st = {}

    def f(x):
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * x * x
        st["inner"] = t.gradient(y, x)
        return y if st["inner"] is None else st["inner"]

    g = tf.recompute_grad(f)
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        r = g(x)
    c.out["inner_gradient_seen_in_forward"] = st["inner"]
    c.out["forward_value_returned"] = r
    c.exc("outer_gradient", lambda: t.gradient(r, x))
    c.out["inner_gradient_seen_in_recompute"] = st["inner"]


def recompute_outer_tape_liveness(c):
    """Which forward tensors are kept alive by the tape after forward: h1=sin(x), h2=tanh(h1), r=h2*h2 in f (weakrefs)."""

    def mk(wrap):
        refs = {}

        def f(x):
            h1 = tf.sin(x)
            h2 = tf.tanh(h1)
            r = h2 * h2
            for k, v in (("h1", h1), ("h2", h2)):
                refs[k] = weakref.ref(v)
            return r

        g = wrap(f)
        x = tf.constant([1.0, 2.0, 3.0])
        with tf.GradientTape() as t:
            t.watch(x)
            r = g(x)
        gc.collect()
        return {k: (v() is not None) for k, v in refs.items()}

    c.out = {"plain": mk(lambda f: f), "recompute": mk(tf.recompute_grad)}
