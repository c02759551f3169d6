"""Shapes, joins, copies and orders of the same numbers: by NumPy's name how each is made, and what it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops import elementwise as number_by_number
from ...ops import indexing, joins, like_numpy, padding, shapes, slicing, sorting
from ...ops.slicing import getitem
from ...record.refusal import value_error
from ...tensor import Tensor, created
from .arrays import Rows, alike, array, asarray


def reshape(a: Any, newshape: Any, order: str = "C") -> Tensor:
    return shapes.reshape(asarray(a), [newshape] if isinstance(newshape, int) else newshape)


def ravel(a: Any) -> Tensor:
    return shapes.reshape(asarray(a), [-1])


def _size(x: Any, axis: int | None = None) -> int:
    tensor = asarray(x)
    return int(tensor.array.size) if axis is None else int(tensor.shape[axis])


def _concatenate(arys: Any, axis: int = 0) -> Tensor:
    return joins.concat(alike(*joins.several(arys)), axis)


def _hstack(tup: Any) -> Tensor:
    parts = [array(part, ndmin=1) for part in joins.several(tup)]
    return _concatenate(parts, 0 if parts[0].ndim == 1 else 1)


def _tile(a: Any, reps: Any) -> Tensor:
    a, counts = asarray(a), [reps] if isinstance(reps, int) else list(reps)
    counts = [1] * (a.ndim - len(counts)) + counts
    return padding.tile(array(a, ndmin=len(counts)), counts)


def _roll(a: Any, shift: Any, axis: Any = None) -> Tensor:
    if axis is None:
        return reshape(shapes.roll(ravel(a), shift, 0), tuple(asarray(a).shape))
    return shapes.roll(asarray(a), shift, axis)


def _take(a: Any, indices: Any, axis: int | None = None) -> Tensor:
    return indexing.gather(ravel(a) if axis is None else asarray(a), np.asarray(asarray(indices)), axis=axis or 0)


def _where(condition: Any, x: Any = None, y: Any = None) -> Any:
    if x is None and y is None:
        return [created(indices) for indices in np.nonzero(np.asarray(asarray(condition)))]
    x, y = alike(x, y)
    return number_by_number.where(asarray(condition, bool), x, y)


def _diff(a: Any, n: int = 1, axis: int = -1) -> Any:
    a = asarray(a)
    if n < 0:
        raise value_error(f"order must be non-negative but got {n}", "n says how often: 0, 1, 2 and so on.")
    front = (slice(None),) * (axis % a.ndim)
    for _ in range(min(n, a.shape[axis])):  # no numbers are left after that
        a = getitem(a, (*front, slice(1, None))) - getitem(a, (*front, slice(None, -1)))
    return a


ROWS: Rows = {
    "shape": (lambda a: asarray(a).shape, "The lengths of the axes."),
    "ndim": (lambda a: asarray(a).ndim, "How many axes there are."),
    "size": (_size, "How many numbers there are, in all or along an axis."),
    "reshape": (reshape, "The numbers in another shape."),
    "ravel": (ravel, "All numbers along one axis."),
    "flatten": (lambda a: ravel(a), "All numbers along one axis."),
    "transpose": (lambda a, axes=None: shapes.transpose(asarray(a), axes), "The axes in another order, by default reversed."),
    "swapaxes": (lambda a, axis1, axis2: like_numpy.swapaxes(asarray(a), axis1, axis2), "Two axes exchanged."),
    "moveaxis": (
        lambda a, source, destination: like_numpy.moveaxis(asarray(a), source, destination), "Axes moved to other places.",
    ),
    "expand_dims": (lambda a, axis: shapes.expand_dims(asarray(a), axis), "A new axis of length 1."),
    "squeeze": (lambda a, axis=None: shapes.squeeze(asarray(a), axis), "Without axes of length 1, all or those named."),
    "broadcast_to": (lambda array, shape: shapes.broadcast_to(asarray(array), shape), "Repeated to fill a larger shape."),
    "concatenate": (_concatenate, "The arrays joined along an axis."),
    "stack": (lambda arrays, axis=0: joins.stack(alike(*joins.several(arrays)), axis), "The arrays joined along a new axis."),
    "atleast_1d": (lambda a: array(a, ndmin=1), "With at least one axis."),
    "atleast_2d": (lambda a: array(a, ndmin=2), "With at least two axes."),
    "vstack": (
        lambda tup: _concatenate([array(part, ndmin=2) for part in joins.several(tup)]),
        "The arrays joined along the first axis, each with at least two axes.",
    ),
    "hstack": (_hstack, "The arrays joined along the second axis, or along the only one."),
    "split": (
        lambda ary, indices_or_sections, axis=0: like_numpy.split(asarray(ary), indices_or_sections, axis),
        "So many equal parts, or the parts between these indices.",
    ),
    "tile": (_tile, "The array repeated as a whole along each axis."),
    "repeat": (
        lambda a, repeats, axis=None: slicing.repeat(asarray(a), repeats, axis), "Each number, or slice along an axis, repeated.",
    ),
    "flip": (lambda m, axis=None: like_numpy.flip(asarray(m), axis), "Reversed along some axes, or along all."),
    "flipud": (lambda m: like_numpy.flip(asarray(m), 0), "Rows reversed."),
    "fliplr": (lambda m: like_numpy.flip(asarray(m), 1), "Columns reversed."),
    "roll": (_roll, "Shifted along axes, or in the flat array; what is shifted out at one end comes in at the other."),
    "pad": (
        lambda array, pad_width, mode="constant", constant_values=0:
            padding.pad(asarray(array), pad_width, mode.upper(), constant_values),
        "With a border.",
    ),
    "take": (_take, "The numbers at these indices of the flat array, or the slices along an axis."),
    "where": (_where, "x where the condition holds, else y; without both, the indices where it holds, an array for each axis."),
    "sort": (lambda a, axis=-1: sorting.sort(asarray(a), axis), "Sorted along an axis."),
    "argsort": (
        lambda a, axis=-1: number_by_number.cast(sorting.argsort(asarray(a), axis), np.int64),
        "The indices that sort along an axis.",
    ),
    "diff": (_diff, "The differences of neighbours along an axis, taken n times."),
}  # fmt: skip
