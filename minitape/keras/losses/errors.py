"""How far a prediction is from the truth: one number per example."""

from __future__ import annotations

from typing import Any

from ...ops.elementwise import abs as abs_
from ...ops.elementwise import log, maximum, relu, softplus, sqrt, square, squared_difference, where
from ...ops.reductions import reduce_max, reduce_mean, reduce_sum
from ...tensor import Tensor
from .shapes import alike

SMALL = 1e-7  # what keeps divisions and logarithms from 0


def mean_squared_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of the squared differences, along the last axis.

    >>> tf.keras.losses.mean_squared_error([[0.0, 1.0], [2.0, 3.0]], [[1.0, 1.0], [2.0, 5.0]]).numpy()
    array([0.5, 2. ], dtype=float32)
    """
    y_true, y_pred = alike(y_true, y_pred)
    return reduce_mean(squared_difference(y_true, y_pred), -1)


def mean_absolute_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of the absolute differences, along the last axis.

    >>> tf.keras.losses.mean_absolute_error([[0.0, 1.0], [2.0, 3.0]], [[1.0, 1.0], [2.0, 5.0]]).numpy()
    array([0.5, 1. ], dtype=float32)
    """
    y_true, y_pred = alike(y_true, y_pred)
    return reduce_mean(abs_(y_true - y_pred), -1)


def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of the absolute differences in percent of the truth, along the last axis.

    >>> tf.keras.losses.mean_absolute_percentage_error([[2.0, 4.0], [1.0, 5.0]], [[1.0, 5.0], [2.0, 5.0]]).numpy()
    array([37.5, 50. ], dtype=float32)
    """
    y_true, y_pred = alike(y_true, y_pred)
    return 100.0 * reduce_mean(abs_((y_true - y_pred) / maximum(abs_(y_true), SMALL)), -1)


def mean_squared_logarithmic_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of the squared differences of log(1 + y), along the last axis; what is below 0 counts as 0.

    >>> tf.keras.losses.mean_squared_logarithmic_error([[0.0], [3.0]], [[1.0], [3.0]]).numpy()
    array([0.48045287, 0.        ], dtype=float32)
    """
    y_true, y_pred = alike(y_true, y_pred)
    return reduce_mean(square(log(maximum(y_pred, SMALL) + 1.0) - log(maximum(y_true, SMALL) + 1.0)), -1)


def cosine_similarity(y_true: Any, y_pred: Any, axis: int = -1) -> Tensor:
    """Minus the cosine along an axis: -1 where both point in one direction, 1 where they point in opposite ones.

    >>> tf.keras.losses.cosine_similarity([[3.0, 0.0], [0.0, 2.0]], [[2.0, 0.0], [0.0, -1.0]]).numpy()
    array([-1.,  1.], dtype=float32)
    """
    y_true, y_pred = alike(y_true, y_pred)
    return -reduce_sum(unit(y_true, axis) * unit(y_pred, axis), axis)


def unit(x: Tensor, axis: int) -> Tensor:
    """Vectors divided by their length; one that is almost 0 stays small.

    >>> from ...tensor import convert
    >>> unit(convert([3.0, 4.0]), -1).numpy().round(3)
    array([0.6, 0.8], dtype=float32)
    """
    return x / sqrt(maximum(reduce_sum(square(x), axis, keepdims=True), SMALL**2))


def huber(y_true: Any, y_pred: Any, delta: float = 1.0) -> Tensor:
    """Half of the squared difference where it is small, and a straight line from `delta` on (Huber 1964).

    >>> tf.keras.losses.huber([[0.0, 0.0], [0.0, 0.0]], [[1.0, 3.0], [0.0, 4.0]], delta=2.0).numpy()
    array([2.25, 3.  ], dtype=float32)
    """
    y_true, y_pred = alike(y_true, y_pred)
    error = y_pred - y_true
    size = abs_(error)
    return reduce_mean(where(size <= delta, 0.5 * square(error), delta * size - 0.5 * delta**2), -1)


def log_cosh(y_true: Any, y_pred: Any) -> Tensor:
    """The logarithm of the hyperbolic cosine of the difference: about half its square if small, about its size if large.

    >>> tf.keras.losses.log_cosh([[0.0], [0.0]], [[1.0], [10.0]]).numpy()
    array([0.4337808, 9.306852 ], dtype=float32)
    """
    y_true, y_pred = alike(y_true, y_pred)
    error = y_pred - y_true
    return reduce_mean(error + softplus(error * -2.0) - 0.6931471805599453, -1)


def hinge(y_true: Any, y_pred: Any) -> Tensor:
    """How far `y_pred` is from lying on the right side by 1, for truths -1 and 1 (or 0 and 1).

    >>> tf.keras.losses.hinge([[-1.0, 1.0], [1.0, 1.0]], [[0.5, 3.0], [1.0, 0.5]]).numpy()
    array([0.75, 0.25], dtype=float32)
    """
    y_true, y_pred = alike(y_true, y_pred)
    missing = 1.0 - _signs(y_true) * y_pred
    return reduce_mean(maximum(missing, 0.0), -1)  # on the margin itself relu's slope is 0, and Keras's is not


def squared_hinge(y_true: Any, y_pred: Any) -> Tensor:
    """The square of `hinge`, number by number.

    >>> tf.keras.losses.squared_hinge([[-1.0, 1.0], [1.0, 1.0]], [[0.5, 3.0], [1.0, 0.5]]).numpy()
    array([1.125, 0.125], dtype=float32)
    """
    y_true, y_pred = alike(y_true, y_pred)
    return reduce_mean(square(relu(1.0 - _signs(y_true) * y_pred)), -1)


def categorical_hinge(y_true: Any, y_pred: Any) -> Tensor:
    """How far the right class (a one-hot row) is from leading the best of the others by 1.

    >>> tf.keras.losses.categorical_hinge([[0.0, 1.0], [1.0, 0.0]], [[0.5, 0.25], [2.0, 0.5]]).numpy()
    array([1.25, 0.  ], dtype=float32)
    """
    y_true, y_pred = alike(y_true, y_pred)
    right, wrong = reduce_sum(y_true * y_pred, -1), reduce_max((1.0 - y_true) * y_pred, -1)
    return maximum(wrong - right + 1.0, 0.0)


def _signs(y_true: Tensor) -> Tensor:
    """Truths of 0 and 1 as -1 and 1."""
    return 2.0 * y_true - 1.0 if ((y_true.array == 0) | (y_true.array == 1)).all() else y_true


def dice(y_true: Any, y_pred: Any, axis: Any = None) -> Tensor:
    """1 minus twice what two regions share over what both hold (Dice 1945).

    >>> tf.keras.losses.dice([1.0, 1.0, 0.0], [1.0, 0.0, 0.0]).numpy().round(3)
    np.float32(0.333)
    """
    y_true, y_pred = alike(y_true, y_pred)
    both = reduce_sum(y_true, axis) + reduce_sum(y_pred, axis)
    return 1.0 - 2.0 * reduce_sum(y_true * y_pred, axis) / (both + SMALL)


def tversky(y_true: Any, y_pred: Any, alpha: float = 0.5, beta: float = 0.5, axis: Any = None) -> Tensor:
    """`dice` in which what only y_true holds counts `alpha` times, and what only y_pred holds `beta` times (Tversky 1977).

    >>> tf.keras.losses.tversky([1.0, 1.0, 0.0], [1.0, 0.0, 0.0], alpha=0.25).numpy().round(3)
    np.float32(0.2)
    """
    y_true, y_pred = alike(y_true, y_pred)
    shared = reduce_sum(y_true * y_pred, axis)
    missed, more = reduce_sum((1.0 - y_pred) * y_true, axis), reduce_sum(y_pred * (1.0 - y_true), axis)
    return 1.0 - shared / (shared + missed * alpha + more * beta + SMALL)
