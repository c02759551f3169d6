"""Rows that reduce along axes: sums, means, extremes, products."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..kinds import General, Linear
from ..notes import Notes, named, written
from ..primitive import flat
from ..record.busy import NOT_GIVEN, unexpected, without_door
from ..record.refusal import described, invalid_argument, type_error
from ..tensor import Tensor, convert
from .elementwise import conj, where
from .shapes import _shape, added, axis_within, broadcast_to_, reshape_, transpose_

# fmt: off
sum_ = Linear("reduce_sum", lambda x, axis, keepdims: x.sum(axis, keepdims=keepdims, dtype=x.dtype),
    lambda g, x_shape, axis: spread(g, x_shape, axis),
    notes=Notes("Σ(x)", phrase="the sum of x", sign="Σ", title="Sum", kinds="iufc"))
mean_ = Linear("reduce_mean", lambda x, axis, keepdims: _mean(x, axis, keepdims),
    lambda g, x_shape, axis: spread(g / float(_count(x_shape, axis)), x_shape, axis),
    notes=Notes(phrase="the mean of x", sign="mean", title="Mean", kinds="iufc"))
max_ = General("reduce_max", lambda x, axis, keepdims: x.max(axis, keepdims=keepdims, initial=lowest(x)),
    vjp=[lambda g, x, out, axis: spread(g, x.tag.shape, axis) * share_(x, out, axis=axis)],
    jvp=[lambda t, x, out, axis, keepdims: sum_(t * share_(x, out, axis=axis), axis=axis, keepdims=keepdims)],
    notes=Notes(phrase="the largest of x", sign="max", title="Max", kinds="iuf"))
min_ = General("reduce_min", lambda x, axis, keepdims: x.min(axis, keepdims=keepdims, initial=_highest(x)),
    vjp=[lambda g, x, out, axis: spread(g, x.tag.shape, axis) * share_(x, out, axis=axis)],
    jvp=[lambda t, x, out, axis, keepdims: sum_(t * share_(x, out, axis=axis), axis=axis, keepdims=keepdims)],
    notes=Notes(phrase="the smallest of x", sign="min", title="Min", kinds="iuf"))
prod_ = General("reduce_prod", lambda x, axis, keepdims: x.prod(axis, keepdims=keepdims, dtype=x.dtype),
    vjp=[lambda g, x, axis: spread(g, x.tag.shape, axis) * _conjugate(others_(x, axis=axis))],
    jvp=[lambda t, x, axis, keepdims: sum_(t * others_(x, axis=axis), axis=axis, keepdims=keepdims)],
    notes=Notes(phrase="the product of x", sign="Π", title="Prod", kinds="iufc"))
# Two that rules ask for: one op each, so that whoever follows a rule meets the number that a lecture speaks of.
share_ = flat("share", lambda x, extreme, axis: _share(x, extreme, axis), arguments=("x", "extreme"),
    notes=Notes(phrase="the share of each number in an extreme", kinds="iuf"))
others_ = General("product_of_others", lambda x, axis: _others(x, axis),
    vjp=[lambda g, x, axis: _of_two(g, _conjugate(x), axis)],
    jvp=[lambda t, x, axis: _of_two(t, x, axis)],
    notes=Notes(phrase="the product of all others of x", sign="Π others", kinds="iufc", quiet=True))
logsumexp_ = General("reduce_logsumexp", lambda x, axis, keepdims: _logsumexp(x, axis, keepdims),
    vjp=[lambda g, x, axis: spread(g, x.tag.shape, axis) * weights_(x, axis=axis)],
    jvp=[lambda t, x, axis, keepdims: sum_(t * weights_(x, axis=axis), axis=axis, keepdims=keepdims)],
    notes=Notes(phrase="log Σ exp(x)", sign="log Σ exp", kinds="f", quiet=True))
# `softmax` along several axes: what a logarithm of a sum of exponentials changes by.
weights_ = General("softmax_along", lambda x, axis: _softmax(x, axis),
    vjp=[lambda g, out, axis: (g - sum_(g * out, axis=axis, keepdims=True)) * out],
    jvp=[lambda t, out, axis: (t - sum_(t * out, axis=axis, keepdims=True)) * out],
    notes=Notes(phrase="exp(x) ÷ Σ exp(x)", sign="softmax", kinds="f", quiet=True))
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
            raise invalid_argument(
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


def _share(x: np.ndarray, extreme: np.ndarray, axis: tuple[int, ...]) -> np.ndarray:
    """The share of each number in the derivative of an extreme; numbers that tie share equally."""
    winners = (x == extreme.reshape(_kept(x.shape, axis))).astype(x.dtype)
    return np.asarray(winners / winners.sum(axis, keepdims=True), x.dtype)


def _others(x: np.ndarray, axis: tuple[int, ...]) -> np.ndarray:
    """The product of all the others, along the axes; correct also where some are zero."""
    order, rows = _in_rows(x.shape, axis)
    row = x.transpose(order).reshape(rows)
    first = np.ones_like(row[..., :1])
    before = np.concatenate([first, row[..., :-1]], -1).cumprod(-1, dtype=x.dtype)
    after = np.concatenate([first, row[..., :0:-1]], -1).cumprod(-1, dtype=x.dtype)[..., ::-1]
    turned = (before * after).reshape([x.shape[i] for i in order])
    return turned.transpose(np.argsort(order)).copy()


@written(phrase="for each number, the others of g, each times the product of the rest of x, summed")
def _of_two(g: Tensor, x: Tensor, axis: tuple[int, ...]) -> Tensor:
    """How the products of all others change with x: once more a product of others, in a row where one number is left out."""
    order, rows = _in_rows(x.tag.shape, axis)
    if not x.tag.nbytes:
        return g
    itself = convert(np.eye(rows[-1], dtype=bool))
    many = [reshape_(transpose_(one, perm=order), shape=(*rows[:-1], 1, rows[-1])) for one in (g, x)]
    moved, row = where(itself, 0.0, many[0]), where(itself, 1.0, many[1])
    last = len(rows)
    found = sum_(moved * others_(row, axis=(last,)), axis=(last,), keepdims=False)
    turned = reshape_(found, shape=tuple([x.tag.shape[i] for i in order]))
    return transpose_(turned, perm=tuple([order.index(i) for i in range(x.ndim)]))


@functools.lru_cache(maxsize=1024)
def _in_rows(shape: tuple[int, ...], axis: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes in an order in which those that are reduced come last; the shape in which these are one."""
    rest = [i for i in range(len(shape)) if i not in axis]
    return (*rest, *axis), (*[shape[i] for i in rest], math.prod([shape[i] for i in axis]))


@written("x")
def _conjugate(x: Tensor) -> Tensor:
    return conj(x) if x.dtype.is_complex else x


def lowest(x: np.ndarray) -> Any:
    return -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min


def _highest(x: np.ndarray) -> Any:
    return np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).max


def _mean(x: np.ndarray, axis: tuple[int, ...], keepdims: bool) -> np.ndarray:
    if x.dtype.kind in "iu":
        total = added(x, axis, keepdims=keepdims, dtype=np.uint64 if x.dtype == np.uint64 else np.int64)
        count = total.dtype.type(_count(x.shape, axis))
        return (np.sign(total) * (np.abs(total) // count)).astype(x.dtype)  # towards zero
    total = added(x, axis, keepdims=keepdims)
    return np.asarray(total / x.dtype.type(_count(x.shape, axis)) if x.size else total * np.nan, x.dtype)


def _logsumexp(x: np.ndarray, axis: tuple[int, ...], keepdims: bool) -> np.ndarray:
    top = x.max(axis, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0).astype(x.dtype)
    total = np.log(np.exp(x - top).sum(axis, keepdims=True)) + top
    return total if keepdims else np.squeeze(total, axis)


def _softmax(x: np.ndarray, axis: int | tuple[int, ...]) -> np.ndarray:
    grown = np.exp(x - x.max(axis, keepdims=True, initial=-np.inf))
    return grown / grown.sum(axis, keepdims=True)


def _euclid(x: np.ndarray, axis: tuple[int, ...], keepdims: bool) -> np.ndarray:
    return np.asarray(np.sqrt(added(np.square(x), axis, keepdims=keepdims, dtype=x.dtype)), x.dtype)


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
        raise type_error(f"keepdims is True or False, got {keepdims!r}", "Write keepdims=True.") from None


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
