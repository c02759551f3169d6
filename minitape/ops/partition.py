"""Tensors partitioned by labels and stitched together, reversed sequences, and flat indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..notes import Notes, named
from ..primitive import flat
from ..record.refusal import described, invalid_argument, value_error
from ..tensor import Tensor, convert, make, to_array
from .indexing import gather, gather_along
from .joins import concat, several
from .shapes import broadcast_to, in_order, in_shape, reshape, transpose

# fmt: off
unravel_index_ = flat("unravel_index", lambda x, dims: np.stack(np.unravel_index(x, dims)).astype(x.dtype),
    notes=Notes(phrase="the flat indices x as indices by axis"))
# fmt: on

_MOST = 1_000_000  # tensors that one call makes


@named("dynamic_partition")
def dynamic_partition(data: Any, partitions: Any, num_partitions: int, name: str | None = None) -> list[Tensor]:
    """The parts of `data` with the label 0, those with the label 1, and so on.

    Raises InvalidArgumentError where a label is none of these.

    >>> [part.numpy().tolist() for part in tf.dynamic_partition([10, 20, 30], [1, 0, 1], 2)]
    [[20], [10, 30]]
    """
    data, labels = convert(data), to_array(partitions)
    if num_partitions > _MOST:
        raise value_error(
            f"num_partitions={described(num_partitions)}: a tensor for each of them is too many",
            f"{_MOST:,} are the most.",
        )
    if labels.size and not (labels.min() >= 0 and labels.max() < num_partitions):
        raise invalid_argument(
            f"partitions must be in range [0, {num_partitions}), got {labels.min()} to {labels.max()}",
            "num_partitions is one more than the largest label.",
        )
    if data.shape[: labels.ndim] != labels.shape:
        raise invalid_argument(
            f"data.shape must start with partitions.shape, got data.shape = {data.shape}, "
            f"partitions.shape = {labels.shape}",
            "One label for each row.",
        )
    rows = reshape(data, [labels.size, *data.shape[labels.ndim :]])
    return [gather(rows, np.flatnonzero(labels.ravel() == label)) for label in range(num_partitions)]


@named("dynamic_stitch")
def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Tensor:
    """One tensor made of the rows in `data`, each at its index in `indices`; of two rows for one index the later counts.

    >>> tf.dynamic_stitch([[0, 2], [1]], [[5, 7], [6]]).numpy()
    array([5, 6, 7], dtype=int32)
    """
    positions = [to_array(index) for index in several(indices)]
    rows = []
    for values, where in zip(data, positions, strict=True):
        part = convert(values)
        rows.append(in_shape(part, [where.size, *part.shape[where.ndim :]]))
    flat = np.concatenate([where.ravel() for where in positions])
    origin = np.zeros(int(flat.max(initial=-1)) + 1, int)
    origin[flat] = np.arange(flat.size)
    return gather(concat(rows, 0), origin)


@named("reverse_sequence")
def reverse_sequence(
    input: Any, seq_lengths: Any, seq_axis: int | None = None, batch_axis: int | None = None, name: str | None = None
) -> Tensor:
    """The first `seq_lengths[i]` entries of row i in the opposite order.

    >>> tf.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_axis=1, batch_axis=0).numpy().tolist()
    [[2, 1, 3], [6, 5, 4]]
    """
    x, along, batch = convert(input), seq_axis or 0, batch_axis or 0
    lengths = to_array(seq_lengths).reshape(-1, 1)
    steps = np.arange(x.shape[along])[None]
    order = np.where(steps < lengths, lengths - 1 - steps, steps)
    front = [batch, along, *(axis for axis in range(x.ndim) if axis not in (batch, along))]
    back = [front.index(axis) for axis in range(x.ndim)]
    moved = in_order(x, front)
    rows, inner = moved.shape[0], moved.shape[2:]
    flat = transpose(reshape(moved, [rows, moved.shape[1], -1]), [0, 2, 1])
    at = broadcast_to(make(order[:, None, :].astype("int32")), flat.shape)
    turned = transpose(gather_along(flat, at), [0, 2, 1])
    return in_order(reshape(turned, [rows, moved.shape[1], *inner]), back)


@named("unravel_index")
def unravel_index(indices: Any, dims: Any, name: str | None = None) -> Tensor:
    """Flat indices as indices into a tensor of these lengths: a row per axis.

    >>> tf.unravel_index([2, 5, 7], [3, 3]).numpy().tolist()
    [[0, 1, 2], [2, 2, 1]]
    """
    return unravel_index_(indices, dims=tuple(int(size) for size in to_array(dims)))
