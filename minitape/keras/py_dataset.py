"""Batches that a class of one's own makes, one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .allowed import unwritten


class PyDataset:
    """Batches for `fit`, `evaluate` and `predict`: subclass it, and write how many there are and what each of them is.

    With `shuffle`, which is usual for `fit`, each epoch takes them in another order.  Batches are made one after the other, in
    this process: `workers` and what belongs to them change nothing.

    >>> class Pairs(tf.keras.utils.PyDataset):
    ...     def __len__(self):
    ...         return 2
    ...     def __getitem__(self, index):
    ...         return tf.fill([3, 1], float(index)), tf.zeros([3, 1])
    >>> [x.shape for x, y in Pairs()]
    [TensorShape([3, 1]), TensorShape([3, 1])]
    """

    def __init__(self, workers: int = 1, use_multiprocessing: bool = False, max_queue_size: int = 10) -> None:
        self.workers, self.use_multiprocessing, self.max_queue_size = workers, use_multiprocessing, max_queue_size

    def __len__(self) -> int:
        """How many batches there are."""
        raise unwritten(self, "__len__", "def __len__(self): return number_of_batches")

    def __getitem__(self, index: int) -> Any:
        """The batch with this number."""
        raise unwritten(self, "__getitem__", "def __getitem__(self, index): return x, y")

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    def on_epoch_begin(self) -> None:
        """Called before the batches of an epoch are taken."""

    def on_epoch_end(self) -> None:
        """Called when the batches of an epoch were taken; shuffle examples here, say."""
