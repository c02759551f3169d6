"""Records that only telling has: what replays and folding make of a stream's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..capture.numbers import Snapshot
from ..capture.records import Answered, Contributed, OfRecorder, Op, Record, Recorder, Value, of_kind


class Region:
    """A piece of program that a tape knows as one entry: what ran in it, and what is kept of it."""

    def __init__(self, name: str, kind: str, parent: Region | None) -> None:
        self.name, self.kind, self.parent = name, kind, parent
        self.children: list[Region] = []
        self.body: list[Op] = []
        self.entry: Op | None = None
        self.asks: Recorder | None = None  # of a region that is a backward pass itself: the tape that goes back
        self.by_rule = False  # whether its backward pass is a rule of the program's own, for which nothing runs again
        self.runs = 1
        self.kept = self.plain = 0
        if parent is not None:
            parent.children.append(self)


@dataclass(slots=True, eq=False, kw_only=True)
class OfRegion(Record):
    """A region opens, closes, begins to run again, or is done with in the backward pass."""

    kind: str = ""  # type: ignore[misc]
    of: Region


@of_kind("entry")
class Entry(Record):
    """A tape takes a whole region as one entry."""

    op: Op
    of: Region


@of_kind("again")
class Again(Record):
    """An op of a region runs once more, or backwards to give a value back; or it need not, since its result was kept."""

    op: Op
    first: Op | None
    known: Op  # what a backward pass through it knows it by
    of: Region | None


@dataclass(slots=True, eq=False, kw_only=True)
class HandedOn(Contributed):
    """A region hands on what it found for one of its inputs."""

    of: Region
    in_parts: bool  # whether its shares were told when they reached the region's door


@of_kind("at-door")
class AtDoor(OfRecorder):
    """A share reaches an input of a region from inside, perhaps from a region in there; the region hands on their sum."""

    into: Value
    part: Value
    position: int
    of: Region | None = None  # the region in there, that hands this on
    in_parts: bool = False


@of_kind("rounds")
class Rounds(Record):
    """Rounds of a loop that nobody asked for, in a row; the first is counted from 0."""

    first: int
    count: int
    ops: int
    values: tuple[Value, ...]
    states: tuple[tuple[Recorder, str], ...]  # what became of recorders that are told before or after


@of_kind("back-through")
class BackThrough(OfRecorder):
    """The shares that came back through a block, one after the other."""

    op: Op
    arrived: dict[Value, Value]
    counts: dict[Value, int]
    more: int = 0  # values that have no card of their own, and got theirs


@dataclass(slots=True, eq=False, kw_only=True)
class FewerAnswers(Answered):
    """The answers to the sources that are drawn, and how many more there are."""

    more: int


def merged(records: list[Record], last: Record | None = None) -> dict[str, Any]:
    """What several records have together: the most and the last of their bytes, all of their numbers."""
    end = records[-1] if records else last
    memory = end.memory if end is not None else ()
    numbers: dict[Value, Snapshot] = {}
    for record in records:
        numbers.update(record.numbers)
    return {
        "numbers": numbers, "memory": memory, "high": max([record.high for record in records], default=sum(memory)),
        "gone": tuple([value for record in records for value in record.gone]),
        "moved": tuple([change for record in records for change in record.moved]),
    }  # fmt: skip
