"""`with` blocks that end whatever happens.

Python calls `__exit__` only where `__enter__` has come back.  An interrupt in the middle of either, or just between them, would
leave a recorder that listens for the rest of the session.  So each `with` statement holds an `_End` of its own; if Python frees
that object before the block was ended, freeing it ends the block.
"""

from __future__ import annotations

import functools
from types import TracebackType
from typing import TYPE_CHECKING, Any


class _End(functools.partial):  # type: ignore[type-arg]  # a class of C: it costs no Python call to make and to call
    """What a `with` statement calls at the end of a block; it is freed in any case, and then ends a block that was not ended."""

    __slots__ = ()

    def __del__(self) -> None:
        if self.func.__self__.entered:  # type: ignore[attr-defined]  # a bound method
            self.func.__self__.put_back()  # type: ignore[attr-defined]


class _Exit:
    """Stands in the place of `__exit__`, and gives each `with` statement an `_End` of its own."""

    def __get__(self, block: Block | None, owner: Any) -> Any:
        if block is None:
            return _called_on_the_class  # by contextlib.ExitStack
        return block.leave if block.entered else _End(block.leave)


class Block:
    """A context manager that is either entered or as if it had never been, at whatever instruction it is interrupted.

    `__enter__` sets `entered` before it changes anything; `put_back` undoes as much as was done, may be called twice, and
    clears `entered` last; `leave` is what `__exit__` is elsewhere.
    """

    entered = False

    if TYPE_CHECKING:

        def __exit__(
            self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
        ) -> None: ...

    else:
        __exit__ = _Exit()

    def leave(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the block."""
        self.put_back()

    def put_back(self) -> None:
        """Undo what `__enter__` did."""
        raise NotImplementedError


def _called_on_the_class(block: Block, *problem: Any) -> None:
    block.leave(*problem)
