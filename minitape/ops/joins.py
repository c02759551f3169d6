"""Rows that join values along an old axis or a new one, and that split them again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kinds import Linear
from ..notes import Notes, named, written
from ..record.refusal import described, invalid_argument, type_error, value_error
from ..tensor import Operand, Tensor, conversion, convert, to_array
from . import elementwise
from .shapes import _shape, axis_within, whole

# fmt: off
concat_ = Linear("concat", lambda *values, axis: np.concatenate(values, axis),
    lambda g, shapes, axis: split_at(g, shapes, axis), arguments=("*values",),
    notes=Notes(phrase="values, joined", hint="Only the joined axis may differ: print the shapes of the parts."))
stack_ = Linear("stack", lambda *values, axis: np.stack(values, axis), lambda g, axis: unstack(g, axis=axis),
    arguments=("*values",),
    notes=Notes(phrase="values, stacked", title="Pack"))
unstack_ = Linear("unstack", lambda x, axis: tuple(np.moveaxis(x, axis, 0)), lambda g, axis: stack(g, axis),
    outputs=0,
    notes=Notes(phrase="the layers of x"))
split_ = Linear("split", lambda x, sizes, axis: tuple(np.split(x, np.cumsum(sizes)[:-1], axis)),
    lambda g, axis: concat(g, axis), outputs=0,
    notes=Notes(phrase="the pieces of x"))
# fmt: on


@written(phrase="values, joined")
@named("concat")
def concat(values: Any, axis: int, name: str | None = None) -> Tensor:
    """The values joined along an axis.

    >>> tf.concat([[1, 2], [3]], 0).numpy()
    array([1, 2, 3], dtype=int32)
    """
    _one_list("concat", values, axis)
    parts = _alike(values if isinstance(values, list | tuple) else [values], first=True)
    if not parts:
        raise invalid_argument("concat needs at least one value, got an empty list", "tf.zeros([0]) is empty.")
    return concat_(*parts, axis=whole(axis))


@written(phrase="values, stacked")
@named("stack")
def stack(values: Any, axis: int = 0, name: str | None = None) -> Tensor:
    """The values as layers along a new axis.

    >>> tf.stack([1.0, 2.0]).numpy()
    array([1., 2.], dtype=float32)
    """
    _one_list("stack", values, axis)
    if isinstance(values, Operand) and axis == 0:
        return convert(values)
    parts = _alike(values)
    if not parts:
        return convert([])
    _new_axis(axis, parts[0].ndim + 1)
    return stack_(*parts, axis=int(axis))


def _one_list(name: str, values: Any, axis: Any) -> None:
    """Raise TypeError where a second value stands in the place of the axis."""
    if isinstance(axis, Operand | np.ndarray) and axis.ndim:
        raise type_error(
            f"the second argument of tf.{name} is an axis, got {described(axis)}",
            f"The values are one list: tf.{name}([x, y], axis=0).",
        )


def several(values: Any) -> Any:
    """A list of values; an array or a text stands for the list of its slices."""
    if isinstance(values, str | bytes | np.ndarray):
        values = convert(values)
    return values if isinstance(values, list | tuple) else list(values)


def _alike(values: Any, first: bool = False) -> list[Tensor]:
    """The values as tensors of one dtype: that of the first tensor, or else that which holds all the numbers.

    With `first` and no tensor among them, that of the first value, as far as the others can take it.
    """
    values = several(values)
    hint = next((value.tag.dtype for value in values if isinstance(value, Operand)), None)
    if hint is None and all(type(value) in (int, float) for value in values):
        hint = to_array(values).dtype
    if hint is None and first and len(values):
        hint = to_array(values[0]).dtype
    return [convert(value, hint=hint) for value in values]


def _new_axis(axis: int, ndim: int) -> None:
    if not -ndim <= axis < ndim:
        raise value_error(
            f"Argument `axis` = {axis} not in range [{-ndim}, {ndim})",
            "print(x.shape) shows the axes." if isinstance(axis, int) else "The values are one list: tf.stack([a, b]).",
        )


@written(phrase="the layers of value")
@named("unstack")
def unstack(value: Any, num: int | None = None, axis: int = 0, name: str | None = None) -> list[Tensor]:
    """The layers along an axis, as a list.

    >>> [int(part) for part in tf.unstack([1, 2])]
    [1, 2]
    """
    value = convert(value)
    _new_axis(axis, value.ndim)
    if num is not None and num != value.shape[axis]:
        raise invalid_argument(
            f"Input shape axis {axis} must equal {num}, got shape {value.shape.as_list()}",
            "Without num you get all there are.",
        )
    return list(unstack_(value, axis=axis))


@named("split")
def split(
    value: Any, num_or_size_splits: Any, axis: int = 0, num: int | None = None, name: str | None = None
) -> list[Tensor]:
    """The tensor in equal pieces (a number) or in pieces of given lengths (a list) along an axis.

    >>> [part.numpy().tolist() for part in tf.split([1, 2, 3], [1, 2])]
    [[1], [2, 3]]
    """
    value = convert(value)
    axis = axis_within(axis, value.ndim)
    length = value.shape[axis]
    if isinstance(num_or_size_splits, int):
        if num_or_size_splits < 1 or length % num_or_size_splits:
            raise invalid_argument(
                f"an axis of length {length} cannot be split into {num_or_size_splits} equal pieces",
                "Say how long each is: tf.split(x, [2, 3]).",
            )
        sizes: tuple[int, ...] = (length // num_or_size_splits,) * num_or_size_splits
    else:
        sizes = _shape(num_or_size_splits)
        if -1 in sizes:
            rest = length - sum(size for size in sizes if size != -1)
            sizes = tuple(rest if size == -1 else size for size in sizes)
        if sum(sizes) != length:
            raise invalid_argument(
                f"pieces of lengths {list(sizes)} do not make up an axis of length {length}",
                "One of them may be -1: it takes what is left.",
            )
    return list(split_(value, sizes=sizes, axis=axis))


@written(phrase="the pieces of value")
def split_at(value: Tensor, shapes: list[tuple[int, ...]], axis: int) -> list[Tensor]:
    """The pieces that were joined from values of these shapes."""
    return list(split_(value, sizes=tuple(shape[axis] for shape in shapes), axis=axis))


def _pack(values: Any, dtype: Any = None) -> Tensor:
    parts = [_pack(value, dtype) if isinstance(value, list | tuple) else value for value in values]
    packed = stack(parts)
    return packed if dtype is None else elementwise.cast(packed, dtype)


conversion.pack = _pack
