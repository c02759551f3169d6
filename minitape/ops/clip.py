"""Gradients clipped: number by number, by the length of each, or by the length of all together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..notes import named
from ..record.refusal import type_error
from ..tensor import Operand, Tensor, convert
from .elementwise import cast, clip, maximum, minimum, multiply, sqrt, square, where
from .indexing import IndexedSlices
from .joins import several
from .reductions import reduce_sum


@named("clip_by_value")
def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """The numbers clipped to two bounds; outside them the slope is 0.  IndexedSlices are clipped slice by slice.

    >>> tf.clip_by_value([-2.0, 0.5, 2.0], -1.0, 1.0).numpy()
    array([-1. ,  0.5,  1. ], dtype=float32)
    """
    if isinstance(t, IndexedSlices):
        return IndexedSlices(clip(t.values, clip_value_min, clip_value_max), t.indices, t.dense_shape)
    return clip(t if isinstance(t, Operand) else convert(t), clip_value_min, clip_value_max)


@named("clip_by_norm")
def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    """The tensor, shortened to length `clip_norm` if it is longer; IndexedSlices by the length of all slices.

    >>> tf.clip_by_norm([3.0, 4.0], 2.5).numpy()
    array([1.5, 2. ], dtype=float32)
    """
    if isinstance(t, IndexedSlices):
        return IndexedSlices(clip_by_norm(t.values, clip_norm, axes), t.indices, t.dense_shape)
    t = convert(t)
    squares = reduce_sum(t * t, axes, keepdims=True)
    there = squares > 0.0  # so that the slope at zero is 1 and not nan
    length = where(there, sqrt(where(there, squares, 1.0)), squares)
    return t * clip_norm / maximum(length, clip_norm)


@named("linalg.global_norm")
def global_norm(t_list: Any, name: str | None = None) -> Tensor | None:
    """The length of all tensors together, the square root of the sum of all squares; None is left out.

    >>> tf.linalg.global_norm([[3.0], [4.0]]).numpy()
    np.float32(5.0)
    """
    parts = [reduce_sum(square(_numbers(tensor))) for tensor in several(t_list) if tensor is not None]
    if not parts:
        return None
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return sqrt(total)


@named("clip_by_global_norm")
def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Any]:
    """The tensors, shortened by one factor so that their common length is at most `clip_norm`; and their length before.

    >>> clipped, length = tf.clip_by_global_norm([[3.0], [4.0]], 2.5)
    >>> [gradient.numpy().tolist() for gradient in clipped], float(length)
    ([[1.5], [2.0]], 5.0)
    """
    if isinstance(t_list, Operand | str) or not isinstance(t_list, Sequence):
        raise type_error(
            f"`t_list` should be a sequence of tensors. Received {type(t_list)}.", "Of a single one: [gradient]."
        )
    length = global_norm(t_list) if use_norm is None else use_norm
    if length is None:
        return list(t_list), None
    length = convert(length)
    factor = clip_norm * minimum(1.0 / length, 1.0 / convert(clip_norm, hint=length.tag.dtype))
    if not np.isfinite(length.array):  # nobody knows by how much to shorten: every number becomes nan, as in TensorFlow
        factor = factor + (length - length)
    return [_shortened(tensor, factor) for tensor in t_list], length


def _numbers(tensor: Any) -> Any:
    """The numbers whose squares make the length: of IndexedSlices the slices, as in TensorFlow."""
    return tensor.values if isinstance(tensor, IndexedSlices) else tensor


def _shortened(tensor: Any, factor: Tensor) -> Any:
    if isinstance(tensor, IndexedSlices):
        return IndexedSlices(multiply(tensor.values, factor), tensor.indices, tensor.dense_shape)
    return None if tensor is None else multiply(tensor, factor)


@named("saturate_cast")
def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Tensor:
    """The numbers in another dtype, clipped to what it can hold.

    >>> tf.saturate_cast([-3.0, 300.0], "uint8").numpy()
    array([  0, 255], dtype=uint8)
    """
    value, wanted = convert(value), as_dtype(dtype)
    if wanted.is_integer and (value.dtype.is_floating or value.dtype.is_integer):
        low, high = max(value.dtype.min, wanted.min), min(value.dtype.max, wanted.max)
        value = clip_by_value(value, value.dtype.as_numpy_dtype(low), value.dtype.as_numpy_dtype(high))
    return cast(value, wanted)
