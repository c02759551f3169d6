"""Iterators over a dataset."""

from __future__ import annotations

import collections.abc
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import OutOfRangeError
from ..record.refusal import invalid_argument, refusal
from .elements import numbers, tensors


class Iterator(collections.abc.Iterator[Any]):
    """What `iter(dataset)` gives: it goes through the elements once, as tensors.

    >>> iterator = iter(tf.data.Dataset.range(5, 9))
    >>> int(next(iterator)), int(iterator.get_next()), iterator.element_spec
    (5, 6, TensorSpec(shape=(), dtype=tf.int64, name=None))
    """

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
    """What `dataset.as_numpy_iterator()` gives: it goes through the elements once, as arrays.

    >>> next(tf.data.Dataset.range(6).batch(3).as_numpy_iterator())
    array([0, 1, 2])
    """

    _shown = staticmethod(numbers)


class Optional:
    """An element, or none: what `get_next_as_optional` gives.

    >>> iterator = iter(tf.data.Dataset.range(5, 6))
    >>> first, second = iterator.get_next_as_optional(), iterator.get_next_as_optional()
    >>> int(first.get_value()), bool(second.has_value())
    (5, False)
    """

    def __init__(self, value: list[Any]) -> None:
        self._value = value

    def has_value(self, name: str | None = None) -> Any:
        """Whether there is one."""
        return tensors(np.array(bool(self._value)))

    def get_value(self, name: str | None = None) -> Any:
        """The element; raises InvalidArgumentError where there is none."""
        if not self._value:
            raise invalid_argument("The given optional does not have a value.", "Ask has_value() first.")
        return self._value[0]
