"""`tape.why` and `acc.why`: one test per row of the table of mistakes, and what they must never do.

Rows are of three kinds.  EXPLAINED: mistake, cause code, line, fix; where the fix is a change of lines it is made, and the
gradient is right.  RIGHT: TensorFlow goes wrong there, and minitape does not.  OUT: not in scope, said in a clear sentence.
"""

from __future__ import annotations

import ast
import gc
import itertools
import linecache
import math
import re
import textwrap
import warnings
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.record import naming, trail
from minitape.why import from_numpy, log

_serial = itertools.count()


def run(program: str) -> dict[str, Any]:
    """Run a program that Python can show the source of, as the first one of a process: nothing of earlier ones is remembered."""
    for ring in (trail.applications, trail.exports, trail.creations, trail.assignments):
        ring.clear()
    text = textwrap.dedent(program).lstrip("\n")
    name = f"<lesson {next(_serial)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"tf": tf, "np": np, "__name__": "lesson", "text": text}
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        exec(compile(text, name, "exec"), space)
    space["heard"] = heard
    return space


def number(value: Any) -> Any:
    return None if value is None else np.asarray(value).tolist()


# name: (program, cause, line where the path stops (None: nowhere), a word of the fix, gradient after the fix (None: not code))
EXPLAINED: dict[str, tuple[str, str, int | None, str, Any]] = {
    "M01 constant": ("""
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            y = x * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M01", 3, "tape.watch(x)", 6.0),
    "M01 inside": ("""
        with tf.GradientTape() as tape:
            x = tf.constant(3.0)
            y = x * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M01", 3, "tape.watch(x)", 6.0),
    "M01 in a function": ("""
        def f(x):
            return x * x
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            y = f(x)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M01", 2, "tape.watch(x)", 6.0),
    "M01 variables not by itself": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            y = x * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M01", 3, "tape.watch(x)", 6.0),
    "M02": ("""
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            y = x * x
            tape.watch(x)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M02", 3, "move it up", 6.0),
    "M03 constant": ("""
        x = tf.constant(3)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M03", 1, "3.0", 6.0),
    "M03 variable": ("""
        x = tf.Variable([3, 4])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x * x)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M03", 1, "[3.0, 4.0]", [6.0, 8.0]),
    "M04 np.mean": ("""
        x = tf.Variable([1.0, 3.0])
        with tf.GradientTape() as tape:
            a = x * x
            b = np.mean(a)
            y = tf.constant(b) * 2.0
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M04", 4, "tf.reduce_mean(a)", [2.0, 6.0]),
    "M04 np.sin in one line": ("""
        x = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = tf.constant(np.sin(x))
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M04", 3, "tf.sin(x)", math.cos(1.0)),
    "M04 numpy()": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.constant(x.numpy()) ** 2
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M04", 3, "write x instead of", 6.0),
    "M04 the target is an array": ("""
        x = tf.Variable([1.0, 3.0])
        with tf.GradientTape() as tape:
            y = np.mean(x * x)
        g = None if isinstance(y, np.floating) else tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M04", 3, "tf.reduce_mean(x * x)", [1.0, 3.0]),
    "M04 in a helper": ("""
        def helper(a):
            return np.exp(a)
        x = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = tf.constant(helper(x)) * 2.0
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M04", 2, "tf.exp(a)", 2.0 * math.e),
    "M04 joined with others": ("""
        x, w = tf.Variable([1.0, 3.0]), tf.Variable([2.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.square(np.concatenate([x.numpy(), w.numpy()])))
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M04", 3, "tf.concat([x, w], axis=0)", [2.0, 6.0]),
    "M04 an array of numbers": ("""
        x = tf.Variable([1.0, 3.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.square(np.array([float(x[0]), 2 * float(x[1]), 5])))
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M04", 3, "tf.convert_to_tensor([x[0], 2 * x[1], 5])", [2.0, 24.0]),
    "M04 one for each turn": ("""
        x = tf.Variable([1.0, 3.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.square(np.stack([(x[i] * 2.0).numpy() for i in range(2)])))
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M04", 3, "tf.stack([x[i] * 2.0 for i in range(2)])", [8.0, 24.0]),
    "M04 a function without counterpart": ("""
        x = tf.Variable([1.0, 3.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.square(np.kron(x.numpy(), x.numpy())))
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M04", 3, "use tf's own functions", None),
    "M05 x = x + 1": ("""
        x = tf.Variable(2.0)
        for step in range(2):
            with tf.GradientTape() as tape:
                y = x * x
            g = tape.gradient(y, x)
            e = tape.why(y, x)
            x = x + 1.0
        """, "M05", 7, "x.assign_add(1.0)", 6.0),
    "M05 x -=": ("""
        x = tf.keras.layers.Layer().add_weight(shape=(), initializer=tf.keras.initializers.Constant(2.0))
        for step in range(2):
            with tf.GradientTape() as tape:
                y = x * x
            g = tape.gradient(y, x)
            e = tape.why(y, x)
            x -= 0.25 * y
        """, "M05", 7, "x.assign_sub(0.25 * y)", 2.0),
    "M05 made anew": ("""
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = w * w
        w = tf.Variable(2.0)
        g = tape.gradient(y, w)
        e = tape.why(y, w)
        """, "M05", 4, "assign", None),
    "M06": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            h = x * x
        loss = h * 2.0
        g = tape.gradient(loss, x)
        e = tape.why(loss, x)
        """, "M06", 4, "indent", 12.0),
    "M06 all of it": ("""
        x = tf.constant(9.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
        a = x * x
        y = a + 1.0
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M06", 5, "indent", 18.0),
    "M07 source": ("""
        w = tf.Variable(3.0)
        x = w * 2.0
        with tf.GradientTape() as tape:
            y = x * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M07", 4, "tape.watch(x)", 12.0),
    "M07 between": ("""
        x = tf.Variable(3.0)
        h = x * 2.0
        with tf.GradientTape() as tape:
            y = h * h
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M07", 2, "inside", 24.0),
    "M08": ("""
        x, z = tf.Variable(2.0), tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x
        g = tape.gradient(y, z)
        e = tape.why(y, z)
        """, "M08", 3, "zero", None),
    "M08 branch not taken": ("""
        x, z = tf.Variable(2.0), tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * z if x < 0.0 else x * x
        g = tape.gradient(y, z)
        e = tape.why(y, z)
        """, "M08", 3, "zero", None),
    "M08 a part of a variable": ("""
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = w[0] ** 2 * w[1]
        g = tape.gradient(y, w[0])
        e = tape.why(y, w[0])
        """, "M08", 5, "take its part", 4.0),
    "M08 a part of a layer's weight": ("""
        layer = tf.keras.layers.Dense(2, kernel_initializer="ones")
        layer.build((1, 2))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(layer(tf.constant([[1.0, 2.0]])) ** 2)
        g = tape.gradient(y, layer.weights[0][1])
        e = tape.why(y, layer.weights[0][1])
        """, "M08", 6, "take its part", [12.0, 12.0]),
    "M08 a part with a name": ("""
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            first = w[0]
            y = tf.reduce_prod(w)
        g = tape.gradient(y, first)
        e = tape.why(y, first)
        """, "M08", 3, "by w, and take its part", 2.0),
    "M08 the value of a variable": ("""
        v = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = v * v
        g = tape.gradient(y, v.value())
        e = tape.why(y, v.value())
        """, "M08", 5, "tape.gradient(y, v)", 6.0),
    "M08 a variable made a tensor": ("""
        v = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = v * v
        g = tape.gradient(y, tf.convert_to_tensor(v))
        e = tape.why(y, tf.convert_to_tensor(v))
        """, "M08", 5, "tape.gradient(y, v)", 6.0),
    "M08 changed places": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.sin(x) * x
        g = tape.gradient(x, y)
        e = tape.why(x, y)
        """, "M08", 3, "the result comes first", math.sin(3.0) + 3.0 * math.cos(3.0)),
    "M09": ("""
        x = tf.Variable(3.0, trainable=False)
        with tf.GradientTape() as tape:
            y = x * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M09", 3, "trainable_variables", 6.0),
    "M09 a statistic": ("""
        norm = tf.keras.layers.BatchNormalization()
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(norm(tf.constant([[1.0], [2.0]]), training=True))
        x = norm.moving_mean
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M09", 3, "trainable_variables", None),
    "M10": ("""
        x = tf.Variable(3.0)
        v = tf.Variable(0.0)
        with tf.GradientTape() as tape:
            v.assign(x * 2.0)
            y = v * v
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M10", 4, "itself", None),
    "M11 round": ("""
        x = tf.Variable(1.4)
        with tf.GradientTape() as tape:
            y = 2.0 * tf.round(x)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M11", 3, "surrogate", 2.0),
    "M11 cast": ("""
        x = tf.Variable(1.4)
        with tf.GradientTape() as tape:
            y = tf.cast(tf.cast(x, tf.int32), tf.float32)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M11", 3, "floats", None),
    "M11 argmax": ("""
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = tf.argmax(x)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M11", 3, "smooth", None),
    "M11 comparison": ("""
        x = tf.Variable(1.4)
        with tf.GradientTape() as tape:
            y = tf.cast(x > 1.0, tf.float32) * 3.0
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M11", 3, "smooth", None),
    "M13": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x
            z = y * y
        g = tape.gradient(z, x)
        try:
            g = tape.gradient(y, x)
        except RuntimeError:
            g = None
        e = tape.why(y, x)
        """, "M13", 5, "persistent", 6.0),
    "M13 a tape outside of the loop": ("""
        w = tf.Variable(0.0)
        with tf.GradientTape() as tape:
            loss = (w - 1.0) ** 2
        g = e = None
        for turn in range(4):
            try:
                g = tape.gradient(loss, w)
            except RuntimeError:
                g, e = None, tape.why(loss, w)
                break
            w.assign_sub(0.3 * g)
        """, "M13", 7, "into the loop", -2.0 * 0.4**3),
    "M13 reset": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x
            tape.reset()
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M13", 3, "reset()", None),
    "M16": ("""
        x = tf.Variable(5.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x * x
        d = inner.gradient(y, x)
        g = outer.gradient(d, x)
        e = outer.why(d, x)
        """, "M16", 5, "indent", 2.0),
    "M17": ("""
        x = tf.constant(5.0)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                y = x * x
            g = inner.gradient(y, x)
            e = inner.why(y, x)
        """, "M17", 5, "inner.watch(x)", 10.0),
    "M17 of a gradient's own gradient": ("""
        x = tf.constant(1.5)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.sin(x) ** 2
            d = inner.gradient(y, x)
        g = outer.gradient(d, x)
        e = outer.why(d, x)
        """, "M17", 5, "before line 5", 2.0 * math.cos(3.0)),
    "M01 used again by a rule": ("""
        x, w = tf.constant(1.5), tf.Variable(2.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = tf.sin(x) * w * x * w
            d = inner.gradient(y, w)
        g = outer.gradient(d, x)
        e = outer.why(d, x)
        """, "M01", 4, "before line 4", 4.0 * (math.sin(1.5) + 1.5 * math.cos(1.5))),
    "M18": ("""
        x = tf.Variable(5.0)
        with tf.GradientTape(persistent=True) as tape:
            y = x * x
        d = tape.gradient(y, x)
        g = tape.gradient(d, x)
        e = tape.why(d, x)
        """, "M18", 4, "indent", 2.0),
    "M21 stop_gradient": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x.value() * 0.0 + 2.0 if False else tf.stop_gradient(x * x)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M21", 3, "leave tf.stop_gradient out", 6.0),
    "M21 a name alone": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.stop_gradient(x) ** 2
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M21", 3, "y = x ** 2", 6.0),
    "M21 stop_recording": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            with tape.stop_recording():
                y = x * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M21", 4, "outside the stop_recording block", None),
    "M25 plain source": ("""
        x = 3.0
        with tf.GradientTape() as tape:
            y = tf.square(x)
        g = None
        e = tape.why(y, x)
        """, "M25", None, "tf.constant(3.0)", None),
    "C02 a rule that answers None": ("""
        @tf.custom_gradient
        def twice(x):
            def grad(dy):
                return None
            return x * 2.0, grad
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = twice(x) + 1.0
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "C02", 8, "one gradient per input", None),
    "C02 without a return": ("""
        @tf.custom_gradient
        def twice(x):
            def grad(dy):
                dy * 2.0
            return x * 2.0, grad
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = twice(x) + 1.0
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "C02", 8, "end with a return", 2.0),
    "C02 more than there are inputs": ("""
        @tf.custom_gradient
        def twice(x):
            def grad(dy):
                return dy * 2.0, None
            return x * 2.0, grad
        x, g = tf.Variable(3.0), None
        with tf.GradientTape() as tape:
            y = twice(x) + 1.0
        try:
            g = tape.gradient(y, x)
        except ValueError:
            pass
        e = tape.why(y, x)
        """, "C02", 8, "return one gradient", None),
    "C05": ("""
        @tf.custom_gradient
        def squared(x):
            def grad(dy):
                return dy * 6.0
            return x * x, grad
        x = tf.Variable(3.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = squared(x)
            d = inner.gradient(y, x)
        g = outer.gradient(d, x)
        e = outer.why(d, x)
        """, "C05", 4, "compute the gradient from x", None),
    "R06 as in TensorFlow": ("""
        x, k = tf.Variable(3.0), tf.constant(2.0)
        scaled = tf.recompute_grad(lambda x, k: x * x * k)
        with tf.compat("tf"):
            with tf.GradientTape() as tape:
                tape.watch(k)
                y = scaled(x, k=k)
        g = tape.gradient(y, k)
        e = tape.why(y, k)
        """, "R06", 6, "positional", None),
    "R07 as in TensorFlow": ("""
        x, k = tf.Variable(3.0), tf.constant(2.0)
        scaled = tf.recompute_grad(lambda x: x * x * k)
        with tf.compat("tf"):
            with tf.GradientTape() as tape:
                tape.watch(k)
                y = scaled(x)
        g = tape.gradient(y, k)
        e = tape.why(y, k)
        """, "R07", 6, "pass k in", None),
    "F01": ("""
        x = tf.constant(3.0)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
            h = x * 2.0
        y = h * h
        g = acc.jvp(y)
        e = acc.why(y)
        """, "F01", 4, "indent", 24.0),
    "F01 no with": ("""
        x = tf.constant(3.0)
        acc = tf.autodiff.ForwardAccumulator(x, tf.constant(1.0))
        y = x * x
        g = acc.jvp(y)
        e = acc.why(y)
        """, "F01", 3, "inside", None),
    "F01 made earlier": ("""
        x = tf.constant(3.0)
        y = x * x
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
            z = y * 2.0
        g = acc.jvp(z)
        e = acc.why(z)
        """, "F01", 2, "inside", 12.0),
    "F03 int": ("""
        x = tf.constant(3)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1)) as acc:
            y = x * x
        g = acc.jvp(y)
        e = acc.why(y)
        """, "F03", 1, "3.0", None),
    "F06": ("""
        x = tf.constant(3.0)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as outer:
            with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as inner:
                y = x * x * x
            d = outer.jvp(y)
        g = inner.jvp(d)
        e = inner.why(d)
        """, "F06", 4, "ask inner first, then outer", None),
    "F06 of its own": ("""
        x = tf.constant(3.0)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
            y = x * x * x
            d = acc.jvp(y)
        g = acc.jvp(d)
        e = acc.why(d)
        """, "F06", 3, "with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as outer:", None),
    "M21 of tangents": ("""
        x = tf.constant(3.0)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
            y = tf.stop_gradient(x) ** 2
        g = acc.jvp(y)
        e = acc.why(y)
        """, "M21", 3, "leave tf.stop_gradient out", 6.0),
    "M11 of tangents": ("""
        x = tf.constant(1.4)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
            y = tf.round(x) * 2.0
        g = acc.jvp(y)
        e = acc.why(y)
        """, "M11", 3, "a straight line for tangents", 2.0),
    "F11": ("""
        x = tf.constant(3.0)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x * x * x
        d = tape.gradient(y, x)
        g = acc.jvp(d)
        e = acc.why(d)
        """, "F11", 6, "indent", 18.0),
}  # fmt: skip


@pytest.mark.parametrize("row", EXPLAINED)
def test_a_row_is_explained(row: str) -> None:
    program, code, line, word, mended = EXPLAINED[row]
    space = run(program)
    e = space["e"]
    assert space["g"] is None
    assert e.code == code, str(e)
    assert e.answer in ("None", "not to be had")
    assert (e.site.line if e.site else None) == line, str(e)
    assert word in f"{e.fix.text}\n{e.fix.code}", str(e)
    assert str(e).startswith(e.asked) and code in str(e)
    if mended is not None:
        again = run(e.fix.apply(space["text"]))
        np.testing.assert_allclose(number(again["g"]), mended, rtol=1e-5)


@pytest.mark.parametrize(
    "row", [row for row, one in EXPLAINED.items() if one[4] is not None and not row.startswith(("M08", "M13"))]
)
def test_a_mended_program_is_not_blamed(row: str) -> None:
    space = run(run(EXPLAINED[row][0])["e"].fix.apply(run(EXPLAINED[row][0])["text"]))
    assert space["e"].code == "OK", str(space["e"])
    assert not space["heard"]


@pytest.mark.parametrize("row", [row for row in EXPLAINED if row[:3] in ("M01", "M07", "M17")])
def test_a_watch_typed_above_the_line_that_is_named_gives_the_right_number(row: str) -> None:
    """By hand, as the sentence says it: of a second derivative half was missing, in silence."""
    program, _, _, _, right = EXPLAINED[row]
    space = run(program)
    e, lines = space["e"], space["text"].splitlines()
    named = re.search(r"before line (\d+)", e.fix.text)
    if named is None:  # another advice
        return
    above = lines[int(named[1]) - 1]
    if above.strip().startswith(("return", "def")):  # the tape is not known there
        return
    lines.insert(int(named[1]) - 1, above[: len(above) - len(above.lstrip())] + e.fix.code)
    np.testing.assert_allclose(number(run("\n".join(lines))["g"]), right, rtol=1e-5)


# ---- numbers, right and silently wrong ---------------------------------------------------------------------------------------

# name: (program, code or note, category of the warning or None, line or None, a word of the text, number, the same after the fix)
NUMBERS: dict[str, tuple[str, str, Any, int | None, str, Any, Any]] = {
    "M12 float(x) * x": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = float(x) * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M12", tf.errors.LeftTheTape, 3, "only 1 of 2 uses of x was recorded; float(x) at line 3", 3.0, 6.0),
    "M12 two lines": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            a = x.numpy()
            b = a * 2.0
            y = x * b
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M12", tf.errors.LeftTheTape, 3, "x.numpy()", 6.0, 12.0),
    "M12 np.sin": ("""
        x = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = np.sin(x) + x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M12", tf.errors.LeftTheTape, 3, "tf.sin(x)", 1.0, 1.0 + math.cos(1.0)),
    "M19 a vector": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * [3.0, 4.0]
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M19", tf.errors.SummedTarget, None, "tape.jacobian(y, x)", 7.0, [3.0, 4.0]),
    "M19 a Hessian's row sums": ("""
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x[0] * x[0] * x[1] + x[1] * x[1]
            d = inner.gradient(y, x)
        g = outer.gradient(d, x)
        e = outer.why(d, x)
        """, "M19", tf.errors.SummedTarget, None, "outer.jacobian(d, x)", [6.0, 4.0], [[4.0, 2.0], [2.0, 2.0]]),
    "M19 of rows that are turned round": ("""
        x = tf.constant([[1.0], [2.0], [4.0]])
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x[::-1] * x ** 2.0
            d = inner.gradient(y, x)
        g = outer.gradient(d, x)
        e = outer.why(d, x)
        """, "M19", tf.errors.SummedTarget, None, "outer.jacobian(d, x)", [[18.0], [12.0], [12.0]], None),
    "M19 of rows that lie and are mixed": ("""
        x = tf.constant([1.0, 2.0, 4.0])
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(tf.stack([x, x]) ** 2.0, 1) ** 2.0
            d = inner.gradient(y, x)
        g = outer.gradient(d, x)
        e = outer.why(d, x)
        """, "M19", tf.errors.SummedTarget, None, "outer.jacobian(d, x)", [280.0, 392.0, 616.0], None),
    "M23": ("""
        v = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = tf.clip_by_value(v, -1.0, 1.0) * 2.0
        g = tape.gradient(y, v)
        e = tape.why(y, v)
        """, "M23", tf.errors.ClippedToZero, 3, "clip the gradient", 0.0, None),
    "C09 a rule that takes no notice": ("""
        @tf.custom_gradient
        def stepped(x):
            def grad(dy):
                return 1.0
            return tf.round(x), grad
        x = tf.Variable(1.4)
        with tf.GradientTape() as tape:
            y = stepped(x) * 3.0
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "C09", None, 8, "its gradient function (line 3) never reads dy", 1.0, 3.0),
    "C09 in a lambda, of an array": ("""
        @tf.custom_gradient
        def squared(x):
            return x * x, lambda upstream: 2.0 * x
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(squared(x) * [3.0, 4.0])
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "C09", None, 6, "never reads upstream", [2.0, 4.0], [6.0, 16.0]),
    "C09 right by chance": ("""
        @tf.custom_gradient
        def stepped(x):
            return tf.round(x), lambda dy: tf.ones_like(x)
        x = tf.Variable(1.4)
        with tf.GradientTape() as tape:
            y = stepped(x)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "C09", None, None, "note      the rule of stepped takes no notice", 1.0, None),
    "M08 a slope of 0": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * 0.0
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M08", None, None, "a zero, not a None", 0.0, None),
    "M11 sign": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.sign(x)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M08", None, None, "a zero, not a None", 0.0, None),
    "M15": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape(persistent=True) as tape:
            y = x * x
            g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M15", None, None, "its own backward pass", 6.0, None),
    "M20": ("""
        v = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = v * v
        v.assign(10.0)
        g = tape.gradient(y, v)
        e = tape.why(y, v)
        """, "M20", None, None, "has changed since, at line 4", 6.0, None),
    "M21 half a path": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * tf.stop_gradient(x)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M21", None, None, "tf.stop_gradient at line 3 stops one branch of the backward pass", 3.0, None),
    "M24 both paths are added": ("""
        x, y = tf.Variable(2.0), tf.Variable(3.0)
        with tf.GradientTape() as tape:
            z = (x + y) * y
        g = tape.gradient(z, y)
        e = tape.why(z, y)
        """, "OK", None, None, "it comes along 2 paths", 8.0, None),
    "M27 the norm of zeros": ("""
        x = tf.Variable([0.0, 0.0])
        with tf.GradientTape() as tape:
            y = tf.norm(x)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M27", None, 3, "at sqrt, line 3: 1 arrived, and inf went on.", [math.nan, math.nan], None),
    "M27 an infinite slope": ("""
        x = tf.Variable(0.0)
        with tf.GradientTape() as tape:
            y = tf.sqrt(x) * 2.0
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M27", None, 3, "at sqrt, line 3: 2 arrived, and inf went on.", math.inf, None),
    "M27 a branch that was not chosen": ("""
        x = tf.Variable(0.0)
        with tf.GradientTape() as tape:
            y = tf.where(x > 0.0, tf.math.log(x), x * x)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M27", None, 3, "0 arrived, and nan went on, for its slope is infinite there", math.nan, None),
    "M27 an array's": ("""
        x = tf.Variable([4.0, 0.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sqrt(x) * [1.0, 2.0])
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, "M27", None, 3, "at sqrt, line 3: [0.25, inf] went on.", [0.25, math.inf], None),
    "F09": ("""
        x = tf.constant([3.0, 4.0])
        with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
            y = tf.reduce_sum(x * x)
        g = acc.jvp(y)
        e = acc.why(y)
        """, "F09", None, None, "one direction", 6.0, None),
}  # fmt: skip


@pytest.mark.parametrize("row", NUMBERS)
def test_a_number_is_explained(row: str) -> None:
    program, code, category, line, word, right, mended = NUMBERS[row]
    space = run(program)
    e = space["e"]
    np.testing.assert_allclose(number(space["g"]), right, rtol=1e-5)
    assert code in e.codes, str(e)
    assert word in str(e), str(e)
    assert line is None or e.site.line == line
    heard = [one.category for one in space["heard"]]
    assert heard == ([] if category is None else [category])
    if category is not None:
        said = str(space["heard"][0].message)
        assert "lesson" in space["heard"][0].filename
        assert line is None or f"line {line}" in said
    if mended is not None:
        again = run(e.fix.apply(space["text"]))
        np.testing.assert_allclose(number(again["g"]), mended, rtol=1e-5)
        assert not again["heard"]


def test_a_path_of_a_gradient_that_is_no_number_is_not_told_as_nothing() -> None:
    space = run("""
        x = tf.Variable(0.0)
        with tf.GradientTape() as tape:
            y = tf.where(x > 0.0, tf.math.log(x), x * x)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """)
    by_log, by_square, _ = space["e"].paths
    assert by_log.ops[0] == "log" and by_log.product is None and by_square.product == 0.0


def test_the_factors_of_a_gradient_that_is_no_number_are_slopes() -> None:
    """They were quotients of what came back by what had arrived: nan · nan · inf."""
    space = run("""
        x = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = tf.math.log(tf.sigmoid(x - 200.0))
        before = tape.why(y, x)
        g = tape.gradient(y, x)
        after = tape.why(y, x)
        """)
    assert space["before"].paths[0].slopes == (1.0, 0.0, math.inf), str(space["before"])
    assert "1 · 0 · inf = nan" in str(space["before"])
    assert "nan ·" not in str(space["after"]), str(
        space["after"]
    )  # the tape has let go of what its slopes were made of


@pytest.mark.parametrize(
    ("rule", "factors"),
    [
        ("return dy * 2.0", True),
        ("k = 1.0 / x\n                return tf.where(x > 0.0, -dy * k, 0.0)", True),
        ("up = tf.reshape(dy, [])\n                return up + tf.multiply(up, x)", True),
        ("return tf.clip_by_value(dy, -1.0, 1.0)", False),
        ("return dy / tf.abs(dy)", False),
        ("return dy + 1.0", False),
        ("return dy * dy", False),
        ("dy = tf.sign(dy)\n                return dy", False),
        ("return dy if dy > 0.0 else 2.0 * dy", False),
    ],
)
def test_a_rule_has_a_slope_only_where_it_answers_in_proportion(rule: str, factors: bool) -> None:
    space = run(f"""
        @tf.custom_gradient
        def ruled(x):
            def grad(dy):
                {rule}
            return x * 1.0, grad
        x = tf.Variable(1.4)
        with tf.GradientTape() as tape:
            y = ruled(x) * 3.0
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """)
    (path,) = space["e"].paths
    assert space["e"].code == "OK" and bool(path.slopes) is factors, str(space["e"])
    assert factors or path.brought == pytest.approx(number(space["g"]))


def test_a_rule_that_gives_zeros_is_not_blamed_for_what_it_does_not_read() -> None:
    space = run("""
        @tf.custom_gradient
        def held(x):
            return x * 1.0, lambda dy: tf.zeros_like(x)
        x = tf.Variable(1.4)
        with tf.GradientTape() as tape:
            y = held(x) * 3.0 + x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """)
    assert number(space["g"]) == 1.0 and "C09" not in space["e"].codes, str(space["e"])


def test_a_seed_that_is_not_finite_is_nobodys_fault() -> None:
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * 2.0
    tape.gradient(y, x, output_gradients=tf.constant(math.inf))
    assert tape.why(y, x).code == "OK"


def test_products_of_paths_add_up_to_the_gradient() -> None:
    space = run("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            a = x * x
            b = tf.sin(a) + x
            y = b * a
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """)
    paths = space["e"].paths
    assert len(paths) == 5
    assert sum(one.product for one in paths) == pytest.approx(float(space["g"]), rel=1e-5)
    assert all(len(one.slopes) == len(one.sites) == len(one.ops) for one in paths)


@pytest.mark.parametrize(
    ("program", "products"),
    [
        ("tf.reshape(tf.sin(x), [1]) * 2.0", ["0.540302 · 1 · 2"]),
        ("tf.reduce_sum(tf.reshape(x, [1]) * 2.0)", ["1 · 2 · 1"]),
        ("tf.broadcast_to(x, []) * tf.tanh(x)", ["1 · 0.761594 = 0.761594", "0.419974 · 1"]),
        ("tf.where(x > 0.0, x, tf.sin(x))", ["1", "0"]),
        ("tf.where([False], tf.sin(tf.reshape(x, [-1])), tf.reshape(x, [-1]))", ["1 · 1 = 1"]),
    ],
)
def test_a_number_that_a_rule_gives_in_an_array_is_a_factor_too(program: str, products: list[str]) -> None:
    space = run(f"""
        x = tf.constant(1.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = {program}
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """)
    slopes = [slope for path in space["e"].paths for slope in path.slopes]
    assert [type(slope) for slope in slopes] == [float] * len(slopes), slopes
    assert sum(path.product for path in space["e"].paths) == pytest.approx(number(space["g"]), rel=1e-6)
    said = str(space["e"])
    assert all(product in said for product in products), said


@pytest.mark.parametrize(
    ("left", "used", "said"),
    [
        ("float(x)", "x * k + x * k", "only 2 of 3 uses of x were recorded"),
        ("np.exp(x)", "x + k + k + k + k", "only 1 of 2 uses of x was recorded"),
    ],
)
def test_a_number_that_left_once_is_one_use_wherever_it_comes_back(left: str, used: str, said: str) -> None:
    space = run(f"""
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            k = {left}
            y = {used}
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """)
    assert said in str(space["e"]) and "times" not in str(space["e"]), str(space["e"])


def test_a_long_comparison_is_shortened_on_both_sides_of_its_sign() -> None:
    """Cut at its end it was called by what stands before the sign, which makes no bool numbers."""
    space = run("""
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            p = tf.sigmoid(x)
            y = tf.reduce_mean(tf.cast(tf.random.uniform([1000]) < p, tf.float32))
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """)
    assert space["e"].what.startswith("tf.random… < p at line 4 makes bool numbers"), str(space["e"])


@pytest.mark.parametrize(
    ("program", "path"),
    [
        ("y = tf.norm(v)", "v → square → reduce_sum → sqrt = y"),
        ("n = tf.norm(v); y = n * 2.0", "v → square → reduce_sum → sqrt = n → multiply = y"),
        ("y = tf.math.reduce_std(v)", "v → subtract → square → reduce_mean → sqrt = y"),
        ("y = total(v)", "v → pow → reduce_sum = y"),
        ("h = tf.tanh(tf.tanh(v)); y = tf.reduce_sum(h)", "v → tanh → tanh = h → reduce_sum = y"),
        ("y = v\n            for _ in range(2): y = tf.sin(y)", "v → sin = y → sin = y"),
    ],
)
def test_only_the_last_op_of_a_call_has_the_name_of_its_result(program: str, path: str) -> None:
    space = run(f"""
        def total(v): return tf.reduce_sum(v ** 2)
        v = tf.Variable([3.0, 4.0])
        with tf.GradientTape() as tape:
            {program}
        e = tape.why(y, v)
        """)
    assert f"{path} " in str(space["e"]), str(space["e"])
    assert [name for name, _, _ in space["e"].steps].count("y") <= path.count("= y")


def test_sources_of_one_list_go_by_their_places() -> None:
    """Both were called xs."""
    space = run("""
        xs = [tf.Variable(1.0), {"b": tf.Variable(2.0)}]
        a = tf.constant(3.0)
        named = (a, a * 1.0)
        with tf.GradientTape() as tape:
            y = xs[0] * xs[1]["b"] * a
        first, second = tape.why(y, xs)
        third, _ = tape.why(y, named)
        parts = tf.unstack(tf.constant([1.0, 2.0]))
        _, fourth = tape.why(y, parts)
        """)
    assert space["fourth"].asked == "dy/d(parts[1])"
    assert (space["first"].asked, space["second"]["b"].asked) == ("dy/d(xs[0])", "dy/d(xs[1]['b'])")
    assert space["third"].asked == "dy/da"


def test_it_can_be_asked_before_the_gradient_and_spends_nothing() -> None:
    space = run("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x
        e = tape.why(y, x)
        g = tape.gradient(y, x)
        """)
    assert number(space["g"]) == 6.0
    assert "dy/dx is 6" in str(space["e"])


def test_several_sources_give_several_explanations() -> None:
    x, z = tf.Variable(3.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    both = tape.why(y, {"x": x, "z": z})
    assert {key: one.code for key, one in both.items()} == {"x": "OK", "z": "M08"}


def test_each_of_several_sources_goes_by_its_own_name() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1), tf.keras.layers.BatchNormalization()])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(tf.ones([2, 3]), training=True))
    for variable, one in zip(model.variables, tape.why(loss, model.variables), strict=True):
        assert one.asked == f"dloss/d({variable.path})"
        assert one.code == ("OK" if variable.trainable else "M09")


# ---- strict, off, and how much is remembered ---------------------------------------------------------------------------------


def left(x: Any) -> Any:
    with tf.GradientTape() as tape:
        y = float(x) * x
    return tape.gradient(y, x)


def test_strict_makes_errors_of_warnings() -> None:
    x = tf.Variable(3.0)
    with tf.strict(), pytest.raises(tf.errors.LeftTheTape, match="float"):
        left(x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with tf.strict(False):
            assert float(left(x)) == 3.0
        with pytest.raises(tf.errors.MinitapeWarning):
            left(x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tf.errors.MinitapeWarning)
        left(x)


def test_strict_is_a_statement_too() -> None:
    try:
        tf.strict()
        with pytest.raises(tf.errors.LeftTheTape):
            left(tf.Variable(3.0))
    finally:
        tf.strict(None)
    with pytest.warns(tf.errors.LeftTheTape):
        left(tf.Variable(3.0))


def test_the_log_does_not_grow_and_holds_no_arrays() -> None:
    gc.collect()  # what earlier tests left to the collector
    before = tf.ledger.live
    x = tf.constant(1.0)
    for _ in range(2 * trail.REMEMBERED):
        x = x + 1.0
    assert len(log.applications()) == trail.REMEMBERED
    del x
    assert tf.ledger.live <= before  # less where something of an earlier test went in the meantime
    before = tf.ledger.live
    big = tf.zeros([1000]) + 1.0
    assert tf.ledger.live >= before + 4000
    del big
    assert tf.ledger.live == before


def test_what_the_log_forgot_is_said() -> None:
    x = tf.Variable(1.0)
    y = x * 2.0
    z = tf.constant(1.0)
    for _ in range(trail.REMEMBERED):
        z = z + 1.0
    with tf.GradientTape() as tape:
        w = y * y
    assert tape.gradient(w, x) is None
    assert "as far as the log reaches back" in str(tape.why(w, x))


# ---- rows that minitape has not, and rows that are out of its scope ---------------------------------------------------------------


def test_m25_plain_numbers_and_early_watching_are_named() -> None:
    with pytest.raises(ValueError, match="inside its `with` block"):
        tf.GradientTape().watch(tf.constant(1.0))
    with tf.GradientTape() as tape, pytest.raises(ValueError, match=r"tf\.constant"):
        tape.watch(3.0)


def test_m26_an_active_tape_is_not_entered_again() -> None:
    with tf.GradientTape() as tape, pytest.raises(ValueError, match="make a second one"):
        tape.__enter__()


def test_m13_a_second_question_names_the_line_of_the_first() -> None:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)  # the first
    with pytest.raises(RuntimeError, match="# the first"):
        tape.gradient(y, x)


LOOPS = {
    "one tape for all turns": ("for _ in range(3): w.assign_sub(0.3 * tape.gradient(y, w))", True),
    "the target made again": ("for _ in range(3):\n    g = tape.gradient(y, w)\n    y = w * w", True),
    "tensors": (
        "x = w * 1.0\nfor _ in range(3):\n    g = tape.gradient(y, x, unconnected_gradients='zero')\n    x = x - g",
        True,
    ),
    "several sources": ("for v in (w, u): tape.gradient(y, v)", False),
    "several targets": ("for each in (y, z): tape.gradient(each, w)", False),
    "two lines": ("tape.gradient(y, w)\nfor _ in range(3): tape.gradient(y, w)", False),
    "a helper": ("def ask(): return tape.gradient(y, w)\nask(); ask()", False),
}


@pytest.mark.parametrize("name", LOOPS)
def test_m13_a_tape_outside_of_a_loop_is_told_from_one_that_is_asked_for_more(name: str) -> None:
    asked, outside = LOOPS[name]
    program = "w, u = tf.Variable(2.0), tf.Variable(3.0)\nwith tf.GradientTape() as tape:\n    y = w * u; z = w + u\n"
    with pytest.raises(RuntimeError) as caught:
        run(program + asked)
    said = str(caught.value)
    assert ("put `with tf.GradientTape() as tape:` into the loop" in said) is outside, said
    assert ("Ask for everything at once" in said) is not outside, said


@pytest.mark.parametrize(("turns", "said"), [(1, False), (4, True)])
def test_m20_a_persistent_tape_gives_the_gradient_of_its_one_pass_again(turns: int, said: bool) -> None:
    space = run(f"""
        w = tf.Variable(0.0)
        with tf.GradientTape(persistent=True) as tape:
            loss = (w - 1.0) ** 2
        for turn in range({turns}):
            w.assign_sub(0.3 * tape.gradient(loss, w))
        e = tape.why(loss, w)
        """)
    assert "M20" in space["e"].codes and not space["heard"]
    assert ("each turn of a loop needs a tape of its own" in str(space["e"])) is said, str(space["e"])


def test_m14_persistent_tapes_that_pile_up_are_noticed() -> None:
    x, kept = tf.Variable(1.0), []

    def train() -> None:
        for _ in range(150):
            with tf.GradientTape(persistent=True) as tape:
                y = x * x
            kept.append((tape, y))

    with pytest.warns(tf.errors.TapesPileUp, match="persistent") as heard:
        train()
    assert len(heard) == 1


def test_m22_ragged_tensors_are_out_of_scope_in_one_line() -> None:
    with pytest.raises(AttributeError, match="out of scope") as caught:
        tf.ragged
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("tangent", [[1.0], [[1.0, 2.0, 3.0]]])
def test_f02_a_tangent_of_another_shape_is_refused(tangent: Any) -> None:
    with pytest.raises(ValueError, match="one number per element"):
        tf.autodiff.ForwardAccumulator(tf.constant([1.0, 2.0, 3.0]), tf.constant(tangent))


def test_f03_a_tangent_of_another_dtype_is_refused() -> None:
    with pytest.raises(ValueError, match="dtype"):
        tf.autodiff.ForwardAccumulator(tf.constant(1.0), tf.constant(1.0, tf.float64))


def test_f04_a_primal_given_twice_is_named() -> None:
    x = tf.constant(1.0)
    with pytest.raises(ValueError, match="sum the corresponding tangents"):
        tf.autodiff.ForwardAccumulator([x, x], [x, x])


def test_f07_f08_nested_accumulators_are_right() -> None:
    for x in (tf.Variable(0.7), tf.constant(0.7)):
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as outer:
            with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as inner:
                m = tf.identity(x)
                y = (m * m) * m
            d = inner.jvp(y)
        assert float(outer.jvp(d)) == pytest.approx(4.2, rel=1e-5)
        assert outer.why(d).code == "OK"


def test_f06_an_accumulator_alone_is_not_said_to_be_inside_of_itself() -> None:
    program, *_ = EXPLAINED["F06 of its own"]
    e = run(program)["e"]
    assert "belongs to acc" not in str(e) and "a second accumulator" in e.fix.text, str(e)
    lines = textwrap.dedent(program).strip().splitlines()
    around = [lines[0], e.fix.code, *[f"    {line}" for line in lines[1:4]], "g = outer.jvp(d)", "e = outer.why(d)"]
    again = run("\n".join(around))
    assert number(again["g"]) == pytest.approx(18.0) and again["e"].code == "OK"


def test_m21_an_accumulator_has_no_backward_pass() -> None:
    said = str(run(EXPLAINED["M21 of tangents"][0])["e"])
    assert "holds the tangent back" in said and "backward" not in said, said


def test_f10_one_accumulator_takes_several_inputs() -> None:
    x, y, z = tf.constant(1.0), tf.constant(2.0), tf.constant(3.0)
    with tf.autodiff.ForwardAccumulator([x, y, z], [tf.constant(1.0), tf.constant(0.0), tf.constant(1.0)]) as acc:
        out = x * y * z
    assert float(acc.jvp(out)) == 8.0
    assert acc.why(out).code == "OK"


def test_r06_r07_a_region_gives_the_gradients_that_tensorflow_loses() -> None:
    x, k = tf.Variable(3.0), tf.constant(2.0)
    for call in (
        lambda: tf.recompute_grad(lambda x: x * x * k)(x),
        lambda: tf.recompute_grad(lambda x, k: x * x * k)(x, k=k),
    ):
        with tf.GradientTape() as tape:
            tape.watch(k)
            y = call()
        assert float(tape.gradient(y, k)) == 9.0
        assert tape.why(y, k).code == "OK"


def test_c06_f13_a_rule_holds_with_keywords_and_in_forward_mode() -> None:
    @tf.custom_gradient
    def odd(x: Any) -> Any:
        return x * 2.0, lambda dy: dy * 7.0

    x = tf.constant(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc, tf.GradientTape() as tape:
        tape.watch(x)
        y = odd(x=x)
    assert float(acc.jvp(y)) == 7.0
    assert float(tape.gradient(y, x)) == 7.0
    assert tape.why(y, x).code == "OK"


# ---- never a false alarm ---------------------------------------------------------------------------------------------------------

CORRECT = {
    "steps and logs": """
        w, history = tf.Variable([1.0, 2.0]), []
        data = tf.constant([[1.0, 2.0], [3.0, 4.0], [0.5, 0.1]])
        for step in range(4):
            with tf.GradientTape() as tape:
                out = tf.reduce_sum(data * w, axis=1)
                loss = tf.reduce_mean((out - [1.0, 2.0, 3.0]) ** 2)
                if loss > 1e9:
                    break
                history.append(float(loss))
                best = min(history)
            g = tape.gradient(loss, w)
            w.assign_sub(0.01 * g)
        e = tape.why(loss, w)
        """,
    "momentum": """
        w, m = tf.Variable(1.0), tf.Variable(0.0)
        for step in range(3):
            with tf.GradientTape() as tape:
                loss = (w - 3.0) ** 2
            g = tape.gradient(loss, w)
            m.assign(0.9 * m + g)
            w.assign_sub(0.1 * m)
        e = tape.why(loss, w)
        """,
    "slopes of a curve": """
        x = tf.linspace(-2.0, 2.0, 9)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.where(x > 0.0, tf.sin(x) * x, tf.exp(x))
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """,
    "a loss per example": """
        w = tf.Variable([[1.0], [2.0]])
        data = tf.constant([[1.0, 2.0], [3.0, 4.0], [0.5, 0.1]])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.matmul(data, w) ** 2, axis=1)
        g = tape.gradient(loss, w)
        e = tape.why(tf.reduce_sum(loss), w) if False else None
        """,
    "clipped inside its bounds": """
        v = tf.Variable([0.5, 3.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.clip_by_value(v, -1.0, 1.0) ** 2)
        g = tape.gradient(y, v)
        e = tape.why(y, v)
        """,
    "flat for another reason than the clip": """
        v = tf.Variable([0.5, 0.8])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.tanh(tf.clip_by_value(v, -1.0, 1.0) * 90.0))
        g = tape.gradient(y, v)
        e = tape.why(y, v)
        """,
    "a gradient in a gradient": """
        x = tf.Variable(3.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x ** 3.0
            d = inner.gradient(y, x)
        g = outer.gradient(d, x)
        e = outer.why(d, x)
        """,
    "numbers that steer": """
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x
            for _ in range(int(x)):
                y = y * x
            z = y + tf.stack([y, y])[int(x) - 3]
        g = tape.gradient(z, x)
        e = tape.why(z, x)
        """,
    "a seed": """
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * [3.0, 4.0]
        g = tape.gradient(y, x, output_gradients=tf.constant([1.0, 0.0]))
        e = tape.why(y, x)
        """,
}


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_program_is_neither_warned_of_nor_blamed(name: str) -> None:
    space = run(CORRECT[name])
    assert space["g"] is not None
    assert not space["heard"]
    assert space["e"] is None or space["e"].code == "OK", str(space["e"])


# ---- odd questions ------------------------------------------------------------------------------------------------------------------

ODD = {
    "a source by itself": ("tape.why(v, v)", "OK", "the target is the source"),
    "nothing": ("tape.why(None, v)", "NONE", "is None itself"),
    "several targets": ("tape.why([y, y], v)", "M19", "the gradient of their sum (2 targets)"),
    "a tape that was never entered": ("tf.GradientTape().why(y, v)", "M06", "never listened: it was not entered"),
    "a NumPy number": ("tape.why(np.float32(2.0), v)", "M25", "NumPy's numbers leave no trace"),
    "a name in quotes": ("tape.why(y, 'v')", "M25", "is a plain str"),
    "a number that was made for the question": ("tape.why(tf.constant(3.0), v)", "M08", "no path leads from v"),
    "a product that was made for the question": ("tape.why(y * 2.0, v)", "M06", "after tape stopped listening"),
    "an unwatched neighbour": ("tape.why(y, x)", "M01", "never watched x"),
    "a seed": ("acc.why(v)", "OK", "it is the tangent that v was given"),
    "a number for an accumulator": ("acc.why(3.0)", "M25", "plain numbers leave no trace"),
    "an accumulator of nothing": ("tf.autodiff.ForwardAccumulator([], []).why(y)", "F01", "was given no tangent to carry"),
}  # fmt: skip


@pytest.mark.parametrize("row", ODD)
def test_an_odd_question_is_answered_in_words(row: str) -> None:
    question, code, word = ODD[row]
    space = run(f"""
        x, v = tf.constant(3.0), tf.Variable(2.0)
        with tf.autodiff.ForwardAccumulator(v, tf.constant(1.0)) as acc, tf.GradientTape() as tape:
            y = v * x
        e = {question}
        """)
    assert space["e"].code == code, str(space["e"])
    assert word in str(space["e"]).replace("the tape", "tape"), str(space["e"])


def test_every_code_stands_in_the_document() -> None:
    document = (Path(__file__).parents[2] / "docs/causes.md").read_text(encoding="utf-8")
    codes = {row[1] for row in (*EXPLAINED.values(), *NUMBERS.values(), *ODD.values())}
    assert {code for code in codes if not re.search(rf"\b{code}\b", document)} == set()


@pytest.mark.parametrize("count", [3, 20])
def test_a_clip_is_not_blamed_for_what_died_behind_it(count: int, recwarn: pytest.WarningsRecorder) -> None:
    """Of few numbers it is known that they came through; of many it is not, and then nothing is said."""
    x = tf.Variable([-1.0] * count)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.clip_by_value(tf.nn.relu(x) * 0.5 + 0.3, 0.0, 1.0) ** 2)
    assert not tape.gradient(loss, x).numpy().any()
    assert not [each for each in recwarn if each.category is tf.errors.ClippedToZero]
    assert tape.why(loss, x).code != "M23"


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("np.maximum(w.numpy(), 2.0)", "tf.maximum(w, 2.0)"),
        ("np.dot(w.numpy(), v)", "tf.tensordot(w, v, 1)"),
        ("np.concatenate([w.numpy(), v])", "tf.concat([w, v], axis=0)"),
        ("np.concatenate([w.numpy(), v], 1)", "tf.concat([w, v], axis=1)"),
        ("np.array([w.numpy(), v])", "tf.convert_to_tensor([w, v])"),
    ],
)
def test_what_left_for_numpy_is_written_with_tensors(written: str, instead: str) -> None:
    tree = ast.parse(written)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    (left,) = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node) == "w.numpy()"]
    rewritten = from_numpy.on_tape(left, parents, "tf")
    assert rewritten is not None and rewritten[1] == instead


def test_what_only_an_array_can_do_is_not_asked_of_a_tensor() -> None:
    """`w.argsort()` stood there as the mend."""
    space = run("""
        w = tf.Variable([3.0, 1.0])
        with tf.GradientTape() as tape:
            y = tf.constant(w.numpy().argsort(), tf.float32)
        e = tape.why(y, w)
        """)
    assert space["e"].code == "M04" and "use tf's own functions" in str(space["e"]), str(space["e"])


def test_the_line_of_an_assignment_is_where_it_stands_and_not_where_its_function_is_called() -> None:
    space = run("""
        v = tf.Variable(3.0)
        def change():
            v.assign_add(1.0)
        with tf.GradientTape() as tape:
            y = v * v
        change()
        g = tape.gradient(y, v)
        e = tape.why(y, v)
        """)
    assert "has changed since, at line 3" in str(space["e"])


def test_a_value_of_a_dict_is_followed_by_its_key() -> None:
    space = run("""
        import numpy as np
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            parts = {"square": np.square(x.numpy()), "same": x}
            y = parts["square"] * tf.constant(1.0)
        e = tape.why(y, x)
        """)
    assert space["e"].code == "M04" and "tf.square(x)" in str(space["e"]), str(space["e"])


@pytest.mark.parametrize(
    "made",
    [
        'parts = {"square": float(x) ** 2}; parts["two"] = 2.0; made = parts["two"]',
        "left = float(x); made = list(map(float, [2.0, 3.0]))",  # Python's own names come from nowhere
    ],
)
def test_a_number_that_left_is_not_blamed_for_another(made: str) -> None:
    """Of a dict all values were blamed, and `float` was a name that nobody knew."""
    space = run(f"""
        import minitape as tf
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            {made}
            y = tf.constant(made) * tf.constant(1.0)
        e = tape.why(y, x)
        """)
    assert space["e"].code == "M08", str(space["e"])


@pytest.mark.parametrize(
    ("before", "anew"),
    [
        ("R = [0.0, 0.0]; R[0] = float(a * 2)", "R = [1.0, 2.0]"),
        ("R = np.zeros(3); R[1] += a", "R = np.ones(3)"),
        ("R = []; R.append(float(a))", "R = [1.0]; R.append(2.0)"),
        ("R = {'k': float(a)}", "R = {'k': 1.0}; R = list(R.values())"),
        ("R = [0.0, float(a)]", "Q, R = 1.0, [2.0]"),
        ("R = [0.0, float(a)]", "R = np.array([1.0]); R = R * 2.0"),
    ],
)
def test_what_a_name_once_held_is_not_blamed_when_it_holds_something_new(before: str, anew: str) -> None:
    """A line under another tape was blamed, because a list of that name had once taken a number there."""
    space = run(f"""
        a = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            {before}
            loss = tf.reduce_sum(list(R) if isinstance(R, dict) is False else 0.0)
        for turn in range(2):
            with tf.GradientTape() as tape:
                {anew}
                loss = tf.reduce_sum(R)
        e = tape.why(loss, a)
        """)
    assert space["e"].code == "M08", str(space["e"])


@pytest.mark.parametrize(
    "made",
    [
        "R = [0.0, 0.0]; R[0] = float(a)",
        "R = [0.0]; R = R + [float(a)]",
        "R = [float(a)]; R[0] *= 2.0",
        "R = [float(a), 1.0]; R[1] = 2.0",
        "R = [float(a)]\n            if a < 0.0:\n                R = [1.0]",
        "R = [1.0]\n            for _ in range(2):\n                Q = list(R); R[0] = float(a)\n            R = Q",
    ],
)
def test_what_a_name_still_holds_is_followed(made: str) -> None:
    space = run(f"""
        a = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            {made}
            loss = tf.reduce_sum(R)
        e = tape.why(loss, a)
        """)
    assert space["e"].code == "M04" and "float(a)" in str(space["e"]), str(space["e"])


def test_a_program_that_was_asked_about_is_let_go_of() -> None:
    """A notebook has a program for each run of a cell: what was worked out of one lives as long as it is remembered."""
    space = run("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.constant(float(x) * 2.0) * 1.0
        e = tape.why(y, x)
        """)
    assert space["e"].code == "M04"
    program = weakref.ref(space["e"].site.program)
    assert program() is not None
    naming._program.cache_clear()
    assert program() is None


def test_a_warning_is_said_once_for_a_line() -> None:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("default")
        for _ in range(3):
            with tf.GradientTape() as tape:
                tape.watch(tf.constant(3))
    assert len(heard) == 1


@pytest.mark.parametrize(
    ("call", "op"),
    [
        (lambda x: tf.random.categorical(x, 1), "tf.random.categorical"),
        (lambda x: tf.unique(x[0]).y, "tf.unique"),
        (lambda x: tf.histogram_fixed_width(x, [0.0, 1.0], 2), "tf.histogram_fixed_width"),
        (lambda x: tf.where(x), "tf.where"),
    ],
)
def test_counts_and_draws_are_what_a_path_stops_at(call: Any, op: str) -> None:
    """It was said that no path leads from x: NumPy made them, unseen."""
    x = tf.Variable([[0.2, 0.7]])
    with tf.GradientTape() as tape:
        found = call(x)
        y = tf.reduce_sum(tf.cast(found, tf.float32))
    assert tape.gradient(y, x) is None
    assert op in str(tape.why(y, x)), str(tape.why(y, x))


def test_what_has_no_path_is_said_to_be_made_from_what_it_was_made_from() -> None:
    space = run("""
        x, w, z = tf.Variable(3.0), tf.Variable(2.0), tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = x * w
        made, itself = tape.why(y, z), tape.why(w, z)
        """)
    assert "it was not used. y was made from " in str(space["made"])
    assert "made from" not in str(space["itself"])  # nothing made it


@pytest.mark.parametrize("made", ["-m", "tf.transpose(m)", "m + 0.0", "tf.exp(m[0])"])
def test_a_tensor_made_beside_the_target_is_not_said_to_be_of_no_use(made: str) -> None:
    """Zero was offered for it, where the slope by what it was made of is what there is."""
    space = run(f"""
        m = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(m)
            y = tf.reduce_sum(m * m)
        e = tape.why(y, {made})
        """)
    e = space["e"]
    assert e.code == "M08" and e.fix.code == "tape.gradient(y, m)", str(e)
    assert "y was made from m, and not from it" in e.what and "zero" not in str(e), str(e)
    assert f"if you mean the one by {made}, compute y from it" in e.fix.text


def test_a_tensor_that_has_taken_the_name_of_the_source_is_told_from_it() -> None:
    space = run("""
        x = tf.constant(3.0)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
        x = x - 0.1 * tape.gradient(y, x)
        e = tape.why(y, x)
        """)
    assert "x stands for another tensor since line 5; y was made from the one before" in str(space["e"]), str(
        space["e"]
    )


def test_a_result_beside_another_is_not_said_to_be_made_of_the_same() -> None:
    """Two heads over the same data: neither is a part of the other, and 0 is the slope."""
    space = run("""
        data, v, w = tf.constant([1.0, 2.0]), tf.Variable(2.0), tf.Variable(3.0)
        with tf.GradientTape() as tape:
            left, right = data * v, tf.reduce_sum(data * w)
        e = tape.why(right, left)
        """)
    assert "it was not used" in str(space["e"]) and "zero" in space["e"].fix.code, str(space["e"])


@pytest.mark.parametrize("ops", [3, 5, 6])
def test_a_long_path_is_drawn_with_its_middle_folded(ops: int) -> None:
    """Up to six steps stand there one by one."""
    space = run(f"""
        x = tf.constant(0.5)
        with tf.GradientTape() as tape:
            y = {"tf.sin(" * ops}x{")" * ops}
        e = tape.why(y, x)
        """)
    names = [name for name, _, _ in space["e"].steps]
    assert len(names) == min(ops + 1, 6) and ("…" in names) == (ops > 5)


def test_a_number_without_a_surprise_has_no_notes() -> None:
    space = run("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x
        e = tape.why(y, x)
        """)
    assert space["e"].notes == ()


def test_the_gradient_of_a_gradient_is_warned_of_by_its_name() -> None:
    space = run("""
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = tf.reduce_sum(x) ** 3
            d = inner.gradient(y, x)
        outer.gradient(d, x)
        """)
    said = str(space["heard"][-1].message)
    assert "a gradient of shape [2]" in said and "the answer is the Hessian summed over its rows" in said


def test_a_missing_gradient_of_a_list_is_told_by_its_place() -> None:
    def f(xs: Any) -> Any:
        return xs[0] * xs[1], lambda up: up

    values = [tf.Variable(2.0), tf.Variable(3.0)]
    with tf.GradientTape() as tape:
        y = tf.custom_gradient(f)(values)
    with pytest.raises(ValueError, match=r"(?s)returned 1 instead.*xs\[0\]  <-  shape \(\).*xs\[1\]  <-  \(missing\)"):
        tape.gradient(y, values)


def test_a_line_of_another_file_is_told_with_its_file() -> None:
    space = run("""
        exec(compile("def leave(v):\\n    return float(v)", "lib/helpers.py", "exec"))
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = tf.constant(leave(x)) * 2.0
            z = tf.constant(float(x)) * 2.0
        there, here = tape.why(y, x), tape.why(z, x)
        """)
    assert "at helpers.py, line 2, where" in str(space["there"])
    assert "at line 5, where" in str(space["here"])
