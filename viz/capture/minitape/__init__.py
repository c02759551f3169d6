"""minitape as a source: `recording` listens, `reading` makes records, `answers` reads explanations and plans."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import minitape
from minitape.record.cells import alias_cell
from minitape.record.events import emit, state
from minitape.record.provenance import adopt
from minitape.record.refusal import answering
from minitape.tape import GradientTape

from ..stream import Stream
from .answers import answered, give_faces, grid_of, variable_facts
from .calling import busy, called, chances
from .nothing import tell_nothing
from .recording import Run, record


def about() -> Any:
    """Versions, and what is missing for pictures."""
    return minitape.about()


def version() -> str:
    """minitape's version."""
    return minitape.__version__


def tape_stream(thing: Any) -> Stream | None:
    """What a tape wrote down, as a stream; None for what is no tape."""
    from .streaming import tape_as_stream

    return tape_as_stream(thing) if isinstance(thing, GradientTape) else None


@contextmanager
def region(name: str) -> Iterator[None]:
    """Call a stretch of the program by a name: it stands over the lanes and the memory of a recorded run.

    >>> with viz.record() as run:
    ...     with viz.region("encoder"):
    ...         y = tf.constant(3.0) * 2.0
    >>> run.scene.names
    [{'id': 'n0', 'label': 'encoder', 'from': 1, 'to': 3}]
    """
    if state.listeners:
        emit("name-begins", name=str(name))
    try:
        yield
    finally:
        if state.listeners:
            emit("name-ends", name=str(name))


__all__ = [
    "Run", "about", "adopt", "alias_cell", "answered", "answering", "busy", "called", "chances", "give_faces", "grid_of",
    "record", "region", "tape_stream", "tell_nothing", "variable_facts", "version",
]  # fmt: skip
