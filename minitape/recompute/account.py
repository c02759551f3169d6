"""The facts of a region: how often it ran, what is kept of it, and what a plain tape would have kept.

What variables hold is left out of both: it lives anyway, and the ledger charges it to them.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..call import Call
from ..record.blocks import Block
from ..record.events import emit, state
from ..record.ledger import Buffer, ledger
from ..tensor import Tensor
from .inside import Step

_ids = itertools.count(1)


class _Reruns(threading.local):
    depth = 0


_reruns = _Reruns()


def is_recomputing() -> bool:
    """True while a region's function runs again for a gradient: for what should happen once, such as counting.

    >>> tf.is_recomputing()
    False
    """
    return _reruns.depth > 0


class rerunning(Block):
    """A block in which a region runs again; an exception from it says so."""

    def __init__(self, name: str, number: int) -> None:
        self._name, self._number = name, number

    def __enter__(self) -> None:
        self._before = _reruns.depth
        self.entered = True
        _reruns.depth += 1

    def leave(self, kind: Any, problem: BaseException | None, trace: Any) -> None:
        """Add to an exception where it comes from."""
        self.put_back()
        if isinstance(problem, Exception):
            problem.add_note(f"while region {self._name!r} was run again for a gradient (run {self._number})")

    def put_back(self) -> None:
        """End the rerun."""
        _reruns.depth = self._before
        self.entered = False


def nbytes(buffers: Iterable[Buffer]) -> int:
    """The bytes of distinct buffers, but of those that a variable holds."""
    return sum([buffer.nbytes for buffer in set(buffers) if not ledger.of_variable(buffer)])


class Account:
    """The plain facts of one region; it keeps no values."""

    __slots__ = ("id", "name", "path", "plain", "plain_bytes", "result_bytes", "runs", "saved_bytes")

    def __init__(self, name: str, path: tuple[str, ...]) -> None:
        self.id = next(_ids)
        self.name = name
        self.path = path
        self.runs = 0  # reruns: the first run is not counted
        self.saved_bytes = 0
        # What a plain tape would have kept, until a region around this one has heard of it.
        self.plain: set[Buffer] = set()
        self.plain_bytes = 0
        self.result_bytes = 0  # of results that a layer keeps itself, to rebuild from, until the layer after it does

    def opens(self, number: int) -> None:
        """Run `number` begins: 0 is the first, the others are for gradients."""
        if state.listeners:
            emit("region open" if number == 0 else "region replay", region=self.id, path=self.path, run=number)

    @contextmanager
    def running(self, number: int) -> Iterator[None]:
        """A block in which run `number` happens; where it fails, listeners are told that it is over."""
        self.opens(number)
        try:
            yield
        except BaseException:
            self.closes()
            raise

    def keeps(self, kept: Sequence[Tensor], plain: set[Buffer]) -> None:
        """What is kept of the first run, and what a plain tape would have kept."""
        self.saved_bytes = nbytes([tensor.buffer for tensor in kept])
        self.plain, self.plain_bytes = plain, nbytes(plain)

    def closes(self, twins: Sequence[tuple[Step, Step]] = ()) -> None:
        """A run has ended; `twins` pairs the ops of the first run with those of a rerun."""
        if state.listeners:
            facts = {"saved_bytes": self.saved_bytes, "plain_bytes": self.plain_bytes, "run": self.runs}
            pairs = [(first.tick, again.tick) for first, again in twins]
            emit("region close", region=self.id, path=self.path, twins=pairs, **facts)


def explain_recompute(tape: Any) -> str:
    """A line per region on a tape: how often it ran, what is kept of it, and what a plain tape would keep, both beside
    what variables hold.

    >>> @tf.recompute_grad
    ... def wave(x):
    ...     return tf.sin(tf.sin(tf.sin(x)))
    >>> x = tf.constant([1.0, 2.0])
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = wave(x)
    >>> print(tf.explain_recompute(tape))
    wave: ran once; keeps 8 bytes, a plain tape 24
    """
    lines = []
    for entry in tape.entries:
        primitive = entry.application.primitive
        account = primitive.account if isinstance(primitive, Call) else None
        if account is not None:
            ran = f"ran {account.runs + 1} times" if account.runs else "ran once"
            kept = f"keeps {account.saved_bytes + account.result_bytes} bytes, a plain tape {account.plain_bytes}"
            lines.append(f"{'/'.join(account.path)}: {ran}; {kept}")
    return "\n".join(lines) or "no regions on this tape"
