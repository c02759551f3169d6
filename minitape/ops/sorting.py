"""Sorting and searching.  An order has no derivative, but the sorted numbers have one, so all of these pick by `take_along`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..notes import Notes, named
from ..primitive import flat
from ..record.refusal import invalid_argument, value_error
from ..tensor import Tensor, convert
from .elementwise import cast
from .indexing import take_along_
from .reductions import reduce_all
from .shapes import axis_within, in_shape, transpose, whole

# fmt: off
argsort_ = flat("argsort", lambda x, descending: _order(x, descending),
    notes=Notes(phrase="the places of x in order"))
searchsorted_ = flat("searchsorted", lambda x, y, right: _search(x, y, right), arguments=("x", "y"),
    notes=Notes(phrase="where y belongs in the sorted x"))
invert_permutation_ = flat("invert_permutation", lambda x: np.argsort(x).astype(x.dtype),
    notes=Notes(phrase="where each place went in x"))
# fmt: on


def _order(x: np.ndarray, descending: bool) -> np.ndarray:
    """Equal numbers keep their order, in both directions."""
    if not descending:
        return np.argsort(x, -1, kind="stable").astype(np.int32)
    turned = np.argsort(np.flip(x, -1), -1, kind="stable")
    return np.flip(x.shape[-1] - 1 - turned, -1).astype(np.int32)


def _search(x: np.ndarray, y: np.ndarray, right: bool) -> np.ndarray:
    rows, wanted = x.reshape(-1, x.shape[-1]), y.reshape(-1, y.shape[-1])
    side: Any = "right" if right else "left"
    found = [np.searchsorted(row, value, side) for row, value in zip(rows, wanted, strict=True)]
    return np.array(found).reshape(y.shape)


def _direction(direction: str) -> bool:
    if direction.upper() not in ("ASCENDING", "DESCENDING"):
        raise value_error(
            f"Argument `direction` should be one of 'ASCENDING' or 'DESCENDING'. Received: {direction!r}",
            "Upwards is what you get without it.",
        )
    return direction.upper() == "DESCENDING"


def _last(x: Tensor, axis: int) -> tuple[Tensor, list[int] | None]:
    """The tensor with the axis last, and how to put it back."""
    along = axis_within(axis, x.ndim)
    if along == x.ndim - 1:
        return x, None
    order = [*range(along), x.ndim - 1, *range(along + 1, x.ndim - 1), along]
    return transpose(x, order), order


@named("argsort")
def argsort(
    values: Any, axis: int = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Tensor:
    """The indices that sort the numbers along an axis.

    >>> tf.argsort([3.0, 1.0, 2.0]).numpy()
    array([1, 2, 0], dtype=int32)
    """
    turned, order = _last(convert(values), axis)
    positions = argsort_(turned, descending=_direction(direction))
    return positions if order is None else transpose(positions, order)


@named("sort")
def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Tensor:
    """The numbers sorted along an axis.

    >>> tf.sort([3.0, 1.0, 2.0], direction="DESCENDING").numpy()
    array([3., 2., 1.], dtype=float32)
    """
    turned, order = _last(convert(values), axis)
    found = take_along_(turned, argsort_(turned, descending=_direction(direction)))
    return found if order is None else transpose(found, order)


class TopKV2(NamedTuple):
    """The result of `top_k`."""

    values: Tensor
    indices: Tensor


@named("math.top_k nn.top_k")
def top_k(input: Any, k: Any = 1, sorted: bool = True, index_type: Any = "int32", name: str | None = None) -> TopKV2:
    """The k largest along the last axis, and their indices; of equal numbers the first.

    >>> [tensor.numpy().tolist() for tensor in tf.nn.top_k([3.0, 1.0, 2.0], 2)]
    [[3.0, 2.0], [0, 2]]
    """
    x, k = convert(input), whole(k)
    if not x.ndim or k > x.shape[-1]:
        raise invalid_argument(
            f"input must have at least k={k} columns, got shape {x.shape}",
            f"Ask for k={x.shape[-1]} or fewer." if x.ndim else "It is one number: there is nothing to choose from.",
        )
    positions = argsort_(x, descending=True)[..., :k]
    return TopKV2(take_along_(x, positions), positions)


@named("searchsorted")
def searchsorted(
    sorted_sequence: Any, values: Any, side: str = "left", out_type: Any = "int32", name: str | None = None
) -> Tensor:
    """Where each value belongs in a sorted row, before ("left") or after ("right") its equals.

    >>> tf.searchsorted([1.0, 3.0, 5.0], [2.0, 3.0], side="right").numpy()
    array([1, 2], dtype=int32)
    """
    if side not in ("left", "right"):
        raise value_error(
            f"side must be either 'right' or 'left'. Saw: {side}.",
            "It says on which side of an equal number the place is.",
        )
    row = convert(sorted_sequence)
    found = searchsorted_(row, convert(values, hint=row.tag.dtype), right=side == "right")
    return cast(found, out_type)


@named("math.invert_permutation")
def invert_permutation(x: Any, name: str | None = None) -> Tensor:
    """The inverse of a permutation of 0, 1, 2 ...; raises InvalidArgumentError for anything else.

    >>> tf.math.invert_permutation([2, 0, 1]).numpy()
    array([1, 2, 0], dtype=int32)
    """
    x = convert(x)
    array = x.array
    if array.ndim != 1 or not np.array_equal(np.sort(array), np.arange(array.size)):
        raise invalid_argument(
            f"{array.tolist()} is no permutation of the numbers from 0 to {array.size - 1}",
            "Each of them must stand there once.",
        )
    return invert_permutation_(x)


@named("math.is_non_decreasing")
def is_non_decreasing(x: Any, name: str | None = None) -> Tensor:
    """Whether no number is smaller than the one before it.

    >>> bool(tf.math.is_non_decreasing([1, 1, 2]))
    True
    """
    row = in_shape(convert(x), [-1])
    return reduce_all(row[1:] >= row[:-1])


@named("math.is_strictly_increasing")
def is_strictly_increasing(x: Any, name: str | None = None) -> Tensor:
    """Whether every number is larger than the one before it.

    >>> bool(tf.math.is_strictly_increasing([1, 1, 2]))
    False
    """
    row = in_shape(convert(x), [-1])
    return reduce_all(row[1:] > row[:-1])
