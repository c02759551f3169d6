"""Numbers that leave for Python and come back: found wherever the program kept them in between, and mended where that is said."""

from __future__ import annotations

import operator
import re
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.why import counterparts
from tests.core.test_why import number, run

# name: (program, line of the leak, gradient as it is, gradient after the fix (None: the fix is not a change of lines))
LEAKS: dict[str, tuple[str, int, Any, Any]] = {
    "an attribute": ("""
        class Net:
            def __init__(self):
                self.w = tf.Variable(3.0)
                self.scale = 1.0
            def __call__(self, x):
                self.scale = self.w.numpy()
                return self.w * x * self.scale
        net = Net()
        with tf.GradientTape() as tape:
            y = net(2.0)
        g = tape.gradient(y, net.w)
        e = tape.why(y, net.w)
        """, 6, 6.0, 12.0),
    "a dict": ("""
        w = tf.Variable(3.0)
        kept = {"rate": 0.1, "size": 1.0}
        with tf.GradientTape() as tape:
            kept["size"] = float(w)
            y = w * kept["size"]
        g = tape.gradient(y, w)
        e = tape.why(y, w)
        """, 4, 3.0, 6.0),
    "a list": ("""
        w = tf.Variable(3.0)
        kept = []
        with tf.GradientTape() as tape:
            for i in range(3):
                kept.append(float(w) * i)
            y = w * kept[2]
        g = tape.gradient(y, w)
        e = tape.why(y, w)
        """, 5, 6.0, 12.0),
    "an array": ("""
        w = tf.Variable([3.0, 4.0])
        buffer = np.zeros(2, "float32")
        with tf.GradientTape() as tape:
            buffer[:] = w.numpy() * 2
            y = tf.reduce_sum(w * buffer)
        g = tape.gradient(y, w)
        e = tape.why(y, w)
        """, 4, [6.0, 8.0], None),
    "a parameter": ("""
        def scaled(x, by):
            return x * by
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = scaled(w, float(w))
        g = tape.gradient(y, w)
        e = tape.why(y, w)
        """, 5, 3.0, 6.0),
    "a helper of NumPy's": ("""
        def norm(w):
            return np.sqrt(np.sum(w.numpy() ** 2))
        w = tf.Variable([3.0, 4.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(w / norm(w))
        g = tape.gradient(y, w)
        e = tape.why(y, w)
        """, 2, [0.2, 0.2], [0.2 - 7 * 3 / 125, 0.2 - 7 * 4 / 125]),
    "a method of arrays": ("""
        w = tf.Variable([3.0, 4.0])
        with tf.GradientTape() as tape:
            y = w.numpy().mean() * tf.reduce_sum(w)
        g = tape.gradient(y, w)
        e = tape.why(y, w)
        """, 3, [3.5, 3.5], [7.0, 7.0]),
    "a list of Python numbers": ("""
        w = tf.Variable([3.0, 4.0])
        with tf.GradientTape() as tape:
            total = 0.0
            for one in w.numpy().tolist():
                total += one
            y = tf.reduce_sum(w) * total
        g = tape.gradient(y, w)
        e = tape.why(y, w)
        """, 4, [7.0, 7.0], [14.0, 14.0]),
    "a constant of a list": ("""
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.constant([w * 2.0, 1.0]) * w)
        g = tape.gradient(y, w)
        e = tape.why(y, w)
        """, 3, 7.0, 13.0),
    "a text": ("""
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            said = f"{w.numpy()}"
            y = float(said) * w
        g = tape.gradient(y, w)
        e = tape.why(y, w)
        """, 3, 3.0, None),
}  # fmt: skip


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_warned_of_and_named(name: str) -> None:
    program, line, wrong, right = LEAKS[name]
    space = run(program)
    e, [heard] = space["e"], space["heard"]
    np.testing.assert_allclose(number(space["g"]), wrong, rtol=1e-5)
    assert (e.code, e.site.line, heard.category) == ("M12", line, tf.errors.LeftTheTape), str(e)
    assert f"line {line}" in str(heard.message) and e.fix.text[1:] in str(heard.message)
    assert bool(e.fix.edits) == (right is not None)
    if right is not None:
        again = run(e.fix.apply(space["text"]))
        np.testing.assert_allclose(number(again["g"]), right, rtol=1e-5)
        assert (again["e"].code, again["heard"]) == ("OK", [])


def test_a_constant_of_a_tensor_is_that_tensor_and_of_a_variable_a_copy() -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        square = v * v
        through, copied, place = tf.constant(square) * 2.0, tf.constant(v) * 2.0, tf.Variable(square) * 2.0
    assert tf.constant(square) is square
    assert float(tape.gradient(through, v)) == 12.0
    assert [tape.gradient(one, v) for one in (copied, place)] == [None, None]
    assert [tape.why(one, v).code for one in (copied, place)] == ["M04", "M10"]
    with pytest.raises(TypeError, match=r"tf\.cast\(x, tf\.float64\)"):
        tf.constant(square, tf.float64)


@pytest.mark.parametrize(
    "name", sorted(set(re.findall(r"tf\.([\w.]+)", str([counterparts._ROWS, counterparts._BY_RANK]))))
)
def test_what_is_advised_exists(name: str) -> None:
    assert name == "newaxis" or callable(operator.attrgetter(name)(tf))


def test_what_is_made_a_number_may_stay_as_it_was_computed() -> None:
    w = tf.Variable([2.0, 1.0])

    def norm(x):
        return tf.sqrt(tf.reduce_sum(x * x))

    with tf.GradientTape() as tape:
        y = float(tf.reduce_sum(w)) * w[0]
    with pytest.warns(
        tf.errors.LeftTheTape, match=r"write tf\.reduce_sum\(w\) instead of float\(tf\.reduce_sum\(w\)\)"
    ):
        tape.gradient(y, w)
    with tf.GradientTape() as tape:
        y = norm(w).numpy() * w[0]
    with pytest.warns(tf.errors.LeftTheTape, match=r"write norm\(w\) instead of norm\(w\)\.numpy\(\)"):
        tape.gradient(y, w)
