"""A region of another framework's: a call that a recorder takes as one entry, and that runs again in the backward pass."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..schema import clean
from .records import Applied, Context, Op, Record, Recorder, RegionClosed, RegionOpened, RegionReplayed, Value


class Region:
    """One call, with its runs."""

    def __init__(self, number: int, name: str, around: tuple[str, ...], takes: Iterable[Value] = ()) -> None:
        self.id, self.name = f"region {number}", clean(name)
        self.path = (*around, self.name)
        self.runs = 0
        self.start = 0  # at which record its body begins
        self.entry: Op | None = None  # that stands for it
        self.actor: Recorder | None = None  # for whose backward pass it runs again
        self.takes = tuple(dict.fromkeys(takes))
        self.saved, self.plain = bytes_of(self.takes), 0  # bytes that are kept of it, and that would be kept without it

    def during(self, phase: str, actor: Recorder | None) -> Context:
        """The context of what runs while a recorder works on it."""
        return Context(phase=phase, cause=self.entry, actor=actor, region=self.path)

    def opened(self, **common: Any) -> RegionOpened:
        """Its first run begins."""
        return RegionOpened(region=self.id, path=self.path, run=0, **common)

    def replayed(self, **common: Any) -> RegionReplayed:
        """It begins to run again."""
        return RegionReplayed(region=self.id, path=self.path, run=self.runs, **common)

    def closed(self, **common: Any) -> RegionClosed:
        """A run of it is over."""
        run, self.runs = self.runs, self.runs + 1
        return RegionClosed(region=self.id, path=self.path, run=run, saved=self.saved, plain=self.plain, **common)

    def body(self, records: list[Record]) -> list[Op]:
        """The ops of its body, which has just run; counts the bytes that would be kept without the region."""
        ops = [record.op for record in records[self.start :] if isinstance(record, Applied)]
        self.plain = bytes_of(value for op in ops for value in (*op.takes, *op.gives))
        return ops


def bytes_of(values: Iterable[Value]) -> int:
    """The bytes of values, each counted once; those of variables live anyway."""
    return sum(value.bytes for value in dict.fromkeys(values) if not value.variable)
