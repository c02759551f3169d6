"""Rows that keep a running result along an axis: sums, products, logarithms of sums of exponentials."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kinds import General, Linear
from ..notes import Notes, named, written
from ..tensor import Tensor, convert
from .elementwise import divide_no_nan, exp, is_inf, where
from .shapes import axis_within

# fmt: off
cumsum_ = Linear("cumsum", lambda x, axis, exclusive, reverse: _cumulate(np.cumsum, 0, x, axis, exclusive, reverse),
    lambda g, axis, exclusive, reverse: _turned_sums(g, axis, exclusive, reverse),
    notes=Notes(phrase="running sums of x", kinds="iufc"))
cumprod_ = General("cumprod",
    lambda x, axis, exclusive, reverse: _cumulate(np.cumprod, 1, x, axis, exclusive, reverse),
    vjp=[lambda g, x, out, axis, exclusive, reverse:
              divide_no_nan(_turned_sums(g * out, axis, exclusive, reverse), x)],
    jvp=[lambda t, x, out, axis, exclusive, reverse:
              cumsum_(divide_no_nan(t, x), axis=axis, exclusive=exclusive, reverse=reverse) * out],
    notes=Notes(phrase="running products of x", kinds="iuf"))
cumulative_logsumexp_ = General("cumulative_logsumexp",
    lambda x, axis, exclusive, reverse: _cumulate(np.logaddexp.accumulate, -np.inf, x, axis, exclusive, reverse),
    vjp=[lambda g, x, out, axis, exclusive, reverse:
              exp(x) * _turned_sums(g * _exp_minus(out), axis, exclusive, reverse)],
    jvp=[lambda t, x, out, axis, exclusive, reverse:
              cumsum_(t * exp(x), axis=axis, exclusive=exclusive, reverse=reverse) * _exp_minus(out)],
    notes=Notes(phrase="running log Σ exp(x)", kinds="f", quiet=True))
# fmt: on


@written(phrase="running sums of g, from the other end")
def _turned_sums(g: Tensor, axis: int, exclusive: bool, reverse: bool) -> Tensor:
    return cumsum_(g, axis=axis, exclusive=exclusive, reverse=not reverse)


@written("exp(−out)")
def _exp_minus(out: Tensor) -> Tensor:
    """exp(−out), and 0 for the empty sum in front of an exclusive row."""
    empty = is_inf(out)
    return where(empty, 0.0, exp(-where(empty, 0.0, out)))


def _cumulate(op: Any, start: Any, x: np.ndarray, axis: int, exclusive: bool, reverse: bool) -> np.ndarray:
    """Running results along an axis; an exclusive one leaves each number itself out."""
    turned = np.flip(x, axis) if reverse else x
    if exclusive:
        first = np.full_like(np.take(turned, [0] if turned.shape[axis] else [], axis), start)
        turned = np.concatenate([first, np.take(turned, range(turned.shape[axis] - 1), axis)], axis)
    found = np.asarray(op(turned, axis=axis), x.dtype) if turned.size else turned
    return np.flip(found, axis).copy() if reverse else found


# ---- the public functions -------------------------------------------------------------------------------------------


@named("cumsum math.cumsum")
def cumsum(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """Running sums along an axis.

    >>> tf.cumsum([1, 2, 3]).numpy()
    array([1, 3, 6], dtype=int32)
    """
    x = convert(x)
    return cumsum_(x, axis=axis_within(axis, x.ndim), exclusive=exclusive, reverse=reverse)


@named("math.cumprod")
def cumprod(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """Running products along an axis; the derivative by a zero is 0, as in TensorFlow.

    >>> tf.math.cumprod([1, 2, 3]).numpy()
    array([1, 2, 6], dtype=int32)
    """
    x = convert(x)
    return cumprod_(x, axis=axis_within(axis, x.ndim), exclusive=exclusive, reverse=reverse)


@named("math.cumulative_logsumexp")
def cumulative_logsumexp(
    x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """Running logarithms of sums of exponentials along an axis.

    >>> tf.math.cumulative_logsumexp([0.0, 0.0]).numpy()
    array([0.       , 0.6931472], dtype=float32)
    """
    x = convert(x)
    return cumulative_logsumexp_(x, axis=axis_within(axis, x.ndim), exclusive=exclusive, reverse=reverse)
