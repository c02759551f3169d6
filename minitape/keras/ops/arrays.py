"""Axes, pieces and places: reshape, join, split, take, put."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from ...dtypes import as_dtype
from ...ops import elementwise as e
from ...ops import indexing, joins, like_numpy, padding, scatter, segments, shapes, slicing
from ...ops.linalg import diag_part
from ...record.refusal import refusal, value_error
from ...tensor import convert
from .operands import Rows, alike, expanded, flat, is_number, plain, shape_of, together


def _tile(x: Any, repeats: Any) -> Any:
    x, counts = convert(x), [repeats] if isinstance(repeats, int) else list(repeats)
    counts, axes = [1] * (x.ndim - len(counts)) + counts, [1] * (len(counts) - x.ndim)
    return padding.tile(shapes.reshape(x, [*axes, *x.shape]) if axes else x, counts)


def _pad(x: Any, pad_width: Any, mode: str = "constant", constant_values: Any = None) -> Any:
    x = convert(x)
    widths = np.broadcast_to(np.asarray(pad_width), (x.ndim, 2))
    return padding.pad(x, widths, mode, 0 if constant_values is None else constant_values)


def _take(x: Any, indices: Any, axis: int | None = None) -> Any:
    x = convert(x)
    x, axis = (flat(x), 0) if axis is None else (x, axis)
    places = convert(indices).numpy()
    return indexing.gather(x, np.where(places < 0, places + x.shape[axis], places), axis=axis)


def _take_along_axis(x: Any, indices: Any, axis: int | None = None) -> Any:
    x, indices = convert(x), convert(indices)
    if axis is None:
        if indices.ndim != 1:
            raise value_error(
                f"`indices` must be 1D if axis=None. Received: indices.shape={tuple(indices.shape)}",
                "axis=-1 picks along the last axis, in each row its own.",
            )
        return indexing.gather_along(flat(x), indices)
    x, picked = like_numpy.swapaxes(x, axis, -1), like_numpy.swapaxes(indices, axis, -1)
    return like_numpy.swapaxes(indexing.gather_along(x, picked), axis, -1)


def where(condition: Any, x1: Any = None, x2: Any = None) -> Any:
    """The numbers of one or the other; without both the places where it holds, an array for each axis, as in NumPy.

    >>> where([True, False], 1.0, [2.0, 3.0]).numpy()
    array([1., 3.], dtype=float32)
    """
    if x1 is None:
        return tuple(joins.unstack(e.cast(e.where(e.cast(condition, "bool")), "int32"), axis=1))
    return e.where(e.cast(condition, "bool"), *alike(x1, x2))


def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    found = default
    for condition, choice in zip(reversed(list(condlist)), reversed(list(choicelist)), strict=True):
        found = where(condition, choice, found)
    return found


def _roll(x: Any, shift: Any, axis: Any = None) -> Any:
    return shapes.reshape(shapes.roll(flat(x), shift, 0), shape_of(x)) if axis is None else shapes.roll(x, shift, axis)


def _slice(inputs: Any, start_indices: Any, shape: Any) -> Any:
    # Python's own slice: the op of this name stands before it.
    parts = [builtins.slice(int(a), int(a) + int(n)) for a, n in zip(start_indices, shape)]
    return convert(inputs)[tuple(parts)]


def _slice_update(inputs: Any, start_indices: Any, updates: Any) -> Any:
    x = convert(inputs)
    new = convert(updates, hint=x.tag.dtype)
    first = [int(start) for start in convert(start_indices).numpy()]
    if len(first) != x.ndim or new.ndim != x.ndim:
        raise value_error(
            f"ops.slice_update: inputs have shape {x.shape}, so updates have {x.ndim} axes and there are {x.ndim} start indices; "
            f"got updates of shape {new.shape} and {len(first)} start ind{'ex' if len(first) == 1 else 'ices'}",
            "A row of a matrix is updated by a matrix of one row: ops.slice_update(x, [2, 0], row[None]).",
        )
    places = np.stack(np.meshgrid(*[np.arange(n) + start for n, start in zip(new.shape, first)], indexing="ij"), -1)
    return scatter.tensor_scatter_nd_update(x, places, new)


_REDUCTIONS = {
    None: scatter.tensor_scatter_nd_update, "add": scatter.tensor_scatter_nd_add,
    "max": scatter.tensor_scatter_nd_max, "min": scatter.tensor_scatter_nd_min,
}  # fmt: skip


def _scatter_update(inputs: Any, indices: Any, updates: Any, reduction: str | None = None) -> Any:
    if reduction not in _REDUCTIONS:
        raise refusal(
            NotImplementedError,
            f"ops.scatter_update(reduction={reduction!r}) is not here; there are None, 'add', 'max' and 'min'",
            "Products: ops.exp of what is added to ops.log(x), or a loop.",
        )
    x = convert(inputs)
    return _REDUCTIONS[reduction](x, indices, convert(updates, hint=x.tag.dtype))


def _segments(row: Callable[..., Any]) -> Callable[..., Any]:
    def of_each(data: Any, segment_ids: Any, num_segments: int | None = None, sorted: bool = False) -> Any:  # noqa: A002
        ids = convert(segment_ids)
        return row(data, ids, int(ids.array.max(initial=-1)) + 1 if num_segments is None else num_segments)

    return of_each


def _concatenate(xs: Any, axis: int = 0) -> Any:
    return joins.concat(together(*joins.several(xs)), axis)


def _append(x1: Any, x2: Any, axis: int | None = None) -> Any:
    return _concatenate([flat(x1), flat(x2)] if axis is None else [x1, x2], axis or 0)


def _parts(axis: int) -> Callable[..., Any]:
    """Split along the first, second or third axis; a row has only one."""

    def split(x: Any, indices_or_sections: Any) -> Any:
        x = convert(x)
        return like_numpy.split(x, indices_or_sections, 0 if x.ndim == 1 and axis == 1 else axis)

    return split


def _array_split(x: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    x = convert(x)
    if not isinstance(indices_or_sections, int):
        return like_numpy.split(x, indices_or_sections, axis)
    lengths = [len(part) for part in np.array_split(np.arange(x.shape[axis]), indices_or_sections)]
    return joins.split(x, lengths, axis)


def _at_least(rank: int) -> Callable[[Any], Any]:
    def reached(x: Any) -> Any:
        x = convert(x)
        while x.ndim < rank:
            x = shapes.expand_dims(x, 0 if x.ndim < 2 else 2)
        return x

    return reached


def _stacked(rank: int, axis: int) -> Callable[..., Any]:
    def stack(xs: Any) -> Any:
        parts = [_at_least(rank)(x) for x in joins.several(xs)]
        return _concatenate(parts, 0 if parts[0].ndim == 1 else axis)

    return stack


def _diff(a: Any, n: int = 1, axis: int = -1) -> Any:
    a = like_numpy.moveaxis(a, axis, -1)
    if n < 0:
        raise value_error(f"order must be non-negative but got {n}", "n says how often: 0, 1, 2 and so on.")
    for _ in range(min(n, a.shape[-1])):  # no numbers are left after that
        a = a[..., 1:] - a[..., :-1]
    return like_numpy.moveaxis(a, -1, axis)


def diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The numbers on a diagonal of the matrices that lie in two axes.

    >>> diagonal([[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([1., 4.], dtype=float32)
    """
    return diag_part(like_numpy.moveaxis(x, (axis1, axis2), (-2, -1)), k=offset)


def _rot90(array: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    x, (first, second), turns = convert(array), axes, k % 4
    if turns == 0:
        return x
    if turns == 2:
        return like_numpy.flip(x, (first, second))
    turned = like_numpy.flip(x, second) if turns == 1 else x
    turned = like_numpy.swapaxes(turned, first, second)
    return turned if turns == 1 else like_numpy.flip(turned, second)


def _extract_sequences(x: Any, sequence_length: int, sequence_stride: int) -> Any:
    x = convert(x)
    starts = np.arange(0, x.shape[-1] - sequence_length + 1, sequence_stride)
    return indexing.gather(x, starts[:, None] + np.arange(sequence_length), axis=-1)


def _dtype(x: Any) -> str:
    return as_dtype((x if hasattr(x, "dtype") else convert(x)).dtype).name


ROWS: Rows = {
    "reshape": lambda x, newshape: shapes.reshape(x, [newshape] if is_number(newshape) else newshape), "ravel": flat,
    **{name: getattr(like_numpy, name) for name in ("flip", "moveaxis", "split", "swapaxes", "tril", "triu")},
    "fliplr": lambda x: like_numpy.flip(x, 1), "flipud": lambda x: like_numpy.flip(x, 0), "rot90": _rot90,
    "transpose": lambda x, axes=None: shapes.transpose(x, axes), "pad": _pad,
    "expand_dims": expanded, "squeeze": lambda x, axis=None: shapes.squeeze(x, axis),
    "broadcast_to": lambda x, shape: shapes.broadcast_to(x, shape), "copy": lambda x: shapes.identity(x),
    "concatenate": _concatenate, "append": _append, "stack": lambda x, axis=0: joins.stack(together(*joins.several(x)), axis),
    "hstack": _stacked(1, 1), "vstack": _stacked(2, 0), "dstack": _stacked(3, 2),
    "unstack": lambda x, num=None, axis=0: joins.unstack(x, num, axis), "array_split": _array_split,
    "hsplit": _parts(1), "vsplit": _parts(0), "dsplit": _parts(2), "roll": _roll, "tile": _tile,
    "repeat": lambda x, repeats, axis=None: slicing.repeat(x, repeats, axis), "take": _take, "take_along_axis": _take_along_axis,
    "where": where, "select": _select, "nonzero": lambda x: where(x), "slice": _slice, "slice_update": _slice_update,
    "get_item": lambda x, key: x[key], "diff": _diff, "diagonal": diagonal, "extract_sequences": _extract_sequences,
    "scatter": lambda indices, values, shape: scatter.scatter_nd(indices, values, shape), "scatter_update": _scatter_update,
    "segment_sum": _segments(segments.unsorted_segment_sum), "segment_prod": _segments(segments.unsorted_segment_prod),
    "segment_max": _segments(segments.unsorted_segment_max), "segment_min": _segments(segments.unsorted_segment_min),
    "unravel_index": lambda indices, shape: tuple(plain(part) for part in np.unravel_index(convert(indices).numpy(), shape)),
    "shape": shape_of, "ndim": lambda x: len(shape_of(x)), "dtype": _dtype,
    "size": lambda x: plain(np.prod(shape_of(x), dtype=int)),
}  # fmt: skip
