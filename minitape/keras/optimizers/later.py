"""More optimizers, each a formula that looks at a whole weight or at the signs of its gradient."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..allowed import within
from .base import Optimizer
from .slope import by_slice

_not_negative = functools.partial(within, interval="[0, ∞)", hint="0.1 is usual.")


class Ftrl(Optimizer):
    """Follow the regularized leader: weights near the best for all gradients so far, and 0 where `l1` outweighs them
    (McMahan et al. 2013).

    Raises ValueError for a strength or a first accumulator below 0, and for a power above 0.

    >>> w, ftrl = tf.Variable([1.0, 1.0]), tf.keras.optimizers.Ftrl(0.5, l1_regularization_strength=1.0)
    >>> step = ftrl.apply_gradients([(tf.constant([0.01, 8.0]), w)])
    >>> w.numpy().round(3)
    array([0.   , 0.398], dtype=float32)
    """

    slots = ("accumulator", "linear")

    def __init__(
        self, learning_rate: Any = 0.001, learning_rate_power: float = -0.5, initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0,
        l2_shrinkage_regularization_strength: float = 0.0, beta: float = 0.0, **common: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, **common)
        self.learning_rate_power = within("learning_rate_power", learning_rate_power, "(-∞, 0]", "-0.5 is usual.")
        self.initial_accumulator_value = _not_negative("initial_accumulator_value", initial_accumulator_value)
        self.l1_regularization_strength = _not_negative("l1_regularization_strength", l1_regularization_strength)
        self.l2_regularization_strength = _not_negative("l2_regularization_strength", l2_regularization_strength)
        name, self.beta = "l2_shrinkage_regularization_strength", beta
        self.l2_shrinkage_regularization_strength = _not_negative(name, l2_shrinkage_regularization_strength)

    def begins(self, slot: str, weight: np.ndarray) -> np.ndarray:
        """The accumulator begins with a value of its own."""
        return np.full_like(weight, self.initial_accumulator_value if slot == "accumulator" else 0.0)

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *slots: np.ndarray) -> Any:
        """(what l1 leaves of z) / (√n / rate + 2 × l2), with a sum n of squares and a sum z of gradients that begin at w."""
        kind = weight.dtype.type
        power, most = kind(-self.learning_rate_power), kind(self.l1_regularization_strength)
        total = slots[0] + by_slice(np.square, gradient)
        shrunk = gradient + kind(2 * self.l2_shrinkage_regularization_strength) * weight
        linear = slots[1] + shrunk - (total**power - slots[0] ** power) / rate * weight
        flat = kind(self.l2_regularization_strength) + kind(self.beta) / (kind(2.0) * rate)
        return (np.clip(linear, -most, most) - linear) / (total**power / rate + kind(2.0) * flat), total, linear


class Lion(Optimizer):
    """Steps of one size, against the sign of a running mean of the gradient (Chen et al. 2023).

    Wants a rate of a tenth of Adam's, and more weight decay.  Raises ValueError for a `beta_1` outside of (0, 1].

    >>> w = tf.Variable([1.0, 1.0])
    >>> step = tf.keras.optimizers.Lion(0.1).apply_gradients([(tf.constant([0.001, -1000.0]), w)])
    >>> w.numpy().round(3)
    array([0.9, 1.1], dtype=float32)
    """

    slots = ("momentum",)

    def __init__(self, learning_rate: Any = 0.001, beta_1: float = 0.9, beta_2: float = 0.99, **common: Any) -> None:
        super().__init__(learning_rate, **common)
        self.beta_1 = within("beta_1", beta_1, "(0, 1]", "0.9 is usual; with 0 only the sign of this gradient counts.")
        self.beta_2 = beta_2

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *slots: np.ndarray) -> Any:
        """w − rate × sign of m, moved by `beta_1` for the sign and by `beta_2` for the next step."""
        first, second = (weight.dtype.type(beta) for beta in (self.beta_1, self.beta_2))
        towards = np.sign(slots[0] * first + gradient * (1 - first))
        return weight - rate * towards, slots[0] * second + gradient * (1 - second)


class Adafactor(Optimizer):
    """Adam's divisor from a mean per row and one per column of a matrix, which takes less memory (Shazeer and Stern 2018).

    A step's size is a share of the weight's root mean square: the rate, with `relative_step` at most 1 / √(number of the step).

    >>> w = tf.Variable([[3.0, 4.0]])
    >>> step = tf.keras.optimizers.Adafactor(0.1).apply_gradients([(tf.constant([[0.1, 1000.0]]), w)])
    >>> w.numpy().round(3), [slot.shape.as_list() for slot in tf.keras.optimizers.Adafactor(0.1).variables[1:]]
    (array([[2.646, 3.646]], dtype=float32), [])
    """

    slots = ("row", "column", "velocity")

    def __init__(
        self, learning_rate: Any = 0.001, beta_2_decay: float = -0.8, epsilon_1: float = 1e-30, epsilon_2: float = 1e-3,
        clip_threshold: float = 1.0, relative_step: bool = True, **common: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, **common)
        self.beta_2_decay, self.epsilon_1, self.epsilon_2 = beta_2_decay, epsilon_1, epsilon_2
        self.clip_threshold, self.relative_step = clip_threshold, relative_step

    def slots_of(self, weight: np.ndarray) -> Sequence[str]:
        """A vector has no rows and columns."""
        return self.slots if weight.ndim > 1 else ("velocity",)

    def begins(self, slot: str, weight: np.ndarray) -> np.ndarray:
        """A mean for each row, one for each column, and what they make of each number."""
        whole = np.zeros_like(weight)
        return {"row": whole[..., 0], "column": whole[..., 0, :]}.get(slot, whole) if weight.ndim > 1 else whole

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *slots: np.ndarray) -> Any:
        """w − |w| × rate × gradient / √v, cut where it is too long; v is row × column over the mean of the rows."""
        kind = weight.dtype.type
        slowest = kind(1.0) / np.sqrt(kind(self._iterations))
        if self.relative_step and not callable(self._rate):
            rate = min(rate, slowest)
        keep = kind(1.0) - kind(self._iterations) ** kind(self.beta_2_decay)
        squared = by_slice(np.square, gradient)
        squares = squared + kind(self.epsilon_1)
        means: tuple[Any, ...] = ()
        if weight.ndim > 1:
            row, column = (keep * slot + (1 - keep) * squares.mean(axis) for slot, axis in zip(slots, (-1, -2)))
            means = row, column
            v = (row / row.mean(-1, keepdims=True))[..., None] * column[..., None, :]
        else:
            v = keep * slots[0] + (1 - keep) * squares
        size = max(kind(self.epsilon_2), np.sqrt(np.mean(np.square(weight)))) * min(rate, slowest)
        long = np.sqrt(np.mean(squared / v)) / kind(self.clip_threshold)
        return (weight - size * (gradient / np.sqrt(v)) / max(kind(1.0), long), *means, v)
