"""What each step did with whole arrays: which rule ran in which direction, and every array that it read and gave.

The numbers are those of that moment (a variable may have changed since), where the run still has them.
"""

from __future__ import annotations

from typing import NamedTuple

from ..capture.records import Applied, Asked, Carried, Contributed, Op, Record, Recorder, Seeded, Summed, Value
from .claim import arguments
from .facts import Facts
from .formula import Operand
from .told import Again, AtDoor


class Look(NamedTuple):
    """One rule at work.  `reads` has the arrays by the names of the rule: arguments, `out`, `d`, or an argument and a prime."""

    way: str  # value | back | push
    op: Op
    position: int  # of the input that a gradient comes back to
    moving: tuple[int, ...]  # the inputs that have tangents
    result: Operand
    reads: dict[str, Operand]
    before: Operand | None = None  # what had come back through other uses
    total: Operand | None = None
    of: Operand | None = None  # the value whose gradient or tangent it is
    asked: int = -1  # the step that put the question, of a gradient
    by: Recorder | None = None  # who answers it, or carries the tangent along
    share: bool = False  # whether the gradient is the sum of this and others


class Looks:
    """Follows the records beside the telling, and notes what each step looks at."""

    def __init__(self, told: Facts) -> None:
        self._told = told
        self.at: dict[int, Look] = {}
        # By the step of a question: its targets and their seeds.
        self.seeds: dict[int, list[tuple[Operand, Operand]]] = {}
        self.moves: dict[Recorder, list[tuple[Operand, Operand]]] = {}  # by accumulator its primals and their tangents
        # Of every op the cards it takes, those it gives, and its step.
        self.uses: list[tuple[list[str], list[str], Op, int]] = []
        self._asked: dict[Recorder, int] = {}
        self._ran: dict[Op, dict[str, Operand]] = {}
        self._there: dict[tuple[Recorder, Value], Operand] = {}  # cotangents and tangents, where they stand

    def note(self, record: Record) -> None:
        """A record that was just told."""
        look = None
        match record:
            case Applied(op=op):
                look = self._value(op, op)
            case Again(op=op, known=known):
                look = self._value(op, known)
            case Asked(recorder=recorder):
                self._there = {key: seen for key, seen in self._there.items() if key[0] is not recorder}
                self._asked[recorder] = self._told.now
            case Seeded(recorder=recorder, into=into, part=part):
                seed = self._there[recorder, into] = self._gradient(recorder, into, part)
                self.seeds.setdefault(self._asked.get(recorder, -1), []).append((self._told.operand(into), seed))
            case Contributed():
                look = self._back(record, record.first)
            case AtDoor(recorder=recorder, into=into):
                look = self._back(record, False)
                if (both := self._told.arrived(recorder, into)) is not None:
                    whole = self._there[recorder, into] = self._gradient(recorder, into, record.part)._replace(
                        snap=both
                    )
                    look = look and look._replace(total=whole if look.before is not None else None)
            case Summed(recorder=recorder, into=into, total=total):
                self._summed(recorder, into, self._gradient(recorder, into, total))
            case Carried(recorder=recorder, of=of, tangent=tangent):
                look = self._push(record)
                put = self._there[recorder, of] = self._tangent(recorder, of, tangent)
                if record.seed:
                    self.moves.setdefault(recorder, []).append((self._told.operand(of), put))
        if look is not None and self._told.told:
            self.at.setdefault(self._told.now, look)

    def _gradient(self, recorder: Recorder, into: Value, part: Value) -> Operand:
        return self._told.gradient(recorder, into, self._told.snap(part))

    def _tangent(self, recorder: Recorder, of: Value, tangent: Value) -> Operand:
        return self._told.tangent(recorder, of, self._told.snap(tangent))

    def _value(self, op: Op, known: Op) -> Look | None:
        """What an op works out; a backward pass goes through it under the name of the op that is known."""
        if not op.gives:
            return None
        reads = self._told.by_row(op, known)
        gives = [self._told.operand(value) for value in op.gives]
        outs = {"out": gives[0]} if len(gives) == 1 else {f"out{place}": given for place, given in enumerate(gives)}
        self._ran[known] = {**reads, **outs}
        step = self._told.now if self._told.told else -1
        self.uses.append(([read.value for read in reads.values()], [seen.value for seen in gives], op, step))
        return None if self._told.names.replays.from_kept(op) else Look("value", op, 0, (), gives[0], reads)

    def _back(self, record: Contributed | AtDoor, first: bool) -> Look | None:
        op, recorder, into = record.context.cause, record.recorder, record.into
        part = self._gradient(recorder, into, record.part)
        before = self._there.get((recorder, into))
        if first or before is None:
            self._there[recorder, into], before = part, None
        if op is None or op not in self._ran:
            return None
        arrived = [self._there.get((recorder, value)) for value in op.gives]
        names = ["d"] if len(arrived) == 1 else [f"d{place}" for place in range(len(arrived))]
        changes = {name: seen for name, seen in zip(names, arrived, strict=True) if seen is not None}
        of = self._ran[op].get(arguments(op)[record.position])
        return Look(
            "back", op, record.position, (), part, {**self._ran[op], **changes}, before, None, of,
            self._asked.get(recorder, -1), recorder, self._told.names.several(record),
        )  # fmt: skip

    def _summed(self, recorder: Recorder, into: Value, total: Operand) -> None:
        self._there[recorder, into] = total
        look = self.at.get(self._told.now)
        if look is not None and look.before is not None and look.result.value == total.value:
            self.at[self._told.now] = look._replace(total=total)

    def _push(self, record: Carried) -> Look | None:
        op, recorder = record.op, record.recorder
        if record.seed or op is None or op not in self._ran or len(op.gives) != 1:
            return None
        given = arguments(op)
        tangents = {place: self._there.get((recorder, value)) for place, value in enumerate(op.takes)}
        moving = tuple(
            [place for place, tangent in tangents.items() if tangent is not None and op.row.differentiable(place)]
        )
        if self._told.moved_unseen(op, recorder, moving):
            return None
        changes = {f"{given[place]}'": seen for place, seen in tangents.items() if seen is not None and place in moving}
        result = self._tangent(recorder, record.of, record.tangent)
        reads = {**self._ran[op], **changes}
        return Look("push", op, 0, moving, result, reads, of=self._ran[op].get("out"), by=recorder)
