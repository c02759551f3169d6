"""`tf.GradientTape`."""


def tape_square(c):
    """X*x at 3."""
    x = tf.constant(3.0)
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    c.out["dy_dx"] = g.gradient(y, x)


def tape_nested(c):
    """Doc nested: x=5, y=x*x; dy_dx=10, d2y_dx2=2."""
    x = tf.constant(5.0)
    with tf.GradientTape() as g:
        g.watch(x)
        with tf.GradientTape() as gg:
            gg.watch(x)
            y = x * x
        d = gg.gradient(y, x)
    c.out = dict(dy=j(d), d2=j(g.gradient(d, x)))


def tape_persistent(c):
    """Doc: x=3,y=x*x,z=y*y: dz_dx=108, dy_dx=6."""
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as g:
        g.watch(x)
        y = x * x
        z = y * y
    c.out = dict(dz=j(g.gradient(z, x)), dy=j(g.gradient(y, x)), dz_dy=j(g.gradient(z, y)))


def tape_errors(c):
    """Non-persistent second call; jacobian twice; unwatched; watch int; string; None target; list target;
    stop_recording; reset; gradient inside context non persistent.
    """
    x = tf.constant(3.0)
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    g.gradient(y, x)
    c.exc("second_call", lambda: g.gradient(y, x))
    with tf.GradientTape() as g:
        y = x * x
    c.out["unwatched"] = g.gradient(y, x)
    with tf.GradientTape() as g:
        y = x * x
    c.out["unwatched_zero"] = g.gradient(y, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    with tf.GradientTape() as g:
        y = x * x
    c.exc("unconnected_zero_str", lambda: g.gradient(y, x, unconnected_gradients="zero"))
    with tf.GradientTape() as g:
        y = x * x
    c.exc("unconnected_bad", lambda: g.gradient(y, x, unconnected_gradients="nope"))

    def wint():
        with tf.GradientTape() as g:
            g.watch(tf.constant(1))

    c.exc("watch_int", wint)
    c.exc("watch_python", lambda: tf.GradientTape().watch(3.0))
    c.exc("gradient_never_entered", lambda: tf.GradientTape().gradient(y, x))
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
        z = x * x * x
    c.out["list_target_sum"] = g.gradient([y, z], x)
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    c.exc("output_gradients", lambda: g.gradient(y, x, output_gradients=tf.constant(10.0)))
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    c.exc("output_gradients_wrong_shape", lambda: g.gradient(y, x, output_gradients=tf.constant([10.0, 1.0])))
    xv = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as g:
        g.watch(xv)
        y = xv * xv
    c.exc("vector_target_sums", lambda: g.gradient(y, xv))
    with tf.GradientTape() as g:
        g.watch(x)
        y = tf.cast(x * x, tf.int32)
    c.exc("int_target", lambda: g.gradient(y, x))
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    c.exc("source_used_twice", lambda: g.gradient(y, [x, x]))
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    c.exc("target_is_source", lambda: g.gradient(x, x))

    def inside():
        with tf.GradientTape() as g:
            g.watch(x)
            y = x * x
            d = g.gradient(y, x)
            e = x * x * x
        return [d, "then gradient again"]

    c.exc("gradient_inside_nonpersistent", inside)

    def inside2():
        with tf.GradientTape() as g:
            g.watch(x)
            y = x * x
            d = g.gradient(y, x)
            z = x * x * x
        return g.gradient(z, x)

    c.exc("gradient_inside_then_after", inside2)

    def stop():
        with tf.GradientTape() as g:
            g.watch(x)
            with g.stop_recording():
                y = x * x
            z = y * x
        return g.gradient(z, x)

    c.exc("stop_recording", stop)

    def stop2():
        with tf.GradientTape(persistent=True) as g:
            g.watch(x)
            y = x * x
            with g.stop_recording():
                d = g.gradient(y, x)
            z = x * x * x
        return [d, g.gradient(z, x)]

    c.exc("gradient_in_stop_recording", stop2)

    def reset():
        with tf.GradientTape() as g:
            g.watch(x)
            y = x * x
            g.reset()
            z = x * x * x
        return g.gradient(z, x)

    c.exc("reset_forgets_watch", reset)

    def reset2():
        with tf.GradientTape() as g:
            g.watch(x)
            y = x * x
            g.reset()
            g.watch(x)
            z = x * x * x
        return g.gradient(z, x)

    c.exc("reset_rewatch", reset2)

    def reenter():
        g = tf.GradientTape()
        with g:
            g.watch(x)
            y = x * x
        with g:
            z = y * x
        return g.gradient(z, x)

    c.exc("re_enter", reenter)

    def dbl():
        g = tf.GradientTape()
        with g:
            with g:
                pass

    c.exc("double_enter", dbl)

    def v():
        a = tf.Variable(2.0)
        b = tf.Variable(3.0, trainable=False)
        with tf.GradientTape() as g:
            y = a * b
        return [[q.name for q in g.watched_variables()], g.gradient(y, [a, b])]

    c.exc("nontrainable", v)

    def wav():
        a = tf.Variable(2.0)
        b = tf.Variable(3.0)
        with tf.GradientTape(watch_accessed_variables=False) as g:
            g.watch(a)
            y = a * b
        return g.gradient(y, {"a": a, "b": b})

    c.exc("watch_accessed_false_dict", wav)

    def wl():
        with tf.GradientTape() as g:
            g.watch(x)
            i, y = tf.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, y * x), [tf.constant(0), tf.constant(1.0)])
        return [y, g.gradient(y, x)]

    c.exc("while_loop_eager", wl)

    def jac():
        with tf.GradientTape() as g:
            g.watch(xv)
            y = xv * xv
        return g.jacobian(y, xv)

    c.exc("jacobian", jac)

    def bj():
        xx = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape() as g:
            g.watch(xx)
            y = xx * xx
        return g.batch_jacobian(y, xx)

    c.exc("batch_jacobian", bj)

    def bjerr():
        xx = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape() as g:
            g.watch(xx)
            y = tf.reduce_sum(xx * xx)
        return g.batch_jacobian(y, xx)

    c.exc("batch_jacobian_bad_rank", bjerr)
    c.exc("target_none", lambda: tf.GradientTape().gradient(None, x))
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    c.exc("source_python_float", lambda: g.gradient(y, 3.0))
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    c.exc("target_python_float", lambda: g.gradient(9.0, x))


def tape_saved_tensors_per_op(c):
    """Weakref test: a=-x (keeps nothing), y=op(a), r=-y (keeps nothing); user drops a and y; which of input a / output
    y does the tape keep alive for op.
    """
    W = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    ops = {
        "add_const": lambda a: a + 1.0,
        "sub_const": lambda a: a - 1.0,
        "mul_const": lambda a: a * 2.0,
        "square": tf.square,
        "mul_self": lambda a: a * a,
        "exp": tf.exp,
        "log1p_abs": lambda a: tf.math.log1p(a * a),
        "sin": tf.sin,
        "cos": tf.cos,
        "tanh": tf.tanh,
        "sigmoid": tf.sigmoid,
        "relu": tf.nn.relu,
        "neg": lambda a: -a,
        "matmul_const": lambda a: tf.matmul(a, W),
        "reduce_sum": tf.reduce_sum,
        "softmax": tf.nn.softmax,
        "pow3": lambda a: a**3.0,
        "div_const": lambda a: a / 2.0,
        "const_div": lambda a: 2.0 / a,
        "reshape": lambda a: tf.reshape(a, [-1]),
        "transpose": tf.transpose,
        "identity": tf.identity,
        "maximum0": lambda a: tf.maximum(a, 0.0),
        "reduce_max": tf.reduce_max,
        "reduce_mean": tf.reduce_mean,
        "softplus": tf.math.softplus,
        "abs": tf.abs,
    }
    for k, op in ops.items():
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape() as t:
            t.watch(x)
            a = -x
            y = op(a)
            r = -y
        wa, wy = weakref.ref(a), weakref.ref(y)
        del a, y
        gc.collect()
        c.out[k] = {"keeps_input": wa() is not None, "keeps_output": wy() is not None}
        del t


def tape_persistent_frees(c):
    """Persistent vs non-persistent: intermediates freed after gradient."""
    for per in (False, True):
        x = tf.constant(2.0)
        with tf.GradientTape(persistent=per) as t:
            t.watch(x)
            a = x + 1.0
            r = tf.sin(a)
        w = weakref.ref(a)
        del a
        gc.collect()
        before = w() is not None
        t.gradient(r, x)
        gc.collect()
        after = w() is not None
        del t
        gc.collect()
        c.out["persistent" if per else "non_persistent"] = {
            "before": before,
            "after_gradient": after,
            "after_del_tape": w() is not None,
        }
