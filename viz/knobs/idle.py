"""Work for when no knob turns: a piece at a time, between a notebook's messages, so that a turn waits for one piece at most.

Python's garbage collector is such work too: going through everything that a notebook holds takes as long as five turns.
"""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ..capture import busy

PAUSE = 0.01  # s between two pieces, for the notebook's own work
SLICE = 0.01  # s: small pieces are done together, as long as this
WAIT = 0.2  # s until the next try, where a block of the learner's is open
LATER = 0.1  # s after a turn until the collector may run again: the answer has been sent by then


def possible() -> bool:
    """Whether an event loop is running, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


_looks_again: threading.Timer | None = None


@contextmanager
def first() -> Iterator[None]:
    """A block of urgent work: the garbage collector runs a moment later."""
    global _looks_again
    waits = _looks_again is not None and _looks_again.is_alive()
    was = waits or gc.isenabled()
    if _looks_again is not None:
        _looks_again.cancel()
    gc.disable()
    try:
        yield
    finally:
        if was:
            _looks_again = threading.Timer(LATER, gc.enable)
            _looks_again.daemon = True
            _looks_again.start()


class Idle:
    """The pieces that are still to do; whoever turns a knob takes them away.  One that gives a number asks for so many seconds
    of calm before the next one."""

    def __init__(self) -> None:
        self._left: Iterator[object] = iter(())
        self._next: asyncio.TimerHandle | None = None

    def begin(self, pieces: Iterator[object]) -> None:
        """Do these pieces from now on, where that is possible."""
        self.stop()
        if possible():
            self._left = pieces
            self._next = asyncio.get_running_loop().call_later(PAUSE, self._go_on)

    def stop(self) -> None:
        """Leave the rest undone."""
        self._left = iter(())
        if self._next is not None:
            self._next.cancel()
            self._next = None

    def _go_on(self) -> None:
        wait = WAIT
        if not busy():
            wait, until = PAUSE, time.monotonic() + SLICE
            try:
                calm = next(self._left)
                while not isinstance(calm, float) and time.monotonic() < until:
                    calm = next(self._left)
            except Exception:  # it is done; or it failed, and will fail again when a knob is turned to that place
                self._next = None
                return
            wait = calm if isinstance(calm, float) else wait
        self._next = asyncio.get_running_loop().call_later(wait, self._go_on)
