"""Who holds which bytes, counted as it happens.

A buffer is one owning NumPy allocation; views share their root's.  Each handle on it (a learner's tensor, a tape's saved
value, a variable, an accumulator's tangent, a cotangent in flight) is one hold.  Two readings follow:

* `held_for_backward`: the distinct bytes that any tape keeps, whoever else holds them too;
* `totals`: every byte charged once, to the first of its holders in the order of `HOLDERS`: the stacked picture.

Nothing is simulated: the numbers change when handles are made and when they die.  An interrupt in the middle of that leaves a
sum that is wrong; `recount` adds all of them up anew from the handles that there are.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from itertools import compress
from typing import Any

import numpy as np

HOLDERS = ("variable", "python", "tape", "accumulator", "flight")
VARIABLE, PYTHON, TAPE, ACCUMULATOR, FLIGHT = range(5)
NOBODY = -1  # in the place of a holder

# The holds of a buffer are five counters side by side in one integer, the first holder in the lowest bits: one addition
# takes a hold, and one mask tells whether anybody at or below a holder has it.
_WIDTH = 32
ONE = tuple(1 << _WIDTH * holder for holder in range(5))
_FIELD = tuple(((1 << _WIDTH) - 1) << _WIDTH * holder for holder in range(5))
_UP_TO = tuple((1 << _WIDTH * (holder + 1)) - 1 for holder in range(5))
# For each holder a mask: where a buffer already has one of these holds, a further hold of this holder changes no total: neither
# who is charged, which is the first holder that there is, nor, for a tape, `held_for_backward`.
SETTLED = tuple(_FIELD[holder] if holder == TAPE else _UP_TO[holder] for holder in range(5))


# Holds of those who are charged before a tape is: where a buffer has one, a tape's handle changes `held_for_backward` alone.
BEFORE_TAPE = _UP_TO[TAPE] & ~_FIELD[TAPE]


def _first(holds: int) -> int:
    return ((holds & -holds).bit_length() - 1) // _WIDTH  # where the lowest bit stands


class Buffer:
    """One allocation: its bytes, and how many handles of each kind are on it."""

    __slots__ = ("holds", "nbytes")

    nbytes: int
    holds: int

    def __init__(self, nbytes: int) -> None:
        self.nbytes = nbytes
        self.holds = 0


class Ledger:
    """Running totals of all buffers of this process, in bytes.

    The figures are exact while one thread computes at a time.

    >>> before = tf.ledger.totals[PYTHON]
    >>> x = tf.zeros([1000])
    >>> tf.ledger.totals[PYTHON] - before
    4000
    """

    handle: type[Any]  # the class of handles, which is made above: tensor.Tensor

    def __init__(self) -> None:
        self.live = 0
        # Python's own share is what is left of `live`: the one number that need not be kept up for every value.
        self.charges = [0] * 5
        self.peak = 0
        self.held_for_backward = 0
        self.foreign = 0
        # Called with (buffer, before, after) when a buffer is charged to another holder, or to NOBODY.
        self.observers: tuple[Callable[[tuple[Buffer, int, int]], None], ...] = ()

    @property
    def totals(self) -> list[int]:
        """Every byte, charged to the first of its holders."""
        totals = list(self.charges)
        totals[PYTHON] = self.live - sum(totals) + totals[PYTHON]
        return totals

    def held(self, buffer: Buffer, before: int, holder: int) -> None:
        """Count one more handle of this kind, where `SETTLED` does not say that it changes no total."""
        nbytes = buffer.nbytes
        if not before & _UP_TO[holder]:
            self.charges[holder] += nbytes
            if before:
                self.charges[_first(before)] -= nbytes
            else:
                self.live = live = self.live + nbytes
                if live > self.peak:
                    self.peak = live
            for observer in self.observers:
                observer((buffer, _first(before) if before else NOBODY, holder))
        if holder == TAPE:
            self.held_for_backward += nbytes

    def released(self, buffer: Buffer, after: int, holder: int) -> None:
        """Count one handle less, on a buffer that keeps others, where `SETTLED` does not say that it changes no total."""
        nbytes = buffer.nbytes
        if not after & _UP_TO[holder]:
            heir = _first(after)
            self.charges[holder] -= nbytes
            self.charges[heir] += nbytes
            for observer in self.observers:
                observer((buffer, holder, heir))
        if holder == TAPE:
            self.held_for_backward -= nbytes

    def lift(self, nbytes: int) -> None:
        """Count an array in flight by its bytes alone: nobody else will ever hold it, so it needs no buffer."""
        self.charges[FLIGHT] += nbytes
        self.live = live = self.live + nbytes
        if live > self.peak:
            self.peak = live

    def land(self, nbytes: int) -> None:
        """Take back what `lift` counted: the array is gone, or a tensor counts it from now on."""
        self.charges[FLIGHT] -= nbytes
        self.live -= nbytes

    def buffer_for(self, array: np.ndarray) -> Buffer:
        """A buffer for an array that shares memory with nothing in the ledger yet.

        Memory that NumPy did not allocate is counted in `foreign`, not among the holders.
        """
        root = array
        while root.base is not None and isinstance(root.base, np.ndarray):
            root = root.base
        if root.base is None:
            return Buffer(root.nbytes)
        self.foreign += root.nbytes
        return Buffer(0)

    def charged(self, buffer: Buffer) -> int:
        """The holder that a buffer is charged to."""
        return _first(buffer.holds) if buffer.holds else NOBODY

    def kept(self, buffer: Buffer) -> bool:
        """Whether a tape keeps these bytes, whoever else has them."""
        return bool(buffer.holds & _FIELD[TAPE])

    def of_variable(self, buffer: Buffer) -> bool:
        """Whether a variable holds these bytes, which live as long as it does, whoever keeps them."""
        return bool(buffer.holds & _FIELD[VARIABLE])

    def restart_peak(self) -> int:
        """The highest `live` since the last call, which starts anew from what is live now."""
        peak, self.peak = self.peak, self.live
        return peak

    def recount(self) -> dict[str, int]:
        """Add up anew what the live handles hold, and say by how many bytes which sum was wrong.

        It asks Python's collector for every object that there is, and does nothing where `gc.freeze` has hidden those that are
        as old as the ledger.  Bytes in flight are known to the backward pass alone: not to be called during one.
        """
        complete = False
        kinds = {self.handle, *self.handle.__subclasses__(), type(self)}
        holds: dict[Buffer, int] = {}
        handles: dict[Any, int] = {}
        objects = gc.get_objects()
        for each in compress(objects, map(kinds.__contains__, map(type, objects))):
            if each is self:
                complete = True
            elif hasattr(each, "holder"):  # one that is just being made has none yet
                holds[each.buffer] = holds.get(each.buffer, 0) + ONE[each.holder]
                handles[each.tag] = handles.get(each.tag, 0) + 1
        if not complete:
            return {}
        before = self.reading()
        self.charges[:] = [0] * 5
        self.live = self.held_for_backward = 0
        for tag, count in handles.items():
            tag.handles = count
        for buffer, count in holds.items():
            buffer.holds = count
            self.charges[_first(count)] += buffer.nbytes
            self.live += buffer.nbytes
            if count & _FIELD[TAPE]:
                self.held_for_backward += buffer.nbytes
        self.peak = max(self.peak, self.live)
        return {name: now - before[name] for name, now in self.reading().items() if now != before[name]}

    def reading(self) -> dict[str, int]:
        """The bytes charged to each holder, and the two sums, by name."""
        return {
            **dict(zip(HOLDERS, self.totals, strict=True)),
            "live": self.live,
            "held_for_backward": self.held_for_backward,
        }

    def __repr__(self) -> str:
        parts = ", ".join(f"{name} {total}" for name, total in self.reading().items() if total)
        return f"<ledger of bytes: {parts or 'nothing held'}>"


ledger = Ledger()
