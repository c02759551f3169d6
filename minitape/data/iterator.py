"""What goes through a dataset."""

from __future__ import annotations

import collections.abc
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import InvalidArgumentError, OutOfRangeError
from ..record.refusal import refusal
from .elements import numbers, tensors


class Iterator(collections.abc.Iterator[Any]):
    """One way through a dataset, element by element, as tensors."""

    _shown: Callable[[Any], Any] = staticmethod(tensors)

    def __init__(self, dataset: Any) -> None:
        self._dataset = dataset
        self._elements = dataset._start()

    def __next__(self) -> Any:
        return self._shown(next(self._elements))

    @property
    def element_spec(self) -> Any:
        """What the elements are like."""
        return self._dataset.element_spec

    def get_next(self, name: str | None = None) -> Any:
        """The next element; raises OutOfRangeError at the end."""
        try:
            return next(self)
        except StopIteration:
            raise refusal(
                OutOfRangeError, "End of sequence", "A new iterator starts again: iterator = iter(dataset)"
            ) from None

    def get_next_as_optional(self, name: str | None = None) -> Optional:
        """The next element, or that there is none."""
        return Optional(list(itertools.islice(self, 1)))


class NumpyIterator(Iterator):
    """One way through a dataset, element by element, as arrays."""

    _shown = staticmethod(numbers)


class Optional:
    """An element, or none."""

    def __init__(self, value: list[Any]) -> None:
        self._value = value

    def has_value(self, name: str | None = None) -> Any:
        """Whether there is one."""
        return tensors(np.array(bool(self._value)))

    def get_value(self, name: str | None = None) -> Any:
        """The element; raises InvalidArgumentError where there is none."""
        if not self._value:
            raise refusal(InvalidArgumentError, "The given optional does not have a value.", "Ask has_value() first.")
        return self._value[0]
