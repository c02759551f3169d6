"""Steps that choose which elements come, how often and in what order."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np

from ..ops.draws import Source, chosen_seed, draws
from ..record.refusal import invalid_argument, value_error
from ..tensor import to_array
from . import counts, steps
from .elements import UNKNOWN, a_function
from .sources import Sources

Function = Callable[..., Any]


class Choosing(Sources):
    """Parts, repetitions and orders."""

    def take(self, count: Any, name: str | None = None) -> Self:
        """The first `count` elements; all with -1.

        >>> [int(x) for x in tf.data.Dataset.range(5).take(2)]
        [0, 1]
        """
        n = int(count)
        return self._step(
            "Take", lambda: itertools.islice(self._start(), None if n < 0 else n), counts.at_most(self._count, n)
        )

    def skip(self, count: Any, name: str | None = None) -> Self:
        """All but the first `count` elements; none with -1.

        >>> [int(x) for x in tf.data.Dataset.range(5).skip(2)]
        [2, 3, 4]
        """
        n = int(count)
        return self._step(
            "Skip",
            lambda: iter(()) if n < 0 else itertools.islice(self._start(), n, None),
            counts.without(self._count, n),
        )

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> Self:
        """Every `num_shards`-th element, beginning with number `index`; raises InvalidArgumentError for one out of range.

        >>> [int(x) for x in tf.data.Dataset.range(5).shard(num_shards=2, index=1)]
        [1, 3]
        """
        n, first = int(num_shards), int(index)
        if not 0 <= first < n:
            raise invalid_argument(f"Index must be between 0 and {n - 1} (currently index = {first}).")
        return self._step(
            "Shard",
            lambda: itertools.islice(self._start(), first, None, n),
            counts.batches(counts.without(self._count, first), n, False),
        )

    def take_while(self, predicate: Function, name: str | None = None) -> Self:
        """The elements before the first for which the predicate is False.

        >>> [int(x) for x in tf.data.Dataset.range(5).take_while(lambda x: x < 3)]
        [0, 1, 2]
        """
        a_function(predicate)
        return self._step(
            "TakeWhile",
            lambda: itertools.takewhile(lambda element: steps.holds(predicate, element), self._start()),
            UNKNOWN,
        )

    def unique(self, name: str | None = None) -> Self:
        """Each different tensor once, where it first occurs.

        >>> [int(x) for x in tf.data.Dataset.from_tensor_slices([3, 1, 3, 2, 1]).unique()]
        [3, 1, 2]
        """

        def start() -> Iterator[Any]:
            seen = set()
            for element in self._start():
                key = (element.shape, element.tobytes() if element.dtype.kind != "O" else tuple(element.reshape(-1)))
                if key not in seen:
                    seen.add(key)
                    yield element

        return self._step("Unique", start, UNKNOWN)

    def repeat(self, count: Any = None, name: str | None = None) -> Self:
        """The dataset `count` times over; without a number for ever.

        >>> [int(x) for x in tf.data.Dataset.range(2).repeat(2)]
        [0, 1, 0, 1]
        """
        n = -1 if count is None else int(count)
        return self._step("Repeat", lambda: steps.repeated(self._start, n), counts.times(self._count, n))

    def shuffle(
        self, buffer_size: Any, seed: Any = None, reshuffle_each_iteration: bool | None = None, name: str | None = None
    ) -> Self:
        """The elements in random order, drawn from a buffer of this many that is refilled from the dataset.

        With a seed, or after `tf.random.set_seed`, the orders are the same in each run of a program; they are not TensorFlow's.
        `reshuffle_each_iteration=False` keeps one order for all iterations.  Raises InvalidArgumentError for a buffer of 0.

        >>> sorted(int(x) for x in tf.data.Dataset.range(5).shuffle(5, seed=1))
        [0, 1, 2, 3, 4]
        """
        size = counts.known(buffer_size, self._count)
        if size <= 0:
            raise invalid_argument(
                "buffer_size must be greater than zero or UNKNOWN_CARDINALITY",
                "As many as there are elements shuffles them all: shuffle(len(x))",
            )
        new_order = orders(seed, reshuffle_each_iteration is not False)
        return self._step("Shuffle", lambda: steps.shuffled(self._start(), size, new_order()))

    def cache(self, filename: Any = "", name: str | None = None) -> Self:
        """The elements of the first iteration, kept in memory; raises ValueError for a file's name.

        >>> [int(x) for x in tf.data.Dataset.range(3).cache()]
        [0, 1, 2]
        """
        if to_array(filename)[()] not in (b"", ""):
            raise value_error("Dataset.cache keeps elements in memory, not in files", "Write .cache().")
        kept: list[Any] = []

        def start() -> Iterator[Any]:
            if kept:
                yield from kept
                return
            before = []
            for element in self._start():
                before.append(element)
                yield element
            kept[:] = before

        return self._step("Cache", start)

    def prefetch(self, buffer_size: Any, name: str | None = None) -> Self:
        """The same dataset: nothing is loaded ahead here.

        >>> [int(x) for x in tf.data.Dataset.range(3).prefetch(1)]
        [0, 1, 2]
        """
        return self._step("Prefetch", self._start)


def orders(seed: Any, anew: bool) -> Callable[[], np.random.Generator]:
    """A function that makes the generator for the order of an iteration: `anew` another each time, else the same."""
    start = draws().integers(2**62) if seed is None else [abs(number) for number in (chosen_seed() or 0, int(seed))]
    source, first = Source(np.random.default_rng(start)), np.random.default_rng(start).integers(2**62)
    return lambda: np.random.default_rng(source.draw.integers(2**62) if anew else first)
