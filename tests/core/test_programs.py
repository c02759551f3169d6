"""Random programs over the table, against central differences, in both modes and to second order.

Hypothesis draws a program: up to fifteen ops, each on values that are already there (so that subexpressions are shared),
of shapes that broadcast, with one to three outputs.  Every op keeps the numbers in a range in which differences can be
trusted, and away from kinks.  Once all is float64, and compared closely; once float32 and float64 are mixed, with casts in
between, and compared with differences of the same program in float64 throughout.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import minitape as tf
from minitape.testing import check_gradients
from tests.support import UNDER_CI

EXAMPLES = 500 if UNDER_CI else 60
STEP = 1e-4  # of the differences that a program of mixed dtypes is compared with


def tamed(x: Any) -> Any:
    """A number between -1 and 1, whatever came before."""
    return tf.tanh(x)


def positive(x: Any) -> Any:
    return 1.5 + 0.5 * tf.tanh(x)


ONE: dict[str, Callable[[Any], Any]] = {
    "negative": tf.negative, "square": lambda x: tf.square(tamed(x)), "sqrt": lambda x: tf.sqrt(positive(x)),
    "rsqrt": lambda x: tf.math.rsqrt(positive(x)), "reciprocal": lambda x: tf.math.reciprocal(positive(x)),
    "exp": lambda x: tf.exp(tamed(x)), "expm1": lambda x: tf.math.expm1(tamed(x)), "log": lambda x: tf.math.log(positive(x)),
    "log1p": lambda x: tf.math.log1p(positive(x)), "sigmoid": tf.sigmoid, "softplus": tf.nn.softplus,
    "log_sigmoid": tf.math.log_sigmoid, "sin": tf.sin, "cos": tf.cos, "tan": lambda x: tf.tan(tamed(x)),
    "asin": lambda x: tf.asin(0.5 * tamed(x)), "acos": lambda x: tf.acos(0.5 * tamed(x)), "atan": tf.atan,
    "sinh": lambda x: tf.sinh(tamed(x)), "cosh": lambda x: tf.cosh(tamed(x)), "tanh": tf.tanh, "asinh": tf.asinh,
    "acosh": lambda x: tf.acosh(1.0 + positive(x)), "atanh": lambda x: tf.atanh(0.5 * tamed(x)), "erf": tf.math.erf,
    "relu": lambda x: tf.nn.relu(positive(x)), "abs": lambda x: tf.abs(positive(x)), "gelu": tf.nn.gelu, "silu": tf.nn.silu,
    "pow": lambda x: positive(x) ** 2.5, "identity": tf.identity, "reduce_sum": lambda x: tamed(tf.reduce_sum(x)),
    "reduce_mean": lambda x: tf.reduce_mean(x, axis=-1, keepdims=True), "reduce_prod": lambda x: tf.reduce_prod(tamed(x), axis=0),
    "logsumexp": lambda x: tf.reduce_logsumexp(x, axis=-1), "euclidean": lambda x: tf.math.reduce_euclidean_norm(positive(x)),
    "cumsum": lambda x: tamed(tf.cumsum(x, axis=-1)), "cumprod": lambda x: tf.math.cumprod(positive(x), axis=-1),
    "softmax": tf.nn.softmax, "log_softmax": tf.nn.log_softmax, "reverse": lambda x: tf.reverse(x, [-1]),
    "transpose": tf.transpose, "roll": lambda x: tf.roll(x, 1, -1), "first": lambda x: x[..., 0:1], "new": lambda x: x[tf.newaxis],
    "tile": lambda x: tf.tile(x, [2] * x.ndim), "pad": lambda x: tf.pad(x, [[0, 1]] * x.ndim),
    "gather": lambda x: tf.gather(x, [0, 0], axis=-1), "stack": lambda x: tf.stack([x, x * x]), "split": lambda x: sum(tf.unstack(x)),
}  # fmt: skip
CASTS = {"narrow": tf.float32, "widen": tf.float64}
TWO: dict[str, Callable[[Any, Any], Any]] = {
    "add": tf.add, "subtract": tf.subtract, "multiply": lambda x, y: tamed(x) * tamed(y), "divide": lambda x, y: x / positive(y),
    "pow": lambda x, y: positive(x) ** tamed(y), "atan2": lambda y, x: tf.atan2(tamed(y), positive(x)),
    "squared_difference": lambda x, y: tf.math.squared_difference(tamed(x), tamed(y)),
    "maximum": lambda x, y: tf.maximum(positive(x) + 3.0, y), "minimum": lambda x, y: tf.minimum(positive(x) - 4.0, tamed(y)),
    "xlogy": lambda x, y: tf.math.xlogy(tamed(x), positive(y)), "where": lambda x, y: tf.where(tf.constant(True), x, y),
}  # fmt: skip
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
        elif x.ndim and int(np.prod(x.shape)) <= 6 or not x.ndim and name in POINTWISE:
            values.append(ONE[name](x))
    return values[-outputs:]


ALONG_AN_AXIS = (
    "reduce_mean reduce_prod logsumexp cumsum cumprod softmax log_softmax reverse roll first gather split pad"
)
POINTWISE = set(ONE) - set(ALONG_AN_AXIS.split())


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
