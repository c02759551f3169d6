"""The data of a training, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..record.refusal import refusal
from ..tensor import Operand, convert
from .random import SeedGenerator


class Batches:
    """The data in batches, as often as it is asked for; shuffled anew each time if so wanted.

    >>> [tuple(x.shape) for x, y in Batches(np.zeros([5, 2]), np.zeros([5]), None, 2, shuffle=False)]
    [(2, 2), (2, 2), (1, 2)]
    """

    def __init__(self, x: Any, y: Any, sample_weight: Any, batch_size: int | None, shuffle: bool) -> None:
        self.ready = None
        if y is None and not isinstance(x, Operand | np.ndarray) and _holds_batches(x):
            self.ready = x  # an iterable of batches already
            return
        parts = [one for one in (x, y, sample_weight) if one is not None]
        self.arrays = [one._array_now if isinstance(one, Operand) else convert(one)._array for one in parts]
        counts = [len(one) for one in self.arrays]
        if len(set(counts)) > 1:
            raise refusal(
                ValueError,
                f"Data cardinality is ambiguous. Make sure all arrays contain the same number of samples: {counts}",
                "One row of x belongs to one row of y: print(x.shape, y.shape).",
            )
        self.count, self.size = counts[0], batch_size or 32
        self.order = SeedGenerator() if shuffle else None

    def __len__(self) -> int:
        if self.ready is not None:
            return len(self.ready) if hasattr(self.ready, "__len__") else 0
        return -(-self.count // self.size)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        if self.ready is not None:
            for batch in self.ready:
                yield tuple(convert(one) for one in unpack(batch) if one is not None)
            return
        order = np.arange(self.count) if self.order is None else np.argsort(self.order.uniform((self.count,)))
        for start in range(0, self.count, self.size):
            yield tuple(convert(one[order[start : start + self.size]]) for one in self.arrays)


def _holds_batches(x: Any) -> bool:
    return not isinstance(x, list | tuple) or bool(x) and isinstance(x[0], tuple)


def unpack(data: Any) -> tuple[Any, Any, Any]:
    """A batch as (x, y, sample_weight), with None for what is not there.

    >>> unpack((1, 2))
    (1, 2, None)
    """
    if not isinstance(data, tuple):
        return data, None, None
    return (*data, None, None)[:3]
