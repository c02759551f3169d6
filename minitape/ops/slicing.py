"""Indexing with `[ ]`: numbers, slices, `...`, new axes and boolean masks; and the same as functions."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..notes import named
from ..record.refusal import answered, invalid_argument, type_error, value_error
from ..tensor import Operand, Tensor, convert, to_array
from .indexing import gather
from .shapes import _key, _shape, axis_within, getitem_, reshape_

_INDICES = "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tensors are valid indices"


def _plain(part: Any) -> Any:
    if isinstance(part, slice):
        return ("slice", *(None if part is None else _place(part) for part in (part.start, part.stop, part.step)))
    if part is None or part is Ellipsis:
        return None if part is None else "..."
    return _place(part)


def _place(bound: Any) -> int:
    if isinstance(bound, bool) or not hasattr(bound, "__index__"):
        raise type_error(f"{_INDICES}, got {bound!r}.")
    if isinstance(bound, Operand) and not bound.dtype.is_integer:
        raise type_error(f"{_INDICES}, got {bound!r}.", "An index is a whole number: tf.cast(i, tf.int32).")
    return operator.index(bound)


def numpy_key(key: Any) -> Any:
    """The key of `x[key]` as NumPy takes it."""
    parts = key if isinstance(key, tuple) else (key,)
    if len(parts) == 1 and isinstance(parts[0], Operand | np.ndarray | list) and to_array(parts[0]).dtype == bool:
        return to_array(parts[0])
    return _key(tuple(_plain(part) for part in parts))


def getitem(x: Any, key: Any) -> Tensor:
    """`x[key]`: numbers, slices, `...`, `None` (a new axis), or a boolean mask."""
    parts = key if isinstance(key, tuple) else (key,)
    mask = parts[0] if parts else None
    if len(parts) == 1 and isinstance(mask, Operand | np.ndarray | list | bool) and to_array(mask).dtype == bool:
        return boolean_mask(x, mask)
    for part in parts:
        if isinstance(part, list | np.ndarray) and np.ndim(part):
            raise type_error(f"{_INDICES}, got {part!r}. To pick several, use tf.gather(x, indices).")
    try:
        parts = tuple([_plain(part) for part in parts])
    except Exception as problem:
        raise answered(problem, "tf.Tensor.__getitem__", getitem, (x, key), {}) from None
    return getitem_(x, key=parts)


@named("slice")
def slice_(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """The part that starts at `begin` and has lengths `size`; -1 means all the rest.

    >>> tf.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, -1]).numpy()
    array([[2, 3],
           [5, 6]], dtype=int32)
    """
    x = convert(input_)
    starts, lengths = to_array(begin), to_array(size)
    if starts.shape != (x.ndim,) or lengths.shape != (x.ndim,):
        raise invalid_argument(
            f"Expected begin and size arguments to be 1-D tensors of size {x.ndim}, but got shapes {list(starts.shape)} "
            f"and {list(lengths.shape)} instead.",
            "One number per axis; size=-1 takes all that is left of an axis.",
        )
    key = []
    for start, length, whole in zip(_shape(begin), _shape(size), x.shape, strict=True):
        stop = whole if length == -1 else start + length
        if not 0 <= start <= stop <= whole:
            raise invalid_argument(
                f"tf.slice: from {start} to {stop} does not fit an axis of length {whole}",
                "size=-1 takes all that is left of an axis; x[a:b] stops at the end by itself.",
            )
        key.append(("slice", int(start), int(stop), None))
    return getitem_(x, key=tuple(key))


@named("strided_slice")
def strided_slice(
    input_: Any, begin: Any, end: Any, strides: Any = None, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, var: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """`input_[begin:end:strides]`, axis by axis.

    Bit i of a mask says what stands at place i instead: no begin, no end, `...`, a new axis, or one number.

    >>> tf.strided_slice([1, 2, 3, 4], [0], [4], [2]).numpy()
    array([1, 3], dtype=int32)
    """
    starts, stops = to_array(begin).reshape(-1), to_array(end).reshape(-1)
    steps = np.ones(len(starts), int) if strides is None else to_array(strides).reshape(-1)
    key: list[Any] = []
    for position, (start, stop, step) in enumerate(zip(starts, stops, steps, strict=True)):
        bit = 1 << position
        if ellipsis_mask & bit or new_axis_mask & bit:
            key.append("..." if ellipsis_mask & bit else None)
        elif shrink_axis_mask & bit:
            key.append(int(start))
        else:
            ends = None if begin_mask & bit else int(start), None if end_mask & bit else int(stop)
            key.append(("slice", *ends, int(step)))
    return getitem_(input_, key=tuple(key))


@named("repeat")
def repeat(input: Any, repeats: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """Each element (along an axis) repeated.

    >>> tf.repeat([1, 2], 2).numpy()
    array([1, 1, 2, 2], dtype=int32)
    """
    input = convert(input)
    along = 0 if axis is None else axis_within(axis, input.ndim)
    row = reshape_(input, shape=(-1,) if axis is None else input.tag.shape)  # so that a gradient is no IndexedSlices
    given = to_array(repeats)
    if given.dtype.kind not in "iu":
        raise type_error(
            f"repeats must be an integer tensor; dtype={given.dtype}",
            "tf.cast(repeats, tf.int32) leaves out what is behind the point.",
        )
    counts = given.reshape(-1).astype(np.int64)
    if (counts < 0).any():
        raise invalid_argument(f"Expected repeats >= 0, but got {counts.min()}", "0 leaves an element out.")
    if counts.size not in (1, row.shape[along]):
        raise value_error(
            f"repeat has {counts.size} counts for an axis of length {row.shape[along]}",
            "Give one count for all, or one for each element.",
        )
    return gather(row, np.repeat(np.arange(row.shape[along]), counts if counts.size > 1 else counts[0]), axis=along)


@named("boolean_mask")
def boolean_mask(tensor: Any, mask: Any, axis: int | None = None, name: str = "boolean_mask") -> Tensor:
    """The elements at which the mask holds, in a row.

    >>> tf.boolean_mask([1, 2, 3], [True, False, True]).numpy()
    array([1, 3], dtype=int32)
    """
    tensor, holds = convert(tensor), to_array(mask)
    if not holds.ndim:
        raise value_error("mask cannot be scalar.", "It says yes or no for each element: x > 0, say.")
    start = axis or 0
    lead, rest = tensor.shape[:start], tensor.shape[start + holds.ndim :]
    if tensor.shape[start : start + holds.ndim] != holds.shape:
        raise value_error(
            f"boolean_mask: the mask of shape {holds.shape} does not fit the tensor of shape {tensor.shape}",
            "The mask has the shape of the tensor's first axes; axis=1 begins one later.",
        )
    flat_tensor = reshape_(tensor, shape=(*lead, int(np.prod(holds.shape, dtype=int)), *rest))  # and here
    return gather(flat_tensor, np.flatnonzero(holds), axis=start)
