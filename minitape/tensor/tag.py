"""What records know a value by: a tag, and for a variable its place."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ..record.copies import Shared
from ..record.ledger import Buffer

serials = itertools.count(1)


def moment() -> int:
    """A number between the ids of all values made before and of all made after."""
    return next(serials)


class Tag(Buffer, Shared):
    """What records know a value by: it outlives the array, and describes it.

    All handles on one value share its tag, so identity means the tag, never the Python object.  Most values own their
    bytes, and then the tag is the ledger's buffer too: one object less for every op.
    """

    __slots__ = ("dtype", "followers", "handles", "id", "shape")

    variable = False
    name = ""

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], nbytes: int) -> None:
        self.id = next(serials)
        self.shape = shape
        self.dtype = dtype
        self.nbytes = nbytes
        self.holds = 0
        self.handles = 0
        # Weak references to the recorders that are told when a handle goes.  Each finds out whether that was the last one: an
        # entry may still have handles on its own output.
        self.followers: tuple[Any, ...] = ()

    def __repr__(self) -> str:
        return f"<value {self.id} {self.shape} {self.dtype}>"


class Place(Tag):
    """A variable's tag: the value changes, the place stays."""

    __slots__ = ("name",)

    variable = True

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], nbytes: int, name: str) -> None:
        super().__init__(shape, dtype, nbytes)
        self.name = name  # "" where it was given none
