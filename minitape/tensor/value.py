"""Tensor: a handle on an immutable array, counted in the ledger for as long as it lives."""

from __future__ import annotations

import atexit
from operator import attrgetter
from typing import Any

import numpy as np

from ..record.copies import Shared
from ..record.events import emit, state
from ..record.ledger import BEFORE_TAPE, NOBODY, ONE, PYTHON, SETTLED, TAPE, Buffer, ledger
from ..record.refusal import refusal
from ..record.trail import made
from .operand import Operand
from .tag import Tag

held, released, charges = ledger.held, ledger.released, ledger.charges
HELD_BY_PYTHON = ONE[PYTHON]  # and by nobody else


class Tensor(Operand, Shared):
    """A handle on an immutable array.

    >>> print(tf.constant([1, 2]))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    >>> tf.constant(6.0)
    <tf.Tensor: shape=(), dtype=float32, numpy=6.0>
    """

    __slots__ = ("__weakref__", "array", "buffer", "holder", "tag")

    def __init__(self, array: np.ndarray, tag: Tag, buffer: Buffer, holder: int) -> None:
        self.array = array
        self.tag = tag
        self.buffer = buffer
        self.holder = holder
        tag.handles += 1
        before = buffer.holds
        buffer.holds = before + ONE[holder] if before else ONE[holder]  # most values share this one integer
        if not before & SETTLED[holder]:
            held(buffer, before, holder)

    def __del__(self) -> None:
        try:
            tag = self.tag
        except AttributeError:  # one that was called with the wrong arguments holds nothing
            return
        buffer = self.buffer
        if buffer.holds == HELD_BY_PYTHON:  # most end like this: a learner's only handle on these bytes
            buffer.holds = tag.handles = 0
            ledger.live -= buffer.nbytes
            if ledger.observers:
                for observer in ledger.observers:
                    observer((buffer, PYTHON, NOBODY))
            if tag.followers:
                _forget(tag.followers, tag)
            return
        holder = self.holder
        after = buffer.holds = buffer.holds - ONE[holder]
        if not after:  # nobody has these bytes any more
            nbytes = buffer.nbytes
            ledger.live -= nbytes
            charges[holder] -= nbytes
            if holder == TAPE:
                ledger.held_for_backward -= nbytes
            for observer in ledger.observers:
                observer((buffer, holder, NOBODY))
        elif not after & SETTLED[holder]:
            if holder == TAPE and after & BEFORE_TAPE:  # a tape's, beside a learner's
                ledger.held_for_backward -= buffer.nbytes
            else:
                released(buffer, after, holder)
        tag.handles -= 1
        if tag.followers:
            _forget(tag.followers, tag)

    @property
    def tensor_now(self) -> Tensor:
        return self

    @property
    def array_now(self) -> np.ndarray:
        return self.array

    def handle(self, holder: int) -> Tensor:
        """Another handle on the same value, held by somebody else."""
        return Tensor(self.array, self.tag, self.buffer, holder)

    def __reduce__(self) -> Any:
        return _unpickled, (self._leave("pickle"),)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise refusal(
            AttributeError,
            "a tensor never changes, so `x[i] = value` cannot work",
            "Build a new one with tf.tensor_scatter_nd_update or tf.where, or keep the numbers in a tf.Variable.",
        )

    def __str__(self) -> str:
        return f"tf.Tensor({self._text(False)}, shape={self.shape}, dtype={self.dtype.name})"

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={self._text(True)}>"


ledger.handle = Tensor


class Literal(Operand):
    """A number from the program's text while an op computes with it: its bytes are counted only once a record keeps it."""

    __slots__ = ("array", "tag")

    array: Any
    buffer = property(attrgetter("tag"))

    @property
    def tensor_now(self) -> Tensor:
        return Tensor(self.array, self.tag, self.buffer, state.holder)

    @property
    def array_now(self) -> Any:
        return self.array


def _forget(followers: tuple[Any, ...], tag: Tag) -> None:
    for reference in followers:
        recorder = reference()
        if recorder is not None:
            recorder.forget(tag)


@atexit.register
def _stop_counting() -> None:
    """At its end Python empties modules in any order: from then on nobody counts handles."""
    setattr(Tensor, "__del__", lambda self: None)  # noqa: B010  a plain assignment is no method to the type checker


def fresh(array: np.ndarray, holder: int) -> Tensor:
    """A tensor around an array that is new and owns its bytes: what nearly every op answers with."""
    tag = Tag(array.shape, array.dtype, array.nbytes)
    return Tensor(array, tag, tag, holder)


def _unpickled(array: np.ndarray) -> Tensor:
    """Numbers that come back from a pickle: a new value, which owns its bytes."""
    return created(np.array(array))


def make(array: np.ndarray, holder: int | None = None) -> Tensor:
    """A tensor around an array that nobody else holds; a view keeps all the bytes that it is a view of."""
    holder = state.holder if holder is None else holder
    if array.base is None:
        return fresh(array, holder)
    return Tensor(array, Tag(array.shape, array.dtype, array.nbytes), ledger.buffer_for(array), holder)


def created(array: np.ndarray) -> Tensor:
    """A tensor that the program makes of plain numbers: it has no history, and listeners are told of it."""
    tensor = make(array)
    made(tensor.tag)
    if state.listeners:
        emit("made", (tensor,), tag=tensor.tag, kind="constant", implicit=False)
    return tensor
