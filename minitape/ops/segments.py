"""Sums, means, products and extremes over segments: rows with the same number belong together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..notes import named
from ..record.refusal import invalid_argument
from ..tensor import Tensor, convert, created, to_array
from .elementwise import divide, truncatediv
from .indexing import scatter_add_
from .joins import stack
from .reductions import reduce_max, reduce_min, reduce_prod
from .shapes import in_shape
from .slicing import boolean_mask


def _given(data: Any, segment_ids: Any, count: Any) -> tuple[Tensor, np.ndarray, Any, int]:
    """The rows, the segment of each, the same as it was given if that has no more axes, and how many segments there are."""
    data, ids = convert(data), to_array(segment_ids)
    if ids.size and ids.dtype.kind not in "iu":
        raise invalid_argument(
            f"segment_ids number the segments: they are whole numbers, got {ids.dtype}",
            "tf.cast(segment_ids, tf.int32) makes such numbers.",
        )
    if count is None and ids.ndim != 1:
        raise invalid_argument(
            f"segment_ids should be a vector, got shape {list(ids.shape)}",
            "There is one id per row; tf.math.unsorted_segment_sum and its sisters take ids of more axes.",
        )
    if data.shape[: ids.ndim] != ids.shape:
        raise invalid_argument(
            f"segment_ids of shape {list(ids.shape)} do not fit data of shape {data.shape}",
            "There is one id per row: the ids have the shape of the data's first axes.",
        )
    rows = in_shape(data, [ids.size, *data.shape[ids.ndim :]])
    alone, ids = ids.ndim == 1 and ids.size > 0, ids.reshape(-1).astype(int)
    said = segment_ids if alone else ids
    if count is None:
        if ids.size and (ids[0] < 0 or (np.diff(ids) < 0).any()):
            raise invalid_argument(
                "segment ids are not increasing",
                "Sort them, or use tf.math.unsorted_segment_sum and its sisters, which take any order.",
            )
        count = ids.max(initial=-1) + 1
    count = int(count)
    if (ids >= count).any():
        first = int(np.argmax(ids >= count))
        raise invalid_argument(
            f"segment_ids[{first}] = {ids[first]} is out of range [0, {count})",
            "num_segments is how many segments there are: the largest number + 1, or more.",
        )
    return rows, ids, said, count


def _sum(data: Any, segment_ids: Any, count: Any = None) -> Tensor:
    rows, ids, said, count = _given(data, segment_ids, count)
    if (ids < 0).any():  # as in TensorFlow, rows of a negative segment do not count
        rows, said = boolean_mask(rows, ids >= 0), ids[ids >= 0]
    return scatter_add_(rows, said, axis=0, shape=(count, *rows.tag.shape[1:]))


def _mean(data: Any, segment_ids: Any, count: Any = None) -> Tensor:
    rows, ids, said, count = _given(data, segment_ids, count)
    members = np.maximum(np.bincount(ids[ids >= 0], minlength=count), 1).astype(rows.tag.dtype)
    divided = truncatediv if rows.dtype.is_integer else divide
    return divided(_sum(rows, said, count), members.reshape(-1, *[1] * (rows.ndim - 1)))


def _root(data: Any, segment_ids: Any, count: Any = None) -> Tensor:
    rows, ids, said, count = _given(data, segment_ids, count)
    members = np.sqrt(np.maximum(np.bincount(ids[ids >= 0], minlength=count), 1)).astype(rows.tag.dtype)
    return _sum(rows, said, count) / members.reshape(-1, *[1] * (rows.ndim - 1))


def _each(reduce: Callable[..., Tensor], empty: Callable[[np.dtype[Any]], Any]) -> Callable[..., Tensor]:
    """A reduction segment by segment; `empty` gives the number for a segment without rows."""

    def over(data: Any, segment_ids: Any, count: Any = None) -> Tensor:
        rows, ids, _, wanted = _given(data, segment_ids, count)
        dtype = rows.tag.dtype
        # As in TensorFlow, sorted segments give 0 where a segment between two others has no rows.
        nothing = empty(dtype) if count is not None or reduce is reduce_prod else 0
        blank = np.full((wanted, *rows.tag.shape[1:]), nothing, dtype)  # too many segments for memory fail here
        found = [
            reduce(boolean_mask(rows, ids == segment), 0) if segment in ids else blank[segment]
            for segment in range(wanted)
        ]
        return stack(found) if found else created(blank)

    return over


def _lowest(dtype: np.dtype[Any]) -> Any:
    return as_dtype(dtype).min


def _highest(dtype: np.dtype[Any]) -> Any:
    return as_dtype(dtype).max


_WORDS = {"sqrt_n": "sum ÷ √count", "prod": "product", "max": "largest", "min": "smallest"}
_OF_THE_EXAMPLE = {"sum": 12.0, "mean": 3.0, "max": 6.0, "min": 1.0, "prod": 36.0, "sqrt_n": 6.0}


def _manual(what: str, name: str, order: str, more: str = "") -> str:
    """The docstring of a reduction over segments."""
    return f"""The {_WORDS.get(what, what)} of each segment's rows: rows with the same number belong together.

    data is [rows, ...], and segment_ids [rows] are whole numbers {order}.
    Raises InvalidArgumentError for other numbers, and for another count of them.

    >>> tf.math.{name}([1.0, 2.0, 3.0, 6.0, 5.0], [0, 0, 0, 0, 1]{more}).numpy().tolist()
    {[_OF_THE_EXAMPLE[what], 5.0]}
    """


def _ordered(what: str, reduce: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def segments(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
        return reduce(data, segment_ids)

    segments.__name__ = f"segment_{what}"
    segments.__doc__ = _manual(what, segments.__name__, "that do not decrease")
    return named(f"math.{segments.__name__}")(segments)


def _unordered(what: str, reduce: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def segments(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
        return reduce(data, segment_ids, num_segments)

    segments.__name__ = f"unsorted_segment_{what}"
    order = "below num_segments in any order; rows with a negative one do not count"
    segments.__doc__ = _manual(what, segments.__name__, order, ", num_segments=2")
    return named(f"math.{segments.__name__}")(segments)


_max, _min, _prod = _each(reduce_max, _lowest), _each(reduce_min, _highest), _each(reduce_prod, lambda dtype: 1)
segment_sum, unsorted_segment_sum = _ordered("sum", _sum), _unordered("sum", _sum)
segment_mean, unsorted_segment_mean = _ordered("mean", _mean), _unordered("mean", _mean)
segment_max, unsorted_segment_max = _ordered("max", _max), _unordered("max", _max)
segment_min, unsorted_segment_min = _ordered("min", _min), _unordered("min", _min)
segment_prod, unsorted_segment_prod = _ordered("prod", _prod), _unordered("prod", _prod)
unsorted_segment_sqrt_n = _unordered("sqrt_n", _root)
