"""Right answers for the blanks of the notebooks: by notebook and cell, [what stands there, what solves it] pairs.

Cells that only hold `check("02.3", ...)` or `predict("02.1", ...)` need no row: their answers are in tests/data/lessons.json.
"""

from __future__ import annotations

NESTED_TAPES = """
x = tf.constant(1.5)
with tf.GradientTape() as a:
    a.watch(x)
    with tf.GradientTape() as b:
        b.watch(x)
        with tf.GradientTape() as c:
            c.watch(x)
            y = x * x * x * x
        first = c.gradient(y, x)
    second = b.gradient(first, x)
third = a.gradient(second, x)
"""

NESTED_ACCUMULATORS = """
x = tf.constant(1.5)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as outer:
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as inner:
        y = x ** 3.0
    d1 = inner.jvp(y)
d2 = outer.jvp(d1)
"""

FORWARD_OVER_BACKWARD = """
a, b = tf.Variable(3.0), tf.Variable(2.0)
with tf.autodiff.ForwardAccumulator([a, b], [tf.constant(0.0), tf.constant(1.0)]) as acc:
    with tf.GradientTape() as tape:
        y = a * a * b
    da, db = tape.gradient(y, [a, b])
h0, h1 = acc.jvp(da), acc.jvp(db)
"""

COLUMN = """        with tf.autodiff.ForwardAccumulator(x, direction) as acc:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            gradient = tape.gradient(y, x)
        columns.append(acc.jvp(gradient))
"""

SLOPE = """
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)
"""

TRAIN = """
    optimizer = tf.keras.optimizers.SGD(0.1)
    losses = []
    for step in range(5):
        with tf.GradientTape() as tape:
            predictions = model(images)
            loss = loss_object(labels, predictions)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        losses.append(loss)
    return losses
"""

STEP = """    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return [loss]"""

# notebook -> cell -> (right, wrong): the source that stands in place of the blank, and one with a well-known mistake
SOLUTIONS: dict[str, dict[str, tuple[dict[str, str], dict[str, str]]]] = {
    "01_tape_by_hand": {
        "modify-1": ({"dy_in_all = ...": "dy_in_all = dy + ds"}, {"dy_in_all = ...": "dy_in_all = ds"}),
        "make-1": ({"return ..., ...": "return arrives * y, arrives * x"}, {"return ..., ...": "return y, x"}),
        "make-2": (
            {"return ...": "return (f(x + nudge) - f(x - nudge)) / (2.0 * nudge)"},
            {"return ...": "return (f(x + nudge) - f(x - nudge)) / nudge"},
        ),
        "clinic-2": ({"= ...": '= slope["y"] + slope["s"]'}, {"= ...": '= slope["s"]'}),
    },
    "02_gradient_tape": {
        "modify-1": ({"y = ...": "y = x * x * x"}, {"y = ...": "y = x * x"}),
        "make-1": (
            {"\n    return ...\n": SLOPE},
            {"\n    return ...\n": SLOPE.replace("        tape.watch(x)\n", "")},
        ),
        "clinic-2": (
            {"    ...\n    return ...": "        y = x * x\n    return tape.gradient(y, x)"},
            {"    ...\n    return ...": "    y = x * x\n    return tape.gradient(y, x)"},
        ),
    },
    "03_who_is_watched": {
        "modify-3": ({"three = ...": "three = tf.constant(3.0)"}, {"three = ...": "three = tf.constant(3)"}),
        "make-1": (
            {"\n    return ...\n": "\n    return [one.name for one in tape.watched_variables()]\n"},
            {"\n    return ...\n": '\n    return ["w:0", "b:0"]\n'},
        ),
        "clinic-2": (
            {
                "        y = x * x\n        tape.watch(x)\n    return ...": (
                    "        tape.watch(x)\n        y = x * x\n    return tape.gradient(y, x)"
                )
            },
            {"    return ...": "    return tape.gradient(y, x)"},
        ),
    },
    "04_none_detective": {
        "modify-1": (
            {"        ...\n    return ...": "        y = tf.exp(x) * x\n    return tape.gradient(y, x)"},
            {"        ...\n    return ...": "        y = tf.constant(np.exp(x)) * x\n    return tape.gradient(y, x)"},
        ),
        "modify-2": (
            {"        ...\n    return ...": "        y = (2.0 * x) ** 2\n    return tape.gradient(y, x)"},
            {
                "        ...\n    return ...": "        v.assign(2.0 * x)\n        y = v * v\n    return tape.gradient(y, x)"
            },
        ),
        "make-1": (
            {
                "\n    return ...\n": """
    for f in suspects:
        x = tf.constant(1.5)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        print(tape.why(y, x).code)
"""
            },
            {
                "\n    return ...\n": """
    for f in suspects:
        x = tf.constant(1.5)
        with tf.GradientTape() as tape:
            y = f(x)
        print(tape.why(y, x).code)
"""
            },
        ),
    },
    "05_persistent_tapes": {
        "modify-1": (
            {"both = ...": "both = tape.gradient(z, [x, y])"},
            {"both = ...": "both = tape.gradient(z, [y, x])"},
        ),
        "make-1": (
            {
                "\n    return ...\n": """
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        ys = [f(x) for f in fs]
    return [tape.gradient(y, x) for y in ys]
"""
            },
            {
                "\n    return ...\n": """
    global tape
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        ys = [f(x) for f in fs]
    return [tape.gradient(y, x) for y in ys]
"""
            },
        ),
        "clinic-3": (
            {
                "\n    return ...\n": """
    for step in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.sin(weight * 3.0)
        weight.assign_sub(0.1 * tape.gradient(loss, weight))
"""
            },
            {
                "\n    return ...\n": """
    for step in range(steps):
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.sin(weight * 3.0)
        weight.assign_sub(0.1 * tape.gradient(loss, weight))
        kept.append(tape)
"""
            },
        ),
    },
    "06_nested_tapes": {
        "modify-1": (
            {"text = ": f'text = """{NESTED_TAPES}"""\nunused = '},
            {
                "text = ": f'text = """{NESTED_TAPES.replace("        first", "first").replace("    second", "second")}"""\nunused = '
            },
        ),
        "make-1": (
            {
                "\n    return ...\n": """
    if n == 0:
        return f(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = nth(f, x, n - 1)
    return tape.gradient(y, x)
"""
            },
            {"\n    return ...\n": SLOPE},
        ),
        "clinic-2": (
            {
                "    return ...": """    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x * x
        dy_dx = tape.gradient(y, x)
    return tape.gradient(dy_dx, x)"""
            },
            {
                "    return ...": """    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x * x
    dy_dx = tape.gradient(y, x)
    return tape.gradient(dy_dx, x)"""
            },
        ),
    },
    "07_training_step": {
        "modify-2": ({"less = ...": "less = 0.1 * slope"}, {"less = ...": "less = -0.1 * slope"}),
        "make-1": (
            {"\n    return ...\n": TRAIN},
            {"\n    return ...\n": TRAIN.replace("            loss", "        loss")},
        ),
        "clinic-3": (
            {
                "    loss = -gain": "        loss = -gain",
                "    ...\n    return ...": STEP,
            },
            {"    ...\n    return ...": STEP},
        ),
    },
    "08_many_outputs": {
        "modify-1": ({"seed = ...": "seed = [0.0, 1.0]"}, {"seed = ...": "seed = [1.0, 1.0]"}),
        "make-1": (
            {"rows.append(...)": "rows.append(tape.gradient(y, x, output_gradients=tf.one_hot(i, len(y))))"},
            {"rows.append(...)": "rows.append(tape.gradient(y, x))"},
        ),
        "clinic-2": (
            {"return ...": "return outer.jacobian(slope, x)"},
            {"return ...": "return outer.gradient(slope, x)"},
        ),
    },
    "09_custom_gradient": {
        "modify-1": ({"    return ...": "    return upstream"}, {"    return ...": "    return 3.0 * upstream"}),
        "make-1": (
            {"    return ...": "    return upstream * x / root"},
            {"    return ...": "    return x / root"},
        ),
        "several-1": (
            {"    return ...": "    return d_second, -d_first"},
            {"    return ...": "    return d_second, d_first"},
        ),
        "clinic-2": (
            {"    return ...": "    return upstream * x"},
            {"    return ...": "    return upstream * weight"},
        ),
        "clinic-4": (
            {"    return ...": "    return upstream * 3.0 * x * x"},
            {"    return ...": "    return upstream * 12.0"},
        ),
    },
    "10_recompute": {
        "make-1": ({"lines = ...": 'lines = ["a", "b", "b", "a"]'}, {"lines = ...": 'lines = ["a", "b", "a", "b"]'}),
        "clinic-3": (
            {"    return ...": "    return tf.sin(tf.sin(tf.sin(tf.sin(x))))"},
            {"    return ...": "    return tf.sin(x)"},
        ),
    },
    "11_memory_over_time": {
        "modify-1": ({"segments = ...": "segments = 4"}, {"segments = ...": "segments = 2"}),
        "make-1": ({"    return ...": "    return round(n ** 0.5)"}, {"    return ...": "    return n"}),
        "clinic-2": (
            {"drawn = ...": "drawn = tf.random.stateless_uniform([8], seed=[1, 2])"},
            {"drawn = ...": "drawn = tf.random.uniform([8])"},
        ),
    },
    "12_forward_mode": {
        "make-1": (
            {
                "\n    return ...\n": """
    x = tf.constant(x)
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as acc:
        y = tf.sin(x) * x
    return acc.jvp(y)
"""
            },
            {
                "\n    return ...\n": """
    x = tf.constant(x)
    with tf.autodiff.ForwardAccumulator(x, 2.0 * tf.ones_like(x)) as acc:
        y = tf.sin(x) * x
    return acc.jvp(y)
"""
            },
        ),
    },
    "13_nested_accumulators": {
        "modify-1": (
            {"text = ": f'text = """{NESTED_ACCUMULATORS}"""\nunused = '},
            {
                "text = ": f'text = """{NESTED_ACCUMULATORS.replace("outer.jvp(d1)", "inner.jvp(outer.jvp(y))")}"""\nunused = '
            },
        ),
        "make-1": (
            {
                "\n    return ...\n": """
    if n == 0:
        return f(x)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        y = nth(f, x, n - 1)
    return acc.jvp(y)
"""
            },
            {
                "\n    return ...\n": """
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        y = f(x)
    return acc.jvp(y)
"""
            },
        ),
        "clinic-2": ({"= ..., ...": "= 3 * (x + h) * (x + h), 3 * (x - h) * (x - h)"}, {}),
    },
    "14_forward_over_backward": {
        "modify-1": (
            {"text = ": f'text = """{FORWARD_OVER_BACKWARD}"""\nunused = '},
            {"text = ": f'text = """{FORWARD_OVER_BACKWARD.replace("    da, db", "da, db")}"""\nunused = '},
        ),
        "make-1": (
            {"        ...\n": COLUMN},
            {"        ...\n": COLUMN.replace("x, direction", "x, tf.ones_like(x)")},
        ),
    },
    "15_reversible_layers": {
        "modify-1": ({"x1 = ...": "x1 = y1 - f(x2)"}, {"x1 = ...": "x1 = y1 - f(y2)"}),
        "make-1": (
            {"        return ...": "        return (3.0 * grad_ys[0],), (rev_ys[0] / 3.0,)"},
            {"        return ...": "        return (3.0 * grad_ys[0],), (rev_ys[0],)"},
        ),
        "clinic-4": (
            {"options = ...": "options = {}"},
            {"options = ...": 'options = {"preserve_rng": False}'},
        ),
    },
}
