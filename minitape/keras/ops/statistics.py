"""What is said of many numbers: sums, means, quantiles, counts; and the same without what is NaN."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops import elementwise as e
from ...ops import indexing, like_numpy, linalg, nn, reductions, running, shapes, sorting, statistics
from ...ops.counting import bincount, in_top_k
from ...record.refusal import refusal, value_error
from ...tensor import Tensor, convert
from .operands import Rows, counted, expanded, flat, floats, plain, together, truths


def _over(reduce: Callable[..., Any], prepare: Callable[..., Any] = convert) -> Callable[..., Any]:
    def reduced(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return reduce(prepare(x), axis, keepdims=keepdims)

    return reduced


def _product(x: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Any:
    return reductions.reduce_prod(counted(x) if dtype is None else e.cast(x, dtype), axis, keepdims=keepdims)


def _largest(
    reduce: Callable[..., Any], of_truth: Callable[..., Any], of_two: Callable[..., Any]
) -> Callable[..., Any]:
    def largest(x: Any, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Any:
        x = convert(x)
        found = (of_truth if x.dtype.is_bool else reduce)(x, axis, keepdims=keepdims)
        return found if initial is None else of_two(found, initial)

    return largest


def along(function: Callable[..., Any], axis: int | None = -1) -> Callable[..., Any]:
    """A function along an axis; where that is None, of all numbers in a row."""

    def of_axis(x: Any, axis: int | None = axis) -> Any:
        return function(flat(x), 0) if axis is None else function(x, axis)

    return of_axis


def _running(function: Callable[..., Any], nan: float | None = None) -> Callable[..., Any]:
    def up_to_each(x: Any, axis: int | None = None, dtype: Any = None) -> Any:
        x = counted(x) if dtype is None else e.cast(x, dtype)
        return along(function, None)(x if nan is None else _filled(x, nan), axis)

    return up_to_each


def _place_of(reduce: Callable[..., Any], nan: float | None = None) -> Callable[..., Any]:
    def place(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
        x = convert(x) if nan is None else _filled(x, nan)
        found = reduce(flat(x) if axis is None else x, axis or 0, output_type="int32")
        if not keepdims:
            return found
        return shapes.reshape(found, [1] * x.ndim) if axis is None else shapes.expand_dims(found, axis)

    return place


# ---- without what is NaN ----------------------------------------------------------------------------------------------------


def _filled(x: Any, number: float) -> Tensor:
    """The tensor with a number in place of each NaN."""
    x = convert(x)
    return e.where(e.is_nan(x), number, x) if x.dtype.is_floating else x


def _known(reduce: Callable[..., Any], number: float) -> Callable[..., Any]:
    """A reduction with a number in place of each NaN; the number itself only comes out where there was nothing else."""

    def reduced(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        x = counted(x)
        found = reduce(_filled(x, number), axis, keepdims=keepdims)
        if math.isfinite(number) or not x.dtype.is_floating:
            return found
        return e.where(reductions.reduce_all(e.is_nan(x), axis, keepdims=keepdims), math.nan, found)

    return reduced


def _known_mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    x = floats(x)
    count = reductions.reduce_sum(e.cast(e.logical_not(e.is_nan(x)), x.dtype), axis, keepdims=keepdims)
    return reductions.reduce_sum(_filled(x, 0.0), axis, keepdims=keepdims) / count


def _known_variance(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    x = floats(x)
    return _known_mean(e.square(x - _known_mean(x, axis, True)), axis, keepdims)


def _quantiles(known: bool, out_of: float = 1.0) -> Callable[..., Any]:
    """The numbers below which such parts of all lie, where the numbers that are `known` are all there are."""

    def quantile(x: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False) -> Any:
        if method not in _BETWEEN:
            raise value_error(
                f"Invalid `method`. Received method={method!r}, expected one of {', '.join(_BETWEEN)}",
                'method="linear" goes straight from one number to the next.',
            )
        x, parts = floats(x), np.asarray(convert(q).numpy(), float) / out_of
        if ((parts < 0.0) | (parts > 1.0)).any():
            top = "1" if out_of == 1.0 else f"{out_of:.0f}"
            raise value_error(f"`q` must lie between 0 and {top}. Received q={q}", "The median is in the middle.")
        axes = tuple(range(x.ndim)) if axis is None else tuple(a % x.ndim for a in np.atleast_1d(axis).tolist())
        kept = [length for at, length in enumerate(x.tag.shape) if at not in axes]
        rows = shapes.reshape(like_numpy.moveaxis(x, axes, range(-len(axes), 0)), [*kept, -1])
        numbers = rows.array
        missing = np.isnan(numbers)
        count = numbers.shape[-1] - missing.sum(-1, keepdims=True)
        place = parts.ravel() * np.maximum(count - 1, 0)
        ordered = sorting.sort(_filled(rows, math.inf))
        ordered = e.where(np.arange(numbers.shape[-1]) < count, ordered, 0.0) if missing.any() else ordered
        low, high, share = _BETWEEN[method](place)
        first, last = (indexing.gather_along(ordered, at.astype(np.int32)) for at in (low, high))
        found = first + (last - first) * np.asarray(share, x.tag.dtype) if method in ("linear", "midpoint") else first
        unknown = np.broadcast_to((count == 0) if known else missing.any(-1, keepdims=True), tuple(found.shape))
        if unknown.any():
            found = e.where(unknown, math.nan, found)
        found = shapes.reshape(like_numpy.moveaxis(found, -1, 0), [*parts.shape, *kept])
        return expanded(found, [parts.ndim + at for at in sorted(axes)]) if keepdims else found

    return quantile


# How far between the number before a place and the one after: the two numbers' places, and the share of the second.
_BETWEEN: dict[str, Callable[[np.ndarray], tuple[Any, Any, Any]]] = {
    "linear": lambda at: (np.floor(at), np.ceil(at), at - np.floor(at)),
    "lower": lambda at: (np.floor(at), np.floor(at), 0.0),
    "higher": lambda at: (np.ceil(at), np.ceil(at), 0.0),
    "nearest": lambda at: (np.round(at), np.round(at), 0.0),
    "midpoint": lambda at: (np.floor(at), np.ceil(at), 0.5),
}


def _middle(known: bool) -> Callable[..., Any]:
    return lambda x, axis=None, keepdims=False: _quantiles(known)(x, 0.5, axis, keepdims=keepdims)


# ---- means, moments, counts -------------------------------------------------------------------------------------------------


def _average(x: Any, axis: Any = None, weights: Any = None) -> Any:
    x = floats(x)
    if weights is None:
        return reductions.reduce_mean(x, axis)
    x, weights = together(x, floats(weights))
    if weights.ndim < x.ndim and axis is not None:
        weights = shapes.reshape(weights, [-1 if at == axis % x.ndim else 1 for at in range(x.ndim)])
    weights = shapes.broadcast_to(weights, x.shape)
    return reductions.reduce_sum(x * weights, axis) / reductions.reduce_sum(weights, axis)


def _corrcoef(x: Any) -> Any:
    x = floats(x)
    around = x - reductions.reduce_mean(x, -1, keepdims=True)
    length = e.sqrt(reductions.reduce_sum(e.square(around), -1, keepdims=True))
    unit = around / length
    return linalg.matmul(unit, unit, transpose_b=True) if x.ndim > 1 else reductions.reduce_sum(unit * unit)


def _bincount(x: Any, weights: Any = None, minlength: int = 0, sparse: bool = False) -> Any:
    x = convert(x)
    weights = None if weights is None else convert(weights)
    if x.ndim < 2:
        return bincount(x, weights, minlength)
    size = max(minlength, int(x.array.max()) + 1 if x.array.size else 0)
    seen = indexing.one_hot(x, size, dtype="int32" if weights is None else weights.dtype)
    return reductions.reduce_sum(seen if weights is None else seen * weights[..., None], -2)


def _histogram(x: Any, bins: int = 10, range: Any = None) -> Any:  # noqa: A002
    x = convert(x)
    counts, edges = np.histogram(x.numpy(), bins, range)
    return plain(counts.astype(x.tag.dtype)), plain(edges.astype(np.float32))


def _moments(x: Any, axes: Any, keepdims: bool = False, synchronized: bool = False) -> Any:
    return nn.moments(floats(x), [axes] if isinstance(axes, int) else axes, keepdims=keepdims)


def _ptp(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    x = convert(x)
    return reductions.reduce_max(x, axis, keepdims=keepdims) - reductions.reduce_min(x, axis, keepdims=keepdims)


def _digitize(x: Any, bins: Any) -> Any:
    return plain(np.digitize(convert(x).numpy(), convert(bins).numpy()))


def _isin(x1: Any, x2: Any, assume_unique: bool = False, invert: bool = False) -> Any:
    x1, x2 = together(x1, x2)
    return plain(np.isin(x1.numpy(), x2.numpy(), invert=invert))


def _unique(
    x: Any, sorted: bool = True, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,  # noqa: A002
    axis: int | None = None, size: int | None = None, fill_value: Any = None,
) -> Any:  # fmt: skip
    if size is not None:
        raise refusal(
            NotImplementedError,
            f"ops.unique(size={size}) is for compilers that must know shapes; here every line runs when it is reached",
            "Leave size out: there are as many as were found.",
        )
    asked: dict[str, Any] = {
        "return_index": return_index,
        "return_inverse": return_inverse,
        "return_counts": return_counts,
    }
    found: Any = np.unique(convert(x).numpy(), axis=axis, **asked)
    return tuple(plain(part) for part in found) if isinstance(found, tuple) else plain(found)


def _top_k(x: Any, k: int, sorted: bool = True) -> Any:  # noqa: A002
    return sorting.top_k(x, k, sorted)


def _trapezoid(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Any:
    y = like_numpy.moveaxis(floats(y), axis, -1)
    width: Any = dx
    if x is not None:
        places = e.cast(x, y.dtype)
        places = places if places.ndim == 1 else like_numpy.moveaxis(places, axis, -1)
        width = places[..., 1:] - places[..., :-1]
    return reductions.reduce_sum(width * (y[..., 1:] + y[..., :-1]) / 2.0, -1)


ROWS: Rows = {
    "sum": _over(reductions.reduce_sum, counted), "prod": _product,
    "max": _largest(reductions.reduce_max, reductions.reduce_any, e.maximum),
    "min": _largest(reductions.reduce_min, reductions.reduce_all, e.minimum),
    "amax": _over(_largest(reductions.reduce_max, reductions.reduce_any, e.maximum)),
    "amin": _over(_largest(reductions.reduce_min, reductions.reduce_all, e.minimum)),
    "mean": _over(reductions.reduce_mean, floats), "var": _over(statistics.reduce_variance, floats),
    "std": _over(statistics.reduce_std, floats), "ptp": _ptp, "average": _average, "median": _middle(False),
    "quantile": _quantiles(False), "percentile": _quantiles(False, 100.0), "moments": _moments, "corrcoef": _corrcoef,
    "nansum": _known(reductions.reduce_sum, 0.0), "nanprod": _known(reductions.reduce_prod, 1.0),
    "nanmax": _known(reductions.reduce_max, -math.inf), "nanmin": _known(reductions.reduce_min, math.inf),
    "nanmean": _known_mean, "nanvar": _known_variance, "nanmedian": _middle(True),
    "nanstd": lambda x, axis=None, keepdims=False: e.sqrt(_known_variance(x, axis, keepdims)),
    "nanquantile": _quantiles(True), "nanpercentile": _quantiles(True, 100.0),
    "nanargmax": _place_of(reductions.argmax, -math.inf), "nanargmin": _place_of(reductions.argmin, math.inf),
    "nancumsum": _running(running.cumsum, 0.0), "nancumprod": _running(running.cumprod, 1.0),
    "any": _over(reductions.reduce_any, truths), "all": _over(reductions.reduce_all, truths),
    "count_nonzero": lambda x, axis=None: statistics.count_nonzero(x, axis, dtype="int32"),
    "logsumexp": _over(reductions.reduce_logsumexp, floats),
    "argmax": _place_of(reductions.argmax), "argmin": _place_of(reductions.argmin),
    "cumsum": _running(running.cumsum), "cumprod": _running(running.cumprod),
    "sort": along(sorting.sort), "argsort": along(sorting.argsort),
    "argpartition": lambda x, kth, axis=-1: along(sorting.argsort)(x, axis),  # what is sorted is parted, too
    "top_k": _top_k,
    "in_top_k": lambda targets, predictions, k: in_top_k(targets, predictions, k),
    "searchsorted": lambda sorted_sequence, values, side="left": sorting.searchsorted(sorted_sequence, values, side),
    "bincount": _bincount, "histogram": _histogram, "digitize": _digitize, "isin": _isin, "unique": _unique,
    "trapezoid": _trapezoid,
}  # fmt: skip
