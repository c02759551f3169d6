"""Constraints on weights, applied after each step of an optimizer."""

from __future__ import annotations

from typing import Any

from ..ops.clip import clip_by_value
from ..ops.elementwise import maximum, relu, sqrt, square
from ..ops.reductions import reduce_sum
from ..tensor import convert
from .config import Configured, pick, stored

SMALL = 1e-7  # keeps a norm of 0 from dividing


class Constraint(Configured):
    """A function from a weight to the weight as it may be; subclass it and write `__call__`.

    >>> class Rounded(tf.keras.constraints.Constraint):
    ...     def __call__(self, w):
    ...         return tf.round(w)
    >>> w = tf.Variable([1.0, 2.0], constraint=Rounded())
    >>> step = tf.keras.optimizers.SGD(1.0).apply_gradients([(tf.constant([0.25, -0.75]), w)])
    >>> w.numpy()
    array([1., 3.], dtype=float32)
    """

    def __call__(self, w: Any) -> Any:
        return w


class NonNeg(Constraint):
    """Numbers below 0 become 0.

    >>> tf.keras.constraints.NonNeg()([-1.0, 2.0]).numpy()
    array([0., 2.], dtype=float32)
    """

    def __call__(self, w: Any) -> Any:
        return relu(convert(w))


class MinMaxNorm(Constraint):
    """Each column (or what lies along `axis`) is scaled so that its length lies between two bounds.

    With a `rate` below 1 a length goes only this share of the way to the nearest bound.

    >>> tf.keras.constraints.MinMaxNorm(max_value=1.0)([[3.0], [4.0]]).numpy().round(3).ravel()
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
    """Columns (or what lies along `axis`) that are longer than `max_value` are shortened to it.

    >>> tf.keras.constraints.MaxNorm(1.0)([[3.0, 0.3], [4.0, 0.4]]).numpy().round(3)
    array([[0.6, 0.3],
           [0.8, 0.4]], dtype=float32)
    """

    def __init__(self, max_value: float = 2, axis: Any = 0) -> None:
        super().__init__(0.0, max_value, 1.0, axis)


class UnitNorm(Constraint):
    """Each column (or what lies along `axis`) is scaled to length 1.

    >>> tf.keras.constraints.UnitNorm()([[3.0], [4.0]]).numpy().round(3).ravel()
    array([0.6, 0.8], dtype=float32)
    """

    def __init__(self, axis: Any = 0) -> None:
        self.axis = axis

    def __call__(self, w: Any) -> Any:
        w = convert(w)
        return w / (SMALL + sqrt(reduce_sum(square(w), self.axis, keepdims=True)))


def get(identifier: Any) -> Any:
    """The constraint for a name, a class or a function; None is none.

    >>> type(tf.keras.constraints.get("non_neg")).__name__
    'NonNeg'
    """
    return pick(Constraint, identifier, hint="Any function of a weight does too: kernel_constraint=tf.nn.relu.")


max_norm, min_max_norm, non_neg, unit_norm = MaxNorm, MinMaxNorm, NonNeg, UnitNorm

serialize, deserialize = stored("constraints", get, "constraint", "NonNeg()")

__all__ = [
    "Constraint", "MaxNorm", "MinMaxNorm", "NonNeg", "UnitNorm", "deserialize", "get", "max_norm", "min_max_norm", "non_neg",
    "serialize", "unit_norm",
]  # fmt: skip
