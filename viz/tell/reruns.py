"""Which op and which value of a region's first run each op and value of a rerun repeats.

A rerun makes new values, but they repeat those of the first run, in the same order on the same path; a reversible layer rebuilds
its inputs.  Only a rerun that somebody else writes down (a tape around it) keeps values of its own.  The tape that
works inside of a rerun speaks for the tape that asked for it; one that the region's own function opens speaks for itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..capture.records import Context, Op, Record, Recorder, Value
from .told import Region

FORWARD_OF = "forward"  # what a function with a rule of its own is called where that rule stands beside it


class Share(NamedTuple):
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


class Reruns:
    """The regions of a run, and what each of their reruns repeats."""

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
        self._sums: dict[int, list[Share]] = {}  # by record: what is passed on there through a layer's own sums
        # All values but those that a rerun makes anew of nothing: numbers in a formula, zeros to begin with.
        self._met: set[Value] = set()
        self._own: set[Op] = set()  # replayed ops that have values of their own
        self._repeats: dict[Value, Value] = {}  # those values, and which ones of the first run they repeat
        self._of: dict[int, Region] = {}  # by record, where a region opens, runs again or is done
        self._by_rule: set[int] = set()  # where a region is said to run again, and nothing in it does
        self._body_so_far: list[Op] = []
        # Ops of first runs that have come again for the question that is being answered.
        self._paired: set[Op] = set()
        kinds = {record.kind for record in records}
        self.has_regions = any([kind.startswith("region") for kind in kinds]) or any(map(_is_call, records))
        for place, record in enumerate(records if self.has_regions else ()):
            self._read(place, record)

    def first(self, value: Value) -> Value:
        """The value of the first run that this one is again; itself if it is none."""
        while value in self.again:
            value = self.again[value]
        return value

    def repeated(self, value: Value) -> Value:
        """The same; for a value of a rerun's own, the one that it repeats."""
        return self.first(self._repeats.get(value, value))

    def region_of(self, entry: Op | None) -> Region | None:
        """The region that an op stands for."""
        return None if entry is None else self._by_id.get(entry.region)

    def _read(self, place: int, record: Any) -> None:
        match record.kind:
            case "region-open":
                self._of[place] = self._opened(place, record)
            case "region-replay":
                if record.region not in self._by_id:  # its first run was before the recording
                    self._by_id[record.region] = self._new(record)
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
            region, again = self._new(record), False
            region.asks = self._speaks_for.get(record.context.actor, record.context.actor)
        if above is not None:
            above.opened += 1
        self._by_id[record.region] = region
        self._passes.append(_Pass(region, again, place))
        return region

    def _new(self, record: Any) -> Region:
        return self._begun(record.path[-1] if record.path else record.region, "recompute")

    def _begun(self, name: str, kind: str) -> Region:
        """A new region, in the one that runs, or runs again."""
        region = Region(name, kind, self._passes[-1].region if self._passes else None)
        self.regions.append(region)
        return region

    def _closed(self, record: Any) -> None:
        known = self._by_id.get(record.region)
        if known is None:  # a wrapped layer says only that it has ended
            known = self._new(record)
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
        """The place further on at which the first run has the same op on the same values."""
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
            self._sums.setdefault(place, []).append(Share(by, to, part, ran, ran.takes.index(to), region))
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
                # An input may have been put on a grid before it was added, where nothing may be lost.
                while left not in cause.takes and left in makers:
                    left = makers[left].takes[0]
                if left in cause.takes:
                    self.again[op.gives[0]] = left
                    return True
        return False

    def _last_input(self, region: Region, cause: Op, op: Op) -> None:
        """A rebuilt value without another place is the one input that is not back yet."""
        made = op.gives[0]
        missing = [value for value in cause.takes if value not in self.again.values() and value.shape == made.shape]
        missing = [value for value in missing if not value.variable] or missing  # a weight where nothing else went in
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
            region = self._begun(entry.row.name, "custom")
            region.entry = entry
            self._hold(region, body)

    def _hold(self, region: Region, body: list[Op]) -> None:
        region.body, self._body_so_far = body, []
        self.home.update((value, region) for op in body for value in op.gives)


def _place(op: Op) -> tuple[Any, ...]:
    site = op.site
    return op.context.region, site and (site.source, site.function, site.begins)


def _kind(op: Op) -> tuple[str, bool]:
    """What an op does, and whether only the backward pass needs it."""
    return op.row.name, op.context.role == "residual"


def _is_call(record: Any) -> bool:
    return record.kind == "op" and (record.op.own_rule or bool(record.op.region))
