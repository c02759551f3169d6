"""What ran again: replays of regions and rebuilt values, told on the cards of their first run.

A rerun makes new values, but they are those of the first run once more.  So before anything is told, every record of a rerun is
rewritten in the values of the first run: the tape that works inside a rerun speaks for the tape that asked for it, and its ops
become records of the kind "again".  Only a rerun that somebody else writes down (a tape around it) keeps values of its own, and
only the tape of the rerun itself speaks for another: one that the region's own function opens is told as what it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, NamedTuple

from ..capture.records import Context, Contributed, Op, Record, Recorder, Value, changed
from .told import Again, AtDoor, Entry, HandedOn, OfRegion, Region

_COMING_AND_GOING = (
    "enter", "exit", "watch", "release", "deleted", "pause", "resume", "gradient", "gradients", "reset",
)  # fmt: skip


FORWARD_OF = "forward"  # what a function with a rule of its own is called where that rule stands beside it


class _Share(NamedTuple):
    """What a reversible layer passes on through one of its own sums: no tape was there to see it."""

    recorder: Recorder
    into: Value
    part: Value
    through: Op
    position: int
    region: Region


class _Pass:
    """One run of a region that is going on."""

    def __init__(self, region: Region, again: bool, begins: int) -> None:
        self.region, self.again = region, again
        self.begins = begins  # the record that says so
        self.ran = False  # whether anything of the first run came again
        self.at = self.opened = 0  # how many of the first run's ops, and of its inner regions, have come again


class Replays:
    """The regions of a run, and its records as they are told."""

    def __init__(self, records: list[Record]) -> None:
        self.regions: list[Region] = []
        self.home: dict[Value, Region] = {}  # of the values made inside
        self.twins: dict[Op, Op] = {}  # by replayed op: the op of the first run
        self.own_rules: set[Op] = set()  # that go back by a rule of the program's own
        self.again: dict[Value, Value] = {}  # by value that came again: the one that it is once more
        self._speaks_for: dict[Recorder | None, Recorder] = {}
        # By entry that runs again: the tape of that rerun, while it listens.
        self._at_work: dict[Op | None, Recorder] = {}
        self._works_on: dict[Recorder, Region] = {}
        self._entered: dict[Recorder, list[Region]] = {}  # in order, with the regions in whose first run they began
        # By entry that runs again: the accumulators that are still to begin in its rerun.
        self._carried: dict[Op | None, list[Recorder]] = {}
        # Tapes that repeat a backward pass, which is not told number by number.
        self._asked_again: set[Recorder] = set()
        self._doors: dict[Recorder, set[Value]] = {}  # what a rerun's gradient is asked for
        self._by_id: dict[str, Region] = {}
        self._passes: list[_Pass] = []
        self._flowing: dict[Value, set[Value]] = {}  # cotangents, and of which values of the first run they are
        self._sums: dict[int, list[_Share]] = {}  # by record: what is passed on there through a layer's own sums
        self._in_parts = set[tuple[Region | None, Value]]()  # inputs of regions, whose shares were told at the door
        self._met: set[Value] = (
            set()
        )  # but for what a rerun makes anew of nothing: numbers in a formula, zeros to begin with
        self._own: set[Op] = set()  # replayed ops that have values of their own
        self._repeats: dict[Value, Value] = {}  # those values, and which ones of the first run they repeat
        self._of: dict[int, Region] = {}  # by record, where a region opens, runs again or is done
        self._by_rule: set[int] = set()  # where a region is said to run again, and nothing in it does
        self._body_so_far: list[Op] = []
        self._spoken: dict[Op, Op] = {}
        # Ops of first runs that have come again for the question that is being answered.
        self._paired: set[Op] = set()
        kinds = {record.kind for record in records}
        if any([kind.startswith("region") for kind in kinds]) or any([_is_call(record) for record in records]):
            for place, record in enumerate(records):
                self._read(place, record)
            self.records = [told for place, record in enumerate(records) for told in self._all_told(place, record)]
        else:
            self.records = records

    def first(self, value: Value) -> Value:
        """The value of the first run that this one is, come back."""
        while value in self.again:
            value = self.again[value]
        return value

    def repeated(self, value: Value) -> Value:
        """The same, and of a value of a rerun's own the one that it repeats."""
        return self.first(self._repeats.get(value, value))

    # ---- reading ------------------------------------------------------------------------------------------------------

    def _read(self, place: int, record: Any) -> None:
        match record.kind:
            case "region-open":
                self._of[place] = self._opened(place, record)
            case "region-replay":
                if record.region not in self._by_id:  # its first run was before the recording
                    self._by_id[record.region] = self._new(record, self._passes[-1].region if self._passes else None)
                region = self._by_id[record.region]
                self._passes.append(_Pass(region, again=True, begins=place))
                self._of[place] = region
            case "region-close":
                if len(self._passes) > 1 and self._passes[-1].again and self._passes[-2].again:
                    self._of[place] = self._passes[-1].region
                self._closed(record)
            case "enter":
                self._entered[record.recorder] = [each.region for each in self._passes if not each.again]
                if record.context.phase in ("recompute", "rebuild") and record.context.actor is not None:
                    self._works_again(record)
            case "exit" if record.recorder is self._at_work.get(record.context.cause):
                del self._at_work[record.context.cause]
            case "made" if not (record.implicit or (self._passes and self._passes[-1].again)):
                self._met.add(record.value)
            case "gradient":
                self._doors[record.recorder] = set(record.sources)
                if record.recorder not in self._speaks_for:
                    self._paired.clear()
            case "seed" | "contribution":
                if record.kind == "seed":
                    self._result_again(record)
                self._passed_on(place, record.context, record.into, record.part)
                self._arrives(record.part, record.into)
            case "total":
                self._arrives(record.total, record.into)
            case "gradients":
                self._flow(*[answer for answer in record.answers if answer is not None])
                if record.recorder in self._works_on and record.context.phase != "rebuild":
                    self._of[place] = self._works_on[record.recorder]
            case "op":
                self._applied(place, record.op)
                self._met.update(record.op.takes, record.op.gives)

    def _works_again(self, record: Any) -> None:
        """A recorder of a rerun's own begins: first its tape, then an accumulator for each that carried tangents through."""
        recorder, cause, actor = record.recorder, record.context.cause, record.context.actor
        region = self.region_of(cause)
        if cause not in self._at_work:
            self._at_work[cause] = recorder
            asks = self._asks()
            self._speaks_for[recorder] = self._speaks_for.get(actor, actor) if asks is None else asks
            if asks is not None:
                self._asked_again.add(recorder)
            if region is not None:
                self._works_on[recorder] = region
                self._carried[cause] = self._accumulators(region, cause)
        elif self._carried.get(cause) and recorder.kind == "accumulator":
            self._speaks_for[recorder] = self._carried[cause].pop(0)

    def _asks(self) -> Recorder | None:
        """Of a backward pass that is a region itself, and runs again, the tape whose question it was."""
        return next((each.region.asks for each in reversed(self._passes[:-1]) if each.again and each.region.asks), None)

    def _accumulators(self, region: Region, cause: Op) -> list[Recorder]:
        """Those inside of a region's tapes that carried tangents through its first run, outermost first."""
        order = list(self._entered)
        tapes = [self._speaks_for.get(by, by) for by in cause.taken if by.kind == "tape"]
        outside = [order.index(tape) for tape in tapes if tape in self._entered]
        found = {by for op in region.body for by in op.taken if by.kind == "accumulator" and by in self._entered}
        inside = [by for by in found if order.index(by) > min(outside, default=-1) and region not in self._entered[by]]
        return sorted(inside, key=order.index)

    def _opened(self, place: int, record: Any) -> Region:
        above = self._passes[-1] if self._passes else None
        again = above is not None and above.again
        if above is not None and above.again and above.opened < len(above.region.children):
            region = above.region.children[above.opened]
        else:
            region, again = self._new(record, above.region if above else None), False
            region.asks = self._speaks_for.get(record.context.actor, record.context.actor)
        if above is not None:
            above.opened += 1
        self._by_id[record.region] = region
        self._passes.append(_Pass(region, again, place))
        return region

    def _new(self, record: Any, parent: Region | None) -> Region:
        region = Region(record.path[-1] if record.path else record.region, "recompute", parent)
        self.regions.append(region)
        return region

    def _closed(self, record: Any) -> None:
        known = self._by_id.get(record.region)
        if known is None:  # a wrapped layer says only that it has ended
            known = self._new(record, self._passes[-1].region if self._passes else None)
            self._hold(known, [op for op in self._body_so_far if op.context.region])
            self._by_id[record.region] = known
        elif self._passes:
            over = self._passes.pop()
            if over.again and not over.ran and over.region.body and over.begins in self._of:
                self._by_rule.add(over.begins)
                known.by_rule = True
        if not known.by_rule:
            known.runs = max(known.runs, record.run + 1)
        known.kept, known.plain = record.saved, record.plain

    def _applied(self, place: int, op: Op) -> None:
        phase = op.context.phase
        if op.own_rule:
            self._custom(op)
            if self._passes and phase != "gradient":
                self._inside(self._passes[-1], op)
            elif phase == "rebuild":
                self._rebuilt(place, op)
        elif op.region:
            region = self._by_id.get(op.region)
            if region is not None and region.entry is None:
                region.entry = op
            elif region is not None and region.entry is not None:
                self.twins[op] = region.entry
        elif phase in ("gradient", "jvp"):
            self._flow(*op.gives)
        elif self._passes:
            self._inside(self._passes[-1], op)
        elif phase in ("rebuild", "recompute"):
            self._rebuilt(place, op)
        elif phase == "forward":
            if self._body_so_far and _place(self._body_so_far[-1]) != _place(op):
                self._body_so_far = []
            self._body_so_far.append(op)

    def _result_again(self, record: Any) -> None:
        """The seed of a rerun's backward pass belongs to a result of the region, even if no recorded op made that."""
        region, value = self._works_on.get(record.recorder), record.into
        own = any(value in op.gives for op in self._own)
        if region is None or region.entry is None or own or value in self.again or value in region.entry.gives:
            return
        taken = set(self.again.values()).union(*[self.twins[op].gives for op in self._own])
        given = [result for result in region.entry.gives if result not in taken and result.shape == value.shape]
        if given and value not in self.home:
            self.again[value] = given[0]

    def _inside(self, now: _Pass, op: Op) -> None:
        if not now.again:
            now.region.body.append(op)
            self.home.update(dict.fromkeys(op.gives, now.region))
        elif now.at < len(now.region.body) and self._alike(op, now.region.body[now.at]):
            self._pair(op, now.region.body[now.at])
            now.at += 1
        elif (again := self._the_same(op, now)) is not None:  # a rerun leaves out ops that are not needed again
            self._pair(op, now.region.body[again])
            now.at = again + 1
        elif op.context.role == "residual":
            self._flow(*op.gives)  # it works out what the backward pass needs, and did not run the first time
        else:
            now.at = len(now.region.body)  # another path than the first time: from here on nothing is a twin

    def _alike(self, op: Op, first: Op) -> bool:
        """Whether an op may be one of the first run: it does the same, and takes cotangents only where that did."""
        flows, flowed = [self._takes_cotangents(each) for each in (op, first)]
        return _kind(first) == _kind(op) and flows == flowed

    def _the_same(self, op: Op, now: _Pass) -> int | None:
        """Where the first run has the same op on the same values, further on."""
        takes = [self.first(value) for value in op.takes]
        body = now.region.body
        return next((
            at for at in range(now.at, len(body))
            if body[at].row is op.row and takes == [*body[at].takes] and op.context.role == body[at].context.role
        ), None)  # fmt: skip

    def _rebuilt(self, place: int, op: Op) -> None:
        """An op of a reversible layer's backward pass, which is one of its first run if it has the same op on the same values."""
        cause = op.context.cause
        region = None if cause is None else self._by_id.get(cause.region)
        if cause is None or region is None or self._takes_cotangents(op):
            self._flow(*op.gives)
            if op.row.name == "add":
                self._added(place, op)
            return
        region.kind, region.runs = "rebuild", max(region.runs, 2)
        if self._input_back(region, cause, op):
            return
        for ran in region.body:
            pairs = [(self.repeated(a), b) for a, b in zip(op.takes, ran.takes, strict=False)]
            unknown = [(a, b) for a, b in pairs if a is not b]
            fits = all(a not in self.home and a not in cause.takes and a.shape == b.shape for a, b in unknown)
            if ran.row.name == op.row.name and fits and ran not in self._paired:
                self.again.update((a, b) for a, b in unknown)
                self._pair(op, ran)
                return
        self._last_input(region, cause, op)

    def _takes_cotangents(self, op: Op) -> bool:
        return any(value in self._flowing for value in op.takes)

    def _flow(self, *cotangents: Value) -> None:
        for cotangent in cotangents:
            self._flowing.setdefault(cotangent, set())

    def _arrives(self, cotangent: Value, at: Value) -> None:
        self._flowing.setdefault(cotangent, set()).add(self.first(at))

    def _added(self, place: int, op: Op) -> None:
        """Cotangents that a reversible layer adds itself: of one value, or what comes to it through one of the layer's sums."""
        for part, other in (op.takes, op.takes[::-1]):
            for into in self._flowing.get(other, set()).copy():
                taken = op.context.cause is not None and into in op.context.cause.takes
                if into in self._flowing.get(part, ()) or (taken and self._passed_on(place, op.context, into, part)):
                    self._arrives(op.gives[0], into)

    def _passed_on(self, place: int, context: Context, into: Value, part: Value) -> bool:
        """Whether what comes to a value of a reversible layer is what has come to a sum that the layer made of it."""
        cause, by, to, whole = context.cause, context.actor, self.first(into), self._flowing.get(part, set())
        region = self.region_of(cause)
        if region is None or region.kind != "rebuild" or by is None or to in whole:
            return False
        ran = next((op for op in region.body if op.row.name == "add" and to in op.takes and op.gives[0] in whole), None)
        if ran is not None:
            self._sums.setdefault(place, []).append(_Share(by, to, part, ran, ran.takes.index(to), region))
        return ran is not None

    def _input_back(self, region: Region, cause: Op, op: Op) -> bool:
        """Whether an op takes from one of the layer's sums what was added, so that the input is left that it was added to."""
        if op.row.name != "subtract":
            return False
        whole, added = map(self.repeated, op.takes)
        for ran in region.body:
            if ran.row.name == "add" and ran.gives[0] is whole and added in ran.takes:
                left = ran.takes[1 - ran.takes.index(added)]
                makers = {value: maker for maker in region.body for value in maker.gives}
                while (
                    left not in cause.takes and left in makers
                ):  # put on a grid before it was added, where nothing may be lost
                    left = makers[left].takes[0]
                if left in cause.takes:
                    self.again[op.gives[0]] = left
                    return True
        return False

    def _last_input(self, region: Region, cause: Op, op: Op) -> None:
        """A rebuilt value without another place is the one input that is not back yet."""
        made = op.gives[0]
        missing = [value for value in cause.takes if value not in self.again.values() and value.shape == made.shape]
        missing = [
            value for value in missing if not value.variable
        ] or missing  # a weight only where nothing else went in
        used = [ran for ran in region.body if ran in self._paired]
        if len(missing) == 1 and len(used) == len([inner for inner in region.body if inner.row.name != "add"]):
            self.again[made] = missing[0]

    def _pair(self, op: Op, first: Op) -> None:
        self.twins[op] = first
        self._paired.add(first)
        if self._passes:
            self._passes[-1].ran = True
        if [by for by in op.taken if by not in self._speaks_for and by is not op.context.actor]:
            self._own.add(op)
            self._repeats.update(zip(op.gives, first.gives, strict=True))
            return
        pairs = [*zip(op.gives, first.gives, strict=True), *zip(op.takes, first.takes, strict=False)]
        self.again.update(
            (value, before)
            for value, before in pairs
            if value is not before and (value in op.gives or not (value.variable or value in self._met))
        )

    def _custom(self, entry: Op) -> None:
        """The rule of a custom gradient stands for the ops that the function itself just ran."""
        self.own_rules.add(entry)
        body = [
            op for op in self._body_so_far if op.site is not None and op.site.function in (entry.row.name, FORWARD_OF)
        ]
        if body:
            region = Region(entry.row.name, "custom", self._passes[-1].region if self._passes else None)
            region.entry = entry
            self.regions.append(region)
            self._hold(region, body)

    def _hold(self, region: Region, body: list[Op]) -> None:
        region.body, self._body_so_far = body, []
        self.home.update((value, region) for op in body for value in op.gives)

    # ---- telling ------------------------------------------------------------------------------------------------------

    def _all_told(self, place: int, record: Any) -> Iterator[Record]:
        """What is told of a record: first what a reversible layer passed on through its own sums, then the record itself."""
        for share in self._sums.get(place, ()):
            yield self._through_a_sum(share, record)
        if not (record.kind == "seed" and place in self._sums):
            yield self._told(place, record)

    def _through_a_sum(self, share: _Share, record: Any) -> Record:
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

    def region_of(self, entry: Op | None) -> Region | None:
        """The region that an op stands for."""
        return None if entry is None else self._by_id.get(entry.region)

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
            takes, gives = (
                tuple([self.first(value) for value in op.takes]),
                tuple([self.first(value) for value in op.gives]),
            )
            if takes == op.takes and gives == op.gives and not self._speaks_for:
                return op
            context = self._context(op.context)
            known = self._spoken[op] = changed(
                op, takes=takes, gives=gives, context=context,
                taken=self._takers(op), saved=tuple([(self._speaks_for.get(by, by), places) for by, places in op.saved]),
                refused=tuple([refusal for refusal in op.refused if refusal[0] not in self._speaks_for]),
            )  # fmt: skip
            for facts in (self.twins,):
                if op in facts:
                    facts[known] = facts[op]
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


def _place(op: Op) -> tuple[Any, ...]:
    site = op.site
    return op.context.region, site and (site.source, site.function, site.begins)


def _kind(op: Op) -> tuple[str, bool]:
    """What an op does, and whether only the backward pass needs it."""
    return op.row.name, op.context.role == "residual"


def _is_call(record: Any) -> bool:
    return record.kind == "op" and (record.op.own_rule or bool(record.op.region))
