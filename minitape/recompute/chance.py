"""Random numbers that come out the same twice: the states of all generators, noted before a region, put back for its rerun."""

from __future__ import annotations

import random
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..ops import random as drawn

Reader = Callable[[], Any]
Writer = Callable[[Any], None]


_followed: weakref.WeakSet[Any] = weakref.WeakSet()


def follow(source: Any) -> None:
    """Count one more generator, with a `state` to read and to set, among those that a rerun starts where the first run did."""
    _followed.add(source)


def _tensor_state() -> Any:
    return {seed: one.bit_generator.state for seed, one in [(None, drawn.draws()), *drawn._streams.items()]}


def _set_tensor_state(state: Any) -> None:
    for seed, one in state.items():
        drawn.draws(seed).bit_generator.state = one
    for seed in set(drawn._streams) - set(state):  # first drawn from inside the region: to be begun again
        del drawn._streams[seed]


def _layer_states() -> Any:
    return [(weakref.ref(source), source.state) for source in sorted(_followed, key=id)]


def _set_layer_states(states: Any) -> None:
    for reference, one in states:
        source = reference()
        if source is not None:
            source.state = one


# tf.random, NumPy's global generator, Python's own, those of layers.
_sources: list[tuple[Reader, Writer]] = [
    (_tensor_state, _set_tensor_state),
    (np.random.get_state, np.random.set_state),
    (random.getstate, random.setstate),
    (_layer_states, _set_layer_states),
]


def states() -> list[Any]:
    """The state of every generator, as it is now."""
    return [read() for read, _ in _sources]


def same(one: list[Any], other: list[Any]) -> bool:
    """Whether nothing was drawn between two readings."""
    return len(one) == len(other) and all(map(_same, one, other))


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, list | tuple) and not (one and isinstance(one[0], int)):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


@contextmanager
def put_back(saved: list[Any] | None) -> Iterator[None]:
    """Run a block from the saved states, and leave the generators as they were before it; None changes nothing."""
    if saved is None:
        yield
        return
    before = states()
    _set(saved)
    try:
        yield
    finally:
        _set(before)


def _set(saved: list[Any]) -> None:
    for (_, write), one in zip(_sources, saved, strict=True):
        write(one)
