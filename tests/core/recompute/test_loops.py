"""Loops and branches with recompute in them: run again, undone, and known to be a loop (check 14)."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import minitape as tf
from minitape.frames import frame_of
from minitape.testing import check_gradients
from tests.core.recompute.measuring import held

IN_LOOP = tf.AbstractRecomputeWrapper.is_in_while_loop


class Coupled:
    """A body with an inverse: additive coupling, and a variable that both directions read."""

    def __init__(self, weight: float = 0.7) -> None:
        self.v = tf.Variable(weight, dtype=tf.float64)
        self.runs = 0

    def __call__(self, i, a, b):
        self.runs += 1
        a = a + tf.sin(b) * self.v
        return i + 1, a, b + tf.tanh(a)

    def inverse(self, i, a, b):
        b = b - tf.tanh(a)
        return i - 1, a - tf.sin(b) * self.v, b


def loop(body, count, recompute):
    return lambda a, b: tf.while_loop(lambda i, a, b: i < count, body, [tf.constant(0), a, b], recompute=recompute)[1:]


def inputs(size=1000):
    return tf.constant(np.linspace(0.1, 1.0, size)), tf.constant(np.linspace(0.3, 1.0, size))


@pytest.mark.parametrize("recompute", [False, True, "reversible"])
def test_five_iterations_with_a_variable(recompute):
    runs = []

    class Times:
        v = tf.Variable(2.0)

        def __call__(self, i, x):
            runs.append(1)
            return i + 1, x * self.v

        def inverse(self, i, x):
            return i - 1, x / self.v

    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, y = tf.while_loop(lambda i, x: i < 5, Times(), [tf.constant(0), x], recompute=recompute)
    assert len(runs) == 5
    assert [float(one) for one in tape.gradient(y, [x, Times.v])] == [32.0, 80.0]
    assert len(runs) == (10 if recompute else 5)


@pytest.mark.parametrize("count", [1, 4, 16])
def test_what_a_loop_holds(count):
    plain, again, undone = [held(loop(Coupled(), count, how), *inputs()) for how in (False, True, "reversible")]
    assert plain.forward == 24_000 * count + 8  # cos b, tanh a, and sin b for the variable; the variable itself
    assert again.forward == 16_000 * count + 4 * count  # the loop variables
    assert undone.forward == 16_000 + 4  # the last ones
    for result in (again, undone):
        assert result.after == 0
        for ours, theirs in zip(result.gradients, plain.gradients, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-9)


@pytest.mark.parametrize("recompute", [True, "reversible"])
def test_both_modes_and_two_orders(recompute):
    check_gradients(loop(Coupled(), 3, recompute), list(inputs(2)))


def test_an_iteration_that_runs_again_knows_its_loop_and_its_place():
    seen = []
    v = tf.Variable(2.0, name="v")

    def body(i, x):
        frame = frame_of()
        seen.append((tf.is_recomputing(), IN_LOOP(), frame.kind, frame.iteration, v.tag in frame.captures))
        return i + 1, x * v

    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        _, y = tf.while_loop(lambda i, x: i < 3, body, [tf.constant(0), x], recompute=True, name="grow")
    assert [entry.op for entry in tape.entries] == ["grow_body"] * 3
    assert [entry.application.context.iteration for entry in tape.entries] == [0, 1, 2]
    tape.gradient(y, x)
    assert seen[:3] == [(False, True, "while_body", n, False) for n in range(3)]  # v is read after the question
    assert seen[3:] == [(True, True, "while_body", n, True) for n in (2, 1, 0)]
    assert not IN_LOOP()


def test_branches_loops_and_regions_in_each_other():
    v = tf.Variable(1.5)
    region = tf.recompute_grad(lambda x: tf.cond(x > 1.0, lambda: x * v, lambda: tf.exp(x)))
    kinds = []

    def body(i, x):
        kinds.append(frame_of().kind)
        return i + 1, tf.cond(i < 1, lambda: (kinds.append(frame_of().kind), region(x))[1], lambda: region(x) + x)

    def program(wrapped):
        x = tf.constant(0.5)
        with tf.GradientTape() as tape:
            tape.watch(x)
            if wrapped:
                _, y = tf.while_loop(lambda i, x: i < 3, body, [tf.constant(0), x])
            else:
                y = tf.exp(x)
                for _ in range(2):
                    y = y * v + y
        return [float(one) for one in tape.gradient(y, [x, v])]

    assert program(True) == pytest.approx(program(False), rel=1e-6)
    assert kinds == ["while_body", "cond_branch", "while_body", "while_body"]


def test_python_loops_and_scan():
    v, x = tf.Variable(2.0), tf.constant([1.0, 1.0, 1.0])
    region = tf.recompute_grad(lambda total, one: total * v + one)
    with tf.GradientTape() as tape:
        y = tf.scan(region, x, initializer=tf.constant(0.0))[-1]
    assert float(y) == 7.0 and float(tape.gradient(y, v)) == 5.0
    with tf.GradientTape() as tape:
        total = tf.constant(0.0)
        for _ in range(3):
            total = region(total, x[0])
    assert float(tape.gradient(total, v)) == 5.0


def test_what_cannot_be_is_refused():
    with pytest.raises(TypeError, match=r"<lambda> has none.*inverse"):
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)], recompute="reversible")
    with pytest.raises(ValueError, match="'twice'"):
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)], recompute="twice")
    with pytest.raises(ValueError, match=r"step returned 1 value for 2 loop variables(?s:.*)return i \+ 1, x"):

        def step(i, x):
            return i + 1

        tf.while_loop(lambda i, x: i < 3, step, [tf.constant(0), tf.constant(1.0)])


def test_no_tape_no_region():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        body = Coupled()
        out = loop(body, 4, "reversible")(*inputs(2))
    assert body.runs == 4 and len(out) == 2
