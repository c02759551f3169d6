"""`tf.custom_gradient` and `tf.grad_pass_through`."""


def custom_gradient_log1pexp(c):
    """Doc: log1pexp at 100 with and without custom gradient."""

    @tf.custom_gradient
    def f(x):
        e = tf.exp(x)

        def grad(up):
            return up * (1 - 1 / (1 + e))

        return tf.math.log(1 + e), grad

    x = tf.constant(100.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    c.out["custom"] = [y, t.gradient(y, x)]
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.math.log(1 + tf.exp(x))
    c.out["plain"] = [y, t.gradient(y, x)]


def custom_gradient_variables(c):
    """Custom_gradient whose body reads a variable: grad_fn with/without variables kwarg, wrong counts."""
    v = tf.Variable(3.0, name="v")
    w = tf.Variable(5.0, name="w")
    x = tf.constant(2.0)

    @tf.custom_gradient
    def ok(x):
        def grad(dy, variables=None):
            c.out["variables_passed"] = [q.name for q in variables]
            return dy * v, [dy * x]

        return x * v, grad

    def run(f, src):
        with tf.GradientTape() as t:
            t.watch(x)
            r = f(x)
        return [r, t.gradient(r, src)]

    c.exc("with_variables", lambda: run(ok, [x, v]))

    @tf.custom_gradient
    def no(x):
        def grad(dy):
            return dy * v

        return x * v, grad

    c.exc("without_variables_kwarg", lambda: run(no, [x, v]))

    @tf.custom_gradient
    def kw(x):
        def grad(dy, **k):
            c.out["varkw_keys"] = sorted(k)
            return dy * v, [dy * x]

        return x * v, grad

    c.exc("with_varkw", lambda: run(kw, [x, v]))

    @tf.custom_gradient
    def few(x):
        def grad(dy, variables=None):
            return dy, []

        return x * v, grad

    c.exc("too_few_variable_grads", lambda: run(few, [x, v]))

    @tf.custom_gradient
    def wrongn(x):
        def grad(dy):
            return dy, dy

        return x * 2.0, grad

    c.exc("too_many_input_grads", lambda: run(wrongn, [x]))

    @tf.custom_gradient
    def multi(x, y):
        def grad(da, db):
            return da * y + db, da * x + db

        return (x * y, x + y), grad

    y = tf.constant(7.0)

    def m():
        with tf.GradientTape() as t:
            t.watch([x, y])
            a, b = multi(x, y)
            s = a + 2 * b
        return [a, b, t.gradient(s, [x, y])]

    c.exc("multi_io", m)

    def m1():
        with tf.GradientTape() as t:
            t.watch([x, y])
            a, b = multi(x, y)
        return t.gradient(a, [x, y])

    c.exc("multi_io_only_first_used", m1)

    @tf.custom_gradient
    def none(x):
        def grad(dy):
            return None

        return x * 2.0, grad

    c.exc("grad_returns_None", lambda: run(none, [x]))

    @tf.custom_gradient
    def kwarg(x, k=1.0):
        def grad(dy):
            return dy * k

        return x * k, grad

    def kk():
        with tf.GradientTape() as t:
            t.watch(x)
            r = kwarg(x, k=4.0)
        return [r, t.gradient(r, x)]

    c.exc("python_kwarg", kk)

    @tf.custom_gradient
    def notpair(x):
        return x * 2.0

    c.exc("not_a_pair", lambda: run(notpair, [x]))

    @tf.custom_gradient
    def varused_unused(x):
        def grad(dy, variables=None):
            return dy, [None] * len(variables)

        return x * v, grad

    c.exc("variable_grads_None", lambda: run(varused_unused, [x, v]))

    @tf.custom_gradient
    def kwneed(x):
        def grad(dy, variables):
            return dy, []

        return x * 2.0, grad

    c.exc("required_variables_kwarg_but_none_used", lambda: run(kwneed, [x]))


def custom_gradient_second_order(c):
    """Custom gradients and second derivatives: square with grad 2x*dy; grad via custom_gradient with stop; clip
    example.
    """
    x = tf.constant(3.0)

    @tf.custom_gradient
    def cube(x):
        def grad(dy):
            return dy * 3 * x * x

        return x * x * x, grad

    def d2(f):
        with tf.GradientTape() as o:
            o.watch(x)
            with tf.GradientTape() as t:
                t.watch(x)
                r = f(x)
            d = t.gradient(r, x)
        return [r, d, o.gradient(d, x)]

    c.exc("grad_written_with_captured_x", lambda: d2(cube))

    @tf.custom_gradient
    def op(x):
        @tf.custom_gradient
        def first(x):
            def second(ddy):
                return ddy * 100.0

            return x * 10.0, second

        def grad(dy):
            return dy * first(x)

        return x * x, grad

    c.exc("nested_custom_gradient", lambda: d2(op))

    @tf.custom_gradient
    def sto(x):
        def grad(dy):
            return dy * tf.stop_gradient(3 * x * x)

        return x * x * x, grad

    c.exc("stop_gradient_in_grad", lambda: d2(sto))
    n = [0]

    @tf.custom_gradient
    def fw(x):
        n[0] += 1

        def grad(dy):
            c.out["grad_called_in_forward_mode"] = True
            return dy * 7.0

        return x * x, grad

    def fwd():
        with FA(x, tf.constant(1.0)) as a:
            r = fw(x)
        return [r, a.jvp(r)]

    c.exc("forward_mode_uses_custom_grad_transpose", fwd)

    def fob():
        with FA(x, tf.constant(1.0)) as a:
            with tf.GradientTape() as t:
                t.watch(x)
                r = cube(x)
            d = t.gradient(r, x)
        return [d, a.jvp(d)]

    c.exc("forward_over_backward_cube", fob)

    @tf.custom_gradient
    def nonlinear(x):
        def grad(dy):
            return dy * dy

        return x * 1.0, grad

    def nl():
        with FA(x, tf.constant(5.0)) as a:
            r = nonlinear(x)
        return [r, a.jvp(r)]

    c.exc("nonlinear_grad_fn_in_forward_mode", nl)


def custom_gradient_records_inside(c):
    """Ops inside a custom_gradient body: are they still reachable by the outer tape (intermediate returned by side
    channel).
    """
    st = {}

    @tf.custom_gradient
    def f(x):
        st["m"] = x * x
        return st["m"] * 1.0, lambda dy: dy * 100.0

    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        r = f(x)
    c.out = {
        "dr_dx": j(t.gradient(r, x)),
        "d_intermediate_dx": j(t.gradient(st["m"], x)),
        "dr_d_intermediate": j(t.gradient(r, st["m"])),
    }


def grad_pass_through(c):
    """Doc: y = grad_pass_through(x.assign)(z**2)."""
    x = tf.Variable(1.0)
    z = tf.Variable(3.0)
    with tf.GradientTape() as t:
        y = tf.grad_pass_through(x.assign)(z**2)
    c.out = {"y": j(y), "grad_z": j(t.gradient(y, z)), "x_after": j(x)}


def custom_gradient_forward_mode(c):
    """Forward mode through custom_gradient at x=3, tangent 1, grad_fn = 7*dy (or dy*dy): differentiable body vs numpy
    body vs stop_gradient body; number of grad_fn calls.
    """
    x = tf.constant(3.0)

    def run(body, gf, tan=1.0):
        n = [0]

        @tf.custom_gradient
        def f(x):
            def grad(dy):
                n[0] += 1
                return gf(dy)

            return body(x), grad

        with FA(x, tf.constant(tan)) as a:
            r = f(x)
        with tf.GradientTape() as t:
            t.watch(x)
            r2 = f(x)
        k = n[0]
        g = t.gradient(r2, x)
        return {"r": r, "jvp": a.jvp(r), "grad_fn_calls_in_jvp": k, "reverse_gradient": g}

    seven = lambda dy: dy * 7.0
    c.exc("differentiable_body_x*x", lambda: run(lambda x: x * x, seven))
    c.exc("numpy_body", lambda: run(lambda x: tf.constant(x.numpy() ** 2), seven))
    c.exc("stop_gradient_body", lambda: run(lambda x: tf.stop_gradient(x * x), seven))
    c.exc("numpy_body_tangent_5", lambda: run(lambda x: tf.constant(x.numpy() ** 2), seven, 5.0))
    c.exc("numpy_body_nonlinear_grad", lambda: run(lambda x: tf.constant(x.numpy() ** 2), lambda dy: dy * dy, 5.0))
    c.exc("log1pexp_at_100", lambda: run(lambda x: tf.constant(x.numpy()), seven))

    def l():
        @tf.custom_gradient
        def f(x):
            e = tf.exp(x)
            return tf.math.log(1 + e), lambda up: up * (1 - 1 / (1 + e))

        y = tf.constant(100.0)
        with FA(y, tf.constant(1.0)) as a:
            r = f(y)
        return a.jvp(r)

    c.exc("doc_log1pexp_100_jvp", l)
