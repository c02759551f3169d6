"""Random programs over the whole vocabulary: derivatives against differences, and against themselves with regions in between."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.testing import check_gradients
from tests.core.vocabulary import ALONG_AN_AXIS, ONE, TWO
from tests.support import times

CHUNK = 50
SHAPES = [(), (1,), (2,), (2, 1), (2, 2), (3, 2)]

pytestmark = pytest.mark.deep


class Program:
    """A program by its seed: ops on values that are there already, some stretches of it in recompute regions."""

    def __init__(self, seed: int, longest: int = 12) -> None:
        draw = random.Random(seed)
        words = [*ONE, *[f"2 {name}" for name in TWO]]
        self.steps = [
            (draw.choice(words), draw.randrange(30), draw.randrange(30)) for _ in range(draw.randint(1, longest))
        ]
        first, last = sorted([draw.randrange(len(self.steps) + 1), draw.randrange(len(self.steps) + 1)])
        self.region = first, last
        self.inner = sorted([draw.randint(first, last), draw.randint(first, last)])
        numbers = np.random.default_rng(seed)
        self.point = [numbers.uniform(-1.0, 1.0, draw.choice(SHAPES)) for _ in range(draw.randint(1, 2))]
        self.modes = draw.choice([("reverse", "forward"), ("reverse",), ("forward",)])

    def _some(self, values: list[Any], first: int, last: int) -> list[Any]:
        for name, left, right in self.steps[first:last]:
            a, b = values[left % len(values)], values[right % len(values)]
            if name.startswith("2 "):
                try:
                    fits = int(np.prod(np.broadcast_shapes(a.shape, b.shape))) <= 12
                except ValueError:
                    continue
                if fits:
                    values = [*values, TWO[name[2:]](a, b)]
            elif int(np.prod(a.shape)) <= 6 and (a.ndim or name not in ALONG_AN_AXIS):
                values = [*values, ONE[name](a)]
        return values

    def plain(self, *inputs: Any) -> Any:
        return self._end(self._some(list(inputs), 0, len(self.steps)))

    def in_regions(self, *inputs: Any) -> Any:
        """The same program, a stretch of it in a region, and a stretch of that in another."""
        (first, last), (begin, end) = self.region, self.inner

        @tf.recompute_grad
        def inner(*values: Any) -> Any:
            return self._some(list(values), begin, end)

        @tf.recompute_grad
        def outer(*values: Any) -> Any:
            return self._some(list(inner(*self._some(list(values), first, begin))), end, last)

        values = self._some(list(inputs), 0, first)
        return self._end(self._some(list(outer(*values)), last, len(self.steps)))

    def _end(self, values: list[Any]) -> Any:
        return [value for value in values[-2:] if value.dtype.is_floating] or values[:1]


@pytest.mark.parametrize("first", range(0, times(20_000), CHUNK))
def test_derivatives_are_those_of_differences(first: int, record_property: Any) -> None:
    record_property("tried: random programs against central differences, to second order, both modes", CHUNK)
    for seed in range(first, first + CHUNK):
        program = Program(seed)
        try:
            check_gradients(
                program.plain, program.point, order=2, modes=program.modes, directions=1, seed=seed, tolerance=5e-6
            )
        except AssertionError as wrong:
            raise AssertionError(f"seed {seed}: {program.steps}") from wrong


def _asked(function: Any, point: list[Any]) -> list[Any]:
    inputs = [tf.constant(each) for each in point]
    tangents = [tf.ones_like(each) for each in inputs]
    with tf.GradientTape() as outer:
        outer.watch(inputs)
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            target = sum(tf.reduce_sum(each) for each in function(*inputs))
        first = tape.gradient(target, inputs, unconnected_gradients="zero")
        slope = sum(tf.reduce_sum(each) for each in first)
    second = outer.gradient(slope, inputs, unconnected_gradients="zero")
    with tf.autodiff.ForwardAccumulator(inputs, tangents) as accumulator:
        moved = sum(tf.reduce_sum(each) for each in function(*inputs))
    return [each.numpy() for each in (target, *first, *second, accumulator.jvp(moved, unconnected_gradients="zero"))]


@pytest.mark.parametrize("first", range(0, times(5_000), CHUNK))
def test_regions_change_no_number(first: int, record_property: Any) -> None:
    record_property("tried: random programs with nested recompute regions against themselves without", CHUNK)
    for seed in range(first, first + CHUNK):
        program = Program(seed)
        for plain, again in zip(
            _asked(program.plain, program.point), _asked(program.in_regions, program.point), strict=True
        ):
            # A value that is used inside and outside may differ in its last bit: the order of the sums is another.
            np.testing.assert_allclose(again, plain, rtol=1e-10, atol=1e-12, err_msg=f"seed {seed}")
