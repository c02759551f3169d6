"""`tf.recompute_grad`: what goes in and what comes out."""


def recompute_kwargs(c):
    """Recompute_grad with keyword tensor argument: value and gradient wrt the kwarg."""
    n = [0]

    def f(x, k=None):
        n[0] += 1
        return x * k

    g = tf.recompute_grad(f)
    x = tf.constant(2.0)
    k = tf.constant(5.0)

    def go():
        with tf.GradientTape() as t:
            t.watch([x, k])
            r = g(x, k=k)
        return {"r": r, "grads": t.gradient(r, [x, k])}

    c.exc("eager", go)
    c.out["calls"] = n[0]

    def pos():
        with tf.GradientTape() as t:
            t.watch([x, k])
            r = g(x, k)
        return {"r": r, "grads": t.gradient(r, [x, k])}

    c.exc("positional", pos)

    def inf():
        return tf.function(lambda: g(x, k=k))()

    c.exc("in_tf_function", inf)

    def nonkw():
        with tf.GradientTape() as t:
            t.watch([x])
            r = g(x, k=3.0)
        return {"r": r, "grads": t.gradient(r, [x])}

    c.exc("python_kwarg", nonkw)
    vk = tf.Variable(5.0)

    def vkw():
        with tf.GradientTape() as t:
            t.watch([x])
            r = g(x, k=vk)
        return {"r": r, "grads": t.gradient(r, [x, vk])}

    c.exc("variable_kwarg", vkw)

    def vpos():
        with tf.GradientTape() as t:
            t.watch([x])
            r = g(x, vk)
        return {"r": r, "grads": t.gradient(r, [x, vk])}

    c.exc("variable_positional", vpos)


def recompute_structures(c):
    """Outputs tuple/dict/list; input list/dict; non-tensor positional arg."""
    x = tf.constant(2.0)
    y = tf.constant(3.0)

    def run(f, *a, pick=lambda r: r):
        g = tf.recompute_grad(f)
        with tf.GradientTape() as t:
            t.watch([x, y])
            r = g(*a)
            p = pick(r)
        return {"type": type(r).__name__, "grads": t.gradient(p, [x, y])}

    c.exc("tuple_out", lambda: run(lambda a, b: (a * b, a + b), x, y, pick=lambda r: r[0] + r[1]))
    c.exc("tuple_out_use_first", lambda: run(lambda a, b: (a * b, a + b), x, y, pick=lambda r: r[0]))
    c.exc("list_out", lambda: run(lambda a, b: [a * b, a + b], x, y, pick=lambda r: r[0]))
    c.exc("dict_out", lambda: run(lambda a, b: {"p": a * b, "s": a + b}, x, y, pick=lambda r: r["p"]))
    c.exc("list_in", lambda: run(lambda ab: ab[0] * ab[1], [x, y]))
    c.exc("dict_in", lambda: run(lambda d: d["a"] * d["b"], {"a": x, "b": y}))
    c.exc("python_float_in", lambda: run(lambda a, k: a * k, x, 4.0))
    c.exc("python_int_in", lambda: run(lambda a, k: a * k, x, 4))
    c.exc("python_str_in", lambda: run(lambda a, k: a * 2.0 if k == "two" else a, x, "two"))
    c.exc("python_none_in", lambda: run(lambda a, k: a * 2.0, x, None))
    c.exc("python_bool_in", lambda: run(lambda a, k: a * 2.0 if k else a, x, True))
    c.exc("closure_tensor", lambda: run(lambda a: a * y, x))
    c.exc("no_args", lambda: run(lambda: x * y))
    c.exc("returns_none", lambda: run(lambda a: None, x))
    c.exc("numpy_in", lambda: run(lambda a: a * 2.0, np.float32(3)))
    c.exc("int_tensor_in", lambda: run(lambda a, i: a * tf.cast(i, tf.float32), x, tf.constant(3)))


def recompute_variable_created_inside(c):
    """A variable created on first call inside the recomputed function."""
    st = {}

    def f(x):
        if "v" not in st:
            st["v"] = tf.Variable(2.0)
        return x * st["v"]

    g = tf.recompute_grad(f)
    x = tf.constant(3.0)

    def go():
        with tf.GradientTape() as t:
            t.watch(x)
            r = g(x)
        return {"r": r, "grads": t.gradient(r, [x, st["v"]])}

    c.exc("eager", go)


def recompute_variable_assign(c):
    """F assigns a counter variable (side effect): how often does it happen; variable changed between forward and
    backward.
    """
    k = tf.Variable(0.0, trainable=False)

    def f(x):
        k.assign_add(1.0)
        return x * k

    g = tf.recompute_grad(f)
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        r = g(x)
    a = float(k)
    gr = t.gradient(r, x)
    c.out = {"k_fwd": a, "k_after": float(k), "r": j(r), "grad": j(gr)}
    y = tf.Variable(2.0)
    g = tf.recompute_grad(lambda x: x * y)
    with tf.GradientTape() as t:
        t.watch(x)
        r = g(x)
    y.assign(100.0)
    c.out["mutated_between"] = {"r": j(r), "grads": j(t.gradient(r, [x, y]))}
    y.assign(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        r = x * y
    y.assign(100.0)
    c.out["mutated_between_plain"] = {"r": j(r), "grads": j(t.gradient(r, [x, y]))}


def recompute_trainable_false_and_stop_watch(c):
    """Non-trainable variable inside; tape watch_accessed_variables=False."""
    v = tf.Variable(2.0, trainable=False)
    g = tf.recompute_grad(lambda x: x * v)
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch([x, v])
        r = g(x)
    c.out["nontrainable_watched"] = t.gradient(r, [x, v])
    v = tf.Variable(2.0)
    g = tf.recompute_grad(lambda x: x * v)
    with tf.GradientTape(watch_accessed_variables=False) as t:
        t.watch(x)
        r = g(x)
    c.out["unwatched_trainable"] = t.gradient(r, [x, v])
    with tf.GradientTape(watch_accessed_variables=False) as t:
        t.watch(v)
        r = g(x)
    c.out["only_v_watched"] = t.gradient(r, [x, v])
    with tf.GradientTape() as t:
        r = g(x)
        w = [q.name for q in t.watched_variables()]
    c.out["watched_variables"] = w


def recompute_wrapper_metadata(c):
    """What a recompute_grad wrapper exposes."""

    def f(x):
        "doc"
        return x

    g = tf.recompute_grad(f)
    c.out = {
        "__name__": getattr(g, "__name__", None),
        "__doc__": getattr(g, "__doc__", None),
        "wrapped_is_f": g.__wrapped__ is f,
        "type": type(g).__name__,
    }

    class L:
        @tf.recompute_grad
        def m(self, x):
            return x * 2.0

    c.exc("method_decorated", lambda: L().m(tf.constant(2.0)))

    def grad_m():
        x = tf.constant(2.0)
        l = L()
        with tf.GradientTape() as t:
            t.watch(x)
            r = l.m(x)
        return t.gradient(r, x)

    c.exc("method_gradient", grad_m)


def recompute_int_arg_forward_then_grad(c):
    """Python int argument: forward value ok? where does it fail."""
    g = tf.recompute_grad(lambda a, k: a * k)
    x = tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        r = g(x, 4)
    c.out["forward"] = r
    c.exc("gradient", lambda: t.gradient(r, x))


def recompute_unconnected(c):
    """Output that does not depend on an input: ZERO gradients inside recompute, not None."""
    g = tf.recompute_grad(lambda a, b: a * 2.0)
    x = tf.constant(2.0)
    y = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch([x, y])
        r = g(x, y)
    c.out["recompute"] = t.gradient(r, [x, y])
    with tf.GradientTape() as t:
        t.watch([x, y])
        r = x * 2.0
    c.out["plain"] = t.gradient(r, [x, y])


def recompute_same_tensor_two_args(c):
    """Issue 36999: the same tensor passed in two positions."""
    g = tf.recompute_grad(lambda a, b: a * b + a)
    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        r = g(x, x)
    c.out = {"grad": j(t.gradient(r, x)), "expected": 7.0}


def recompute_two_outer_tapes(c):
    """Two independent nested tapes, gradients asked of both: number of recomputations."""
    n = [0]

    def f(x):
        n[0] += 1
        return x * x * x

    g = tf.recompute_grad(f)
    x = tf.constant(2.0)
    with tf.GradientTape() as a:
        a.watch(x)
        with tf.GradientTape() as b:
            b.watch(x)
            r = g(x)
    k = [n[0]]
    ga = a.gradient(r, x)
    k.append(n[0])
    gb = b.gradient(r, x)
    k.append(n[0])
    c.out = {"calls": k, "ga": j(ga), "gb": j(gb)}


def recompute_multi_output_one_call(c):
    """F with two outputs both used: one recompute, not two."""
    n = [0]

    def f(x):
        n[0] += 1
        return x * x, x * 3.0

    g = tf.recompute_grad(f)
    x = tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        a, b = g(x)
        s = a * b
    gr = t.gradient(s, x)
    c.out = {"calls": n[0], "grad": j(gr)}


def recompute_list_of_targets(c):
    """Target list of two separate recompute results: each recomputed once."""
    n = [0]

    def f(x):
        n[0] += 1
        return x * x

    g = tf.recompute_grad(f)
    x = tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        a = g(x)
        b = g(x)
    gr = t.gradient([a, b], x)
    c.out = {"calls": n[0], "grad": j(gr)}
