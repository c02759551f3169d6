"""What one order of differentiation follows, and what it has written down."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..records import Op, Recorder
from .equations import Equation, Taken
from .notes import Array
from .plan import Entry


class Done(NamedTuple):
    """An entry, with its arrays."""

    entry: Entry
    eqn: Equation
    op: Op
    takes: tuple[Array | None, ...]
    gives: tuple[Array, ...]
    residuals: tuple[Taken | Array, ...]
    again: Any = None  # of a checkpoint: what runs it a second time


class Tape:
    """One order of differentiation."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.follows: set[Array] = set()
        self.entries: list[Done] = []
        self.residuals: dict[Array, Op | None] = {}  # with the op that made it; None for an array from before
