"""Rows that reduce along axes: sums, means, extremes, products."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..errors import InvalidArgumentError
from ..kinds import General, Linear
from ..notes import Notes, named, written
from ..primitive import flat
from ..record.busy import NOT_GIVEN, unexpected, without_door
from ..record.refusal import described, refusal
from ..tensor import Tensor, convert
from .elementwise import cast, conj, equal, exp
from .joins import concat_
from .shapes import _shape, axis_within, broadcast_to_, getitem_, reshape_, reverse_, transpose_

# fmt: off
sum_ = Linear("reduce_sum", lambda x, axis, keepdims: x.sum(axis, keepdims=keepdims, dtype=x.dtype),
    lambda g, x_shape, axis: spread(g, x_shape, axis),
    notes=Notes("Σ(x)", phrase="the sum of x", sign="Σ", title="Sum", kinds="iufc"))
mean_ = Linear("reduce_mean", lambda x, axis, keepdims: _mean(x, axis, keepdims),
    lambda g, x_shape, axis: spread(g / float(_count(x_shape, axis)), x_shape, axis),
    notes=Notes(phrase="the mean of x", sign="mean", title="Mean", kinds="iufc"))
max_ = General("reduce_max", lambda x, axis, keepdims: x.max(axis, keepdims=keepdims, initial=lowest(x)),
    vjp=[lambda g, x, out, axis: spread(g, x.tag.shape, axis) * _share(x, out, axis)],
    jvp=[lambda t, x, out, axis, keepdims: sum_(t * _share(x, out, axis), axis=axis, keepdims=keepdims)],
    notes=Notes(phrase="the largest of x", sign="max", title="Max", kinds="iuf"))
min_ = General("reduce_min", lambda x, axis, keepdims: x.min(axis, keepdims=keepdims, initial=_highest(x)),
    vjp=[lambda g, x, out, axis: spread(g, x.tag.shape, axis) * _share(x, out, axis)],
    jvp=[lambda t, x, out, axis, keepdims: sum_(t * _share(x, out, axis), axis=axis, keepdims=keepdims)],
    notes=Notes(phrase="the smallest of x", sign="min", title="Min", kinds="iuf"))
prod_ = General("reduce_prod", lambda x, axis, keepdims: x.prod(axis, keepdims=keepdims, dtype=x.dtype),
    vjp=[lambda g, x, axis: spread(g, x.tag.shape, axis) * _conjugate(_others(x, axis))],
    jvp=[lambda t, x, axis, keepdims: sum_(t * _others(x, axis), axis=axis, keepdims=keepdims)],
    notes=Notes(phrase="the product of x", sign="Π", title="Prod", kinds="iufc"))
logsumexp_ = General("reduce_logsumexp", lambda x, axis, keepdims: _logsumexp(x, axis, keepdims),
    vjp=[lambda g, x, out, axis, x_shape: spread(g, x_shape, axis) * _weights(x, out, axis)],
    jvp=[lambda t, x, out, axis, keepdims: sum_(t * _weights(x, out, axis), axis=axis, keepdims=keepdims)],
    notes=Notes(phrase="log Σ exp(x)", kinds="f", quiet=True))
euclidean_ = General("reduce_euclidean_norm", lambda x, axis, keepdims: _euclid(x, axis, keepdims),
    vjp=[lambda g, x, out, axis: spread(g / out, x.tag.shape, axis) * x],
    jvp=[lambda t, x, out, axis, keepdims: sum_(t * x, axis=axis, keepdims=keepdims) / out],
    notes=Notes(phrase="√(Σ x²)", sign="‖x‖", title="EuclideanNorm", kinds="iuf", quiet=True))
any_ = flat("reduce_any", lambda x, axis, keepdims: x.any(axis, keepdims=keepdims),
    notes=Notes(phrase="any of x", kinds="b"))
all_ = flat("reduce_all", lambda x, axis, keepdims: x.all(axis, keepdims=keepdims),
    notes=Notes(phrase="all of x", kinds="b"))
argmax_ = flat("argmax", lambda x, axis, dtype: np.argmax(x, axis).astype(dtype),
    notes=Notes(phrase="where x is largest"))
argmin_ = flat("argmin", lambda x, axis, dtype: np.argmin(x, axis).astype(dtype),
    notes=Notes(phrase="where x is smallest"))
# fmt: on


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes summed over, as a tuple of non-negative numbers: one spelling for every rule."""
    if axis is None:
        return tuple(range(ndim))
    axes = _shape(axis)
    for number in axes:
        if not -ndim <= number < ndim:
            raise refusal(
                InvalidArgumentError,
                f"Invalid reduction dimension ({described(number)} for input with {ndim} dimension(s))",
                f"Its axes are numbered {-ndim} to {ndim - 1}; leave axis out to take them all."
                if ndim
                else "It is one number: leave axis out.",
            )
    return tuple(axis % ndim for axis in axes)


@functools.lru_cache(maxsize=1024)
def _kept(shape: tuple[int, ...], axis: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([1 if i in axis else n for i, n in enumerate(shape)])


@functools.lru_cache(maxsize=1024)
def _count(shape: tuple[int, ...], axis: tuple[int, ...]) -> int:
    return max(1, math.prod([shape[i] for i in axis]))


@written(phrase="g, for each")
def spread(g: Tensor, shape: tuple[int, ...], axis: tuple[int, ...]) -> Tensor:
    """A reduced value laid out over what it was reduced from."""
    kept = _kept(shape, axis)
    g = g if g.shape == kept else reshape_(g, shape=kept)
    return g if kept == shape else broadcast_to_(g, shape=shape)


def _share(x: Tensor, out: Tensor, axis: tuple[int, ...]) -> Tensor:
    """The share of each number in the derivative of an extreme; numbers that tie share equally."""
    winners = cast(equal(x, spread(out, x.tag.shape, axis)), x.dtype)
    return winners / spread(sum_(winners, axis=axis, keepdims=False), x.tag.shape, axis)


@written("exp(x − out)")
def _weights(x: Tensor, out: Tensor, axis: tuple[int, ...]) -> Tensor:
    """exp(x − out), whose sum is 1 also where x and out are so large that their difference is rounded."""
    weights = exp(x - spread(out, x.tag.shape, axis))
    return weights / spread(sum_(weights, axis=axis, keepdims=False), x.tag.shape, axis)


def _others(x: Tensor, axis: tuple[int, ...]) -> Tensor:
    """The product of all the others, along the axes; correct also where some are zero."""
    rest = [i for i in range(x.ndim) if i not in axis]
    order = (*rest, *axis)
    turned = transpose_(x, perm=order)
    lead = tuple(x.tag.shape[i] for i in rest)
    row = reshape_(turned, shape=(*lead, _count(x.tag.shape, axis) if x.tag.nbytes else 0))
    last = len(lead)
    before = _running(row, last)
    after = reverse_(_running(reverse_(row, axis=(last,)), last), axis=(last,))
    back = reshape_(before * after, shape=turned.tag.shape)
    return transpose_(back, perm=tuple(int(i) for i in np.argsort(order)))


@written("x")
def _conjugate(x: Tensor) -> Tensor:
    return conj(x) if x.dtype.is_complex else x


def _running(row: Tensor, axis: int) -> Tensor:
    """The product of all before each element: 1, a, ab, abc ..."""
    length = row.tag.shape[axis]
    if not length:
        return row
    parts = [row * 0.0 + 1.0 if length == 1 else getitem_(row * 0.0 + 1.0, key=(*_all(axis), ("slice", 0, 1, None)))]
    for i in range(1, length):
        parts.append(parts[-1] * getitem_(row, key=(*_all(axis), ("slice", i - 1, i, None))))
    return concat_(*parts, axis=axis)


def _all(count: int) -> tuple[Any, ...]:
    return (("slice", None, None, None),) * count


def lowest(x: np.ndarray) -> Any:
    return -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min


def _highest(x: np.ndarray) -> Any:
    return np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).max


def _mean(x: np.ndarray, axis: tuple[int, ...], keepdims: bool) -> np.ndarray:
    if x.dtype.kind in "iu":
        total = x.sum(axis, keepdims=keepdims, dtype=np.uint64 if x.dtype == np.uint64 else np.int64)
        count = total.dtype.type(_count(x.shape, axis))
        return (np.sign(total) * (np.abs(total) // count)).astype(x.dtype)  # towards zero
    total = x.sum(axis, keepdims=keepdims)
    return np.asarray(total / x.dtype.type(_count(x.shape, axis)) if x.size else total * np.nan, x.dtype)


def _logsumexp(x: np.ndarray, axis: tuple[int, ...], keepdims: bool) -> np.ndarray:
    top = x.max(axis, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0).astype(x.dtype)
    total = np.log(np.exp(x - top).sum(axis, keepdims=True)) + top
    return total if keepdims else np.squeeze(total, axis)


def _euclid(x: np.ndarray, axis: tuple[int, ...], keepdims: bool) -> np.ndarray:
    return np.asarray(np.sqrt(np.square(x).sum(axis, keepdims=keepdims, dtype=x.dtype)), x.dtype)


# ---- the public functions -------------------------------------------------------------------------------------------


def _reduce(row: Any, x: Any, axis: Any, keepdims: bool) -> Tensor:
    x = convert(x)
    if type(keepdims) is not bool:
        keepdims = _switch(keepdims)
    return row.run(x, params={"axis": _axes(axis, len(x.tag.shape)), "keepdims": keepdims})


def _switch(keepdims: Any) -> bool:
    try:
        return bool(keepdims)
    except (TypeError, ValueError):
        raise refusal(TypeError, f"keepdims is True or False, got {keepdims!r}", "Write keepdims=True.") from None


@named("reduce_sum math.reduce_sum")
@without_door("tf.reduce_sum")
def reduce_sum(
    input_tensor: Any = NOT_GIVEN, axis: Any = None, keepdims: bool = False, name: str | None = None, **unknown: Any
) -> Tensor:
    """The sum along the axes, by default of all.

    >>> tf.reduce_sum([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy()
    array([4., 6.], dtype=float32)
    """
    if unknown:
        raise unexpected(unknown)
    return _reduce(sum_, input_tensor, axis, keepdims)


@named("reduce_mean math.reduce_mean")
@without_door("tf.reduce_mean")
def reduce_mean(
    input_tensor: Any = NOT_GIVEN, axis: Any = None, keepdims: bool = False, name: str | None = None, **unknown: Any
) -> Tensor:
    """The mean along the axes, by default of all; of whole numbers a whole number.

    >>> tf.reduce_mean([1.0, 2.0]).numpy()
    np.float32(1.5)
    """
    if unknown:
        raise unexpected(unknown)
    return _reduce(mean_, input_tensor, axis, keepdims)


@named("reduce_max math.reduce_max")
@without_door("tf.reduce_max")
def reduce_max(
    input_tensor: Any = NOT_GIVEN, axis: Any = None, keepdims: bool = False, name: str | None = None, **unknown: Any
) -> Tensor:
    """The largest along the axes; where several are largest they share the derivative equally.

    >>> tf.reduce_max([1.0, 3.0, 2.0]).numpy()
    np.float32(3.0)
    """
    if unknown:
        raise unexpected(unknown)
    return _reduce(max_, input_tensor, axis, keepdims)


@named("reduce_min math.reduce_min")
def reduce_min(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The smallest along the axes; where several are smallest they share the derivative equally.

    >>> tf.reduce_min([1.0, 3.0, 2.0]).numpy()
    np.float32(1.0)
    """
    return _reduce(min_, input_tensor, axis, keepdims)


@named("reduce_prod math.reduce_prod")
def reduce_prod(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The product along the axes.

    >>> tf.reduce_prod([2.0, 3.0]).numpy()
    np.float32(6.0)
    """
    return _reduce(prod_, input_tensor, axis, keepdims)


@named("reduce_logsumexp math.reduce_logsumexp")
def reduce_logsumexp(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The logarithm of the sum of exponentials, without overflow.

    >>> round(float(tf.reduce_logsumexp([1000.0, 1000.0])), 2)
    1000.69
    """
    return _reduce(logsumexp_, input_tensor, axis, keepdims)


@named("reduce_any math.reduce_any")
def reduce_any(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """Whether any along the axes is true.

    >>> bool(tf.reduce_any([True, False]))
    True
    """
    return _reduce(any_, input_tensor, axis, keepdims)


@named("reduce_all math.reduce_all")
def reduce_all(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """Whether all along the axes are true.

    >>> bool(tf.reduce_all([True, False]))
    False
    """
    return _reduce(all_, input_tensor, axis, keepdims)


@named("math.reduce_euclidean_norm")
def reduce_euclidean_norm(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The length of the vector along the axes.

    >>> tf.math.reduce_euclidean_norm([3.0, 4.0]).numpy()
    np.float32(5.0)
    """
    return _reduce(euclidean_, input_tensor, axis, keepdims)


def _there(x: Tensor, axis: int | None) -> int:
    return axis_within(axis or 0, x.ndim)


@named("argmax math.argmax")
def argmax(input: Any, axis: int | None = None, output_type: Any = "int64", name: str | None = None) -> Tensor:
    """The index of the largest along an axis, by default the first.

    >>> int(tf.argmax([1.0, 3.0, 2.0]))
    1
    """
    input = convert(input)
    return argmax_(input, axis=_there(input, axis), dtype=as_dtype(output_type).numpy_dtype)


@named("argmin math.argmin")
def argmin(input: Any, axis: int | None = None, output_type: Any = "int64", name: str | None = None) -> Tensor:
    """The index of the smallest along an axis, by default the first.

    >>> int(tf.argmin([1.0, 3.0, 2.0]))
    0
    """
    input = convert(input)
    return argmin_(input, axis=_there(input, axis), dtype=as_dtype(output_type).numpy_dtype)
