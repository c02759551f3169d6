"""`tf.data.Dataset`: a source of elements, and the steps that they go through."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from ..record.refusal import invalid_argument, type_error
from ..tensor import Tensor, created
from . import steps
from .choosing import Choosing
from .elements import INFINITE, UNKNOWN, a_function, arrays, called, spec_of, tensors
from .grouping import Grouping
from .iterator import Iterator as DatasetIterator
from .iterator import NumpyIterator
from .mixing import Mixing
from .options import Options

Function = Callable[..., Any]


class _ReadsFiles:
    """An attribute that is refused, because it reads or writes files."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> NoReturn:
        raise AttributeError(
            f"tf.data.Dataset has no {self._name!r}: out of scope (it reads or writes files). Read them in Python, and give "
            "Dataset.from_tensor_slices the arrays"
        )


# What arrays, lists and loaders of other libraries have, and what to write here.
_MEANT = {
    **dict.fromkeys(("shape", "dtype", "output_shapes", "output_types"), "ds.element_spec, of one element"),
    **dict.fromkeys(("numpy", "to_numpy", "make_one_shot_iterator"), "for element in ds.as_numpy_iterator(): ..."),
    **dict.fromkeys(("head", "sample"), "ds.take(5)"), "split": "ds.take(n) and ds.skip(n)", "size": "ds.cardinality()",
    "append": "ds.concatenate(other)", "rebatch": "ds.unbatch().batch(n)",
    **dict.fromkeys(("ragged_batch", "sparse_batch"), "ds.padded_batch(n)"), "ignore_errors": "ds.filter(predicate) before",
    **dict.fromkeys(("group_by_window", "bucket_by_sequence_length"), "ds.filter(of one kind).padded_batch(n), for each kind"),
    "rejection_resample": "tf.data.Dataset.sample_from_datasets([ds.filter(of one kind), ...], weights)",
}  # fmt: skip


class Dataset(Mixing, Choosing, Grouping):
    """A sequence of elements for a training loop.

    Nothing is computed before somebody iterates, and each iteration starts anew.  An element is a tensor, or a tuple or dict of
    tensors.

    >>> dataset = tf.data.Dataset.from_tensor_slices(([1.0, 2.0, 3.0], [0, 1, 0])).batch(2)
    >>> dataset
    <_BatchDataset element_spec=(TensorSpec(shape=(None,), dtype=tf.float32, name=None), TensorSpec(shape=(None,), ...
    >>> for x, y in dataset:
    ...     print(x.numpy(), y.numpy())
    [1. 2.] [0 1]
    [3.] [0]
    """

    # ---- what happens to each -----------------------------------------------------------------------------------------------

    def map(
        self, map_func: Function, num_parallel_calls: Any = None, deterministic: Any = None, synchronous: Any = None,
        use_unbounded_threadpool: Any = False, name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """The results of a function for each element; a tuple is passed to it as several arguments.

        Raises TypeError where the function returns None.

        >>> list(tf.data.Dataset.range(3).map(lambda x: x * x).as_numpy_iterator())
        [np.int64(0), np.int64(1), np.int64(4)]
        """
        a_function(map_func)
        return self._step(
            "Map",
            lambda: (called(map_func, element) for element in self._start()),
            spec=lambda: self._spec_through(lambda element: called(map_func, element)),
        )

    def filter(self, predicate: Function, name: str | None = None) -> Dataset:
        """The elements for which the predicate is True; raises ValueError where it is no bool.

        >>> list(tf.data.Dataset.range(4).filter(lambda x: x % 2 == 1).as_numpy_iterator())
        [np.int64(1), np.int64(3)]
        """
        a_function(predicate)
        return self._step("Filter", lambda: steps.kept(self._start(), predicate), UNKNOWN)

    def scan(self, initial_state: Any, scan_func: Function, name: str | None = None) -> Dataset:
        """The results of a function with a state: for each element it returns the new state and a new element.

        >>> totals = tf.data.Dataset.range(5).scan(np.int64(0), lambda total, x: (total + x, total + x))
        >>> [int(total) for total in totals]
        [0, 1, 3, 6, 10]
        """
        a_function(scan_func)
        first = arrays(initial_state)

        def start() -> Iterator[Any]:
            return (answer[1] for _, answer in steps.folded(self._start(), first, scan_func, "scan"))

        return self._step("Scan", start, spec=lambda: spec_of(next(start())))

    # ---- to the end ---------------------------------------------------------------------------------------------------------

    def __iter__(self) -> DatasetIterator:
        return DatasetIterator(self)

    def as_numpy_iterator(self) -> NumpyIterator:
        """The elements as NumPy's arrays and numbers.

        >>> next(tf.data.Dataset.from_tensor_slices([[1.0, 2.0], [3.0, 4.0]]).as_numpy_iterator())
        array([1., 2.], dtype=float32)
        """
        return NumpyIterator(self)

    def reduce(self, initial_state: Any, reduce_func: Function, name: str | None = None) -> Any:
        """The last state of a function that is given the state and an element, and returns the new state.

        Raises TypeError where the state would change its structure or dtype.

        >>> int(tf.data.Dataset.range(4).reduce(np.int64(0), lambda total, x: total + x))
        6
        """
        a_function(reduce_func)
        state = arrays(initial_state)
        for new, _ in steps.folded(self._start(), state, reduce_func, "reduce"):
            state = new
        return tensors(state)

    def get_single_element(self, name: str | None = None) -> Any:
        """The only element; raises InvalidArgumentError where there are none or several.

        >>> tf.data.Dataset.from_tensors([1.0, 2.0]).get_single_element().numpy()
        array([1., 2.], dtype=float32)
        """
        first = list(itertools.islice(self._start(), 2))
        if len(first) != 1:
            raise invalid_argument(
                "Dataset had more than one element." if first else "Dataset was empty.", "Iterate over it, or take(1)."
            )
        return tensors(first[0])

    def apply(self, transformation_func: Callable[[Dataset], Dataset]) -> Dataset:
        """What a function makes of the dataset.

        >>> [int(x) for x in tf.data.Dataset.range(4).apply(lambda dataset: dataset.filter(lambda x: x > 1))]
        [2, 3]
        """
        return transformation_func(self)

    def cardinality(self, name: str | None = None) -> Tensor:
        """How many elements there are; tf.data.INFINITE_CARDINALITY and tf.data.UNKNOWN_CARDINALITY are -1 and -2.

        >>> int(tf.data.Dataset.range(5).batch(2).cardinality()), int(tf.data.Dataset.range(5).repeat().cardinality())
        (3, -1)
        """
        return created(np.array(self._count, np.int64))

    def __len__(self) -> int:
        if self._count < 0:
            raise type_error(
                "The dataset is infinite." if self._count == INFINITE else "The dataset length is unknown.",
                "ds.take(n) has an end; ds.cardinality() answers with a number in any case.",
            )
        return self._count

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, index: Any) -> NoReturn:
        raise type_error(
            "a dataset cannot be indexed: its elements are made when somebody goes through them",
            "The first is next(iter(ds)), the first three are ds.take(3), the others ds.skip(3); list(ds) has all of them.",
        )

    def __getattr__(self, name: str) -> NoReturn:
        advice = f": write {_MEANT[name]}" if name in _MEANT else ""
        raise AttributeError(f"'Dataset' object has no attribute {name!r}{advice}")

    def options(self) -> Options:
        """The options given last."""
        return getattr(self, "_options", Options())

    def with_options(self, options: Options, name: str | None = None) -> Dataset:
        """The same dataset: options are remembered, and change nothing."""
        same = self._step("Options", self._start)
        same._options = options  # type: ignore[attr-defined]
        return same

    def __repr__(self) -> str:
        return f"<_{self._kind}Dataset element_spec={self.element_spec!r}>"

    list_files, load, save, snapshot = _ReadsFiles(), _ReadsFiles(), _ReadsFiles(), _ReadsFiles()
