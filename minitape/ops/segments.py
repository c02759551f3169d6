"""Sums, means, products and extremes over segments: rows with the same number belong together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import InvalidArgumentError
from ..tensor import Tensor, convert, to_array
from .indexing import boolean_mask, scatter_add_
from .reductions import reduce_max, reduce_min, reduce_prod
from .shapes import reshape, stack


def _given(data: Any, segment_ids: Any, count: Any) -> tuple[Tensor, np.ndarray, int]:
    """The rows, the segment of each, and how many segments there are."""
    data, ids = convert(data), to_array(segment_ids)
    if data.shape[: ids.ndim] != ids.shape:
        raise InvalidArgumentError(f"segment_ids of shape {list(ids.shape)} do not fit data of shape {data.shape}")
    rows = reshape(data, [ids.size, *data.shape[ids.ndim :]])
    ids = ids.reshape(-1)
    if count is None:
        if ids.size and (ids[0] < 0 or (np.diff(ids) < 0).any()):
            raise InvalidArgumentError("segment ids are not increasing: tf.math.unsorted_segment_... takes any order")
        count = int(ids.max(initial=-1)) + 1
    return rows, ids, int(count)


def _sum(data: Any, segment_ids: Any, count: Any = None) -> Tensor:
    rows, ids, count = _given(data, segment_ids, count)
    if (ids < 0).any():  # a negative segment is nobody's
        rows, ids = boolean_mask(rows, ids >= 0), ids[ids >= 0]
    return scatter_add_(rows, ids, axis=0, shape=(count, *rows._tag.shape[1:]))


def _mean(data: Any, segment_ids: Any, count: Any = None) -> Tensor:
    rows, ids, count = _given(data, segment_ids, count)
    members = np.maximum(np.bincount(ids[ids >= 0], minlength=count), 1).astype(rows._tag.dtype)
    return _sum(rows, ids, count) / members.reshape(-1, *[1] * (rows.ndim - 1))


def _each(reduce: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def over(data: Any, segment_ids: Any, count: Any = None) -> Tensor:
        rows, ids, count = _given(data, segment_ids, count)
        return stack([reduce(boolean_mask(rows, ids == one), 0) for one in range(count)])

    return over


def _pair(reduce: Callable[..., Tensor], what: str) -> tuple[Callable[..., Tensor], Callable[..., Tensor]]:
    def ordered(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
        return reduce(data, segment_ids)

    def unordered(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
        return reduce(data, segment_ids, num_segments)

    ordered.__name__, unordered.__name__ = f"segment_{what}", f"unsorted_segment_{what}"
    ordered.__doc__ = f"The {what} of each segment's rows; the segments' numbers must not decrease."
    unordered.__doc__ = f"The {what} of each segment's rows, which may stand in any order."
    return ordered, unordered


segment_sum, unsorted_segment_sum = _pair(_sum, "sum")
segment_mean, unsorted_segment_mean = _pair(_mean, "mean")
segment_max, unsorted_segment_max = _pair(_each(reduce_max), "max")
segment_min, unsorted_segment_min = _pair(_each(reduce_min), "min")
segment_prod, unsorted_segment_prod = _pair(_each(reduce_prod), "prod")
