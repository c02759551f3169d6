"""Names on the time axis: what the learner calls a stretch of the program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from minitape.record.events import emit, state


@contextmanager
def region(name: str) -> Iterator[None]:
    """Call a stretch of the program by a name: it stands over the lanes and the memory of a recorded run.

    >>> import minitape as tf, viz
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
