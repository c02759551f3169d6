"""Steps that make one element of several, or several of one: batches and windows."""

from __future__ import annotations

from typing import Any, Self

from .. import nest
from ..record.refusal import invalid_argument
from ..spec import TensorSpec
from . import counts, steps
from .elements import UNKNOWN, DatasetSpec, batched_spec, common_spec, each, example, padded, spec_of
from .sources import Sources


class Grouping(Sources):
    """Batches and windows."""

    def batch(
        self, batch_size: Any, drop_remainder: bool = False, num_parallel_calls: Any = None, deterministic: Any = None,
        name: str | None = None,
    ) -> Self:  # fmt: skip
        """Batches of this many elements, stacked; `drop_remainder` leaves out a last batch that is not full.

        Raises InvalidArgumentError for a size below 1, and for elements of different shapes.

        >>> [x.numpy().tolist() for x in tf.data.Dataset.range(5).batch(2)]
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
    ) -> Self:  # fmt: skip
        """Batches of elements padded to one shape: the given one, or the longest in each batch.

        Raises DataLossError for an element that is longer than the shape; `padding_values` fills up, 0 unless given.

        >>> lengths = tf.data.Dataset.range(1, 3).map(lambda n: tf.fill([n], n))
        >>> [x.numpy().tolist() for x in lengths.padded_batch(2)]
        [[[1, 0], [2, 2]]]
        """
        size = _positive(batch_size)

        def found() -> Any:
            longest = example(self.element_spec, 2), example(self.element_spec, 1)
            batches = [padded([element], padded_shapes, padding_values) for element in longest]
            lengths = common_spec(*map(spec_of, batches))
            return each(
                lambda part: TensorSpec([size if drop_remainder else None, *part.shape[1:]], part.dtype), lengths
            )

        return self._step(
            "PaddedBatch",
            lambda: steps.batched(
                self._start(), size, drop_remainder, lambda batch: padded(batch, padded_shapes, padding_values)
            ),
            counts.batches(self._count, size, drop_remainder),
            found,
        )

    def unbatch(self, name: str | None = None) -> Self:
        """The rows of each element; raises ValueError where an element is one number.

        >>> [int(x) for x in tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]]).unbatch()]
        [1, 2, 3, 4]
        """
        return self._step(
            "Unbatch",
            lambda: steps.unbatched(self._start()),
            UNKNOWN,
            lambda: each(lambda part: TensorSpec(part.shape[1:], part.dtype), self.element_spec),
        )

    def window(
        self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: bool = False, name: str | None = None
    ) -> Self:
        """Datasets of this many elements each, the next beginning `shift` later; a tuple becomes a tuple of datasets.

        Raises InvalidArgumentError for a size, shift or stride below 1.

        >>> [[int(x) for x in part] for part in tf.data.Dataset.range(5).window(2)]
        [[0, 1], [2, 3], [4]]
        """
        n = _positive(size, "size")
        by, gap = _positive(n if shift is None else shift, "shift"), _positive(stride, "stride")

        def part(structure: Any, columns: list[list[Any]]) -> Any:
            return nest.pack_sequence_as(structure, [self.from_list(column)._as("Variant") for column in columns])

        return self._step(
            "Window",
            lambda: (part(*found) for found in steps.windows(self._start(), n, by, gap, drop_remainder)),
            counts.windows(self._count, n, by, gap, drop_remainder),
            lambda: each(DatasetSpec, self.element_spec),
        )


def _positive(value: Any, what: str = "Batch size") -> int:
    number = int(value)
    if number < 1:
        raise invalid_argument(f"{what} must be greater than zero.", "1 takes each by itself.")
    return number
