"""`tf.data.Dataset`: where elements come from, and what happens to them on their way."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from .. import nest
from ..dtypes import as_dtype
from ..errors import InvalidArgumentError
from ..ops.creation import _made
from ..ops.draws import Source, chosen_seed, draws
from ..recompute.chance import put_back, states
from ..record.refusal import refusal
from ..spec import TensorSpec
from ..tensor import Tensor, TensorShape, to_array
from . import counts, steps
from .elements import (
    INFINITE, UNKNOWN, answered, arrays, batched_spec, called, common_spec, each, example, is_dataset, longer, padded, rows,
    slices, spec_of, tensors,
)  # fmt: skip
from .iterator import Iterator as DatasetIterator
from .iterator import NumpyIterator
from .options import Options

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


class Dataset:
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

    def __init__(self, kind: str, start: Callable[[], Iterator[Any]], count: int, spec: Callable[[], Any]) -> None:
        self._kind, self._start, self._count, self._find_spec = kind, start, count, spec

    def _step(
        self, kind: str, start: Callable[[], Iterator[Any]], count: int | None = None, spec: Function | None = None
    ) -> Dataset:
        """A dataset that this one leads to."""
        return Dataset(kind, start, self._count if count is None else count, spec or (lambda: self.element_spec))

    # ---- where elements come from -------------------------------------------------------------------------------------------

    @staticmethod
    def from_tensors(tensors: Any, name: str | None = None) -> Dataset:
        """One element: the whole.

        >>> Dataset.from_tensors([1, 2]).element_spec
        TensorSpec(shape=(2,), dtype=tf.int32, name=None)
        """
        element = arrays(tensors)
        return Dataset("Tensor", lambda: iter([element]), 1, lambda: spec_of(element))

    @staticmethod
    def from_tensor_slices(tensors: Any, name: str | None = None) -> Dataset:
        """The slices along the first axis; raises ValueError for scalars, and for first axes of different lengths.

        >>> list(Dataset.from_tensor_slices({"a": [1, 2]}).as_numpy_iterator())
        [{'a': np.int32(1)}, {'a': np.int32(2)}]
        """
        whole = arrays(tensors)
        _, count = rows(whole)
        spec = spec_of(whole)
        return Dataset(
            "TensorSlice",
            lambda: slices(whole),
            count,
            lambda: each(lambda leaf: TensorSpec(leaf.shape[1:], leaf.dtype), spec),
        )

    @staticmethod
    def from_list(elements: Any, name: str | None = None) -> Dataset:
        """The elements of a Python list, which may be structures."""
        known = [arrays(element) for element in elements]
        return Dataset("List", lambda: iter(known), len(known), lambda: spec_of(known[0]))

    @staticmethod
    def range(*args: Any, output_type: Any = "int64", name: str | None = None) -> Dataset:
        """Whole numbers, as Python's range, int64 if nothing else is said.

        >>> list(Dataset.range(1, 7, 2).as_numpy_iterator())
        [np.int64(1), np.int64(3), np.int64(5)]
        """
        numbers, kind = range(*[int(number) for number in args]), as_dtype(output_type)
        return Dataset(
            "Range",
            lambda: (np.array(number, kind.numpy_dtype) for number in numbers),
            len(numbers),
            lambda: TensorSpec([], kind),
        )

    @staticmethod
    def counter(start: Any = 0, step: Any = 1, dtype: Any = "int64", name: str | None = None) -> Dataset:
        """Counts for ever."""
        kind = as_dtype(dtype)
        return Dataset(
            "Counter",
            lambda: (np.array(number, kind.numpy_dtype) for number in itertools.count(start, step)),
            INFINITE,
            lambda: TensorSpec([], kind),
        )

    @staticmethod
    def from_generator(
        generator: Function, output_types: Any = None, output_shapes: Any = None, args: Any = None,
        output_signature: Any = None, name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """What a Python generator yields, each number made a tensor of the dtype that is declared.

        Raises TypeError without `output_signature` or `output_types`, and where `generator` is nothing to call;
        InvalidArgumentError for an element of another structure or shape than declared.

        >>> pairs = Dataset.from_generator(lambda: zip([1, 2], [0.5, 1.5]), output_types=("int32", "float32"))
        >>> [(int(x), float(y)) for x, y in pairs]
        [(1, 0.5), (2, 1.5)]
        """
        if not callable(generator):
            raise refusal(TypeError, "`generator` must be a Python callable.", "Pass the function: f, not f().")
        if output_signature is None and output_types is None:
            raise refusal(
                TypeError,
                "To specify the output signature you need to provide either the `output_signature` argument or the "
                "`output_types` argument.",
                "output_signature=tf.TensorSpec(shape=(), dtype=tf.float32), or a tuple of them",
            )
        spec = _signature(output_types, output_shapes) if output_signature is None else output_signature
        given = [tensors(array) for array in map(to_array, args or ())]

        def start() -> Iterator[Any]:
            numbers = [tensor.numpy() for tensor in given]
            return (_declared(value, spec) for value in generator(*numbers))

        return Dataset("FlatMap", start, UNKNOWN, lambda: spec)

    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: str | None = None) -> Dataset:
        """The elements of several datasets side by side, in a structure like that of the datasets, until one ends.

        >>> list(Dataset.zip(Dataset.range(2), Dataset.range(5, 9)).as_numpy_iterator())
        [(np.int64(0), np.int64(5)), (np.int64(1), np.int64(6))]
        """
        whole = datasets if datasets is not None else args[0] if len(args) == 1 else args
        parts: list[Any] = []
        each(parts.append, whole)
        if not all(isinstance(part, Dataset) for part in parts):
            raise refusal(
                TypeError,
                "Invalid input to `zip`. Inputs are expected to be (nested) structures of `tf.data.Dataset` objects. Python "
                "`list` is not supported and you should use `tuple` instead.",
                "Dataset.zip(a, b)",
            )

        def side_by_side(values: Any) -> Any:
            remaining = iter(values)
            return each(lambda part: next(remaining), whole)

        return Dataset(
            "Zip",
            lambda: map(side_by_side, zip(*[part._start() for part in parts])),
            counts.shortest([part._count for part in parts]),
            lambda: each(lambda part: part.element_spec, whole),
        )

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
        cycle, block = max(2 if cycle_length in (None, -1) else int(cycle_length), 1), int(block_length or 1)  # type: ignore[arg-type]
        return self._step(
            "Interleave",
            lambda: steps.interleaved(self._start(), lambda element: _part(map_func, element)._start(), cycle, block),
            UNKNOWN,
            lambda: self._spec_of_parts(map_func),
        )

    def enumerate(self, start: int = 0, name: str | None = None) -> Dataset:
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

    # ---- several as one -----------------------------------------------------------------------------------------------------

    def batch(
        self, batch_size: Any, drop_remainder: bool = False, num_parallel_calls: Any = None, deterministic: Any = None,
        name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """So many elements at a time, stacked; `drop_remainder` leaves out a last batch that is not full.

        Raises InvalidArgumentError for a size below 1, and for elements of different shapes.

        >>> [x.numpy().tolist() for x in Dataset.range(5).batch(2)]
        [[0, 1], [2, 3], [4]]
        """
        size = _positive(batch_size)
        return self._step(
            "Batch",
            lambda: steps.batched(self._start(), size, drop_remainder),
            counts.batches(self._count, size, drop_remainder),
            lambda: batched_spec(self.element_spec, size if drop_remainder else None),
        )

    def padded_batch(
        self, batch_size: Any, padded_shapes: Any = None, padding_values: Any = None, drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """So many elements at a time, filled up to one shape: the one that is given, or the longest in each batch.

        >>> import minitape as tf
        >>> lengths = Dataset.range(1, 3).map(lambda n: tf.fill([n], n))
        >>> [x.numpy().tolist() for x in lengths.padded_batch(2)]
        [[[1, 0], [2, 2]]]
        """
        size = _positive(batch_size)

        def found() -> Any:
            longest = example(self.element_spec, 2), example(self.element_spec, 1)
            batches = [padded([element], padded_shapes, padding_values) for element in longest]
            lengths = common_spec(*map(spec_of, batches))
            return each(lambda one: TensorSpec([size if drop_remainder else None, *one.shape[1:]], one.dtype), lengths)

        return self._step(
            "PaddedBatch",
            lambda: steps.batched(
                self._start(), size, drop_remainder, lambda batch: padded(batch, padded_shapes, padding_values)
            ),
            counts.batches(self._count, size, drop_remainder),
            found,
        )

    def unbatch(self, name: str | None = None) -> Dataset:
        """The rows of each element; raises ValueError where an element is one number."""
        return self._step(
            "Unbatch",
            lambda: steps.unbatched(self._start()),
            UNKNOWN,
            lambda: each(lambda one: TensorSpec(one.shape[1:], one.dtype), self.element_spec),
        )

    def window(
        self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: bool = False, name: str | None = None
    ) -> Dataset:
        """Datasets of so many elements each, the next beginning `shift` later; tuples are windows side by side.

        >>> [[int(x) for x in part] for part in Dataset.range(5).window(2)]
        [[0, 1], [2, 3], [4]]
        """
        n = _positive(size, "size")
        by, gap = _positive(n if shift is None else shift, "shift"), _positive(stride, "stride")

        def part(structure: Any, columns: list[list[Any]]) -> Any:
            return nest.pack_sequence_as(structure, [Dataset.from_list(column)._as("Variant") for column in columns])

        return self._step(
            "Window",
            lambda: (part(*found) for found in steps.windows(self._start(), n, by, gap, drop_remainder)),
            counts.windows(self._count, n, by, gap, drop_remainder),
            lambda: each(lambda one: _dataset_spec(one), self.element_spec),
        )

    def _as(self, kind: str) -> Dataset:
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
        for state, _ in steps.folded(self._start(), state, reduce_func, "reduce"):
            pass
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
        with put_back(states()):
            element = next(iter(self._start()), None)
            first = example(spec, 1) if element is None else element
            return common_spec(spec_of(function(first)), spec_of(function(longer(first, spec))))

    def _spec_of_parts(self, function: Function) -> Any:
        return self._spec_through(lambda element: _part(function, element)).element_spec


def _dataset_spec(one: Any) -> Any:
    return spec_of(Dataset("Variant", lambda: iter(()), UNKNOWN, lambda: one))


def _part(function: Function, element: Any) -> Dataset:
    part = called(function, element)
    if not isinstance(part, Dataset):
        raise refusal(
            TypeError,
            f"The `map_func` argument must return a `Dataset` object. Got {type(part).__name__!r}.",
            "Dataset.from_tensor_slices(x) makes one of a tensor's rows; map takes functions that return tensors.",
        )
    return part


def _positive(value: Any, what: str = "Batch size") -> int:
    number = int(value)
    if number < 1:
        raise refusal(InvalidArgumentError, f"{what} must be greater than zero.", "1 takes each by itself.")
    return number


def _orders(seed: Any, anew: bool) -> Callable[[], np.random.Generator]:
    """Makes what an iteration draws its order from: another each time, or always the same."""
    start = draws().integers(2**62) if seed is None else [abs(number) for number in (chosen_seed() or 0, int(seed))]
    source, first = Source(np.random.default_rng(start)), np.random.default_rng(start).integers(2**62)
    return lambda: np.random.default_rng(source.draw.integers(2**62) if anew else first)


def _signature(types: Any, shapes: Any) -> Any:
    """TensorSpecs for dtypes, and shapes in the same structure; without shapes nothing is known of them."""
    if not isinstance(types, tuple | dict):
        return TensorSpec(None if shapes is None else shapes, types)
    if isinstance(types, dict):
        return {key: _signature(kind, None if shapes is None else shapes[key]) for key, kind in types.items()}
    return tuple(_signature(kind, None if shapes is None else shapes[place]) for place, kind in enumerate(types))


def _declared(value: Any, spec: Any) -> Any:
    """What a generator yielded, as it was declared; raises InvalidArgumentError where it is something else."""
    if isinstance(spec, tuple | dict) and not isinstance(spec, TensorShape):
        inside = isinstance(value, dict) if isinstance(spec, dict) else isinstance(value, tuple | list)
        if not inside or len(value) != len(spec):
            raise refusal(
                InvalidArgumentError,
                f"`generator` yielded an element that did not match the expected structure. The expected structure was {spec}, "
                f"but the yielded element was {value!r}.",
                "Yield a tuple of that many.",
            )
        if isinstance(spec, dict):
            return {key: _declared(value[key], one) for key, one in spec.items()}
        return tuple(_declared(part, one) for part, one in zip(value, spec, strict=True))
    array = np.asarray(to_array(value)).astype(spec.dtype.numpy_dtype)
    if not spec.shape.is_compatible_with(array.shape):
        raise refusal(
            InvalidArgumentError,
            f"`generator` yielded an element of shape {array.shape} where an element of shape {spec.shape} was expected.",
            "None stands for a length that may differ: tf.TensorSpec(shape=[None], ...)",
        )
    return array
