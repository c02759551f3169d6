"""A plain number as the target or the source of a gradient: the error and `tape.why` say which of the program's lines to change."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.core.test_why import number, run

# name: (the program, up to the question by x; what is said; the gradient with the fix made; None: the fix is no change of lines)
PLAIN = {
    "the source is a number": ("""
        x = 2.0
        with tf.GradientTape() as tape:
            y = x * x
        """, "write x = tf.Variable(2.0) at line 1, or tf.constant(2.0) and tape.watch(x)", 4.0),
    "the source is a whole number": ("""
        x = 3
        with tf.GradientTape() as tape:
            y = tf.square(x)
        """, "write x = tf.Variable(3.0) at line 1", 6.0),
    "the source is NumPy's": ("""
        x = np.array([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x ** 2)
        """, "write x = tf.Variable(np.array([1.0, 2.0])) at line 1", [2.0, 4.0]),
    "a name that is used again": ("""
        x = tf.Variable(1.0)
        x = 2.0
        with tf.GradientTape() as tape:
            y = x * x
        """, "write x = tf.Variable(2.0) at line 2", 4.0),
    "numpy()": ("""
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = (x * x).numpy()
        """, "stay with tensors: write x * x instead of (x * x).numpy()", 4.0),
    "math": ("""
        import math
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = math.exp(x)
        """, "stay with tensors: write tf.exp(x) instead of math.exp(x)", np.exp(2.0)),
    "in a function": ("""
        x = tf.Variable(2.0)
        def f(v):
            return v.numpy() * 2
        with tf.GradientTape() as tape:
            y = f(x)
        """, "stay with tensors: write v instead of v.numpy()", 2.0),
    "a branch": ("""
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = tf.cond(x > 0.0, lambda: 3.0, lambda: x)
        """, "a branch gives a plain number: write lambda: tf.constant(3.0)", None),
    "nothing is known": ("""
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = len("four")
        """, "compute it from tensors, with functions of tf", None),
}  # fmt: skip
WHY = "        e = tape.why(y, x)\n"
BEHIND = "        x = y = 7.0\n"  # it comes too late for what was asked before
ASK = "        g = tape.gradient(y, x)\n"


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_number_is_told_by_the_line_that_makes_it(name: str) -> None:
    program, said, right = PLAIN[name]
    program = program.rstrip(" ")
    space = run(program + WHY + BEHIND)
    e = space["e"]
    assert e.code in ("M04", "M25") and said in e.fix.text, str(e)
    assert "sin" not in str(e)
    with pytest.raises(TypeError) as refused:
        run(program + ASK)
    assert said.lower() in re.sub(r"\s+", " ", str(refused.value)).lower(), str(refused.value)
    assert "sin(x)" not in str(refused.value)
    if e.fix.edits:
        mended = run(e.fix.apply(space["text"]).replace(BEHIND.lstrip(), ASK.lstrip()))
        if right is None:
            assert mended["g"] is None and mended["e"].code == "M08", str(mended["e"])
        else:
            np.testing.assert_allclose(number(mended["g"]), right, rtol=1e-5)


def test_a_name_that_a_loop_gives_another_number_is_made_by_no_one_line() -> None:
    space = run("""
        x = 2.0
        for turn in range(2):
            with tf.GradientTape() as tape:
                y = x * x
            e = tape.why(y, x)
            x = 3.0
        """)
    assert "at line" not in space["e"].fix.text, str(space["e"])


def test_what_numpy_made_is_not_called_pythons() -> None:
    with pytest.raises(TypeError, match="NumPy's numbers leave no trace"):
        run(PLAIN["numpy()"][0].rstrip(" ") + ASK)
    space = run("""
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = x * x
        e = tape.why(np.zeros(3), x)
        """)
    assert "is an array of NumPy's, and NumPy's arrays leave no trace" in str(space["e"])
