"""Reductions along axes, and running sums and products."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops import elementwise as number_by_number
from ...ops import reductions, running, shapes, statistics
from ...tensor import Tensor
from .arrays import asarray, floats
from .shapes import ravel, reshape


def sum(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:  # noqa: A001
    """The sum; of booleans, how many are true."""
    a = asarray(a, dtype)
    small = a.tag.dtype.kind in "biu" and dtype is None
    return reductions.reduce_sum(number_by_number.cast(a, np.int64) if small else a, axis, keepdims)


def prod(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The product."""
    a = asarray(a, dtype)
    small = a.tag.dtype.kind in "biu" and dtype is None
    return reductions.reduce_prod(number_by_number.cast(a, np.int64) if small else a, axis, keepdims)


def mean(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The mean."""
    return reductions.reduce_mean(floats(asarray(a, dtype))[0], axis, keepdims)


def var(a: Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The variance, with a divisor of count - `ddof`."""
    (a,) = floats(asarray(a, dtype))
    whole = statistics.reduce_variance(a, axis, keepdims)
    count = a.array.size / (whole.array.size or 1)
    return whole * (count / (count - ddof)) if ddof else whole


def std(a: Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """The standard deviation."""
    return number_by_number.sqrt(var(a, axis, dtype, ddof, keepdims))


def average(a: Any, axis: Any = None, weights: Any = None) -> Tensor:
    """The mean, or the weighted mean."""
    if weights is None:
        return mean(a, axis)
    a, weights = floats(a, weights)
    if weights.ndim < a.ndim and axis is not None:
        weights = reshape(weights, [-1 if position == axis % a.ndim else 1 for position in range(a.ndim)])
    weights = shapes.broadcast_to(weights, a.shape)
    return reductions.reduce_sum(a * weights, axis) / reductions.reduce_sum(weights, axis)


def max(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:  # noqa: A001
    """The largest."""
    return reductions.reduce_max(asarray(a), axis, keepdims)


def min(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:  # noqa: A001
    """The smallest."""
    return reductions.reduce_min(asarray(a), axis, keepdims)


amax, amin = max, min


def all(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:  # noqa: A001
    """Whether all are true."""
    return reductions.reduce_all(asarray(a, bool), axis, keepdims)


def any(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:  # noqa: A001
    """Whether at least one is true."""
    return reductions.reduce_any(asarray(a, bool), axis, keepdims)


def argmax(a: Any, axis: int | None = None) -> Tensor:
    """The index of the largest along an axis, or in the flat array."""
    return reductions.argmax(ravel(a) if axis is None else asarray(a), axis or 0)


def argmin(a: Any, axis: int | None = None) -> Tensor:
    """The index of the smallest along an axis, or in the flat array."""
    return reductions.argmin(ravel(a) if axis is None else asarray(a), axis or 0)


def cumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Running sums along an axis, or of the flat array."""
    return running.cumsum(ravel(asarray(a, dtype)) if axis is None else asarray(a, dtype), axis or 0)


def cumprod(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Running products along an axis, or of the flat array."""
    return running.cumprod(ravel(asarray(a, dtype)) if axis is None else asarray(a, dtype), axis or 0)


def count_nonzero(a: Any, axis: Any = None) -> Tensor:
    """How many are not 0."""
    return statistics.count_nonzero(asarray(a), axis)


def ptp(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The largest minus the smallest."""
    return max(a, axis, keepdims) - min(a, axis, keepdims)
