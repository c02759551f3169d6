"""`tf.data.Dataset`: where elements come from, and what happens to them on their way."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from ..errors import InvalidArgumentError
from ..ops.creation import _made
from ..ops.draws import Source, chosen_seed, draws
from ..recompute.chance import drawing_from, states
from ..record.refusal import refusal
from ..tensor import Tensor, to_array
from . import counts, steps
from .elements import (
    INFINITE,
    UNKNOWN,
    arrays,
    called,
    common_spec,
    example,
    longer,
    spec_of,
    tensors,
)  # fmt: skip
from .grouping import Grouping
from .iterator import Iterator as DatasetIterator
from .iterator import NumpyIterator
from .options import Options
from .sources import Sources

Function = Callable[..., Any]


class _ReadsFiles:
    """An attribute that is refused: what it is for reads or writes files."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> NoReturn:
        raise AttributeError(
            f"tf.data.Dataset has no {self._name!r}: out of scope (it reads or writes files). Read them in Python, and give "
            "Dataset.from_tensor_slices the arrays"
        )


class Dataset(Sources, Grouping):
    """Elements, one after the other: what a training loop runs over.

    A dataset is a recipe: nothing is computed before somebody iterates, and each iteration starts anew.  An element is a tensor
    or a tuple or dict of tensors.

    >>> import minitape as tf
    >>> dataset = tf.data.Dataset.from_tensor_slices(([1.0, 2.0, 3.0], [0, 1, 0])).batch(2)
    >>> dataset
    <_BatchDataset element_spec=(TensorSpec(shape=(None,), dtype=tf.float32, name=None), TensorSpec(shape=(None,), ...
    >>> for x, y in dataset:
    ...     print(x.numpy(), y.numpy())
    [1. 2.] [0 1]
    [3.] [0]
    """

    def _step(
        self, kind: str, start: Callable[[], Iterator[Any]], count: int | None = None, spec: Function | None = None
    ) -> Dataset:
        """A dataset that this one leads to."""
        return Dataset(kind, start, self._count if count is None else count, spec or (lambda: self.element_spec))

    # ---- what happens to each -----------------------------------------------------------------------------------------------

    def map(
        self, map_func: Function, num_parallel_calls: Any = None, deterministic: Any = None, synchronous: Any = None,
        use_unbounded_threadpool: Any = False, name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """What a function answers to each element; a tuple reaches it as several arguments.

        >>> list(Dataset.range(3).map(lambda x: x * x).as_numpy_iterator())
        [np.int64(0), np.int64(1), np.int64(4)]
        """
        return self._step(
            "Map",
            lambda: (called(map_func, element) for element in self._start()),
            spec=lambda: self._spec_through(lambda element: called(map_func, element)),
        )

    def filter(self, predicate: Function, name: str | None = None) -> Dataset:
        """The elements for which the predicate is True; raises ValueError where it is no bool.

        >>> list(Dataset.range(4).filter(lambda x: x % 2 == 1).as_numpy_iterator())
        [np.int64(1), np.int64(3)]
        """
        return self._step("Filter", lambda: steps.kept(self._start(), predicate), UNKNOWN)

    def flat_map(self, map_func: Function, name: str | None = None) -> Dataset:
        """The elements of all the datasets that a function answers, one dataset after the other.

        >>> list(Dataset.range(3).flat_map(lambda x: Dataset.from_tensors(x).repeat(2)).as_numpy_iterator())
        [np.int64(0), np.int64(0), np.int64(1), np.int64(1), np.int64(2), np.int64(2)]
        """

        def start() -> Iterator[Any]:
            return (inner for element in self._start() for inner in _part(map_func, element)._start())

        return self._step("FlatMap", start, UNKNOWN, lambda: self._spec_of_parts(map_func))

    def interleave(
        self, map_func: Function, cycle_length: int | None = None, block_length: int | None = None,
        num_parallel_calls: Any = None, deterministic: Any = None, name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """The elements of the datasets that a function answers, a few of these at a time; two where TensorFlow asks the machine.

        >>> thrice = Dataset.range(2).interleave(lambda x: Dataset.from_tensors(x).repeat(3))
        >>> [int(x) for x in thrice]
        [0, 1, 0, 1, 0, 1]
        """
        cycle, block = max(2 if cycle_length in (None, -1) else int(cycle_length), 1), int(block_length or 1)
        return self._step(
            "Interleave",
            lambda: steps.interleaved(self._start(), lambda element: _part(map_func, element)._start(), cycle, block),
            UNKNOWN,
            lambda: self._spec_of_parts(map_func),
        )

    def enumerate(self, start: int = 0, name: str | None = None) -> Any:
        """Each element with its number.

        >>> [(int(i), float(x)) for i, x in Dataset.from_tensor_slices([0.5, 1.5]).enumerate(start=5)]
        [(5, 0.5), (6, 1.5)]
        """
        return Dataset.zip(Dataset.counter(int(start)), self)

    def scan(self, initial_state: Any, scan_func: Function, name: str | None = None) -> Dataset:
        """What a function with a state answers to each: it returns the new state, and the element."""
        first = arrays(initial_state)

        def start() -> Iterator[Any]:
            return (answer[1] for _, answer in steps.folded(self._start(), first, scan_func, "scan"))

        return self._step("Scan", start, spec=lambda: spec_of(next(start())))

    # ---- which, how often, in what order ------------------------------------------------------------------------------------

    def take(self, count: Any, name: str | None = None) -> Dataset:
        """The first so many; all with -1."""
        n = int(count)
        return self._step(
            "Take",
            lambda: itertools.islice(self._start(), None if n < 0 else n),
            counts.at_most(self._count, n),
        )

    def skip(self, count: Any, name: str | None = None) -> Dataset:
        """All but the first so many; none with -1."""
        n = int(count)
        return self._step(
            "Skip",
            lambda: iter(()) if n < 0 else itertools.islice(self._start(), n, None),
            counts.without(self._count, n),
        )

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> Dataset:
        """Every so-manieth, from one of the first on; raises InvalidArgumentError for an index out of range."""
        n, first = int(num_shards), int(index)
        if not 0 <= first < n:
            raise refusal(InvalidArgumentError, f"Index must be between 0 and {n - 1} (currently index = {first}).")
        return self._step(
            "Shard",
            lambda: itertools.islice(self._start(), first, None, n),
            counts.batches(counts.without(self._count, first), n, False),
        )

    def take_while(self, predicate: Function, name: str | None = None) -> Dataset:
        """All up to the first for which the predicate is False."""
        return self._step(
            "TakeWhile",
            lambda: itertools.takewhile(lambda element: steps.holds(predicate, element), self._start()),
            UNKNOWN,
        )

    def unique(self, name: str | None = None) -> Dataset:
        """Each tensor once, where it comes first."""

        def start() -> Iterator[Any]:
            seen = set()
            for element in self._start():
                key = (element.shape, element.tobytes() if element.dtype.kind != "O" else tuple(element.reshape(-1)))
                if key not in seen:
                    seen.add(key)
                    yield element

        return self._step("Unique", start, UNKNOWN)

    def repeat(self, count: Any = None, name: str | None = None) -> Dataset:
        """The whole, so many times; for ever without a number.

        >>> [int(x) for x in Dataset.range(2).repeat(2)]
        [0, 1, 0, 1]
        """
        n = -1 if count is None else int(count)
        return self._step("Repeat", lambda: steps.repeated(self._start, n), counts.times(self._count, n))

    def shuffle(
        self, buffer_size: Any, seed: Any = None, reshuffle_each_iteration: bool | None = None, name: str | None = None
    ) -> Dataset:
        """The elements drawn by chance from a buffer of this many, which is filled up again from what comes.

        With a seed, or after `tf.random.set_seed`, the orders are the same in each run of a program; they are not TensorFlow's.
        `reshuffle_each_iteration=False` keeps one order for all iterations.  Raises InvalidArgumentError for no buffer.

        >>> sorted(int(x) for x in Dataset.range(5).shuffle(5, seed=1))
        [0, 1, 2, 3, 4]
        """
        size = counts.known(buffer_size, self._count)
        if size <= 0:
            raise refusal(
                InvalidArgumentError,
                "buffer_size must be greater than zero or UNKNOWN_CARDINALITY",
                "As many as there are elements shuffles them all: shuffle(len(x))",
            )
        new_order = _orders(seed, reshuffle_each_iteration is not False)
        return self._step("Shuffle", lambda: steps.shuffled(self._start(), size, new_order()))

    def concatenate(self, dataset: Dataset, name: str | None = None) -> Dataset:
        """This one, then the other; raises TypeError when an element comes that is of another structure or dtype."""
        return self._step(
            "Concatenate",
            lambda: steps.joined(self._start(), dataset._start()),
            counts.added(self._count, dataset._count),
            lambda: common_spec(self.element_spec, dataset.element_spec),
        )

    def cache(self, filename: Any = "", name: str | None = None) -> Dataset:
        """The elements as they came the first time, kept in memory; raises ValueError for a file's name."""
        if to_array(filename)[()] not in (b"", ""):
            raise refusal(ValueError, "Dataset.cache keeps elements in memory, not in files", "Write .cache().")
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

    def prefetch(self, buffer_size: Any, name: str | None = None) -> Dataset:
        """The same: there is nothing to wait for here."""
        return self._step("Prefetch", self._start)

    def _as(self, kind: str) -> Any:
        self._kind = kind
        return self

    # ---- to the end ---------------------------------------------------------------------------------------------------------

    def __iter__(self) -> DatasetIterator:
        return DatasetIterator(self)

    def as_numpy_iterator(self) -> NumpyIterator:
        """The elements as NumPy's arrays and numbers."""
        return NumpyIterator(self)

    def reduce(self, initial_state: Any, reduce_func: Function, name: str | None = None) -> Any:
        """What a function leads to, which is given the state so far and an element, and returns the new state.

        Raises TypeError where the state would change its structure or dtype.

        >>> int(Dataset.range(4).reduce(np.int64(0), lambda total, x: total + x))
        6
        """
        state = arrays(initial_state)
        for new, _ in steps.folded(self._start(), state, reduce_func, "reduce"):
            state = new
        return tensors(state)

    def get_single_element(self, name: str | None = None) -> Any:
        """The only element; raises InvalidArgumentError where there are none or several."""
        first = list(itertools.islice(self._start(), 2))
        if len(first) != 1:
            raise refusal(
                InvalidArgumentError,
                "Dataset had more than one element." if first else "Dataset was empty.",
                "Iterate over it, or take(1).",
            )
        return tensors(first[0])

    def apply(self, transformation_func: Callable[[Dataset], Dataset]) -> Dataset:
        """What a function makes of the dataset."""
        return transformation_func(self)

    def cardinality(self, name: str | None = None) -> Tensor:
        """How many elements: tf.data.INFINITE_CARDINALITY and tf.data.UNKNOWN_CARDINALITY are -1 and -2.

        >>> int(Dataset.range(5).batch(2).cardinality()), int(Dataset.range(5).repeat().cardinality())
        (3, -1)
        """
        return _made(np.array(self._count, np.int64))

    def __len__(self) -> int:
        if self._count < 0:
            raise refusal(
                TypeError,
                "The dataset is infinite." if self._count == INFINITE else "The dataset length is unknown.",
                "ds.take(n) has an end; ds.cardinality() answers with a number in any case.",
            )
        return self._count

    def __bool__(self) -> bool:
        return True

    @property
    def element_spec(self) -> Any:
        """What the elements are like: TensorSpecs in their structure.

        What a function answers is found out as TensorFlow does it, by running it; here on the first element.
        """
        return self._find_spec()

    def options(self) -> Options:
        """What `with_options` was given last."""
        return getattr(self, "_options", Options())

    def with_options(self, options: Options, name: str | None = None) -> Dataset:
        """The same dataset: options are noted, and change nothing."""
        same = self._step("Options", self._start)
        same._options = options  # type: ignore[attr-defined]
        return same

    def __repr__(self) -> str:
        return f"<_{self._kind}Dataset element_spec={self.element_spec!r}>"

    list_files = load = save = snapshot = _ReadsFiles()

    # ---- what elements are like after a program's own function ----------------------------------------------------------------

    def _spec_through(self, function: Callable[[Any], Any]) -> Any:
        """Of a function: it runs on the first element, and where lengths are open on a longer one; what differs is open too."""
        spec = self.element_spec
        with drawing_from(states()):
            element = next(iter(self._start()), None)
            first = example(spec, 1) if element is None else element
            return common_spec(spec_of(function(first)), spec_of(function(longer(first, spec))))

    def _spec_of_parts(self, function: Function) -> Any:
        return self._spec_through(lambda element: _part(function, element)).element_spec


def _part(function: Function, element: Any) -> Dataset:
    part = called(function, element)
    if not isinstance(part, Dataset):
        raise refusal(
            TypeError,
            f"The `map_func` argument must return a `Dataset` object. Got {type(part).__name__!r}.",
            "Dataset.from_tensor_slices(x) makes one of a tensor's rows; map takes functions that return tensors.",
        )
    return part


def _orders(seed: Any, anew: bool) -> Callable[[], np.random.Generator]:
    """Makes what an iteration draws its order from: another each time, or always the same."""
    start = draws().integers(2**62) if seed is None else [abs(number) for number in (chosen_seed() or 0, int(seed))]
    source, first = Source(np.random.default_rng(start)), np.random.default_rng(start).integers(2**62)
    return lambda: np.random.default_rng(source.draw.integers(2**62) if anew else first)
