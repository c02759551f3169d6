"""Slopes at corners, where there are none, and of which outputs: as TensorFlow chose."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import minitape as tf
from tests.support import python

# ---- corners: TensorFlow's choice ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "point", "slope"),
    [
        (tf.abs, 0.0, 0.0),
        (tf.sqrt, 0.0, math.inf),
        (tf.norm, [0.0, 0.0], [math.nan, math.nan]),
        (lambda x: x**0.0, 0.0, math.nan),
        (lambda x: x**2.0, 0.0, 0.0),
        (lambda x: tf.maximum(x, 1.0), 1.0, 1.0),
        (lambda x: tf.maximum(1.0, x), 1.0, 0.0),
        (lambda x: tf.minimum(1.0, x), 1.0, 0.0),
        (tf.reduce_max, [2.0, 2.0, 1.0], [0.5, 0.5, 0.0]),
        (tf.reduce_min, [2.0, 2.0, 3.0], [0.5, 0.5, 0.0]),
        (tf.nn.relu, 0.0, 0.0),
        (tf.nn.selu, 0.0, 1.0507009873554805),
        (tf.nn.elu, 0.0, 1.0),
        (lambda x: tf.where(x > 0.0, tf.sqrt(x), 0.0), 0.0, 0.0),  # a cotangent of 0 stays 0 at a root's corner
        (lambda x: tf.where(x > 0.0, tf.math.rsqrt(x), 0.0), 0.0, 0.0),
        (lambda x: tf.where(x > 0.0, tf.math.reciprocal(x), 0.0), 0.0, 0.0),
        (lambda x: tf.where(x > 0.0, 1.0 / x, 0.0), 0.0, math.nan),  # but of no quotient and no power
        (lambda x: tf.where(x > 0.0, x**-1.0, 0.0), 0.0, math.nan),
        (lambda x: tf.clip_by_value(x, 0.0, 1.0), [0.0, 1.0, 2.0], [1.0, 1.0, 0.0]),
        (lambda x: tf.reduce_logsumexp(x), [1000.0, 1000.0], [0.5, 0.5]),
    ],
)
def test_slopes_at_corners(function: Any, point: Any, slope: Any) -> None:
    x = tf.constant(point)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(function(x))
    found = tape.gradient(y, x)
    np.testing.assert_array_equal(found, np.asarray(slope, np.float32))


def test_beyond_a_corner_the_second_derivative_is_zero_and_not_none() -> None:
    x = tf.constant([0.5, -1.0])
    for function in (tf.nn.relu, tf.nn.relu6, tf.nn.leaky_relu, tf.abs):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(function(x))
            slope = inner.gradient(y, x)
        assert outer.gradient(slope, x).numpy().tolist() == [0.0, 0.0]


def test_forward_a_root_has_no_slope_at_its_corner() -> None:
    """Forward the tangent itself may be 0: then nobody can say."""
    x = tf.constant([0.0, 0.0])
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        y = tf.norm(x)
    assert np.isnan(accumulator.jvp(y))


def test_a_root_is_right_twice_where_its_cotangent_is_zero() -> None:
    x = tf.constant(1.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = (tf.sqrt(x) - 1.0) ** 2.0
        slope = inner.gradient(y, x)
    assert float(slope) == 0.0 and float(outer.gradient(slope, x)) == 0.5


# ---- several outputs, none connected, and what has no slope ------------------------------------------------------------------


def both(function: Any, *points: Any) -> list[Any]:
    """What a tape says of the sources, and what an accumulator says along ones."""
    x = [tf.constant(one) for one in points]
    with tf.GradientTape() as tape, tf.autodiff.ForwardAccumulator(x, [tf.ones_like(one) for one in x]) as accumulator:
        tape.watch(x)
        y = function(*x)
    return [tape.gradient(y, x), accumulator.jvp(y)]


@pytest.mark.parametrize(
    ("function", "point", "slope"),
    [
        (lambda x: tf.split(x, 2)[1], [1.0, 2.0], [0.0, 1.0]),
        (lambda x: tf.unstack(x)[0], [1.0, 2.0], [1.0, 0.0]),
        (lambda x: tf.linalg.svd(x)[0], [[3.0, 0.0], [0.0, 2.0]], [[1.0, 0.0], [0.0, 1.0]]),
        (lambda x: tf.linalg.slogdet(x)[1], [[2.0, 0.0], [0.0, 4.0]], [[0.5, 0.0], [0.0, 0.25]]),
        (lambda x: tf.linalg.qr(x)[1], [[1.0, 0.0], [0.0, 1.0]], [[1.0, 1.0], [1.0, 1.0]]),
    ],
)
def test_an_output_that_nobody_asks_for_counts_as_zeros(function: Any, point: Any, slope: Any) -> None:
    gradients, tangent = both(function, point)
    np.testing.assert_allclose(np.abs(gradients[0]), np.abs(slope), atol=1e-6)
    assert tangent is not None


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.argmax(x), lambda x: tf.cast(x, tf.int32), lambda x: x > 1.0, lambda x: tf.equal(x, x),
        lambda x: tf.shape(x), lambda x: tf.size(x), lambda x: tf.zeros_like(x), lambda x: tf.ones_like(x),
        lambda x: tf.stop_gradient(x), lambda x: tf.round(x), lambda x: tf.math.ceil(x), lambda x: x // 2.0,
        lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32), lambda x: tf.constant(x.numpy()), lambda x: tf.argsort(x),
        lambda x: tf.one_hot(tf.argmax(x), 2), lambda x: tf.unique(x).y, lambda x: tf.math.is_nan(x),
    ],
)  # fmt: skip
def test_what_has_no_slope_is_none_in_both_modes(function: Any) -> None:
    gradients, tangent = both(function, [1.25, 2.5])
    assert gradients == [None] and tangent is None


def test_zeros_in_place_of_none_have_the_shape_and_dtype_of_the_source() -> None:
    x = tf.constant([1.0, 2.0], tf.float64)
    for zero in ("zero", tf.UnconnectedGradients.ZERO):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.stop_gradient(x)
        found = tape.gradient(y, x, unconnected_gradients=zero)
        assert found.shape == x.shape and found.dtype == x.dtype and found.numpy().tolist() == [0.0, 0.0]


def test_inf_and_nan_are_answers_and_no_warnings() -> None:
    said = python("-c", "import minitape as tf; x = tf.constant([3e38]); print((x * x).numpy(), (x * x * 0.0).numpy())")
    assert (said.stdout, said.stderr) == ("[inf] [nan]\n", "")


@pytest.mark.parametrize("pick", [tf.gather, tf.nn.embedding_lookup])
def test_picked_rows_have_a_gradient_of_slices_and_a_dense_jacobian(pick: Any) -> None:
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape(persistent=True) as tape:
        rows = pick(table, [2, 0])
    gradient = tape.gradient(rows, table)
    assert isinstance(gradient, tf.IndexedSlices) and gradient.indices.numpy().tolist() == [2, 0]
    jacobian = tape.jacobian(rows, table)
    assert isinstance(jacobian, tf.Tensor) and jacobian.shape == [2, 2, 3, 2]
    assert float(tf.reduce_sum(jacobian)) == 4.0 and float(jacobian[0, 1, 2, 1]) == 1.0


def test_the_largest_of_several_variables_still_differentiates() -> None:
    variables = [tf.Variable(1.0), tf.Variable(3.0), tf.Variable(2.0)]
    with tf.GradientTape() as tape:
        y = max(variables) ** 2
    assert max(variables) is variables[1]
    assert [one if one is None else float(one) for one in tape.gradient(y, variables)] == [None, 6.0, None]


@pytest.mark.parametrize(
    "dtypes", [("float32", "float64"), ("float32", "int32"), ("int32", "int64"), ("complex64", "float32")]
)
@pytest.mark.parametrize("op", [tf.add, tf.subtract, tf.multiply, tf.divide, tf.pow, tf.maximum, tf.equal, tf.less])
def test_dtypes_never_mix(op: Any, dtypes: tuple[str, str]) -> None:
    if op in (tf.maximum, tf.less) and "complex64" in dtypes:
        dtypes = ("float16", "float32")
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"cannot compute .* as input #1"):
        op(tf.ones([2], dtypes[0]), tf.ones([2], dtypes[1]))
