"""What ran again: replays of regions and rebuilt values, told on the cards of their first run.

Before anything is told, every record of a rerun is rewritten in the values of the first run (`reruns` says which they are), and
its ops become records of the kind "again".  A rerun with values of its own is told as what it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from ..capture.records import Context, Contributed, Op, Record, Recorder, Value, changed
from .reruns import Reruns, Share
from .told import Again, AtDoor, Entry, HandedOn, OfRegion, Region

_COMING_AND_GOING = (
    "enter", "exit", "watch", "release", "deleted", "pause", "resume", "gradient", "gradients", "reset",
)  # fmt: skip


class Replays(Reruns):
    """The regions of a run, and its records as they are told."""

    def __init__(self, records: list[Record]) -> None:
        super().__init__(records)
        self._spoken: dict[Op, Op] = {}
        self._in_parts = set[tuple[Region | None, Value]]()  # inputs of regions, whose shares were told at the door
        self.records = records
        if self.has_regions:
            self.records = [told for place, record in enumerate(records) for told in self._all_told(place, record)]

    def _all_told(self, place: int, record: Any) -> Iterator[Record]:
        """What is told of a record: first what a reversible layer passed on through its own sums, then the record itself."""
        for share in self._sums.get(place, ()):
            yield self._through_a_sum(share, record)
        if not (record.kind == "seed" and place in self._sums):
            yield self._told(place, record)

    def _through_a_sum(self, share: Share, record: Any) -> Record:
        recorder, op = self._speaks_for.get(share.recorder, share.recorder), self._told_as(share.through)
        facts: dict[str, Any] = {
            **self._common(record), "recorder": recorder, "into": share.into, "part": share.part, "position": share.position,
            "context": changed(record.context, actor=recorder, cause=op),
        }  # fmt: skip
        if self.home.get(share.into) is share.region:
            return Contributed(**facts)
        self._in_parts.add((share.region, share.into))
        return AtDoor(**facts)

    def _told(self, place: int, record: Any) -> Record:
        common = self._common(record)
        if record.kind == "op":
            return self._op(record, common)
        if record.kind == "made" and record.value in self.again:
            return Record(**common)
        region = self._of.get(place)
        recorder: Recorder | None = getattr(record, "recorder", None)
        if recorder is not None and recorder in self._speaks_for:
            if record.kind == "gradients" and region is not None:
                return OfRegion(kind="region-done", of=region, **common)
            if recorder in self._asked_again or (record.kind == "tangent" and record.seed):
                return Record(**common)
            into = getattr(record, "into", None)
            at_the_door = into in self._doors.get(recorder, ())
            back = record.kind == "seed" and self._returned(into)
            if record.kind in _COMING_AND_GOING or back or (record.kind == "total" and at_the_door):
                return Record(**common)
            if record.kind == "contribution" and at_the_door:
                by, to, part = self._speaks_for[recorder], self.first(record.into), self.first(record.part)
                inner, in_parts = self._handing_on(record)
                if recorder in self._works_on:
                    self._in_parts.add((self._works_on[recorder], to))
                return AtDoor(
                    recorder=by, into=to, part=part, position=record.position, of=inner, in_parts=in_parts, **common
                )
        if record.kind.startswith("region"):
            kind = "region-rule" if place in self._by_rule else record.kind
            return Record(**common) if region is None else OfRegion(kind=kind, of=region, **common)
        own = {
            field.name: self._renamed(getattr(record, field.name))
            for field in fields(record)
            if field.name not in common
        }
        if record.kind == "contribution":
            inner, in_parts = self._handing_on(record)
            if inner is not None:
                return HandedOn(**own, **common, of=inner, in_parts=in_parts)
        told: Record = changed(record, **own, **common)
        return told

    def _handing_on(self, record: Any) -> tuple[Region | None, bool]:
        """The region that hands this share on, and whether it was told in parts."""
        region = self.region_of(record.context.cause)
        known = (region, self.first(record.into))
        in_parts = known in self._in_parts
        self._in_parts.discard(known)
        return region, in_parts

    def _common(self, record: Record) -> dict[str, Any]:
        """The facts that a told record takes over from its record, whatever its kind."""
        context = self._context(record.context)
        gone = [value for value in record.gone if value.variable or not self.first(value).variable]
        numbers = {self.first(value): snap for value, snap in record.numbers.items()} if self.again else record.numbers
        return {
            "site": record.site, "context": context, "numbers": numbers, "memory": record.memory, "high": record.high,
            "gone": tuple([self.first(value) for value in gone]), "moved": record.moved, "kept": record.kept,
        }  # fmt: skip

    def _context(self, context: Context) -> Context:
        """Who is at work, and on what, as the telling knows them."""
        actor = self._speaks_for.get(context.actor, context.actor)
        cause = None if context.cause is None else self._told_as(context.cause)
        same = actor is context.actor and cause is context.cause
        return context if same else changed(context, actor=actor, cause=cause)

    def _op(self, record: Any, common: dict[str, Any]) -> Record:
        op: Op = record.op
        if op.region:
            region = self._by_id.get(op.region)
            if region is not None and region.entry is op:
                return Entry(op=self._speak(op), of=region, **common)
            return Record(**common)
        cause = op.context.cause
        rebuilding = op.context.phase == "rebuild" and not self._takes_cotangents(op)
        if op in self._own or not (op in self.twins or rebuilding):
            told: Record = changed(record, op=self._speak(op), **common)
            return told
        at_work = self.region_of(cause) if cause is not None and rebuilding else None
        region = at_work or self.home.get(self.first(op.gives[0]))
        first = self.twins.get(op)
        return Again(
            op=self._speak(op), first=first and self._speak(first), known=self._told_as(op), of=region, **common
        )

    def from_kept(self, op: Op) -> bool:
        """Whether what an op of a rerun gives was not worked out again, since a tape has kept it as the region's policy says."""
        first = self.twins.get(op)
        region = None if first is None or not first.gives else self.home.get(first.gives[0])
        entry = None if region is None else region.entry
        kept = () if entry is None else [entry.at(place) for _, places in entry.saved for place in places if place < 0]
        return bool(kept) and first is not None and set(first.gives) <= set(kept)

    def twin(self, op: Op) -> Op | None:
        """The op of the first run that a replayed op with values of its own repeats."""
        return self.twins[op] if op in self._own else None

    def _returned(self, value: Value | None) -> bool:
        """Whether a value is one of the first run's come back, or lies at a region's door."""
        return value is not None and (value in self.again or any(value in doors for doors in self._doors.values()))

    def _told_as(self, op: Op) -> Op:
        """The op that the telling knows this one by: that of the first run, unless the rerun's has values of its own."""
        own = self._speak(op)
        if op not in self.twins or op in self._own:
            return own
        first = self._speak(self.twins[op])
        return first if first.takes == own.takes else own

    def _speak(self, op: Op) -> Op:
        """The op in the values of the first run."""
        known = self._spoken.get(op)
        if known is None:
            takes, gives = [tuple([self.first(value) for value in values]) for values in (op.takes, op.gives)]
            if takes == op.takes and gives == op.gives and not self._speaks_for:
                return op
            context = self._context(op.context)
            known = self._spoken[op] = changed(
                op, takes=takes, gives=gives, context=context,
                taken=self._takers(op), saved=tuple([(self._speaks_for.get(by, by), places) for by, places in op.saved]),
                refused=tuple([refusal for refusal in op.refused if refusal[0] not in self._speaks_for]),
            )  # fmt: skip
            if op in self.twins:
                self.twins[known] = self.twins[op]
            for marks in (self._own, self.own_rules):
                if op in marks:
                    marks.add(known)
        return known

    def _takers(self, op: Op) -> tuple[Recorder, ...]:
        """Who writes an op down: of a rerun's tapes those whose work it is to go back through this one too."""
        if op.context.phase in ("jvp", "gradient"):
            return tuple(dict.fromkeys([self._speaks_for.get(by, by) for by in op.taken]))
        return tuple([by for by in op.taken if by not in self._speaks_for])

    def _renamed(self, fact: Any) -> Any:
        if isinstance(fact, Value):
            return self.first(fact)
        if isinstance(fact, Op):
            return self._told_as(fact)
        if isinstance(fact, Recorder):
            return self._speaks_for.get(fact, fact)
        if isinstance(fact, tuple):
            return tuple([self._renamed(inner) for inner in fact])
        return fact
