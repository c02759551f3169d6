"""Why this number: fourteen programs by hand, their paths with what each brings, and the uses that are missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.core.test_why import run

# name: (program, how many paths, how many uses are missing, cause)
PROGRAMS: dict[str, tuple[str, int, int, str]] = {
    "a diamond in a diamond": ("""
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            a = x * x
            b = tf.sin(a)
            c = tf.exp(-a)
            y = b * c + x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 5, 0, "OK"),
    "a loop": ("""
        w = tf.Variable(0.5)
        h = tf.constant(1.0)
        with tf.GradientTape() as tape:
            for _ in range(3):
                h = tf.tanh(w * h)
        g = tape.gradient(h, w)
        e = tape.why(h, w)
        """, 3, 0, "OK"),
    "matrices": ("""
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        w = tf.Variable([[0.1], [0.2]])
        b = tf.Variable([0.5])
        with tf.GradientTape() as tape:
            y = tf.matmul(x, w) + b
            loss = tf.reduce_mean((y - 1.0) ** 2)
        g = tape.gradient(loss, w)
        e = tape.why(loss, w)
        """, 1, 0, "OK"),
    "a custom gradient": ("""
        @tf.custom_gradient
        def clip(x):
            def grad(dy):
                return tf.clip_by_value(dy, -1.0, 1.0)
            return tf.identity(x), grad
        v = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = clip(v * 5.0) * v
        g = tape.gradient(y, v)
        e = tape.why(y, v)
        """, 2, 0, "OK"),
    "a region": ("""
        f = tf.recompute_grad(lambda x: tf.sin(tf.cos(tf.sin(x))))
        x = tf.Variable(0.5)
        with tf.GradientTape() as tape:
            y = f(x) + x * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 3, 0, "OK"),
    "a line above the block": ("""
        x = tf.Variable(3.0)
        a = x * 2.0
        with tf.GradientTape() as tape:
            y = a * x
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 1, 1, "M07"),
    "one half before the watch": ("""
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            a = tf.sin(x)
            tape.watch(x)
            y = a + x * 2.0
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 1, 1, "M02"),
    "two detours": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            s = np.sqrt(x)
            t = x.numpy() * 2.0
            y = x * s + x * t
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 2, 2, "M12"),
    "one half paused": ("""
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            a = x * x
            with tape.stop_recording():
                b = x * 5.0
            y = a + b
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 2, 1, "M21"),
    "one half through a variable": ("""
        x = tf.Variable(3.0)
        v = tf.Variable(0.0)
        with tf.GradientTape() as tape:
            v.assign(x * 2.0)
            y = x * v
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """, 1, 1, "M10"),
    "a second derivative": ("""
        x = tf.Variable(2.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x * x * x
            d = inner.gradient(y, x)
        g = outer.gradient(d, x)
        e = outer.why(d, x)
        """, 6, 0, "OK"),
    "a gather": ("""
        t = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(t, [0, 0, 2]) ** 2)
        g = tape.gradient(y, t)
        e = tape.why(y, t)
        """, 1, 0, "OK"),
    "a layer": ("""
        layer = tf.keras.layers.Dense(1, kernel_initializer='ones')
        layer.build([None, 2])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(layer(tf.constant([[1.0, 2.0]])) ** 2)
        g = tape.gradient(y, layer.kernel)
        e = tape.why(y, layer.kernel)
        """, 1, 0, "OK"),
    "a tangent with a detour": ("""
        x = tf.constant(3.0)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
            y = float(x) * x
        g = acc.jvp(y)
        e = acc.why(y)
        """, 1, 1, "M12"),
    "a tangent along three paths": ("""
        x = tf.constant(3.0)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
            y = x * x + tf.sin(x)
        g = acc.jvp(y)
        e = acc.why(y)
        """, 3, 0, "OK"),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_paths_make_up_the_number(name: str) -> None:
    program, paths, missing, code = PROGRAMS[name]
    space = run(program)
    e, gradient = space["e"], np.asarray(space["g"])
    assert (len(e.paths), len(e.unrecorded), e.code) == (paths, missing, code), str(e)
    assert all(path.sites for path in e.paths)
    assert all(f"line {use.site.line}" in str(e) and use.how in str(e) for use in e.unrecorded)
    if not e.forward:  # a tangent keeps no slopes, only itself
        brought: list[Any] = [path.brought if path.product is None else path.product for path in e.paths]
        assert None not in brought, str(e)
        np.testing.assert_allclose(sum(np.asarray(one) for one in brought), gradient, rtol=1e-5)


def test_what_a_shared_use_brings_is_not_split() -> None:
    """Two paths that leave an array by one use: what came back through it belongs to both of them."""
    e = run("""
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            a = x * 3.0
            y = tf.reduce_sum(tf.sin(a) + a)
        g = tape.gradient(y, x)
        e = tape.why(y, x)
        """)["e"]
    assert len(e.paths) == 2 and all(path.product is None and path.brought is None for path in e.paths)


def test_each_question_of_a_persistent_tape_has_its_own_parts() -> None:
    space = run("""
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape(persistent=True) as tape:
            a = x * x
            y = tf.reduce_sum(a)
            z = tf.reduce_sum(a * 10.0)
        tape.gradient(y, x)
        tape.gradient(z, x)
        first, second = tape.why(y, x), tape.why(z, x)
        """)
    assert [path.brought for path in space["first"].paths] == [(1.0, 2.0)] * 2
    assert [path.brought for path in space["second"].paths] == [(10.0, 20.0)] * 2


def test_many_paths_are_counted_and_the_shortest_are_told() -> None:
    space = run("""
        x = tf.Variable(0.5)
        with tf.GradientTape() as tape:
            y = x
            for _ in range(40):
                y = 0.5 * (y * y + y)
        tape.gradient(y, x)
        e = tape.why(y, x)
        with tf.GradientTape() as tape:
            z = x
            for step in range(1000):
                z = tf.sin(z) + 0.01 * x if step % 10 == 0 else tf.sin(z)
        tape.gradient(z, x)
        far = tape.why(z, x)
        """)
    e, far = space["e"], space["far"]
    assert "more than a million paths" in str(e) and len(e.paths) == 12 and e.more_paths
    assert "101 paths" in str(far) and [len(path.ops) for path in far.paths[:2]] == [11, 22]
    assert max(map(len, str(far).splitlines())) < 160


def test_what_a_variable_is_given_later_plays_no_part() -> None:
    """A training step changes the weights by a gradient: that is no path from the one to the other."""
    space = run("""
        w, b = tf.Variable(1.0), tf.Variable(0.0)
        for _ in range(2):
            with tf.GradientTape() as tape:
                loss = (w * 2.0 + b - 1.0) ** 2
            dw, db = tape.gradient(loss, [w, b])
            w.assign_sub(0.1 * dw)
            b.assign(b - 0.1 * db)
        e = tape.why(loss, w)
        with tf.GradientTape() as other:
            y = w * 3.0
        b.assign(y)
        none = other.why(y, b)
        """)
    assert (space["e"].code, space["none"].code) == ("OK", "M08")
