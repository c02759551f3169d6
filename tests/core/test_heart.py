"""The heart and the engine are equal to the bit: every word of the vocabulary, every row of the table, 500 random programs.

A program is written once, for a kit: the heart's tapes and accumulators on ops that go through the heart, or minitape's own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape import heart
from minitape.primitive import TABLE
from tests.core.test_table import NUMBERED, Case
from tests.core.vocabulary import ALONG_AN_AXIS, ONE, TWO

pytestmark = pytest.mark.filterwarnings("ignore")  # of summed targets

PROGRAMS = 500  # random ones, each with a nest of up to MOST recorders
MOST = 3


class Heart:
    """The specification."""

    Tape, Accumulator, block = heart.Tape, heart.Accumulator, staticmethod(heart.by_heart)


class Engine:
    """What a learner's program meets."""

    Tape, Accumulator = tf.GradientTape, tf.autodiff.ForwardAccumulator

    @staticmethod
    @contextmanager
    def block() -> Iterator[None]:
        yield


def same(some: list[Any], others: list[Any]) -> None:
    """Tensors of the same shapes, dtypes and bits, and None in the same places."""
    assert len(some) == len(others)
    for one, other in zip(some, others, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            one, other = np.asarray(one), np.asarray(other)
            assert (one.shape, one.dtype) == (other.shape, other.dtype)
            np.testing.assert_array_equal(one, other)  # nan equals nan: its other bits are the machine's affair


def to_second_order(kit: Any, f: Callable[[Any], Any], x: Any) -> list[Any]:
    """Value, gradient, gradient of gradient, JVP, JVP of the gradient."""
    with kit.block():
        with kit.Tape() as outer:
            outer.watch(x)
            with kit.Tape() as inner:
                inner.watch(x)
                y = f(x)
            g = inner.gradient(y, x)
            energy = None if g is None else tf.reduce_sum(g * g)
        h = None if energy is None else outer.gradient(energy, x)
        with kit.Accumulator(x, tf.ones_like(x)) as moving:
            with kit.Tape() as tape:
                tape.watch(x)
                y2 = f(x)
            g2 = tape.gradient(y2, x)
        return [y, g, h, moving.jvp(y2), None if g2 is None else moving.jvp(g2)]


WORDS = {**ONE, **{f"2 {name}": (lambda x, f=f: f(x, tf.sin(x))) for name, f in TWO.items()}}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", WORDS)
def test_every_word_to_second_order(name: str, dtype: str) -> None:
    x = tf.constant([[0.3, 0.2], [0.1, 0.5]], dtype)
    same(to_second_order(Engine, WORDS[name], x), to_second_order(Heart, WORDS[name], x))


def of_a_row(kit: Any, row: Any, case: Case) -> list[Any]:
    """A row's outputs; what comes back to each input from each output, and what goes on along each."""
    inputs = [tf.constant(one) for one in case.inputs]
    answers: list[Any] = []
    with kit.block():
        for x in inputs:
            if x.dtype.is_floating or x.dtype.is_complex:
                with kit.Accumulator(x, tf.ones_like(x)) as moving:
                    made = row(*inputs, **case.params)
                outputs = list(made) if isinstance(made, tuple) else [made]
                answers += [*outputs, *[moving.jvp(one) for one in outputs]]
                for position, out in enumerate(outputs):
                    if out.dtype.is_floating or out.dtype.is_complex:
                        with kit.Tape() as tape:
                            tape.watch(x)
                            again = row(*inputs, **case.params)
                        answers.append(tape.gradient(again[position] if isinstance(again, tuple) else again, x))
    return answers


@pytest.mark.parametrize(("name", "case"), NUMBERED)
def test_every_row(name: str, case: Case) -> None:
    row = TABLE[name]
    with np.errstate(all="ignore"):
        same(of_a_row(Engine, row, case), of_a_row(Heart, row, case))


# ---- random programs, with tapes and accumulators at random nesting --------------------------------------------------------

SHAPES = [(), (1,), (2,), (2, 1), (2, 2)]
Steps = list[tuple[str, int, int]]


def drawn(draw: random.Random) -> Steps:
    words = [*ONE, *[f"2 {name}" for name in TWO]]
    return [(draw.choice(words), draw.randrange(20), draw.randrange(20)) for _ in range(draw.randint(1, 10))]


def run(steps: Steps, x: Any, other: Any) -> Any:
    """The last value of the program; a step that does not fit its operands is passed over."""
    values = [x, other]
    for name, left, right in steps:
        a, b = values[left % len(values)], values[right % len(values)]
        if name.startswith("2 "):
            try:
                fits = int(np.prod(np.broadcast_shapes(a.shape, b.shape))) <= 12
            except ValueError:
                continue
            if fits:
                values.append(TWO[name[2:]](a, b))
        elif a.ndim or name not in ALONG_AN_AXIS:
            made = ONE[name](a)
            if made.dtype == x.dtype and tf.size(made) <= 12:
                values.append(made)
    return tf.reduce_sum(values[-1]) * (1.0 + tf.reduce_sum(x))


def derivative(kit: Any, nest: tuple[str, ...], f: Callable[[Any], Any], told: list[Any]) -> Callable[[Any], Any]:
    """The function, differentiated once for each recorder of the nest, innermost first; `told` hears every answer."""
    for kind in nest:
        f = (_by_tape if kind == "tape" else _by_accumulator)(kit, f, told)
    return f


def _by_tape(kit: Any, f: Callable[[Any], Any], told: list[Any]) -> Callable[[Any], Any]:
    def gradient(x: Any) -> Any:
        with kit.Tape() as tape:
            tape.watch(x)
            y = f(x)
        answer = tape.gradient(y, x)
        told.append(answer)
        return tf.zeros_like(x) if answer is None else answer

    return gradient


def _by_accumulator(kit: Any, f: Callable[[Any], Any], told: list[Any]) -> Callable[[Any], Any]:
    def tangent(x: Any) -> Any:
        with kit.Accumulator(x, tf.ones_like(x)) as moving:
            y = f(x)
        answer = moving.jvp(y)
        told.append(answer)
        return tf.zeros_like(y) if answer is None else answer

    return tangent


def nested(kit: Any, nest: tuple[str, ...], steps: Steps, x: Any, other: Any) -> list[Any]:
    told: list[Any] = []
    with kit.block():
        told.append(run(steps, x, other))
        told.append(derivative(kit, nest, lambda x: run(steps, x, other), told)(x))
    return told


@pytest.mark.parametrize("seed", range(0, PROGRAMS, 10))
def test_random_programs_at_random_nesting(seed: int) -> None:
    for number in range(seed, seed + 10):
        compare(number)


# In these a product takes a view that repeats one number: NumPy adds up in another order than of a copy.
@pytest.mark.parametrize("number", [900_731, 900_973, 901_208, 901_599, 901_762, 902_352])
def test_what_is_computed_goes_on_as_numpy_laid_it_out(number: int) -> None:
    compare(number)


def compare(number: int) -> None:
    """One random program, by the heart and by the engine."""
    draw = random.Random(number)
    shape, dtype = draw.choice(SHAPES), draw.choice(["float32", "float64"])
    numbers = np.random.default_rng(number)
    x, other = (tf.constant(numbers.uniform(0.1, 1.0, shape), dtype) for _ in range(2))
    steps, nest = drawn(draw), tuple(draw.choice(["tape", "accumulator"]) for _ in range(draw.randint(1, MOST)))
    with np.errstate(all="ignore"):
        same(nested(Engine, nest, steps, x, other), nested(Heart, nest, steps, x, other))
