"""Steps that make one dataset of several: side by side, in turn, or one after the other."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

from ..record.refusal import type_error, value_error
from ..tensor import to_array
from . import counts, steps
from .choosing import orders
from .elements import UNKNOWN, a_function, called, common_spec, each, is_dataset
from .sources import Sources

Function = Callable[..., Any]


class Mixing(Sources):
    """Datasets side by side, in turn, and one after the other."""

    @classmethod
    def zip(cls, *args: Any, datasets: Any = None, name: str | None = None) -> Any:
        """The elements of several datasets side by side, in the structure of the datasets, until one ends.

        Raises TypeError for anything else than datasets.

        >>> list(tf.data.Dataset.zip(tf.data.Dataset.range(2), tf.data.Dataset.range(5, 9)).as_numpy_iterator())
        [(np.int64(0), np.int64(5)), (np.int64(1), np.int64(6))]
        """
        whole = datasets if datasets is not None else args[0] if len(args) == 1 else args
        parts: list[Any] = []
        each(parts.append, whole)
        if not all(is_dataset(part) for part in parts):
            raise type_error(
                "Invalid input to `zip`. Inputs are expected to be (nested) structures of `tf.data.Dataset` objects. Python "
                "`list` is not supported and you should use `tuple` instead.",
                "Dataset.zip(a, b)",
            )

        def side_by_side(values: Any) -> Any:
            remaining = iter(values)
            return each(lambda part: next(remaining), whole)

        return cls(
            "Zip",
            lambda: map(side_by_side, zip(*[part._start() for part in parts])),
            counts.shortest([part._count for part in parts]),
            lambda: each(lambda part: part.element_spec, whole),
        )

    def enumerate(self, start: int = 0, name: str | None = None) -> Any:
        """Each element with its number.

        >>> [(int(i), float(x)) for i, x in tf.data.Dataset.from_tensor_slices([0.5, 1.5]).enumerate(start=5)]
        [(5, 0.5), (6, 1.5)]
        """
        return self.zip(self.counter(int(start)), self)

    def concatenate(self, dataset: Any, name: str | None = None) -> Self:
        """This dataset, then the other; raises TypeError at an element of another structure or dtype.

        >>> [int(x) for x in tf.data.Dataset.range(2).concatenate(tf.data.Dataset.range(5, 7))]
        [0, 1, 5, 6]
        """
        return self._step(
            "Concatenate",
            lambda: steps.joined(self._start(), dataset._start()),
            counts.added(self._count, dataset._count),
            lambda: common_spec(self.element_spec, dataset.element_spec),
        )

    def flat_map(self, map_func: Function, name: str | None = None) -> Self:
        """The elements of the datasets that a function returns, one dataset after the other.

        Raises TypeError where the function returns no dataset.

        >>> twice = tf.data.Dataset.range(3).flat_map(lambda x: tf.data.Dataset.from_tensors(x).repeat(2))
        >>> [int(x) for x in twice]
        [0, 0, 1, 1, 2, 2]
        """
        a_function(map_func)

        def start() -> Iterator[Any]:
            return (inner for element in self._start() for inner in _part(map_func, element)._start())

        return self._step("FlatMap", start, UNKNOWN, lambda: self._spec_of_parts(map_func))

    def interleave(
        self, map_func: Function, cycle_length: int | None = None, block_length: int | None = None,
        num_parallel_calls: Any = None, deterministic: Any = None, name: str | None = None,
    ) -> Self:  # fmt: skip
        """The elements of the datasets that a function returns, `cycle_length` of these in turn; by default two.

        Raises TypeError where the function returns no dataset.

        >>> thrice = tf.data.Dataset.range(2).interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(3))
        >>> [int(x) for x in thrice]
        [0, 1, 0, 1, 0, 1]
        """
        a_function(map_func)
        cycle, block = max(2 if cycle_length in (None, -1) else int(cycle_length), 1), int(block_length or 1)
        return self._step(
            "Interleave",
            lambda: steps.interleaved(self._start(), lambda element: _part(map_func, element)._start(), cycle, block),
            UNKNOWN,
            lambda: self._spec_of_parts(map_func),
        )

    @classmethod
    def choose_from_datasets(cls, datasets: Any, choice_dataset: Any, stop_on_empty_dataset: bool = True) -> Any:
        """Elements of several datasets, each from the one whose number (an int64 scalar) comes next in `choice_dataset`.

        It ends where the chosen one is empty; without `stop_on_empty_dataset` that choice is skipped.  Raises ValueError for no
        datasets, InvalidArgumentError for a number out of range.

        >>> low, high = tf.data.Dataset.range(3), tf.data.Dataset.range(10, 13)
        >>> [int(x) for x in tf.data.Dataset.choose_from_datasets([low, high], tf.data.Dataset.range(2).repeat())]
        [0, 10, 1, 11, 2, 12]
        """
        return cls._directed("Choose", datasets, lambda: map(int, choice_dataset._start()), stop_on_empty_dataset)

    @classmethod
    def sample_from_datasets(
        cls, datasets: Any, weights: Any = None, seed: Any = None, stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: bool | None = None,
    ) -> Any:  # fmt: skip
        """Elements of several datasets, each from a random one: with equal probability, or in proportion to weights.

        An empty one is skipped; with `stop_on_empty_dataset` it is the end.  The order with a seed is the same in each run, and
        not TensorFlow's.  Raises ValueError for no datasets, or for another number of weights.

        >>> ones, twos = (tf.data.Dataset.from_tensors(x).repeat(4) for x in (1, 2))
        >>> sorted(int(x) for x in tf.data.Dataset.sample_from_datasets([ones, twos], [0.75, 0.25], seed=1))
        [1, 1, 1, 1, 2, 2, 2, 2]
        """
        share = None if weights is None else to_array(weights).astype(float)
        if share is not None and share.shape != (len(datasets),):
            raise value_error(
                f"Invalid `weights`. The shape of `weights` should be compatible with `[{len(datasets)}]` but is "
                f"{list(share.shape)}.",
                "A weight for each dataset: weights=[0.5, 0.5]",
            )
        new_order = orders(seed, rerandomize_each_iteration is True or seed is None)

        def chosen() -> Iterator[int]:
            draw = new_order()
            chances = None if share is None else share / share.sum()
            while True:
                yield int(draw.choice(len(datasets), p=chances))

        return cls._directed("SampleFrom", datasets, chosen, stop_on_empty_dataset)

    @classmethod
    def _directed(cls, kind: str, datasets: Sequence[Any], choices: Callable[[], Iterator[int]], stop: bool) -> Any:
        """One element after the other, each from the dataset whose number is chosen."""
        if not datasets:
            raise value_error(
                "Invalid `datasets`. `datasets` should not be empty.", "A list of datasets: [first, second]"
            )
        return cls(
            kind,
            lambda: steps.directed(choices(), [iter(part._start()) for part in datasets], stop),
            counts.directed([part._count for part in datasets]),
            lambda: functools.reduce(common_spec, [part.element_spec for part in datasets]),
        )

    def _spec_of_parts(self, function: Function) -> Any:
        return self._spec_through(lambda element: _part(function, element)).element_spec


def _part(function: Function, element: Any) -> Any:
    part = called(function, element)
    if not is_dataset(part):
        raise type_error(
            f"The `map_func` argument must return a `Dataset` object. Got {type(part).__name__!r}.",
            "Dataset.from_tensor_slices(x) makes one of a tensor's rows; map takes functions that return tensors.",
        )
    return part
