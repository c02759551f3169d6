"""Threads and tasks: each thread has recorders of its own, and the tasks of one thread share theirs.

A recorder that is entered in one thread cannot be left in another.  One that waits at an `await` in its `with` block hears
what other tasks do meanwhile; those that were started inside of the block belong to it, and so does what they do.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from ..errors import Elsewhere
from .events import state, ticks
from .warning import warn

# The recorders that were entered in this task, or in one that started it, by number.
_entered: ContextVar[tuple[int, ...]] = ContextVar("entered", default=())


def enters(diary: Any) -> None:
    """A recorder is entered in a task; its diary notes in which.  Warns where it is overheard by one of another task."""
    diary.in_task = True
    diaries = [each.diary for each in state.recorders if hasattr(each, "diary")]
    known = _entered.get()
    for each in diaries:
        if each.in_task and each.number not in known:
            warn(
                Elsewhere,
                "a recorder of another task is waiting in its `with` block, and hears what this task does.\n"
                "  Leave the block before you await, or run each task in a thread of its own: asyncio.to_thread(f).",
            )
            break
    diary.number = next(ticks)
    _entered.set((*[each.number for each in diaries if each.in_task and each.number in known], diary.number))


def leaves(recorder: Any) -> None:
    """A recorder that does not listen here is left; warns where it was entered in another thread."""
    if hasattr(recorder, "diary") and recorder.diary.thread != state.thread:
        warn(
            Elsewhere,
            "this recorder was entered in another thread, and goes on listening there.\n"
            "  Leave it where it was entered: let the `with` block begin and end in one function.",
        )
