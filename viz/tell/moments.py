"""A run as moments that can be compared with those of another run: what came in, each op, each step back, each answer.

Reruns of regions are told in the values of the first run (`replays.py`), so a program with recompute and without has the same
steps back.  What a recorder does by itself (watch a variable, let go) is no moment: it follows from the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..capture.numbers import Snapshot
from ..capture.records import Op, Recorder, Site, Value
from ..capture.stream import Stream
from .account import name_of
from .distance import Known, known
from .folding import seen
from .names import Names
from .spelling import enclosed, in_a_line

QUIET = ("region", "again", "through")  # steps that recompute adds, without other numbers


@dataclass(slots=True, eq=False)
class Moment:
    """One thing that happened, and the value that came of it."""

    # given | made | op | assign | enter | watch | pause | region | again | through | seed | back | answer | tangent | look-up
    # | error | full
    kind: str
    word: str = ""  # which op, which recorder's, which error: what has to be the same in both
    site: Site | None = None
    op: Op | None = None  # that ran, or that is being reversed
    value: Value | None = None
    number: Known | None = None
    snap: Snapshot | None = None
    name: str = ""  # what a learner calls the value
    position: int = 0  # of several results, or which argument a share comes back to
    reads: float = 0.0  # the largest number that went in
    into: Value | None = None  # what a share comes back to
    text: str = ""  # of an error, what it says


class Moments:
    """The moments of a run, in order."""

    def __init__(self, stream: Stream) -> None:
        self.stream, self.names = stream, Names(stream)
        self._seen: dict[Value, Snapshot] = {}
        self._met: set[Value] = set()
        self._made_by: dict[Value, Op] = {}  # of all values, those of folded ops too
        self._targets: dict[Recorder, str] = {}
        self.limit = 0  # the most events that were to be kept, if the run reached it; a moment says so
        self.all: list[Moment] = []
        for record in self.names.replays.records:
            self._seen.update(record.numbers)
            self.all += self._of(record)

    def _of(self, record: Any) -> Iterator[Moment]:
        kind, site = record.kind, record.site
        inside = record.context.phase != "forward"
        if kind == "made" and not inside:
            yield self._moment("made", record.value, site, name=self.name(record.value, record.name))
        elif kind == "op":
            yield from self._applied(record, site)
        elif kind == "assign":
            yield from self._given(record.value, site)
            yield self._moment("assign", record.value, site, record.how)
        elif kind in ("enter", "pause") and not inside:
            yield Moment(kind, record.recorder.kind, site, name=record.recorder.name)
        elif kind == "watch" and record.explicit:
            yield from self._given(record.value, site)
            yield self._moment("watch", record.value, site)
        elif kind == "region-open":
            yield Moment("region", "", site, name=record.of.name)
        elif kind == "again":
            yield from self._rerun(record, site)
        elif kind == "gradient":
            self._targets[record.recorder] = ", ".join(map(self.name, record.targets))
        elif kind in ("seed", "contribution", "at-door"):
            yield self._back(record, kind)
        elif kind == "gradients":
            yield from self._answers(record)
        elif kind in ("tangent", "look-up"):
            yield from self._tangents(record, site)
        elif kind == "error" and not record.caught:
            yield Moment("error", record.error, site, text=in_a_line(record.message))
        elif kind == "full":
            self.limit = record.limit
            yield Moment("full", "", site)

    def _moment(self, kind: str, value: Value, site: Site | None, word: str = "", **facts: Any) -> Moment:
        snap = self._seen.get(value, value.early)
        self._met.add(value)
        facts.setdefault("name", self.name(value))
        return Moment(kind, word, site, value=value, number=known(value.dtype, value.shape, snap), snap=snap, **facts)

    def _given(self, value: Value, site: Site | None) -> Iterator[Moment]:
        """The moment at which a value from before the run is first used."""
        if value not in self._met and value.early is not None:
            yield self._moment("given", value, site)

    def _applied(self, record: Any, site: Site | None) -> Iterator[Moment]:
        op: Op = record.op
        if not seen(op):
            return
        # With values of its own, because another recorder wrote it down.
        if op.context.phase in ("recompute", "rebuild"):
            yield from self._rerun(record, site)
            return
        for value in op.takes:
            yield from self._given(value, site)
        self._made_by.update(dict.fromkeys(op.gives, op))
        reads = max([self._size(value) for value in op.takes], default=0.0)
        for place, value in enumerate(op.gives):
            if value.variable or value not in self._met:  # a whole call gives what its last op has given already
                yield self._moment("op", value, op.site or site, name_of(op), op=op, position=place, reads=reads)

    def _size(self, value: Value) -> float:
        found = known(value.dtype, value.shape, self._seen.get(value, value.early)).numbers
        if found is None or not found.size:
            return 0.0
        largest = float(np.abs(found).max(None))
        return largest if largest < np.inf else 0.0

    def _rerun(self, record: Any, site: Site | None) -> Iterator[Moment]:
        """An op that runs again is a moment of its own, which counts for no difference."""
        for place, value in enumerate(record.op.gives):
            snap = record.numbers.get(value)
            number = known(value.dtype, value.shape, snap)
            yield Moment(
                "again", record.op.row.name, record.op.site or site, record.op, value, number, snap, self.name(value),
                place,
            )  # fmt: skip

    def _back(self, record: Any, kind: str) -> Moment:
        cause: Op | None = record.context.cause if kind != "seed" else None
        through = cause is not None and self.names.replays.region_of(cause) is not None
        name = f"∂{enclosed(self._targets.get(record.recorder, '?'))}/∂{enclosed(self.name(record.into))}"
        kind = "through" if through else "seed" if cause is None else "back"
        return self._moment(
            kind, record.part, record.site, name_of(cause), op=cause, name=name, position=getattr(record, "position", 0),
            reads=self._size(record.part), into=record.into,
        )  # fmt: skip

    def _answers(self, record: Any) -> Iterator[Moment]:
        target = enclosed(self._targets.get(record.recorder, "?"))
        for place, (source, answer) in enumerate(zip(record.sources, record.answers, strict=False)):
            name = f"∂{target}/∂{enclosed(self.name(source))}"
            if answer is None:
                yield Moment("answer", "", record.site, name=name, position=place)
            else:
                yield self._moment("answer", answer, record.site, name=name, position=place, reads=self._size(answer))

    def _tangents(self, record: Any, site: Site | None) -> Iterator[Moment]:
        found = record.tangent if record.kind == "tangent" else record.found
        op = getattr(record, "op", None)
        word = name_of(op)
        name = f"d{enclosed(self.name(record.of))}"
        if found is None:
            yield Moment(record.kind, word, site, op, name=name)
        else:
            yield self._moment(record.kind, found, site, word, op=op, name=name, reads=self._size(found))

    def name(self, value: Value, own: str = "") -> str:
        """What the pictures call a value, or what the program does."""
        op = self.names.maker(value) or self._made_by.get(value)
        found = self.names.names.get(value) or own or value.label or value.name
        if found or op is None:
            return found or value.dtype
        return (op.site.name if op.site else "") or self.names.text_of(op) or op.row.name
