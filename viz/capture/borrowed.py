"""What the sources of other frameworks borrow of minitape: where the program is, and the texts of its derivative table.

No other file of theirs imports it; `minitape/` is the source that watches minitape itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FrameType
from typing import Any

from minitape.primitive import TABLE
from minitape.record.naming import called
from minitape.record.provenance import Site as Instruction
from minitape.record.provenance import adopt, is_library, learner_frame, name_in
from minitape.symbols import texts

__all__ = [
    "Instruction", "adopt", "called", "held_in_frames", "is_library", "learner_frame", "library_frames", "name_in", "row_of",
    "texts",
]  # fmt: skip


def library_frames(frame: FrameType | None) -> Iterator[FrameType]:
    """From a frame outwards, those of library code, up to the program's own."""
    while frame is not None and is_library[frame.f_code.co_filename]:
        yield frame
        frame = frame.f_back


def held_in_frames() -> Iterator[tuple[str, Any]]:
    """What the program's frames have under a name, from the running one outwards, local names before global ones."""
    frame: FrameType | None = learner_frame()
    while frame is not None:
        if not is_library[frame.f_code.co_filename]:
            for space in (frame.f_locals, frame.f_globals):
                yield from list(space.items())
        frame = frame.f_back


def row_of(name: str, count: int) -> Any:
    """The row of minitape's table of that name, if it takes so many operands; else None."""
    row = TABLE.get(name)
    return row if row is not None and (row.variadic or len(row.arguments) == count) else None
