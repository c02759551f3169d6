"""Random numbers that come out the same twice: the states of all generators, noted before a region, put back for its rerun."""

from __future__ import annotations

import random
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ..ops import draws as drawn
from ..record.blocks import Block

Reader = Callable[[], Any]
Writer = Callable[[Any], None]


def _tensor_state() -> Any:
    return {seed: generator.bit_generator.state for seed, generator in [(None, drawn.draws()), *drawn.streams.items()]}


def _set_tensor_state(state: Any) -> None:
    for seed, saved in state.items():
        drawn.draws(seed).bit_generator.state = saved
    for seed in set(drawn.streams) - set(state):  # first drawn from inside the region: to be begun again
        del drawn.streams[seed]


def _source_states() -> Any:
    return [(weakref.ref(source), source.position) for source in sorted(drawn.Source.known, key=id)]


def _set_source_states(states: Any) -> None:
    positions = {source: position for reference, position in states if (source := reference()) is not None}
    for source in list(drawn.Source.known):  # one that was made inside the region begins again
        source.position = positions.get(source, source.began)


# For each source of random numbers, how to read its state, and how to set it.
_sources: dict[str, tuple[Reader, Writer]] = {
    "tf.random": (_tensor_state, _set_tensor_state),
    "np.random": (lambda: np.random.get_state(), lambda state: np.random.set_state(state)),  # loads when first asked
    "Python's random": (random.getstate, random.setstate),
    "a generator of its own": (_source_states, _set_source_states),
}


def states() -> list[Any]:
    """The state of every generator, as it is now."""
    return [read() for read, _ in _sources.values()]


def drawn_from(before: list[Any], after: list[Any]) -> list[str]:
    """Which generators were drawn from between two readings."""
    return [name for name, old, new in zip(_sources, before, after, strict=True) if not _same(old, new)]


def _same(first: Any, other: Any) -> bool:
    if isinstance(first, np.ndarray):
        return np.array_equal(first, other)
    if isinstance(first, list | tuple) and not (first and isinstance(first[0], int)):
        return len(first) == len(other) and all(map(_same, first, other))
    return bool(first == other)


class drawing_from(Block):
    """Run a block from the saved states, and leave the generators as they were before it; None changes nothing."""

    def __init__(self, saved: list[Any] | None) -> None:
        self._saved = saved

    def __enter__(self) -> None:
        if self._saved is not None:
            self._before = states()
            self.entered = True
            _set(self._saved)

    def put_back(self) -> None:
        """Set the generators as they were."""
        if self._saved is not None:
            _set(self._before)
        self.entered = False


def _set(saved: list[Any]) -> None:
    for (_, write), value in zip(_sources.values(), saved, strict=True):
        write(value)
