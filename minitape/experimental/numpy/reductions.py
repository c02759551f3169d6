"""Reductions along axes, and running sums and products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops import elementwise as number_by_number
from ...ops import reductions, running, shapes, statistics
from ...tensor import Tensor
from .arrays import Rows, asarray, floats
from .shapes import ravel, reshape


def _added(reduce: Callable[..., Any]) -> Callable[..., Any]:
    """A sum or product, of small whole numbers and booleans in int64."""

    def added(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
        a = asarray(a, dtype)
        small = a.tag.dtype.kind in "biu" and dtype is None
        answer: Tensor = reduce(number_by_number.cast(a, np.int64) if small else a, axis, keepdims)
        return answer

    return added


def _over(reduce: Callable[..., Any], dtype: Any = None) -> Callable[..., Any]:
    return lambda a, axis=None, keepdims=False: reduce(asarray(a, dtype), axis, keepdims)


def _flat(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function along an axis, or without one of the flat array."""
    return lambda a, axis=None: function(ravel(a) if axis is None else asarray(a), axis or 0)


def _running(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda a, axis=None, dtype=None: _flat(function)(asarray(a, dtype), axis)


def _mean(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    return reductions.reduce_mean(floats(asarray(a, dtype))[0], axis, keepdims)


def _var(a: Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    (a,) = floats(asarray(a, dtype))
    whole = statistics.reduce_variance(a, axis, keepdims)
    count = a.array.size / (whole.array.size or 1)
    return whole * (count / (count - ddof)) if ddof else whole


def _std(a: Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    return number_by_number.sqrt(_var(a, axis, dtype, ddof, keepdims))


def _average(a: Any, axis: Any = None, weights: Any = None) -> Tensor:
    if weights is None:
        return _mean(a, axis)
    a, weights = floats(a, weights)
    if weights.ndim < a.ndim and axis is not None:
        weights = reshape(weights, [-1 if position == axis % a.ndim else 1 for position in range(a.ndim)])
    weights = shapes.broadcast_to(weights, a.shape)
    return reductions.reduce_sum(a * weights, axis) / reductions.reduce_sum(weights, axis)


largest, smallest = _over(reductions.reduce_max), _over(reductions.reduce_min)
added, every = _added(reductions.reduce_sum), _over(reductions.reduce_all, bool)

ROWS: Rows = {
    "sum": (added, "The sum; of booleans, how many are true."),
    "prod": (_added(reductions.reduce_prod), "The product."),
    "mean": (_mean, "The mean."),
    "var": (_var, "The variance, with a divisor of count - `ddof`."),
    "std": (_std, "The standard deviation."),
    "average": (_average, "The mean, or the weighted mean."),
    "max": (largest, "The largest."),
    "min": (smallest, "The smallest."),
    "amax": (_over(reductions.reduce_max), "The largest."),
    "amin": (_over(reductions.reduce_min), "The smallest."),
    "all": (every, "Whether all are true."),
    "any": (_over(reductions.reduce_any, bool), "Whether at least one is true."),
    "argmax": (_flat(reductions.argmax), "The index of the largest along an axis, or in the flat array."),
    "argmin": (_flat(reductions.argmin), "The index of the smallest along an axis, or in the flat array."),
    "cumsum": (_running(running.cumsum), "Running sums along an axis, or of the flat array."),
    "cumprod": (_running(running.cumprod), "Running products along an axis, or of the flat array."),
    "count_nonzero": (lambda a, axis=None: statistics.count_nonzero(asarray(a), axis), "How many are not 0."),
    "ptp": (
        lambda a, axis=None, keepdims=False: largest(a, axis, keepdims) - smallest(a, axis, keepdims),
        "The largest minus the smallest.",
    ),
}
