"""A gradient as an optimizer takes it: an array that remembers the slices that it is the sum of.

The gradient of a table from which rows were picked is a list of slices, several of which may belong to one row.  Functions that
are not linear (squares, sizes, bounds) apply to each slice by itself, before the slices of a row are added up, as in Keras.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.indexing import IndexedSlices
from ...tensor import convert

Function = Callable[[np.ndarray], np.ndarray]


class Slope(np.ndarray):
    """The dense gradient; what is computed from it is an ordinary array."""

    slices: tuple[np.ndarray, np.ndarray] | None = None  # the rows, and what each adds to its row

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [operand.view(np.ndarray) if isinstance(operand, Slope) else operand for operand in inputs]
        return getattr(ufunc, method)(*plain, **options)


def slope_of(gradient: Any, dtype: Any) -> np.ndarray:
    """A gradient as an array of this dtype, with its slices where some row has several."""
    whole = convert(gradient).array.astype(dtype)
    if isinstance(gradient, IndexedSlices):
        rows = gradient.indices.array
        if len(np.unique(rows)) < len(rows):
            return _sum_of(rows, gradient.values.array.astype(dtype), whole.shape)
    return whole


def by_slice(function: Function, slope: np.ndarray) -> np.ndarray:
    """A function of a gradient, number by number; where a row has several slices, the sum of the function of each.

    >>> twice = _sum_of(np.array([1, 1]), np.array([[3.0], [4.0]]), (2, 1))
    >>> twice.tolist(), by_slice(np.square, twice).tolist()
    ([[0.0], [7.0]], [[0.0], [25.0]])
    """
    slices = getattr(slope, "slices", None)
    if slices is None:
        return function(slope)
    rows, values = slices
    return _sum_of(rows, function(values), slope.shape)


def _sum_of(rows: np.ndarray, values: np.ndarray, shape: tuple[int, ...]) -> Slope:
    whole = np.zeros(shape, values.dtype)
    np.add.at(whole, rows, values)
    slope = whole.view(Slope)
    slope.slices = rows, values
    return slope


def length(slopes: list[np.ndarray]) -> Any:
    """The root of the sum of all squares."""
    return np.sqrt(sum(by_slice(np.square, slope).sum() for slope in slopes))


def clipped(slopes: list[np.ndarray], optimizer: Any) -> list[np.ndarray]:
    """Gradients clipped by an optimizer's `clipvalue`, `clipnorm` or `global_clipnorm`."""
    if optimizer.clipvalue:
        most = optimizer.clipvalue
        return [by_slice(lambda part: np.clip(part, -most, most), slope) for slope in slopes]
    if optimizer.clipnorm:
        return [_shortened(slope, optimizer.clipnorm) for slope in slopes]
    if optimizer.global_clipnorm:
        most = optimizer.global_clipnorm
        whole = length(slopes)
        scale = most * min(1 / whole if whole else math.inf, 1 / most)
        return [slope * slope.dtype.type(scale) for slope in slopes]
    return slopes


def _shortened(slope: np.ndarray, most: float) -> np.ndarray:
    longest = slope.dtype.type(most)
    whole = max(length([slope]), longest)
    return by_slice(lambda part: part * longest / whole, slope)
