"""Random programs over the whole vocabulary: derivatives against differences, and against themselves with regions in between."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import minitape as tf
from tests.core.vocabulary import ALONG_AN_AXIS, ONE, TWO
from tests.support import times

CHUNK = 50
STEP = 1e-3
SHAPES = [(), (1,), (2,), (2, 1), (2, 2), (3, 2)]

pytestmark = pytest.mark.deep


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    """What else is to be said of such programs is no matter here, and takes its time."""
    with tf.strict(False):
        yield


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


def differences(f: Callable[[float], float], step: float = STEP) -> tuple[float, float]:
    """Slope and bend at 0, from the values at five points; the error is of the order of the step to the fourth."""
    a, b, c, d, e = [f(place * step) for place in (-2, -1, 0, 1, 2)]
    return (a - 8 * b + 8 * d - e) / (12 * step), (-a + 16 * b - 30 * c + 16 * d - e) / (12 * step**2)


def faults(found: dict[str, float], slope: float, bend: float) -> list[str]:
    """The answers that are not those of differences."""
    scale, wrong = 1.0 + abs(slope) + abs(bend), []
    for what, answer in found.items():
        expected, near = (slope, 1e-6) if what.startswith("slope") else (bend, 1e-4)
        if not abs(answer - expected) <= near * scale:
            wrong.append(f"{what} {answer}, by differences {expected}")
    return wrong


def derivatives(function: Callable[..., Any], point: list[Any], along: list[Any]) -> dict[str, float]:
    """Slope and bend along a direction, in both modes and one inside the other."""
    inputs, tangents = [tf.constant(each) for each in point], [tf.constant(each) for each in along]

    def dot(gradients: Any) -> Any:
        return sum(tf.reduce_sum(a * b) for a, b in zip(gradients, tangents, strict=True))

    with tf.GradientTape() as outer, tf.autodiff.ForwardAccumulator(inputs, tangents) as accumulator:
        outer.watch(inputs)
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            target = summed(function(*inputs))
        first = dot(tape.gradient(target, inputs, unconnected_gradients="zero"))
    again = outer.gradient(first, inputs, unconnected_gradients="zero")
    return {
        "slope, reverse": float(first),
        "slope, forward": float(accumulator.jvp(target, unconnected_gradients="zero")),
        "bend, reverse over reverse": float(dot(again)),
        "bend, forward over reverse": float(accumulator.jvp(first, unconnected_gradients="zero")),
    }


def summed(outputs: list[Any]) -> Any:
    """All outputs in one number, each with a weight of its own."""
    return sum(place * tf.reduce_sum(each) for place, each in enumerate(outputs, start=1))


@pytest.mark.parametrize("first", range(0, times(20_000, 40), CHUNK))
def test_derivatives_are_those_of_differences_with_regions_and_without(first: int, record_property: Any) -> None:
    record_property("tried: random programs: slopes and second derivatives, both modes, against differences", CHUNK)
    record_property("tried: the same programs with nested recompute regions, against themselves without", CHUNK)
    for seed in range(first, first + CHUNK):
        program, numbers = Program(seed), np.random.default_rng(seed + 1)
        along = [numbers.uniform(-1.0, 1.0, each.shape) for each in program.point]

        def moved(distance: float, program: Program = program, along: list[Any] = along) -> float:
            inputs = [tf.constant(x + distance * u) for x, u in zip(program.point, along, strict=True)]
            return float(summed(program.plain(*inputs)))

        found = derivatives(program.plain, program.point, along)
        wrong = faults(found, *differences(moved))
        if wrong:  # a jump, or a corner, may lie within these steps
            wrong = faults(found, *differences(moved, STEP / 8))
        assert wrong == [], f"seed {seed}"
        scale = 1.0 + max(map(abs, found.values()))
        for what, answer in derivatives(program.in_regions, program.point, along).items():
            # A value that is used inside and outside may differ in its last bits: the order of the sums is another.
            assert answer == pytest.approx(found[what], rel=1e-9, abs=1e-12 * scale), f"seed {seed}: {what} in regions"
