"""`tf.recompute_grad` of Keras models and layers."""


def recompute_keras_doc(c):
    """Keras Sequential example of the tf.recompute_grad doc exactly (int32 input [[1,2]], persistent tape,
    model.variables and __wrapped__.variables).
    """
    model = make_model()
    rec = tf.recompute_grad(model)
    c.exc("has___wrapped__", lambda: rec.__wrapped__ is model)
    c.exc("variables_before_build", lambda: [v.name for v in rec.__wrapped__.variables])
    c.exc("weights_before_build", lambda: len(rec.__wrapped__.weights))
    c.exc("wrapper_has_variables", lambda: hasattr(rec, "variables"))
    c.exc("wrapper_name", lambda: getattr(rec, "__name__", None))
    with c.phase("forward"):
        with tf.GradientTape(persistent=True) as t:
            r = tf.constant([[1, 2]])
            for i in range(4):
                r = rec(r)
    c.out["r_dtype_shape"] = [r.dtype.name, list(r.shape)]
    c.exc("variables_after_build", lambda: [[v.path, list(v.shape)] for v in rec.__wrapped__.variables])
    with c.phase("gradient1"):
        g1 = t.gradient(r, model.variables)
    with c.phase("gradient2"):
        g2 = t.gradient(r, rec.__wrapped__.variables)
    c.out["grad1_is_None"] = [g is None for g in g1]
    c.out["grad2_equal"] = [bool(np.array_equal(a, b)) for a, b in zip(g1, g2) if a is not None]
    c.out["grad_shapes"] = [None if g is None else list(g.shape) for g in g1]


def recompute_keras_float(c):
    """Same with float32 input."""
    model = make_model()
    rec = tf.recompute_grad(model)
    with c.phase("forward"):
        with tf.GradientTape(persistent=True) as t:
            r = tf.constant([[1.0, 2.0]])
            for i in range(4):
                r = rec(r)
    k = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with c.phase("gradient1"):
        g1 = t.gradient(r, model.variables)
    with c.phase("gradient2"):
        g2 = t.gradient(r, [v.value for v in rec.__wrapped__.variables])
    c.out["g1_None"] = [g is None for g in g1]
    c.out["g2_None"] = [g is None for g in g2]


def recompute_keras_fixed_weights(c):
    """Float32 input [[1,2]], Dense(2) kernel [[1,2],[3,4]], bias [0.5,-1], built before, 4 calls."""
    model = make_model()
    model.build((None, 2))
    model.layers[1].set_weights([np.array([[1.0, 2.0], [3.0, 4.0]], "float32"), np.array([0.5, -1.0], "float32")])
    rec = tf.recompute_grad(model)
    c.exc("variables_before_call", lambda: [v.path for v in rec.__wrapped__.variables])
    with c.phase("forward"):
        with tf.GradientTape(persistent=True) as t:
            x = tf.constant([[1.0, 2.0]])
            t.watch(x)
            r = x
            for i in range(4):
                r = rec(r)
    with c.phase("gradient"):
        g = t.gradient(r, model.trainable_variables + [x])
    c.out["r"] = r
    c.out["grads"] = g
    with tf.GradientTape(persistent=True) as t:
        x = tf.constant([[1.0, 2.0]])
        t.watch(x)
        r = x
        with c.phase("plain_fwd"):
            for i in range(4):
                r = model(r)
    c.out["plain_equal"] = [
        bool(np.array_equal(a, b)) for a, b in zip(g, t.gradient(r, model.trainable_variables + [x]))
    ]
    c.out["transpose_error_for_models"] = None


def recompute_keras_second_order(c):
    """Second order through recompute_grad(model): f.__name__ used in message although a Sequential has none?."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, use_bias=False, activation="tanh")])
    model.build((None, 1))
    model.set_weights([np.array([[0.5]], "float32")])
    rec = tf.recompute_grad(model)

    def go():
        x = tf.constant([[1.0]])
        with tf.GradientTape() as o:
            o.watch(x)
            with tf.GradientTape() as t:
                t.watch(x)
                r = rec(x)
            g = t.gradient(r, x)
        return o.gradient(g, x)

    c.exc("second_order", go)


def recompute_batchnorm_state(c):
    """Keras BatchNormalization(training=True) inside recompute: moving mean updated how many times."""
    bn = tf.keras.layers.BatchNormalization(momentum=0.5)
    x = tf.constant([[1.0], [3.0]])
    bn.build((None, 1))
    g = tf.recompute_grad(lambda x: bn(x, training=True))
    with tf.GradientTape() as t:
        t.watch(x)
        r = g(x)
    a = float(np.asarray(bn.moving_mean)[0])
    t.gradient(r, x)
    c.out = {"moving_mean_after_forward": a, "after_backward": float(np.asarray(bn.moving_mean)[0])}
