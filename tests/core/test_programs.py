"""Random programs over the table, against central differences, in both modes and to second order.

Hypothesis draws a program: up to fifteen ops, each on values that are already there (so that subexpressions are shared),
of shapes that broadcast, with one to three outputs.  Every op keeps the numbers in a range in which differences can be
trusted, and away from kinks.  Once all is float64, and compared closely; once float32 and float64 are mixed, with casts in
between, and compared with differences of the same program in float64 throughout.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import minitape as tf
import minitape.image  # its rows load on first use
from minitape.primitive import TABLE
from minitape.testing import check_gradients
from tests.core.vocabulary import ALONG_AN_AXIS, CASTS, ONE, TWO
from tests.support import UNDER_CI, times

EXAMPLES = times(5_000, 40) if UNDER_CI else 60
STEP = 1e-4  # of the differences that a program of mixed dtypes is compared with


SHAPES = [(), (1,), (2,), (2, 1), (2, 2)]


class Step(NamedTuple):
    """An op, and which of the values before it takes."""

    name: str
    left: int
    right: int


def steps(*more: str) -> Any:
    names = [*ONE, *(f"2 {name}" for name in TWO), *more]
    return st.lists(
        st.builds(Step, st.sampled_from(names), st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=15
    )


def fits(x: Any, y: Any) -> bool:
    try:
        shape = np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return False
    return int(np.prod(shape)) <= 12


def run(program: list[Step], outputs: int, inputs: list[Any], wide: bool = True) -> list[Any]:
    """The last values of the program; a step that does not fit its operands is passed over.  `wide` takes no cast seriously."""
    values = list(inputs)
    for name, left, right in program:
        x, y = values[left % len(values)], values[right % len(values)]
        two = TWO.get(name.removeprefix("2 ")) if name.startswith("2 ") else None
        if two is not None:
            if fits(x, y):
                values.append(two(x, y if x.dtype == y.dtype else tf.cast(y, x.dtype)))
        elif name in CASTS:
            values.append(tf.identity(x) if wide else tf.cast(x, CASTS[name]))
        elif x.ndim and int(np.prod(x.shape)) <= 6 or not x.ndim and name not in ALONG_AN_AXIS:
            values.append(ONE[name](x))
    return values[-outputs:]


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(
    steps(),
    st.lists(st.sampled_from(SHAPES), min_size=1, max_size=2),
    st.integers(1, 3),
    st.integers(0, 2**31),
)
def test_a_random_program(program: list[Step], shapes: list[tuple[int, ...]], outputs: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    point = [draw.uniform(-1.0, 1.0, shape) for shape in shapes]
    modes = [("reverse", "forward"), ("forward",), ("reverse",)][seed % 3]
    check_gradients(
        lambda *inputs: run(program, outputs, list(inputs)), point, order=2, modes=modes, directions=1, tolerance=2e-6
    )


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(
    steps(*CASTS),
    st.lists(st.tuples(st.sampled_from(SHAPES), st.sampled_from(["float32", "float64"])), min_size=2, max_size=3),
    st.integers(1, 3),
    st.integers(0, 2**31),
)
def test_a_program_of_mixed_dtypes(program: list[Step], kinds: list[Any], outputs: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    point = [draw.uniform(-1.0, 1.0, shape).astype(kind) for shape, kind in kinds]
    along = [draw.uniform(-1.0, 1.0, shape).astype(kind) for shape, kind in kinds]

    def summed(inputs: list[Any], wide: bool) -> Any:
        """All outputs in one number, each with a weight of its own."""
        return sum(
            place * tf.reduce_sum(tf.cast(one, tf.float64))
            for place, one in enumerate(run(program, outputs, inputs, wide), start=1)
        )

    def at(distance: float) -> float:
        moved = [
            one.astype("float64") + distance * step.astype("float64") for one, step in zip(point, along, strict=True)
        ]
        return float(summed([tf.constant(one) for one in moved], wide=True))

    low, middle, high = at(-STEP), at(0.0), at(STEP)
    slope, bend = (high - low) / (2 * STEP), (high - 2 * middle + low) / STEP**2
    inputs, tangents = [tf.constant(one) for one in point], [tf.constant(one) for one in along]

    def dot(gradients: Any) -> Any:
        return sum(tf.reduce_sum(tf.cast(a * b, tf.float64)) for a, b in zip(gradients, tangents, strict=True))

    with tf.GradientTape() as outer, tf.autodiff.ForwardAccumulator(inputs, tangents) as accumulator:
        outer.watch(inputs)
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            target = summed(inputs, wide=False)
        gradients = tape.gradient(target, inputs, unconnected_gradients="zero")
        first = dot(gradients)
    assert [one.dtype for one in gradients] == [one.dtype for one in inputs]
    again = outer.gradient(first, inputs, unconnected_gradients="zero")
    found = {
        "reverse": (float(first), slope),
        "forward": (float(accumulator.jvp(target, unconnected_gradients="zero")), slope),
        "reverse over reverse": (float(dot(again)), bend),
        "forward over reverse": (float(accumulator.jvp(first, unconnected_gradients="zero")), bend),
    }
    for mode, (ours, difference) in found.items():
        assert ours == pytest.approx(difference, rel=2e-3, abs=2e-3 * (1.0 + abs(slope))), mode


# What no random program can reach: rows without a slope to compare with, and a name that is put on a value.
UNREACHED = {"adjust_contrast", "adjust_hue", "adjust_saturation", "bitcast", "checkpoint_name", "prevent_gradient"}


def test_the_programs_reach_the_whole_table() -> None:
    x = tf.constant([[0.3, 0.2], [0.1, 0.5]], tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            values = [word(x) for word in ONE.values()] + [word(x, x) for word in TWO.values()]
            target = [tf.sin(value) for value in (*values, tf.cast(x, tf.float32))]
        gradient = tape.gradient(target, x)
    reached = {entry.application.primitive.name for entry in outer.entries}
    assert gradient.shape == x.shape
    assert {name for name, row in TABLE.items() if row.kind != "flat"} - reached == UNREACHED
