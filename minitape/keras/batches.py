"""The data of a training, batch by batch."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .. import nest
from ..record.refusal import described, type_error, value_error
from ..tensor import Operand, convert
from .names import floatx
from .py_dataset import PyDataset
from .random import SeedGenerator


class Batches:
    """The data in batches, which can be iterated over many times, shuffled anew each time if `shuffle`.

    Data are arrays, structures of arrays of one length, or an iterable of batches.  With `steps` an iteration takes so many
    batches, and the next one goes on with the others, or begins `anew`.

    >>> [tuple(x.shape) for x, y in Batches(np.zeros([5, 2]), np.zeros([5]), size=2)]
    [(2, 2), (2, 2), (1, 2)]
    """

    def __init__(
        self, x: Any, y: Any = None, sample_weight: Any = None, size: int | None = None, shuffle: bool = False,
        steps: int | None = None, class_weight: Mapping[int, float] | None = None, anew: bool = False,
    ) -> None:  # fmt: skip
        self.ready: Any = None
        self._goes_on: Iterator[Any] | None = None
        self._taken = 0  # batches since it began
        self.steps, self.class_weight, self.anew = steps, class_weight, anew
        self.order = SeedGenerator() if shuffle else None
        if hasattr(x, "cardinality"):
            self._sound(x, y)
        if x is None or isinstance(x, type | int | float | str) or callable(x) and not hasattr(x, "__iter__"):
            raise type_error(
                f"x is arrays, a dataset, or something that gives batches, got {described(x)}",
                "A function that yields is called first: model.fit(batches(), steps_per_epoch=10)."
                if callable(x)
                else "model.fit(x, y): one row for each example.",
            )
        if y is None and not is_data(x):
            self.ready = x  # an iterable of batches already
            return
        if not isinstance(class_weight, Mapping | None):
            raise type_error(
                f"class_weight is a dict of a weight for each class, got {described(class_weight)}",
                "Write class_weight={0: 1.0, 1: 5.0}, or dict(enumerate(weights)).",
            )
        self.x, parts = x, (x, y, sample_weight)
        self.parts = tuple(arrays(part) for part in parts[: max(i for i in range(3) if parts[i] is not None) + 1])
        for what, given, array in zip(("x", "y", "sample_weight"), parts, self.parts):
            if any(part is not None and np.ndim(part) == 0 for part in nest.flatten(array)):
                raise value_error(
                    f"{what} holds one number and no examples: {described(given)}",
                    "The first axis is that of the examples: np.full((len(x), 1), 5.0) has the same number for each.",
                )
        counts = [len(array) for array in nest.flatten(self.parts) if array is not None]
        if len(set(counts)) > 1:
            raise value_error(
                f"Data cardinality is ambiguous. Make sure all arrays contain the same number of samples: {counts}",
                "One row of x belongs to one row of y: print(x.shape, y.shape).",
            )
        if not counts[0]:
            raise value_error("There are no examples: x is empty.", "print(x.shape) shows how many there are.")
        self.count, self.size = counts[0], size or 32

    def _sound(self, dataset: Any, y: Any) -> None:
        """Raise ValueError for a dataset that stands beside truths of its own, or has no end and is to be gone through."""
        if y is not None:
            raise value_error(
                "`y` argument is not supported when using a dataset as input.",
                "The dataset has both: tf.data.Dataset.from_tensor_slices((x, y)).batch(32).",
            )
        if self.steps is None and int(dataset.cardinality()) == -1:
            raise value_error(
                "When providing an infinite dataset, you must specify the number of steps to run: it would never end.",
                "Leave repeat() out (epochs repeat it), or say how many batches an epoch has: steps_per_epoch=100.",
            )

    def __len__(self) -> int:
        """How many batches there are; 0 where nobody can say."""
        return self._count() if self.steps is None else self.steps

    def _count(self) -> int:
        """How many batches the data has; 0 where nobody can say."""
        if self.ready is not None:
            try:
                return len(self.ready)
            except TypeError:
                return 0
        return -(-self.count // self.size)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        if self.steps is None or self.anew:
            yield from itertools.islice(self._all(), self.steps)
            return
        for _ in range(self.steps):  # an epoch goes on where the last one ended
            if self._goes_on is None:
                self._goes_on, self._taken = iter(self._all()), 0
            batch = next(self._goes_on, None)
            if batch is None:
                warnings.warn(
                    "Your input ran out of data; interrupting training. There are fewer than `steps_per_epoch * epochs` "
                    "batches: leave steps_per_epoch out, or write dataset.repeat().",
                    stacklevel=4,
                )
                self._goes_on = None
                return
            self._taken += 1
            yield batch
        if self._taken == self._count():  # all were taken, and the next epoch begins anew
            self._goes_on = None

    def _all(self) -> Iterator[tuple[Any, ...]]:
        if self.ready is not None:
            for batch in self._made() if isinstance(self.ready, PyDataset) else self.ready:
                parts = tuple(nest.map_structure(_tensor, part) for part in unpack(batch) if part is not None)
                yield self._weighted(parts, batch)
            return
        order = self._order(self.count)
        for start in range(0, self.count, self.size):
            rows = order[start : start + self.size]
            yield self._weighted(tuple(_at(part, rows) for part in self.parts), self.x)

    def _order(self, count: int) -> np.ndarray:
        """The numbers below `count`, in the order of this epoch."""
        return np.arange(count) if self.order is None else np.argsort(self.order.uniform((count,)))

    def _made(self) -> Iterator[Any]:
        """The batches that a class of the learner's own makes, in the order of this epoch."""
        self.ready.on_epoch_begin()
        for index in self._order(len(self.ready)).tolist():
            yield self.ready[index]
        self.ready.on_epoch_end()

    def _weighted(self, batch: tuple[Any, ...], given: Any) -> Any:
        """A batch with weights by class added, if there are any; inputs without truths are no tuple, unless given as one."""
        if len(batch) == 1 and not isinstance(given, list | tuple):
            return batch[0]
        if self.class_weight is None or len(batch) < 2:
            return batch
        classes = batch[1].array
        classes = classes.argmax(-1) if classes.ndim > 1 and classes.shape[-1] > 1 else classes.reshape(len(classes))
        weights = np.asarray([self.class_weight.get(int(number), 1.0) for number in classes], "float32")
        if len(batch) > 2 and batch[2] is not None:
            weights = weights * batch[2].array.reshape(len(weights))
        return (*batch[:2], convert(weights))


def _at(data: Any, rows: np.ndarray) -> Any:
    return nest.map_structure(lambda array: None if array is None else convert(array[rows]), data)


def _tensor(value: Any) -> Any:
    return None if value is None else convert(value)


def is_data(x: Any) -> bool:
    """Whether something is arrays, and not an iterable of batches."""
    if isinstance(x, Operand | np.ndarray | dict):
        return True
    if isinstance(x, list):
        return not (x and isinstance(x[0], tuple))
    return isinstance(x, tuple)


def arrays(data: Any) -> Any:
    """The arrays of a structure, floats as Keras has them (`set_floatx`); a list of numbers is one array.

    >>> arrays({"a": [1.0, 2.0], "b": np.zeros([2, 1])})["a"]
    array([1., 2.], dtype=float32)
    """
    if data is None:
        return None
    if isinstance(data, dict):
        return {name: arrays(part) for name, part in data.items()}
    if isinstance(data, list | tuple) and data and all(isinstance(part, Operand | np.ndarray) for part in data):
        return type(data)(arrays(part) for part in data)
    if isinstance(data, np.ndarray) and data.dtype.kind in "OUS":
        raise value_error(
            f"Invalid dtype: {data.dtype}. The data {described(data)} holds no numbers, but {_kinds_in(data)}",
            "Numbers of what is a column of numbers: x.astype('float32'); of classes by name "
            "np.unique(y, return_inverse=True)[1].",
        )
    array = data.array_now if isinstance(data, Operand) else convert(data).array
    return array.astype(floatx(), copy=False) if array.dtype.kind == "f" else array


def _kinds_in(data: np.ndarray) -> str:
    """Of which types its elements are."""
    return ", ".join(sorted({type(one).__name__ for one in data.ravel()[:100].tolist()}))


def split_off(data: tuple[Any, Any, Any], share: float) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The data without its last part, and that part, which `validation_split` sets aside.

    >>> [len(part[0]) for part in split_off((np.zeros(10), np.zeros(10), None), 0.2)]
    [8, 2]
    """
    if not is_data(data[0]):
        raise value_error(
            "Argument `validation_split` is only supported for tensors or NumPy arrays.",
            "Give batches to validate with: validation_data=others.",
        )
    data = tuple(arrays(part) for part in data)
    count = len(nest.flatten(data[0])[0])
    kept = int(count * (1.0 - share))
    if not 0 < kept < count:
        raise value_error(
            f"Training data contains {count} samples, which is not sufficient to split it into a validation and training set "
            f"as specified by `validation_split={share}`.",
            "0.2 keeps a fifth aside.",
        )

    def part(where: slice) -> tuple[Any, ...]:
        return tuple(nest.map_structure(lambda array: None if array is None else array[where], part) for part in data)

    return part(slice(kept)), part(slice(kept, None))


def unpack(data: Any) -> tuple[Any, Any, Any]:
    """A batch as (x, y, sample_weight), with None for what is not there.

    >>> unpack((1, 2))
    (1, 2, None)
    """
    if not isinstance(data, tuple | list) or isinstance(data, list) and not isinstance(data[0], Operand | np.ndarray):
        return data, None, None
    return (*data, None, None)[:3]
