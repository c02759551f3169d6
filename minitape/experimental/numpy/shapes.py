"""Shapes, joins, copies and orders of the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops import elementwise as number_by_number
from ...ops import indexing, joins, like_numpy, padding, shapes, slicing, sorting
from ...ops.creation import _made
from ...ops.slicing import getitem
from ...record.refusal import refusal
from ...tensor import Tensor, TensorShape
from .arrays import alike, array, asarray


def shape(a: Any) -> TensorShape:
    """The lengths of the axes."""
    return asarray(a).shape


def ndim(a: Any) -> int:
    """How many axes there are."""
    return asarray(a).ndim


def size(x: Any, axis: int | None = None) -> int:
    """How many numbers there are, in all or along an axis."""
    tensor = asarray(x)
    return int(tensor.array.size) if axis is None else int(tensor.shape[axis])


def reshape(a: Any, newshape: Any, order: str = "C") -> Tensor:
    """The numbers in another shape."""
    return shapes.reshape(asarray(a), [newshape] if isinstance(newshape, int) else newshape)


def ravel(a: Any) -> Tensor:
    """All numbers along one axis."""
    return shapes.reshape(asarray(a), [-1])


flatten = ravel


def transpose(a: Any, axes: Any = None) -> Tensor:
    """The axes in another order, by default reversed."""
    return shapes.transpose(asarray(a), axes)


def swapaxes(a: Any, axis1: int, axis2: int) -> Tensor:
    """Two axes exchanged."""
    return like_numpy.swapaxes(asarray(a), axis1, axis2)


def moveaxis(a: Any, source: Any, destination: Any) -> Tensor:
    """Axes moved to other places."""
    return like_numpy.moveaxis(asarray(a), source, destination)


def expand_dims(a: Any, axis: int) -> Tensor:
    """A new axis of length 1."""
    return shapes.expand_dims(asarray(a), axis)


def squeeze(a: Any, axis: Any = None) -> Tensor:
    """Without axes of length 1, all or those named."""
    return shapes.squeeze(asarray(a), axis)


def broadcast_to(array: Any, shape: Any) -> Tensor:
    """Repeated to fill a larger shape."""
    return shapes.broadcast_to(asarray(array), shape)


def concatenate(arys: Any, axis: int = 0) -> Tensor:
    """The arrays joined along an axis."""
    return joins.concat(alike(*joins.several(arys)), axis)


def stack(arrays: Any, axis: int = 0) -> Tensor:
    """The arrays joined along a new axis."""
    return joins.stack(alike(*joins.several(arrays)), axis)


def atleast_1d(a: Any) -> Tensor:
    """With at least one axis."""
    return array(a, ndmin=1)


def atleast_2d(a: Any) -> Tensor:
    """With at least two axes."""
    return array(a, ndmin=2)


def vstack(tup: Any) -> Tensor:
    """The arrays joined along the first axis, each with at least two axes."""
    return concatenate([atleast_2d(array) for array in joins.several(tup)], 0)


def hstack(tup: Any) -> Tensor:
    """The arrays joined along the second axis, or along the only one."""
    parts = [atleast_1d(array) for array in joins.several(tup)]
    return concatenate(parts, 0 if parts[0].ndim == 1 else 1)


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    """So many equal parts, or the parts between these indices."""
    return like_numpy.split(asarray(ary), indices_or_sections, axis)


def tile(a: Any, reps: Any) -> Tensor:
    """The array repeated as a whole along each axis."""
    a, counts = asarray(a), [reps] if isinstance(reps, int) else list(reps)
    counts = [1] * (a.ndim - len(counts)) + counts
    return padding.tile(array(a, ndmin=len(counts)), counts)


def repeat(a: Any, repeats: Any, axis: int | None = None) -> Tensor:
    """Each number, or slice along an axis, repeated."""
    return slicing.repeat(asarray(a), repeats, axis)


def flip(m: Any, axis: Any = None) -> Tensor:
    """Reversed along some axes, or along all."""
    return like_numpy.flip(asarray(m), axis)


def flipud(m: Any) -> Tensor:
    """Rows reversed."""
    return flip(m, 0)


def fliplr(m: Any) -> Tensor:
    """Columns reversed."""
    return flip(m, 1)


def roll(a: Any, shift: Any, axis: Any = None) -> Tensor:
    """Shifted along axes, or in the flat array; what is shifted out at one end comes in at the other."""
    if axis is None:
        return reshape(shapes.roll(ravel(a), shift, 0), tuple(asarray(a).shape))
    return shapes.roll(asarray(a), shift, axis)


def pad(array: Any, pad_width: Any, mode: str = "constant", constant_values: Any = 0) -> Tensor:
    """With a border."""
    return padding.pad(asarray(array), pad_width, mode.upper(), constant_values)


def take(a: Any, indices: Any, axis: int | None = None) -> Tensor:
    """The numbers at these indices of the flat array, or the slices along an axis."""
    return indexing.gather(ravel(a) if axis is None else asarray(a), np.asarray(asarray(indices)), axis=axis or 0)


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """x where the condition holds, else y; without both, the indices where it holds, an array for each axis."""
    if x is None and y is None:
        return [_made(indices) for indices in np.nonzero(np.asarray(asarray(condition)))]
    x, y = alike(x, y)
    return number_by_number.where(asarray(condition, bool), x, y)


def sort(a: Any, axis: int = -1) -> Tensor:
    """Sorted along an axis."""
    return sorting.sort(asarray(a), axis)


def argsort(a: Any, axis: int = -1) -> Tensor:
    """The indices that sort along an axis."""
    return number_by_number.cast(sorting.argsort(asarray(a), axis), np.int64)


def diff(a: Any, n: int = 1, axis: int = -1) -> Any:
    """The differences of neighbours along an axis, taken n times."""
    a = asarray(a)
    if n < 0:
        raise refusal(ValueError, f"order must be non-negative but got {n}", "n says how often: 0, 1, 2 and so on.")
    front = (slice(None),) * (axis % a.ndim)
    for _ in range(min(n, a.shape[axis])):  # no numbers are left after that
        a = getitem(a, (*front, slice(1, None))) - getitem(a, (*front, slice(None, -1)))
    return a
