"""Iterators over a dataset."""

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
    """Iterates over a dataset, with elements as tensors."""

    _shown: Callable[[Any], Any] = staticmethod(tensors)

    def __init__(self, dataset: Any) -> None:
        self._dataset = dataset
        self._elements = dataset._start()
        self.taken = 0  # how many elements were handed out: what a checkpoint keeps of it

    def __next__(self) -> Any:
        element = next(self._elements)
        self.taken += 1
        return self._shown(element)

    def take_up(self, count: int) -> None:
        """Start anew, and continue after this many elements."""
        self._elements = itertools.islice(self._dataset._start(), count, None)
        self.taken = count

    @property
    def element_spec(self) -> Any:
        """The spec of the elements."""
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
        """The next element as an Optional, which is empty at the end."""
        return Optional(list(itertools.islice(self, 1)))


class NumpyIterator(Iterator):
    """Iterates over a dataset, with elements as arrays."""

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
