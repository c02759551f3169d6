"""Gradients held in bounds: by their own length, or by their length together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..dtypes import as_dtype
from ..notes import named
from ..record.refusal import refusal
from ..tensor import Operand, Tensor, convert
from .elementwise import cast, clip_by_value, maximum, minimum, multiply, sqrt, square, where
from .reductions import reduce_sum


@named("clip_by_norm")
def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """The tensor, shortened to length `clip_norm` where it is longer.

    >>> clip_by_norm([3.0, 4.0], 2.5).numpy()
    array([1.5, 2. ], dtype=float32)
    """
    t = convert(t)
    squares = reduce_sum(t * t, axes, keepdims=True)
    there = squares > 0.0  # so that the slope at zero is 1 and not nan
    length = where(there, sqrt(where(there, squares, 1.0)), squares)
    return t * clip_norm / maximum(length, clip_norm)


@named("linalg.global_norm")
def global_norm(t_list: Any, name: str | None = None) -> Tensor | None:
    """The length of all tensors together, the square root of the sum of all squares; None counts as nothing.

    >>> global_norm([[3.0], [4.0]]).numpy()
    np.float32(5.0)
    """
    parts = [reduce_sum(square(one)) for one in t_list if one is not None]
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
    """The tensors, all shortened by one factor so that their length together is at most `clip_norm`; and that length.

    >>> clipped, length = clip_by_global_norm([[3.0], [4.0]], 2.5)
    >>> [one.numpy().tolist() for one in clipped], float(length)
    ([[1.5], [2.0]], 5.0)
    """
    if isinstance(t_list, Operand | str) or not isinstance(t_list, Sequence):
        raise refusal(
            TypeError,
            f"`t_list` should be a sequence of tensors. Received {type(t_list)}.",
            "Of a single one: [gradient].",
        )
    length = global_norm(t_list) if use_norm is None else use_norm
    if length is None:
        return list(t_list), None
    factor = clip_norm * minimum(1.0 / length, 1.0 / convert(clip_norm, hint=length.tag.dtype))
    return [None if one is None else multiply(one, factor) for one in t_list], length


@named("saturate_cast")
def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Tensor:
    """Another dtype, what does not fit held at its bounds.

    >>> saturate_cast([-3.0, 300.0], "uint8").numpy()
    array([  0, 255], dtype=uint8)
    """
    value, wanted = convert(value), as_dtype(dtype)
    if wanted.is_integer and (value.dtype.is_floating or value.dtype.is_integer):
        low, high = max(value.dtype.min, wanted.min), min(value.dtype.max, wanted.max)
        value = clip_by_value(value, value.dtype.as_numpy_dtype(low), value.dtype.as_numpy_dtype(high))
    return cast(value, wanted)
