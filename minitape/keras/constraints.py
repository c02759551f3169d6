"""Constraints on weights, applied after each step of an optimizer."""

from __future__ import annotations

from typing import Any

from ..ops.clip import clip_by_value
from ..ops.elementwise import maximum, relu, sqrt, square
from ..ops.reductions import reduce_sum
from ..tensor import convert
from .config import Configured, pick

SMALL = 1e-7  # keeps a norm of 0 from dividing


class Constraint(Configured):
    """A function from a weight to the constrained weight; subclass it and write `__call__`.

    >>> NonNeg()([-1.0, 2.0]).numpy()
    array([0., 2.], dtype=float32)
    """

    def __call__(self, w: Any) -> Any:
        return w


class NonNeg(Constraint):
    """Numbers below 0 become 0."""

    def __call__(self, w: Any) -> Any:
        return relu(convert(w))


class MinMaxNorm(Constraint):
    """The length of each column (or along `axis`) is brought between two bounds, fully or by a share `rate`.

    >>> MinMaxNorm(max_value=1.0)([[3.0], [4.0]]).numpy().round(3).ravel()
    array([0.6, 0.8], dtype=float32)
    """

    def __init__(self, min_value: float = 0.0, max_value: float = 1.0, rate: float = 1.0, axis: Any = 0) -> None:
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w: Any) -> Any:
        w = convert(w)
        length = sqrt(reduce_sum(square(w), self.axis, keepdims=True))
        wanted = maximum(clip_by_value(length, self.min_value, self.max_value), 0.0)
        return w * ((self.rate * wanted + (1 - self.rate) * length) / (SMALL + length))


class MaxNorm(MinMaxNorm):
    """Longer columns are shortened to this length.

    >>> MaxNorm(1.0)([[3.0, 0.3], [4.0, 0.4]]).numpy().round(3)
    array([[0.6, 0.3],
           [0.8, 0.4]], dtype=float32)
    """

    def __init__(self, max_value: float = 2, axis: Any = 0) -> None:
        super().__init__(0.0, max_value, 1.0, axis)


class UnitNorm(Constraint):
    """Columns are scaled to length 1.

    >>> UnitNorm()([[3.0], [4.0]]).numpy().round(3).ravel()
    array([0.6, 0.8], dtype=float32)
    """

    def __init__(self, axis: Any = 0) -> None:
        self.axis = axis

    def __call__(self, w: Any) -> Any:
        w = convert(w)
        return w / (SMALL + sqrt(reduce_sum(square(w), self.axis, keepdims=True)))


def get(identifier: Any) -> Any:
    """The constraint for a name, a class or a function; None is none.

    >>> type(get("non_neg")).__name__
    'NonNeg'
    """
    return pick(Constraint, identifier, hint="Any function of a weight does too: kernel_constraint=tf.nn.relu.")


max_norm, min_max_norm, non_neg, unit_norm = MaxNorm, MinMaxNorm, NonNeg, UnitNorm

__all__ = [
    "Constraint", "MaxNorm", "MinMaxNorm", "NonNeg", "UnitNorm", "get", "max_norm", "min_max_norm", "non_neg", "unit_norm",
]  # fmt: skip
