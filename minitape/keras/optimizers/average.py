"""Moving averages of weights, for an optimizer that keeps them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...record.refusal import value_error
from ...variable import Variable
from ..allowed import within


class Averages:
    """A moving average of each weight, which is assigned to the weight in the end, or every `frequency` steps.

    Raises ValueError for a momentum outside of [0, 1], or a frequency below 1.
    """

    def __init__(self, momentum: float, frequency: int | None) -> None:
        within("ema_momentum", momentum, "[0, 1]", "0.99 is usual.")
        if frequency and (not isinstance(frequency, int) or frequency < 1):  # Keras takes 0 for None
            raise value_error(
                "`ema_overwrite_frequency` must be an integer >= 1 or None. Received: "
                f"ema_overwrite_frequency={frequency}",
                "None leaves the weights alone until fit ends.",
            )
        self.momentum, self.frequency = momentum, frequency
        self.table: dict[Any, Variable] = {}

    def follow(self, weights: Iterable[Any], step: int) -> None:
        """Move the averages towards the weights; the first step sets them."""
        for weight in weights:
            now = weight.array_now
            average = self.table.get(weight.ref())
            if average is None:
                average = self.table[weight.ref()] = Variable(now, trainable=False, name="average")
            momentum = now.dtype.type(self.momentum if step > 1 else 0.0)
            average.assign(momentum * average.array_now + (1 - momentum) * now)
            if self.frequency and step % self.frequency == 0:
                weight.assign(average.array_now)

    def put(self, weights: Iterable[Any]) -> None:
        """Assign the averages to the weights."""
        for weight in weights:
            average = self.table.get(weight.ref())
            if average is not None:
                weight.assign(average.array_now)
