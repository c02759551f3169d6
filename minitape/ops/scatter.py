"""Updates at index vectors: the last axis of `indices` is an index into the first axes of the tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..notes import named
from ..record.refusal import invalid_argument
from ..tensor import Tensor, convert, to_array
from .elementwise import maximum, minimum, select
from .indexing import gather, gather_nd, places_of, scatter_add_
from .shapes import in_shape


@named("scatter_nd")
def scatter_nd(indices: Any, updates: Any, shape: Any, name: str | None = None) -> Tensor:
    """Zeros plus the updates at index vectors; updates at one index add up.

    >>> tf.scatter_nd([[1], [1], [3]], [1, 2, 3], [4]).numpy()
    array([0, 3, 0, 3], dtype=int32)
    """
    updates, where = convert(updates), to_array(indices)
    whole = tuple(int(size) for size in to_array(shape).reshape(-1))
    depth = _depth(where, updates, whole)
    rows = (int(np.prod(whole[:depth], dtype=int)), *whole[depth:])
    return in_shape(scatter_add_(updates, places_of(where, whole), axis=0, shape=rows), whole)


def _depth(where: np.ndarray, updates: Tensor, whole: tuple[int, ...]) -> int:
    """How long the index vectors are; raises InvalidArgumentError where there is not one update for each of them."""
    depth = where.shape[-1] if where.ndim else 0
    if not where.ndim or updates.shape != (*where.shape[:-1], *whole[depth:]):
        raise invalid_argument(
            f"updates of shape {updates.shape} do not fit indices of shape {list(where.shape)} into a tensor of shape "
            f"{list(whole)}",
            "Updates have the shape indices.shape[:-1] + tensor.shape[indices.shape[-1]:].",
        )
    return depth


@named("tensor_scatter_nd_add")
def tensor_scatter_nd_add(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """A copy with the updates added at index vectors.

    >>> tf.tensor_scatter_nd_add([1, 2, 3], [[1]], [9]).numpy()
    array([ 1, 11,  3], dtype=int32)
    """
    tensor = convert(tensor)
    return tensor + scatter_nd(indices, convert(updates, hint=tensor.tag.dtype), tensor.shape)


@named("tensor_scatter_nd_sub")
def tensor_scatter_nd_sub(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """A copy with the updates subtracted at index vectors.

    >>> tf.tensor_scatter_nd_sub([1, 2, 3], [[1]], [9]).numpy()
    array([ 1, -7,  3], dtype=int32)
    """
    tensor = convert(tensor)
    return tensor - scatter_nd(indices, convert(updates, hint=tensor.tag.dtype), tensor.shape)


@named("tensor_scatter_nd_update")
def tensor_scatter_nd_update(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """A copy with the updates written at index vectors; of two at one index the last counts.

    >>> tf.tensor_scatter_nd_update([1, 2, 3], [[1]], [9]).numpy()
    array([1, 9, 3], dtype=int32)
    """
    tensor, where = convert(tensor), to_array(indices)
    updates = convert(updates, hint=tensor.tag.dtype)
    depth = _depth(where, updates, tensor.tag.shape)
    where = where.reshape(-1, depth)
    rows = in_shape(updates, (len(where), *tensor.shape[depth:]))
    positions = places_of(where, tensor.tag.shape)
    _, last = np.unique(positions[::-1], return_index=True)
    kept = np.sort(len(positions) - 1 - last)
    if len(kept) < len(positions):
        rows, where = gather(rows, kept), where[kept]
    touched = np.zeros(tensor.shape, bool)
    touched[tuple(np.moveaxis(where, -1, 0))] = True
    return select(touched, scatter_nd(where, rows, tensor.shape), tensor)


@named("tensor_scatter_nd_max")
def tensor_scatter_nd_max(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """A copy in which each number at an index vector is the larger of itself and its updates.

    >>> tf.tensor_scatter_nd_max([1, 2, 3], [[0], [1]], [9, 0]).numpy()
    array([9, 2, 3], dtype=int32)
    """
    return _settled(maximum, tensor, indices, updates)


@named("tensor_scatter_nd_min")
def tensor_scatter_nd_min(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """A copy in which each number at an index vector is the smaller of itself and its updates.

    >>> tf.tensor_scatter_nd_min([1, 2, 3], [[0], [1]], [9, 0]).numpy()
    array([1, 0, 3], dtype=int32)
    """
    return _settled(minimum, tensor, indices, updates)


def _settled(choose: Any, tensor: Any, indices: Any, updates: Any) -> Tensor:
    tensor, where = convert(tensor), to_array(indices)
    updates = convert(updates, hint=tensor.tag.dtype)
    depth = _depth(where, updates, tensor.tag.shape)
    where = where.reshape(-1, depth)
    rows = in_shape(updates, (len(where), *tensor.shape[depth:]))
    # One after the other: a place may be named twice.
    for number, index in enumerate(where):
        there = gather_nd(tensor, index)
        tensor = tensor_scatter_nd_update(tensor, [index], [choose(there, rows[number])])
    return tensor
