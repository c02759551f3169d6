"""`tf.recompute_grad`: when a function runs again."""


def recompute_doc_four_calls(c):
    """Doc example of tf.recompute_grad: f prints once and multiplies by Variable y=1.0; called 4 times in a tape;
    gradient wrt [y].
    """
    y = tf.Variable(1.0)

    def f(x):
        tf.print("running")
        return x * y

    g = tf.recompute_grad(f)
    with c.phase("forward"):
        with tf.GradientTape() as t:
            r = tf.constant(1.0)
            for i in range(4):
                r = g(r)
    with c.phase("backward"):
        gr = t.gradient(r, [y])
    c.out["r"] = r
    c.out["grad"] = gr


def recompute_doc_plain_four_calls(c):
    """Same without recompute_grad."""
    y = tf.Variable(1.0)

    def f(x):
        tf.print("running")
        return x * y

    with c.phase("forward"):
        with tf.GradientTape() as t:
            r = tf.constant(1.0)
            for i in range(4):
                r = f(r)
    with c.phase("backward"):
        gr = t.gradient(r, [y])
    c.out["r"] = r
    c.out["grad"] = gr


def recompute_four_calls_y_2(c):
    """4 calls with y=2: values distinguish the order."""
    y = tf.Variable(2.0)
    n = [0]
    args = []

    def f(x):
        n[0] += 1
        args.append(float(x))
        return x * y

    g = tf.recompute_grad(f)
    with tf.GradientTape() as t:
        r = tf.constant(3.0)
        t.watch(r)
        r0 = r
        for i in range(4):
            r = g(r)
    c.out["calls_forward"] = n[0]
    fwd = list(args)
    args.clear()
    gr = t.gradient(r, [y, r0])
    c.out["calls_total"] = n[0]
    c.out["args_forward"] = fwd
    c.out["args_backward_order"] = args
    c.out["r"] = r
    c.out["grads"] = gr


def recompute_persistent_twice(c):
    """Persistent tape, gradient twice: each gradient call recomputes again."""
    y = tf.Variable(2.0)
    n = [0]

    def f(x):
        n[0] += 1
        return x * y

    g = tf.recompute_grad(f)
    with tf.GradientTape(persistent=True) as t:
        r = tf.constant(1.0)
        for i in range(4):
            r = g(r)
    a = n[0]
    g1 = t.gradient(r, y)
    b = n[0]
    g2 = t.gradient(r, y)
    d = n[0]
    c.out = {"calls_after_forward": a, "after_first_gradient": b, "after_second": d, "g1": j(g1), "g2": j(g2)}


def recompute_gradient_partial_target(c):
    """4 chained calls, gradient of the value after 2 calls: only the needed segments recompute."""
    y = tf.Variable(2.0)
    n = [0]

    def f(x):
        n[0] += 1
        return x * y

    g = tf.recompute_grad(f)
    with tf.GradientTape(persistent=True) as t:
        r = tf.constant(1.0)
        rs = []
        for i in range(4):
            r = g(r)
            rs.append(r)
    a = n[0]
    gr = t.gradient(rs[1], y)
    c.out = {"fwd": a, "bwd": n[0] - a, "grad": j(gr)}


def recompute_gradient_unrelated_source(c):
    """Gradient wrt an unrelated variable: how many recomputations happen, and the result."""
    y = tf.Variable(2.0)
    z = tf.Variable(5.0)
    n = [0]

    def f(x):
        n[0] += 1
        return x * y

    g = tf.recompute_grad(f)
    with tf.GradientTape(persistent=True) as t:
        r = g(tf.constant(1.0))
        q = z * 1.0
    a = n[0]
    gr = t.gradient(r, z)
    c.out = {"fwd": a, "bwd": n[0] - a, "grad": j(gr)}


def recompute_no_watch(c):
    """Recompute fn whose inputs are constants and no variables: gradient to a watched-later source; nothing recorded."""
    n = [0]

    def f(x):
        n[0] += 1
        return x * x

    g = tf.recompute_grad(f)
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        r = g(x)
    gr = t.gradient(r, x)
    c.out = {"calls": n[0], "grad": j(gr)}


def recompute_outside_tape(c):
    """Recompute fn called with no tape."""
    n = [0]

    def f(x):
        n[0] += 1
        return x * x

    c.out = {"r": j(tf.recompute_grad(f)(tf.constant(3.0))), "calls": n[0]}
