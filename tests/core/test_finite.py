"""A gradient that is NaN or infinite: the advice, followed to the letter, gives a finite one, and where a right one is known, that."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.test_why import number, run

# What is computed from x, x, what is said, and the right gradient where there is one (None: any that is finite).
ENDLESS = {
    "acos": ("tf.acos(x)", 1.0, "tf.clip_by_value(x, -0.999999, 0.999999)", None),
    "asin": ("tf.asin(x) * 2.0", -1.0, "tf.clip_by_value(x, -0.999999, 0.999999)", None),
    "atanh": ("tf.atanh(x)", 1.0, "tf.clip_by_value(x, -0.999999, 0.999999)", None),
    "acosh": ("tf.acosh(x)", 1.0, "tf.maximum(x, 1.000001)", None),
    "log1p": ("tf.math.log1p(x)", -1.0, "tf.maximum(x, -0.999999)", None),
    "a sigmoid by hand": ("tf.exp(x) / (1.0 + tf.exp(x))", 100.0, "write tf.sigmoid(x) instead of", 0.0),
    "a sigmoid by hand, too": ("1 / (1 + tf.exp(-x))", -100.0, "write tf.sigmoid(x) instead of", 0.0),
    "a softmax by hand": ("(tf.exp(x) / tf.reduce_sum(tf.exp(x)))[0]", [100.0, 0.0], "write tf.nn.softmax(x) instead of", [0.0, 0.0]),
    "a log of sums of exponentials": ("tf.math.log(tf.reduce_sum(tf.exp(x)))", [100.0, 100.0], "tf.reduce_logsumexp(x)", [0.5, 0.5]),
    "a softplus by hand": ("tf.math.log(1.0 + tf.exp(x))", 100.0, "tf.math.softplus(x)", 1.0),
    "a fraction of a negative number": ("x ** 1.5", -2.0, "write tf.abs(x) instead of x", None),
    "a root as a power": ("x ** 0.5", 0.0, "write (x + 1e-12) instead of x", None),
    "entropy": ("-tf.reduce_sum(x * tf.math.log(x))", [0.0, 1.0], "tf.math.xlogy(x, x)", [0.0, -1.0]),
    "log of a sigmoid": ("tf.math.log(tf.sigmoid(x))", -200.0, "tf.math.log_sigmoid(x)", 1.0),
    "log of the rest of a sigmoid": ("tf.math.log(1.0 - tf.sigmoid(x))", 200.0, "tf.math.log_sigmoid(-x)", -1.0),
    "log of a softmax": ("tf.math.log(tf.nn.softmax(x))[0]", [-200.0, 0.0], "tf.nn.log_softmax(x)", [1.0, -1.0]),
    "log": ("tf.math.log(x)", 0.0, "write x + 1e-12 instead of x", None),
    "a root": ("tf.sqrt(x)", 0.0, "write x + 1e-12 instead of x", None),
    "a root of a negative number": ("tf.sqrt(x)", -1.0, "write tf.maximum(x, 1e-12) instead of x", None),
    "norm": ("tf.norm(x)", [0.0, 0.0], "tf.sqrt(tf.reduce_sum(x * x) + 1e-12)", [0.0, 0.0]),
    "norm along an axis": ("tf.norm(x, axis=1)[0]", [[0.0, 0.0]], "tf.sqrt(tf.reduce_sum(x * x, axis=1) + 1e-12)", [[0.0, 0.0]]),
    "deviation": ("tf.math.reduce_std(x)", [2.0, 2.0], "tf.sqrt(tf.math.reduce_variance(x) + 1e-12)", [0.0, 0.0]),
    "division": ("1.0 / x", 0.0, "tf.math.divide_no_nan(1.0, x)", 0.0),
    "exp": ("tf.exp(x)", 100.0, "tf.minimum(x, 80.0)", None),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDLESS)
def test_advice_against_numbers_that_are_not_finite_works(name: str) -> None:
    expression, values, said, right = ENDLESS[name]
    space = run(f"""
        x = tf.Variable({values})
        with tf.GradientTape() as tape:
            y = {expression}
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """)
    assert not np.isfinite(number(space["g"])).all()
    e = space["e"]
    assert e.code == "M27" and said in e.fix.text, str(e)
    again = run(e.fix.apply(space["text"]))
    assert np.isfinite(number(again["g"])).all(), str(again["e"])
    if right is not None:
        np.testing.assert_allclose(number(again["g"]), right, atol=1e-5)
