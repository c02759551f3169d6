"""`tf.keras.optimizers.schedules`: learning rates that depend on the step."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...record.refusal import refusal, value_error
from ...tensor import Tensor, constant
from ..allowed import within
from ..config import Configured, pick, stored

Float = np.float32  # the dtype of a rate
STEPS = "It is a number of steps: 1000, say."


class LearningRateSchedule(Configured):
    """A function from the number of a step to its rate; subclass it and write `__call__`.

    >>> class Warm(tf.keras.optimizers.schedules.LearningRateSchedule):
    ...     def __call__(self, step):
    ...         return tf.minimum(tf.cast(step, tf.float32) / 4.0, 1.0)
    >>> float(tf.keras.optimizers.SGD(Warm()).learning_rate)
    0.0
    """

    def __call__(self, step: Any) -> Any:
        raise refusal(
            NotImplementedError,
            f"Learning rate schedule {type(self).__name__!r} must override `__call__(self, step)`.",
            "Return the rate of that step from it.",
        )


class _Formula(LearningRateSchedule):
    """One of the schedules below: a formula on float32 numbers."""

    def __call__(self, step: Any) -> Tensor:
        return constant(Float(self.rate(Float(step))))

    def rate(self, step: Any) -> Any:
        """The rate of a step."""
        raise NotImplementedError


class _Decay(_Formula):
    def __init__(
        self, initial_learning_rate: float, decay_steps: float, decay_rate: float, staircase: bool = False,
        name: str | None = None,
    ) -> None:  # fmt: skip
        self.initial_learning_rate, self.decay_rate, self.staircase = initial_learning_rate, decay_rate, staircase
        self.decay_steps, self.name = within("decay_steps", decay_steps, "(0, ∞)", STEPS), name or type(self).__name__

    def _done(self, step: Any) -> Any:
        done = step / Float(self.decay_steps)
        return np.floor(done) if self.staircase else done


class ExponentialDecay(_Decay):
    """The rate is multiplied by `decay_rate` every `decay_steps` steps, gradually or (staircase) all at once.

    >>> float(tf.keras.optimizers.schedules.ExponentialDecay(1.0, decay_steps=10, decay_rate=0.5)(20))
    0.25
    """

    def rate(self, step: Any) -> Any:
        """initial × rate ** (step / steps)."""
        return Float(self.initial_learning_rate) * Float(self.decay_rate) ** self._done(step)


class InverseTimeDecay(_Decay):
    """The first rate divided by 1 + `decay_rate` × step / `decay_steps`; staircase, as for `ExponentialDecay`.

    >>> float(tf.keras.optimizers.schedules.InverseTimeDecay(1.0, decay_steps=10, decay_rate=0.5)(20))
    0.5
    """

    def rate(self, step: Any) -> Any:
        """initial / (1 + rate × step / steps)."""
        return Float(self.initial_learning_rate) / (1 + Float(self.decay_rate) * self._done(step))


class PiecewiseConstantDecay(_Formula):
    """`values[0]` up to the first boundary, `values[1]` up to the second, and so on.

    Raises ValueError unless there is one value more than there are boundaries.

    >>> [float(tf.keras.optimizers.schedules.PiecewiseConstantDecay([10, 20], [1.0, 0.5, 0.25])(step)) for step in (10, 11, 21)]
    [1.0, 0.5, 0.25]
    """

    def __init__(self, boundaries: Sequence[float], values: Sequence[float], name: str = "PiecewiseConstant") -> None:
        if len(boundaries) != len(values) - 1:
            raise value_error(
                "The length of boundaries should be 1 less than the length of values. "
                f"Received: boundaries={boundaries} of length {len(boundaries)}, and values={values} of length {len(values)}.",
                "There is a value before the first boundary, and one behind the last.",
            )
        self.boundaries, self.values, self.name = boundaries, values, name

    def rate(self, step: Any) -> Any:
        """The value between the boundaries around this step."""
        return self.values[int(np.searchsorted(np.asarray(self.boundaries, "float64"), float(step), "left"))]


class PolynomialDecay(_Formula):
    """From the first rate to the last, along a power of the remaining share of `decay_steps`; `cycle` begins again, slower.

    >>> float(tf.keras.optimizers.schedules.PolynomialDecay(1.0, decay_steps=10, end_learning_rate=0.0)(5))
    0.5
    """

    def __init__(
        self, initial_learning_rate: float, decay_steps: float, end_learning_rate: float = 0.0001, power: float = 1.0,
        cycle: bool = False, name: str = "PolynomialDecay",
    ) -> None:  # fmt: skip
        self.initial_learning_rate, self.end_learning_rate = initial_learning_rate, end_learning_rate
        self.decay_steps, self.power, self.cycle, self.name = (
            within("decay_steps", decay_steps, "(0, ∞)", STEPS),
            power,
            cycle,
            name,
        )

    def rate(self, step: Any) -> Any:
        """(initial − end) × (1 − step / steps) ** power + end."""
        first, last, steps = Float(self.initial_learning_rate), Float(self.end_learning_rate), Float(self.decay_steps)
        if self.cycle:
            steps = steps * (np.ceil(step / steps) if step else 1)
        else:
            step = np.minimum(step, steps)
        return (first - last) * (1 - step / steps) ** Float(self.power) + last


class CosineDecay(_Formula):
    """Half a period of a cosine, from the first rate down to `alpha` times it; before that, `warmup_steps` steps up to
    `warmup_target`.

    >>> float(tf.keras.optimizers.schedules.CosineDecay(1.0, decay_steps=10)(5).numpy().round(3))
    0.5
    """

    def __init__(
        self, initial_learning_rate: float, decay_steps: float, alpha: float = 0.0, name: str = "CosineDecay",
        warmup_target: float | None = None, warmup_steps: int = 0,
    ) -> None:  # fmt: skip
        self.initial_learning_rate, self.alpha, self.name = initial_learning_rate, alpha, name
        self.decay_steps, self.warmup_target = within("decay_steps", decay_steps, "(0, ∞)", STEPS), warmup_target
        self.warmup_steps = warmup_steps

    def rate(self, step: Any) -> Any:
        """top × ((1 − alpha) × (1 + cos π step / steps) / 2 + alpha)."""
        top, steps, warm = Float(self.initial_learning_rate), Float(self.decay_steps), Float(self.warmup_steps)
        if self.warmup_target is not None:
            target = Float(self.warmup_target)
            if step < warm:
                return (target - top) * (step / warm) + top
            top, step = target, np.minimum(step, steps + warm) - warm
        wave = Float(0.5) * (1 + np.cos(Float(math.pi) * (np.minimum(step, steps) / steps)))
        return top * (Float(1 - self.alpha) * wave + Float(self.alpha))


class CosineDecayRestarts(_Formula):
    """Half periods of a cosine one after the other, each `t_mul` times as long as the last and `m_mul` times as high
    (Loshchilov and Hutter 2017).

    >>> float(tf.keras.optimizers.schedules.CosineDecayRestarts(1.0, first_decay_steps=10)(10))
    1.0
    """

    def __init__(
        self, initial_learning_rate: float, first_decay_steps: float, t_mul: float = 2.0, m_mul: float = 1.0,
        alpha: float = 0.0, name: str = "SGDRDecay",
    ) -> None:  # fmt: skip
        self.initial_learning_rate, self.t_mul, self.m_mul = initial_learning_rate, t_mul, m_mul
        self.first_decay_steps, self.alpha, self.name = (
            within("first_decay_steps", first_decay_steps, "(0, ∞)", STEPS),
            alpha,
            name,
        )

    def rate(self, step: Any) -> Any:
        """The rate within the half period of this step."""
        done, longer = step / Float(self.first_decay_steps), Float(self.t_mul)
        if longer == 1:
            wave = np.floor(done)
            done = done - wave
        else:
            wave = np.floor(np.log(1 - done * (1 - longer)) / np.log(longer))
            done = (done - (1 - longer**wave) / (1 - longer)) / longer**wave
        height = Float(0.5) * Float(self.m_mul) ** wave * (1 + np.cos(Float(math.pi) * done))
        return Float(self.initial_learning_rate) * (Float(1 - self.alpha) * height + Float(self.alpha))


serialize, deserialize = stored(
    "optimizers.schedules",
    functools.partial(pick, LearningRateSchedule),
    "learning_rate_schedule",
    "CosineDecay(0.1, 9)",
)

__all__ = [
    "CosineDecay", "CosineDecayRestarts", "ExponentialDecay", "InverseTimeDecay", "LearningRateSchedule",
    "PiecewiseConstantDecay", "PolynomialDecay", "deserialize", "serialize",
]  # fmt: skip
