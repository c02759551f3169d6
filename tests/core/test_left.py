"""Numbers that leave a tape where the eye slides over it: into an array made by NumPy, a lambda, a closure, a container elsewhere.

Each program is silent in TensorFlow.  Here it is warned of, with the line; with the fix made the number is right and nothing is said.
"""

from __future__ import annotations

import numpy as np
import pytest

import minitape as tf
from tests.core.test_why import number, run

# name: (program, line where numbers leave, gradient as it is, gradient with the fix made; None: the fix is no change of lines)
LEFT = {
    "a heat equation": ("""
        k, u = tf.Variable(0.2), [0.0, 1.0, 2.0, 1.0, 0.0]
        with tf.GradientTape() as tape:
            new = np.zeros(5, "f")
            for i in range(1, 4):
                new[i] = u[i] + k * (u[i + 1] - 2 * u[i] + u[i - 1])
            y = k * tf.reduce_sum(new ** 2)
        g = tape.gradient(y, k)
        e = tape.why(y, k)
        """, 5, 4.56, 3.28),
    "a heat equation in NumPy's own dtype, and nothing else": ("""
        k, u = tf.Variable(0.2), [0.0, 1.0, 2.0, 1.0, 0.0]
        with tf.GradientTape() as tape:
            new = np.zeros(5)
            for i in range(1, 4):
                new[i] = u[i] + k * (u[i + 1] - 2 * u[i] + u[i - 1])
            y = tf.reduce_sum(new ** 2)
        g = tape.gradient(y, k)
        e = tape.why(y, k)
        """, 5, None, -6.4),
    "a heat equation in steps and slices": ("""
        k = tf.Variable(0.2)
        with tf.GradientTape() as tape:
            u = tf.constant([0.0, 1.0, 2.0, 1.0, 0.0])
            for step in range(2):
                new = np.zeros(5)
                new[1:-1] = u[1:-1] + k * (u[2:] - 2 * u[1:-1] + u[:-2])
                u = tf.constant(new, tf.float32)
            y = k * tf.reduce_sum(u ** 2)
        g = tape.gradient(y, k)
        e = tape.why(y, k)
        """, 6, 3.5424, 1.648),
    "a rotation": ("""
        a = tf.Variable(0.3)
        with tf.GradientTape() as tape:
            R = np.zeros((2, 2), "f")
            R[0, 0] = tf.cos(a); R[0, 1] = -tf.sin(a)
            R[1][0] = tf.sin(a)
            R[1, 1] += tf.cos(a)
            y = tf.reduce_sum(tf.linalg.matvec(R, [1.0, 2.0]))
        g = tape.gradient(y, a)
        e = tape.why(y, a)
        """, 4, None, -2 * np.cos(0.3) - np.sin(0.3) + np.cos(0.3) - 2 * np.sin(0.3)),
    "an array that a function fills": ("""
        x = tf.Variable(3.0)
        def square(out, v):
            out[0] = v * v
        with tf.GradientTape() as tape:
            u = np.zeros(2, "f")
            square(u, x)
            y = x * tf.reduce_sum(u)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 3, 9.0, None),
    "several items in one line": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            u = np.zeros(2, "f")
            u[0], u[1] = x, x * x
            y = x * tf.reduce_sum(u)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 4, 12.0, None),
    "a whole array": ("""
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            u = np.empty(2, "f")
            u[:] = x * x
            y = tf.reduce_sum(x * u)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 4, [1.0, 4.0], [3.0, 12.0]),
    "numpy.copyto": ("""
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            u = np.empty(2, "f")
            np.copyto(u, x * x)
            y = tf.reduce_sum(x * u)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 4, [1.0, 4.0], None),
    "out=": ("""
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            u = np.empty(2, "f")
            np.multiply(x.numpy(), x.numpy(), out=u)
            y = tf.reduce_sum(x * u)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 4, [1.0, 4.0], None),
    "a lambda": ("""
        x = tf.Variable(3.0)
        f = lambda q: float(q) * 2
        with tf.GradientTape() as tape:
            y = f(x) * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 2, 6.0, 12.0),
    "a lambda under another name": ("""
        x = tf.Variable(3.0)
        f = lambda q: float(q) * 2
        h = f
        with tf.GradientTape() as tape:
            y = h(x) * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 2, 6.0, 12.0),
    "a lambda in a dict": ("""
        x = tf.Variable(3.0)
        ways = {"twice": lambda q: float(q) * 2}
        with tf.GradientTape() as tape:
            y = ways["twice"](x) * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 2, 6.0, 12.0),
    "a function that is handed on": ("""
        x = tf.Variable(3.0)
        def f(q):
            return float(q) * 2
        with tf.GradientTape() as tape:
            y = list(map(f, [x]))[0] * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 3, 6.0, 12.0),
    "what a function answers with": ("""
        x = tf.Variable(3.0)
        z = 0.0
        def f():
            return z * 2
        with tf.GradientTape() as tape:
            z = float(x)
            y = f() * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 6, 6.0, 12.0),
    "a closure": ("""
        x = tf.Variable(3.0)
        def outer(x):
            z = float(x)
            def inner(b):
                return z * b
            return inner(x)
        with tf.GradientTape() as tape:
            y = outer(x)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 3, 3.0, 6.0),
    "a name of the whole file": ("""
        x = tf.Variable(3.0)
        z = 0.0
        def store():
            global z
            z = float(x)
        with tf.GradientTape() as tape:
            store()
            y = z * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 5, 3.0, 6.0),
    "a name of the function around": ("""
        x = tf.Variable(3.0)
        def outer():
            z = 0.0
            def store():
                nonlocal z
                z = float(x)
            store()
            return z * x
        with tf.GradientTape() as tape:
            y = outer()
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 6, 3.0, 6.0),
    "a dict that a function fills": ("""
        x = tf.Variable(3.0)
        data = {}
        def store(q):
            data["a"] = q.numpy()
        with tf.GradientTape() as tape:
            store(x)
            y = data["a"] * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 4, 3.0, 6.0),
    "a list that a function appends to": ("""
        x = tf.Variable(3.0)
        def store(into, q):
            into.append(float(q))
        with tf.GradientTape() as tape:
            data = []
            store(data, x)
            y = data[0] * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 3, 3.0, 6.0),
    "a dict's update by keyword": ("""
        x = tf.Variable(3.0)
        data = {}
        with tf.GradientTape() as tape:
            data.update(a=float(x))
            y = data["a"] * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 4, 3.0, 6.0),
    "setattr": ("""
        class Box: pass
        x, box = tf.Variable(3.0), Box()
        with tf.GradientTape() as tape:
            setattr(box, "a", float(x))
            y = box.a * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 4, 3.0, 6.0),
    "getattr": ("""
        class Box: pass
        x, box = tf.Variable(3.0), Box()
        with tf.GradientTape() as tape:
            box.a = float(x)
            y = getattr(box, "a") * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 4, 3.0, 6.0),
    "an object that is made of it": ("""
        class Box:
            def __init__(self, a):
                self.a = a
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = Box(float(x)).a * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 6, 3.0, 6.0),
    "a property": ("""
        class Box:
            def __init__(self, v):
                self.v = v
            @property
            def a(self):
                return float(self.v)
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = Box(x).a * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 6, 3.0, 6.0),
    "what is added in place": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * 1.0
            y *= float(x)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 4, 3.0, 6.0),
}  # fmt: skip


@pytest.mark.parametrize("name", LEFT)
def test_numbers_that_leave_are_told_with_the_line_and_a_fix_that_works(name: str) -> None:
    program, line, half, mended = LEFT[name]
    space = run(program)
    e, heard = space["e"], space["heard"]
    if half is None:
        assert space["g"] is None
    else:
        np.testing.assert_allclose(number(space["g"]), half, rtol=1e-5)
    if space["g"] is not None:
        assert [one.category for one in heard] == [tf.errors.LeftTheTape]
        assert f"line {line}: " in str(heard[0].message), str(heard[0].message)
    assert e.code == ("M04" if space["g"] is None else "M12") and e.site.line == line, str(e)
    if mended is not None:
        again = run(e.fix.apply(space["text"]))
        np.testing.assert_allclose(number(again["g"]), mended, rtol=1e-5)
        assert not again["heard"] and again["e"].code == "OK", str(again["e"])


def test_an_array_that_is_written_into_is_told_with_the_value_and_two_ways_out() -> None:
    said = str(run(LEFT["a rotation"][0])["e"])
    assert "reaches R[0, 0] = … at line 4, where tf.cos(a) left the tape for an array made by NumPy." in said
    assert "make a tensor, R = tf.convert_to_tensor(np.zeros((2, 2), 'f'), tf.float32), and write " in said
    assert (
        "write R = tf.tensor_scatter_nd_update(R, [[0, 0]], [tf.cos(a)]); or gather the tensors in a Python list"
        in said
    )


RIGHT = {
    "gathered in a list": ("""
        k, u = tf.Variable(0.2), [0.0, 1.0, 2.0, 1.0, 0.0]
        with tf.GradientTape() as tape:
            new = [0.0] * 5
            for i in range(1, 4):
                new[i] = u[i] + k * (u[i + 1] - 2 * u[i] + u[i - 1])
            y = k * tf.reduce_sum(tf.stack(new) ** 2)
        g = tape.gradient(y, k)
        e = tape.why(y, k)
        """, 3.28),
    "an array that is only kept": ("""
        w, losses = tf.Variable(3.0), np.zeros(3)
        shown = np.zeros(3)
        keep = lambda i, value: shown.__setitem__(i, float(value))
        for i in range(3):
            with tf.GradientTape() as tape:
                y = w * w
                losses[i] = y
                keep(i, y)
                if losses[i] > losses.mean() + 100.0:
                    y = y * 2.0
            g = tape.gradient(y, w)
        e = tape.why(y, w)
        """, 6.0),
    "an array for its shape": ("""
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x * x + np.zeros_like(x) + len(x.numpy()))
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, [2.0, 4.0]),
    "another function's name": ("""
        x = tf.Variable(3.0)
        def show(z):
            z = float(z)
            print(z)
        z = 2.0
        with tf.GradientTape() as tape:
            show(x)
            y = z * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 2.0),
    "another item of what a function fills": ("""
        x = tf.Variable(3.0)
        data = {"rate": 2.0}
        def note(q):
            data["loss"] = float(q)
        with tf.GradientTape() as tape:
            note(x)
            y = data["rate"] * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 2.0),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_is_not_blamed_for_what_it_keeps(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    program, right = RIGHT[name]
    space = run(program)
    np.testing.assert_allclose(number(space["g"]), right, rtol=1e-5)
    assert not space["heard"] and space["e"].code == "OK", str(space["e"])
