"""Sources: what watches a program, and gives a stream of records that knows no framework.

Each framework is one room here, and nothing else in viz imports it.  `minitape/` is the one that there is; what it watches is
told by everything above from its records alone.
"""

from __future__ import annotations

from typing import Any

from .minitape import (
    Run,
    about,
    adopt,
    alias_cell,
    answered,
    called,
    give_faces,
    grid_of,
    record,
    region,
    tape_stream,
    version,
)
from .stream import Stream


def stream_of(thing: Any) -> Stream | None:
    """The stream of a run, a tape or a stream; None for anything else."""
    return thing if isinstance(thing, Stream) else thing.stream if isinstance(thing, Run) else tape_stream(thing)


__all__ = [
    "Run",
    "Stream",
    "about",
    "adopt",
    "alias_cell",
    "answered",
    "called",
    "give_faces",
    "grid_of",
    "record",
    "region",
    "stream_of",
    "version",
]
