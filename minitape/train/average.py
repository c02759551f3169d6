"""`tf.train.ExponentialMovingAverage`: moving averages of variables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..record.refusal import value_error
from ..variable import Variable


class ExponentialMovingAverage:
    """average = decay × average + (1 − decay) × variable, at each `apply`.

    Raises ValueError for zero_debias=True, which is not supported.

    >>> v, follower = tf.Variable(1.0), tf.train.ExponentialMovingAverage(0.5)
    >>> follower.apply([v])
    >>> _ = v.assign(3.0)
    >>> follower.apply([v])
    >>> float(follower.average(v))
    2.0
    """

    def __init__(
        self, decay: float, num_updates: Any = None, zero_debias: bool = False, name: str = "ExponentialMovingAverage"
    ) -> None:
        self._decay, self._updates, self.name = decay, num_updates, name
        if zero_debias:
            raise value_error("zero_debias=True is not there", "An average begins with the variable's own value here.")
        self._averages: dict[Any, Variable] = {}

    def apply(self, var_list: Iterable[Variable]) -> None:
        """Move the averages of these variables one step; a new average begins with the variable's value."""
        decay = self._decay
        if self._updates is not None:
            count = float(self._updates)
            decay = min(decay, (1.0 + count) / (10.0 + count))
        for variable in var_list:
            average = self._averages.get(variable.ref())
            if average is None:
                name = f"{variable.name[:-2]}/{self.name}"
                average = self._averages[variable.ref()] = Variable(variable.array_now, trainable=False, name=name)
            average.assign_sub((average.array_now - variable.array_now) * average.tag.dtype.type(1.0 - decay))

    def average(self, var: Variable) -> Variable | None:
        """The average of a variable, or None."""
        return self._averages.get(var.ref())

    @property
    def variables(self) -> list[Variable]:
        """All averages."""
        return list(self._averages.values())
