"""Rows of neural networks."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..primitive import General
from ..tensor import Tensor, convert
from .elementwise import exp
from .reductions import reduce_sum

# fmt: off
softmax_     = General("softmax", lambda x, axis: _softmax(x, axis),
                       back=[lambda g, out, axis: (g - reduce_sum(g * out, axis, keepdims=True)) * out],
                       push=[lambda t, out, axis: (t - reduce_sum(t * out, axis, keepdims=True)) * out],
                       formula="exp(x) / Σ exp(x)", derivatives=("(d − Σ d × out) × out",), quiet=True, kinds="f")
log_softmax_ = General("log_softmax", lambda x, axis: _log_softmax(x, axis),
                       back=[lambda g, out, axis: g - exp(out) * reduce_sum(g, axis, keepdims=True)],
                       push=[lambda t, out, axis: t - reduce_sum(exp(out) * t, axis, keepdims=True)],
                       formula="x − log Σ exp(x)", derivatives=("d − exp(out) × Σ d",), quiet=True, kinds="f")
# fmt: on


def _softmax(x: np.ndarray, axis: int) -> np.ndarray:
    grown = np.exp(x - x.max(axis, keepdims=True, initial=-np.inf))
    return grown / grown.sum(axis, keepdims=True)


def _log_softmax(x: np.ndarray, axis: int) -> np.ndarray:
    moved = x - x.max(axis, keepdims=True, initial=-np.inf)
    return moved - np.log(np.exp(moved).sum(axis, keepdims=True))


def softmax(logits: Any, axis: int = -1, name: str | None = None) -> Tensor:
    """Positive numbers that sum to 1 along an axis.

    >>> softmax([0.0, 0.0]).numpy()
    array([0.5, 0.5], dtype=float32)
    """
    return softmax_(convert(logits), axis=int(-1 if axis is None else axis))


def log_softmax(logits: Any, axis: int = -1, name: str | None = None) -> Tensor:
    """The logarithm of the softmax, without overflow.

    >>> log_softmax([0.0, 0.0]).numpy()
    array([-0.6931472, -0.6931472], dtype=float32)
    """
    return log_softmax_(convert(logits), axis=int(-1 if axis is None else axis))
