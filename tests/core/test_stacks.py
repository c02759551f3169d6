"""Random stacks of tapes and accumulators against closed forms, and the one rule of order.

A stack is written outermost first.  Differentiating once with every recorder of the stack, innermost first, must give the
derivative whose order is the depth, whatever the recorders are and in whatever order they stand.
"""

from __future__ import annotations

import contextlib
import gc
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitape as tf
from minitape.record.events import state


class Function(NamedTuple):
    """A function of one number, and its derivatives in closed form."""

    program: Callable[[Any], Any]
    derivative: Callable[[int, float], float]


def polynomial(coefficients: list[float]) -> Function:
    def program(x: Any) -> Any:
        total = x * 0.0
        for power, factor in enumerate(coefficients):
            term = tf.constant(factor, tf.float64)
            for _ in range(power):
                term = term * x
            total = total + term
        return total

    def derivative(order: int, x: float) -> float:
        return sum(
            factor * math.perm(power, order) * x ** (power - order)
            for power, factor in enumerate(coefficients)
            if power >= order
        )

    return Function(program, derivative)


def exponential(rate: float) -> Function:
    return Function(lambda x: tf.exp(rate * x), lambda order, x: rate**order * math.exp(rate * x))


def sine(rate: float) -> Function:
    return Function(lambda x: tf.sin(rate * x), lambda n, x: rate**n * math.sin(rate * x + n * math.pi / 2))


rates = st.sampled_from([-1.5, -0.5, 0.5, 1.0, 2.0])
functions = st.one_of(
    st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=6).map(polynomial),
    rates.map(exponential),
    rates.map(sine),
)


class Level(NamedTuple):
    """One recorder of a stack."""

    kind: str  # tape | accumulator
    persistent: bool
    pause: bool  # a tape stops recording for a while before the program runs

    def __str__(self) -> str:
        return self.kind


levels = st.builds(Level, st.sampled_from(["tape", "accumulator"]), st.booleans(), st.booleans())
stacks = st.lists(levels, min_size=1, max_size=4)


def differentiate(program: Callable[[Any], Any], x: Any, stack: list[Level]) -> Any:
    """The derivative by all recorders of the stack, the last one innermost."""
    if not stack:
        return program(x)
    first, *rest = stack
    if first.kind == "accumulator":
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
            y = differentiate(program, x, rest)
        return accumulator.jvp(y, unconnected_gradients="zero")
    with tf.GradientTape(persistent=first.persistent) as tape:
        tape.watch(x)
        if first.pause:
            with tape.stop_recording():
                tf.sin(x) * 3.0
        y = differentiate(program, x, rest)
    gradient = tape.gradient(y, x, unconnected_gradients="zero")
    if first.persistent:
        assert float(tape.gradient(y, x, unconnected_gradients="zero")) == float(gradient)
    return gradient


@settings(max_examples=250, deadline=None)
@given(functions, stacks, st.floats(-1.2, 1.2), st.booleans())
def test_stacks_agree_with_closed_forms(function: Function, stack: list[Level], at: float, variable: bool) -> None:
    x: Any = tf.Variable(at, dtype=tf.float64) if variable else tf.constant(at, tf.float64)
    found = float(differentiate(function.program, x, stack))
    assert found == pytest.approx(function.derivative(len(stack), at), rel=1e-9, abs=1e-9)
    assert state.recorders == ()


@settings(max_examples=60, deadline=None)
@given(functions, stacks, st.floats(-1.2, 1.2))
def test_the_ledger_is_back_at_its_start(function: Function, stack: list[Level], at: float) -> None:
    gc.collect()  # what other tests left in cycles does not go in the middle of this one
    before = tf.ledger.live
    x = tf.constant(at, tf.float64)
    differentiate(function.program, x, stack)
    del x
    assert tf.ledger.live == before


@settings(max_examples=100, deadline=None)
@given(functions, st.floats(-1.2, 1.2), st.integers(0, 3), st.integers(0, 3))
def test_a_paused_tape_misses_just_what_it_was_paused_for(
    function: Function, at: float, deep: int, paused: int
) -> None:
    """A stack of four tapes: pausing one inside all of them changes its own view and nobody else's."""
    x = tf.constant(at, tf.float64)
    with contextlib.ExitStack() as open_tapes:
        tapes = [open_tapes.enter_context(tf.GradientTape()) for _ in range(4)]
        for tape in tapes:
            tape.watch(x)
        with tapes[paused].stop_recording():
            y = function.program(x)
        z = y * x
    gradient = float(tapes[deep].gradient(z, x))
    value, slope = function.derivative(0, at), function.derivative(1, at)
    expected = value if deep == paused else slope * at + value
    assert gradient == pytest.approx(expected, rel=1e-9, abs=1e-9)


# ---- the order of recorders -------------------------------------------------------------------------------------------------


def forward(x: Any) -> Any:
    return tf.autodiff.ForwardAccumulator(x, tf.constant(1.0))


def test_an_inner_accumulator_does_not_see_what_an_outer_one_computes() -> None:
    x = tf.constant(0.7)
    with forward(x) as outer, forward(x) as inner:
        y = x**3.0
    assert float(outer.jvp(inner.jvp(y))) == pytest.approx(6 * 0.7)
    assert inner.jvp(outer.jvp(y)) is None


def test_the_order_of_entering_counts_not_that_of_making() -> None:
    x = tf.constant(0.7)
    made_first, made_second = forward(x), forward(x)
    with made_second, made_first:
        y = x**3.0
    assert float(made_second.jvp(made_first.jvp(y))) == pytest.approx(6 * 0.7)
    assert made_first.jvp(made_second.jvp(y)) is None


def test_reverse_over_forward_and_not_the_other_way_round() -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with forward(x) as accumulator:
            y = x**3.0
        tangent = accumulator.jvp(y)
    assert float(tape.gradient(tangent, x)) == pytest.approx(12.0)
    with forward(x) as accumulator, tf.GradientTape() as tape:
        tape.watch(x)
        y = x**3.0
    assert tape.gradient(accumulator.jvp(y), x) is None


def test_forward_over_reverse_needs_the_gradient_inside() -> None:
    x = tf.constant(2.0)
    with forward(x) as accumulator:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x**3.0
        inside = tape.gradient(y, x)
    assert float(accumulator.jvp(inside)) == pytest.approx(12.0)
    with forward(x) as accumulator, tf.GradientTape() as tape:
        tape.watch(x)
        y = x**3.0
    assert accumulator.jvp(tape.gradient(y, x)) is None


@pytest.mark.parametrize("leave", ["inner first", "outer first"])
def test_recorders_may_leave_in_any_order(leave: str) -> None:
    x = tf.constant(3.0)
    one, two = tf.GradientTape(), tf.GradientTape()
    one.__enter__()
    two.__enter__()
    one.watch(x)
    two.watch(x)
    y = x * x
    first, last = (two, one) if leave == "inner first" else (one, two)
    first.__exit__(None, None, None)
    z = y * x
    last.__exit__(None, None, None)
    assert state.recorders == ()
    assert first.gradient(z, x) is None and float(last.gradient(z, x)) == 27.0
