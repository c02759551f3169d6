"""`tf.autodiff.ForwardAccumulator`."""


def fa_linear_regression(c):
    """Doc: linear regression with v=[0,1]: x=[[2,3],[1,4]], targets [[1],[-1]], dense kernel init ones? doc uses
    Dense(1) build; here weight fixed ones, no bias.
    """
    x = tf.constant([[2.0, 3.0], [1.0, 4.0]])
    targets = tf.constant([[1.0], [-1.0]])
    params = tf.Variable([[1.0], [2.0]])
    with FA(params, tf.constant([[0.0], [1.0]])) as acc:
        loss = tf.reduce_sum((tf.matmul(x, params) - targets) ** 2.0)
    c.out["jvp"] = acc.jvp(loss)
    c.out["loss"] = loss
    with tf.GradientTape() as t:
        loss = tf.reduce_sum((tf.matmul(x, params) - targets) ** 2.0)
    c.out["grad"] = t.gradient(loss, params)
    dense = tf.keras.layers.Dense(1)
    dense.build([None, 2])
    dense.set_weights([np.array([[1.0], [2.0]], "float32"), np.array([0.0], "float32")])

    def kr():
        with FA(primals=dense.kernel, tangents=tf.constant([[1.0], [0.0]])) as acc:
            loss = tf.reduce_sum((dense(x) - targets) ** 2.0)
        return [loss, acc.jvp(loss)]

    c.exc("keras3_dense_kernel_as_primal", kr)

    def kr2():
        with FA(primals=dense.kernel.value, tangents=tf.constant([[1.0], [0.0]])) as acc:
            loss = tf.reduce_sum((dense(x) - targets) ** 2.0)
        return [loss, acc.jvp(loss)]

    c.exc("keras3_dense_kernel_value_as_primal", kr2)


def fa_doc_regression_exact(c):
    """Doc example: x=[[2,3],[1,4]]; targets=[[1],[-1]]; dense=Dense(1); build([None,2]);
    FA(primals=dense.kernel,tangents=[[1],[0]]); jvp(loss); compared with vjp . tangents.
    """
    x = tf.constant([[2.0, 3.0], [1.0, 4.0]])
    targets = tf.constant([[1.0], [-1.0]])
    dense = tf.keras.layers.Dense(1)
    dense.build([None, 2])
    dense.kernel.assign([[0.3], [-0.7]])

    def go():
        with FA(primals=dense.kernel, tangents=tf.constant([[1.0], [0.0]])) as acc:
            loss = tf.reduce_sum((dense(x) - targets) ** 2.0)
        return acc.jvp(loss)

    c.exc("jvp", go)
    with tf.GradientTape() as t:
        loss = tf.reduce_sum((dense(x) - targets) ** 2.0)
    c.out["vjp_dot"] = tf.reduce_sum(t.gradient(loss, dense.kernel) * [[1.0], [0.0]])


def fa_nested_doc(c):
    """Doc nested: primal 1.1, outer & inner tangent 1.; primal_out=primal**3.5; inner_jvp=inner.jvp(primal_out);
    outer.jvp(inner_jvp).
    """
    p = tf.constant(1.1)
    with FA(p, tf.constant(1.0)) as outer:
        with FA(p, tf.constant(1.0)) as inner:
            po = p ** tf.constant(3.5)
    ij = inner.jvp(po)
    c.out["inner_jvp_outside_contexts"] = ij
    c.out["outer_of_inner_outside"] = outer.jvp(ij)
    with FA(p, tf.constant(1.0)) as outer:
        with FA(p, tf.constant(1.0)) as inner:
            po = p ** tf.constant(3.5)
            ij = inner.jvp(po)
    c.out["inner_jvp_inside"] = ij
    c.out["outer_jvp_of_inner_jvp"] = outer.jvp(ij)
    c.out["outer_jvp_of_primal_out"] = outer.jvp(po)
    c.out["inner_jvp_of_outer_jvp (reversed)"] = inner.jvp(outer.jvp(po))
    c.out["outer_of_outer"] = outer.jvp(outer.jvp(po))
    with FA(p, tf.constant(1.0)) as outer:
        with FA(p, tf.constant(1.0)) as inner:
            po = p ** tf.constant(3.5)
            oj = outer.jvp(po)
            c.out["reversed_inside_inner_jvp_of_outer_jvp"] = inner.jvp(oj)
        ij = inner.jvp(po)
        c.out["taken_between"] = outer.jvp(ij)


def fa_forward_over_backward_doc(c):
    """Doc HVP: FA around tape; x=[[2,3],[1,4]]-like small: primal var w=[1.,2.], f=reduce_sum(w**3) tangent [1,0]."""
    w = tf.Variable([1.0, 2.0])
    v = tf.constant([1.0, 0.5])
    with FA(w, v) as acc:
        with tf.GradientTape() as t:
            y = tf.reduce_sum(w**3.0)
        g = t.gradient(y, w)
    c.out = {"grad": j(g), "hvp": j(acc.jvp(g)), "jvp_y": j(acc.jvp(y))}
    with tf.GradientTape() as t2:
        with FA(w, v) as acc:
            y = tf.reduce_sum(w**3.0)
        jv = acc.jvp(y)
    c.out["backward_over_forward"] = j(t2.gradient(jv, w))
    # gradient call outside of accumulator
    with FA(w, v) as acc:
        with tf.GradientTape() as t:
            y = tf.reduce_sum(w**3.0)
    g = t.gradient(y, w)
    c.out["gradient_after_acc_exit"] = j(acc.jvp(g))
    x = tf.constant([[2.0, 3.0], [1.0, 4.0]])
    dense = tf.Variable([[0.5], [-0.25]])
    with FA(dense, tf.constant([[1.0], [0.0]])) as acc:
        with tf.GradientTape() as t:
            loss = tf.reduce_sum(tf.matmul(x, dense) ** 2.0)
        g = t.gradient(loss, dense)
    c.out["linear_hvp"] = j(acc.jvp(g))


def fa_misc(c):
    """Jvp repeated, after exit, un-watched, unconnected ZERO, nested structures, list primals, dtype, deleting
    primals.
    """
    x = tf.constant(2.0)
    with FA(x, tf.constant(3.0)) as a:
        y = x * x
        z = tf.constant(1.0) * 4.0
    c.out["repeat"] = [a.jvp(y), a.jvp(y)]
    c.out["constant"] = a.jvp(z)
    c.out["constant_zero"] = a.jvp(z, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    c.out["primal_itself"] = a.jvp(x)
    w = x * x
    c.out["op_after_exit"] = a.jvp(w)
    c.out["structure"] = a.jvp({"a": y, "b": [z, y]})

    def dup():
        with FA([x, x], [tf.constant(1.0), tf.constant(1.0)]) as a:
            pass
        return "ok"

    c.exc("repeated_primal", dup)
    c.exc("mismatch_shape", lambda: FA(tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0])))
    c.exc("mismatch_structure", lambda: FA([x, tf.constant(1.0)], [tf.constant(1.0)]))
    c.exc("mismatch_dtype", lambda: FA(x, tf.constant(1.0, tf.float64)))
    c.exc("mismatch_scalar_vs_vector", lambda: FA(x, tf.constant([1.0])))

    def integer():
        with FA(tf.constant(2), tf.constant(1)) as a:
            y = tf.constant(2) * 3
        return a.jvp(y)

    c.exc("int_primal", integer)
    c.exc("python_float_primal", lambda: FA(2.0, 1.0))

    def enter_twice():
        a = FA(x, tf.constant(1.0))
        with a:
            with a:
                y = x * x
        return a.jvp(y)

    c.exc("enter_twice_nested", enter_twice)

    def reuse():
        a = FA(x, tf.constant(1.0))
        with a:
            y = x * x
        with a:
            z = y * x
        return [a.jvp(y), a.jvp(z)]

    c.exc("re_enter_sequential", reuse)

    def before_enter():
        a = FA(x, tf.constant(1.0))
        return a.jvp(x)

    c.exc("jvp_before_enter", before_enter)
    v = tf.Variable(2.0)
    with FA(v, tf.constant(1.0)) as a:
        y = v * v
    c.out["variable"] = a.jvp(y)

    def varself():
        return a.jvp(v)

    c.exc("jvp_of_variable", varself)

    def assign():
        with FA(v, tf.constant(1.0)) as a:
            v.assign(5.0)
            y = v * v
        return [y, a.jvp(y)]

    c.exc("assign_inside", assign)
    v.assign(2.0)
    p = tf.constant(2.0)
    with FA(p, tf.constant(1.0)) as a:
        y = p * p
    del p
    gc.collect()
    c.out["after_del_primal"] = a.jvp(y)
    p = tf.constant(2.0)
    with FA(p, tf.constant(1.0)) as a:
        m = p * p
        del p
        gc.collect()
        y = m * m
    c.out["del_primal_inside"] = a.jvp(y)

    def py():
        with FA(x, tf.constant(1.0)) as a:
            y = x * x
        return a.jvp(3.0)

    c.exc("jvp_of_python_float", py)

    def inf():
        @tf.function
        def f(x):
            return x * x * x

        with FA(x, tf.constant(1.0)) as a:
            y = f(x)
        return a.jvp(y)

    c.exc("through_tf_function", inf)

    def wl():
        with FA(x, tf.constant(1.0)) as a:
            i, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [tf.constant(0), tf.constant(1.0)])
        return a.jvp(y)

    c.exc("through_while", wl)

    def sg():
        with FA(x, tf.constant(1.0)) as a:
            y = tf.stop_gradient(x) * x
        return a.jvp(y)

    c.exc("stop_gradient", sg)

    def two():
        with FA(x, tf.constant(1.0)) as a, FA(x, tf.constant(10.0)) as b:
            y = x * x
        return [a.jvp(y), b.jvp(y)]

    c.exc("two_accumulators_same_primal", two)


def fa_batch(c):
    """Private _batch_accumulator / jacfwd-like: exists?."""
    c.out["has__batch_accumulator"] = hasattr(FA, "_batch_accumulator")
    x = tf.constant([1.0, 2.0, 3.0])

    def go():
        with FA._batch_accumulator(x, tf.eye(3)) as a:
            y = x * x
        return a.jvp(y)

    c.exc("jacobian_by_batch", go)


def fa_mismatch_on_use(c):
    """FA with tangent of another shape: no error at construction; what happens at use."""
    x = tf.constant([1.0, 2.0])

    def a():
        with FA(x, tf.constant([1.0, 2.0, 3.0])) as acc:
            y = x * x
        return acc.jvp(y)

    c.exc("vec2_vs_vec3_mul", a)

    def b():
        with FA(tf.constant(2.0), tf.constant([1.0, 5.0])) as acc:
            pass
        return "constructed"

    c.exc("scalar_vs_vec_construct", b)
    s = tf.constant(2.0)

    def d():
        with FA(s, tf.constant([1.0, 5.0])) as acc:
            y = s * s
        return acc.jvp(y)

    c.exc("scalar_primal_vec_tangent_jvp", d)

    def e():
        with FA(x, tf.constant(1.0)) as acc:
            y = x * x
        return acc.jvp(y)

    c.exc("vec_primal_scalar_tangent_jvp", e)

    def f():
        with FA(x, tf.constant(1.0)) as acc:
            y = tf.reduce_sum(x)
        return acc.jvp(y)

    c.exc("vec_primal_scalar_tangent_sum", f)

    def m():
        w = tf.constant([[1.0], [2.0]])
        with FA(w, tf.constant([1.0, 2.0])) as acc:
            y = tf.matmul(tf.constant([[1.0, 2.0]]), w)
        return acc.jvp(y)

    c.exc("matmul_rank_mismatch", m)

    def g():
        with FA(x, [1.0, 2.0]) as acc:
            y = x * x
        return acc.jvp(y)

    c.exc("tangent_python_list_structure", g)


def fa_order_facts(c):
    """Inner jvp taken after inner exit but inside outer; op recorded only inside outer; nested same accumulators push
    order.
    """
    p = tf.constant(1.1)
    with FA(p, tf.constant(1.0)) as o:
        with FA(p, tf.constant(1.0)) as i:
            q = p**3.5
        z = q * q
    c.out = {"inner_jvp_of_op_after_inner_exit": j(i.jvp(z)), "outer_jvp": j(o.jvp(z))}


def fa_recompute_calls_unused(c):
    """Recompute_grad inside an FA whose primal does not feed it: is it allowed."""
    n = [0]

    def f(x):
        n[0] += 1
        return x * x

    g = tf.recompute_grad(f)
    x = tf.constant(2.0)
    u = tf.constant(1.0)

    def go():
        with FA(u, tf.constant(1.0)) as a:
            with tf.GradientTape() as t:
                t.watch(x)
                r = g(x)
            d = t.gradient(r, x)
        return [r, d, a.jvp(d), n[0]]

    c.exc("unrelated_primal", go)


def fa_hvp_doc_exact(c):
    """Doc HVP: v=Variable [1,2], tangent [1,0], y=reduce_sum(v**3)."""
    v = tf.Variable([1.0, 2.0])
    with FA(v, tf.constant([1.0, 0.0])) as acc:
        with tf.GradientTape() as t:
            y = tf.reduce_sum(v**3.0)
        b = t.gradient(y, v)
    c.out = {"backward": j(b), "hvp": j(acc.jvp(b))}


def fa_regression_columns_doc(c):
    """Doc: kernel columns and bias columns by forward mode equal the gradient; tf.Variable kernel=[[0.3],[-0.7]],
    bias=[0.25]; x=[[2,3],[1,4]]; targets=[[1],[-1]]; loss=sum((xW+b-t)^2).
    """
    x = tf.constant([[2.0, 3.0], [1.0, 4.0]])
    t = tf.constant([[1.0], [-1.0]])
    W = tf.Variable([[0.3], [-0.7]])
    b = tf.Variable([0.25])
    L = lambda: tf.reduce_sum((tf.matmul(x, W) + b - t) ** 2.0)
    for nm, p, tan in (("k0", W, [[1.0], [0.0]]), ("k1", W, [[0.0], [1.0]]), ("b", b, [1.0])):
        with FA(p, tf.constant(tan)) as a:
            l = L()
        c.out[nm] = a.jvp(l)
    with FA([W, b], [tf.constant([[1.0], [2.0]]), tf.constant([3.0])]) as a:
        l = L()
    c.out["joint_1_2_3"] = a.jvp(l)
    with tf.GradientTape() as tp:
        l = L()
    c.out["loss"] = l
    c.out["grad"] = tp.gradient(l, [W, b])


def fa_keras3_doc_example(c):
    """Doc example with Keras 3 Dense kernel as primal (the shape the doc page shows)."""
    x = tf.constant([[2.0, 3.0], [1.0, 4.0]])
    dense = tf.keras.layers.Dense(1)
    dense.build([None, 2])

    def go():
        with FA(primals=dense.kernel, tangents=tf.constant([[1.0], [0.0]])) as acc:
            l = tf.reduce_sum(dense(x) ** 2.0)
        return acc.jvp(l)

    c.exc("kernel", go)
    c.out["type_of_kernel"] = type(dense.kernel).__module__ + "." + type(dense.kernel).__name__
