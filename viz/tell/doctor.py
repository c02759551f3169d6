"""What is wrong with a run, found in its records: the first number that is none, gradients that vanish or explode, dead units,
variables that nothing reaches, updates larger than what they change, answers that leave a use out.

A finding has the place of its record, so that it can be told at the step that shows it.  The thresholds are set so that
programs that work raise nothing; `tests/viz/test_doctor.py` holds both sides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..capture.numbers import Snapshot, exactly, measure, measured, number
from ..capture.records import (
    Answered,
    Applied,
    Asked,
    Assigned,
    Contributed,
    Op,
    Recorder,
    Seeded,
    Summed,
    Value,
    Watched,
)  # fmt: skip
from .left import left_out
from .words import Words

VANISHED, EXPLODED = 1e-10, 1e5  # a gradient against the largest of its backward pass, or the first one that is no seed
CANCELLED = 1e-5  # a share of what came to an op; less than that is left only of sums that should give 0
RATE = 0.1  # a large step
SLIGHT = 1e-5  # a gradient that is no smaller beside the first one may be that of a net that has learned
DEEP = 8  # ops that a way must have before a small or large gradient is called so
FEW = 4  # examples that a batch must have before a unit is called dead
FAR = 6  # how many times its spread a dead unit lies below 0; a unit that is off by chance lies nearer
NOTHING = 0.0, 0.0, 0  # what has arrived where nothing has: see `Doctor._arrived`
UNITS = frozenset({"relu", "relu6"})


class Finding(NamedTuple):
    """One trouble: the place of its record, its kind, the value it is about, and what else its sentence says."""

    at: int
    kind: str
    value: Value
    facts: dict[str, Any]

    def say(self, name: Callable[[Value], str], words: Words) -> str:
        """The sentence, once values have names."""
        if "op" in self.facts:
            return self._first(name, words, **self.facts)
        facts = {key: number(fact) if isinstance(fact, float) else fact for key, fact in self.facts.items()}
        return words(f"doctor.{self.kind}", name=name(self.value), **facts)

    def _first(self, name: Callable[[Value], str], words: Words, op: Op, way: str, where: list[str]) -> str:
        """The same of the first number that is none."""
        cause, row = op.context.cause, op.row.name
        numbers = (" and " if len(where) == 2 else ", ").join(where)
        how = words("doctor.made_of", op=row, where=numbers) if where else words("doctor.made_by", op=row)
        through = name(cause.gives[0]) if cause is not None and cause.gives else ""
        what = words("doctor.nan") if self.kind == "nan" else words("doctor.inf")
        if way == "forward":
            return words("doctor.forward", what=what, how=how, name=name(self.value))
        return words("doctor.backward", what=what, how=how, through=through)


class Doctor:
    """Goes through the records once; `findings` are in the order of time."""

    def __init__(self, records: list[Any]) -> None:
        self.findings: list[Finding] = []
        self._now: dict[Value, Snapshot] = {}
        self._met: set[Any] = set()
        self._learnt: set[Value] = set()  # variables whose gradient was asked for since they changed last
        self._records = records
        # Size of a gradient, the size that it would have had if nothing had cancelled on its way, and the ops behind it.
        self._arrived: dict[Recorder, dict[Value, tuple[float, float, int]]] = {}
        self._top: dict[Recorder, float] = {}
        self._dead: dict[Any, list[Any]] = {}  # by line: where, the op, and by unit whether it never was alive
        measure([snap for record in records for snap in record.numbers.values() if snap.whole is not None])
        for at, record in enumerate(records):
            before = self._now.get(record.value) if isinstance(record, Assigned) else None
            self._now.update(record.numbers)
            match record:
                case Applied():
                    for out in record.op.gives:
                        if not _sound(snap := self._snap(out)):
                            self._number(at, record.op, out, snap)
                    if record.op.row.name in UNITS:
                        self._units(at, record.op)
                case Asked(recorder=recorder):
                    self._arrived[recorder] = {}
                    self._top.pop(recorder, None)
                case Seeded(recorder=recorder, into=into):
                    self._arrived.setdefault(recorder, {})[into] = NOTHING
                case Contributed():
                    self._share(at, record)
                case Summed(recorder=recorder, into=into, total=total):
                    arrived = self._arrived.setdefault(recorder, {})
                    so_far, uncancelled, deep = arrived.get(into, NOTHING)
                    size = _size(self._snap(total)) or so_far
                    arrived[into] = size, max(size, uncancelled), deep
                case Answered():
                    self._answers(at, record)
                case Assigned():
                    self._update(at, record.value, before or record.value.early)
        for at, op, dead in self._dead.values():
            # Many a net that learns well has a few dead units.
            if dead is not None and 2 * dead.sum() >= max(2, dead.size):
                self._add(at, "dead", op.gives[0], {"count": int(dead.sum()), "units": dead.size})
        self.findings.sort(key=lambda finding: finding.at)

    def _snap(self, value: Value) -> Snapshot | None:
        return self._now.get(value, value.early)

    def _add(self, at: int, kind: str, value: Value, facts: dict[str, Any], once: Any = None) -> None:
        if once is None or once not in self._met:
            self._met.add(once)
            self.findings.append(Finding(at, kind, value, facts))

    # ---- numbers that are none ----------------------------------------------------------------------------------------------

    def _number(self, at: int, op: Op, out: Value, snap: Snapshot | None) -> None:
        way = "forward" if op.context.phase in ("forward", "recompute", "rebuild") else "backward"
        for sign in _none(snap):
            if not any(sign in _none(self._snap(value), perhaps=True) for value in op.takes):
                where = self._where(op, out, sign)
                self._add(at, sign, out, {"op": op, "way": way, "where": where}, (sign, way))

    def _where(self, op: Op, out: Value, sign: str) -> list[str]:
        """The operands' numbers at the first place where it happened; none where the op does not work number by number."""
        made, given = _array(self._snap(out)), [_array(self._snap(value)) for value in op.takes]
        if made is None or op.row.pushes or not all(one is not None and _spreads(one, made) for one in given):
            return []
        place = tuple(np.argwhere(np.isnan(made) if sign == "nan" else np.isinf(made))[0])
        return [number(float(np.broadcast_to(one, made.shape)[place])) for one in given]

    # ---- units ----------------------------------------------------------------------------------------------------------------

    def _units(self, at: int, op: Op) -> None:
        if op.context.phase != "forward" or len(op.takes[0].shape) < 2:
            return
        x = _array(self._snap(op.takes[0]))
        key = op.site if op.site is not None else op
        if x is None or x.size // max(1, x.shape[-1]) < FEW or not np.isfinite(x).all():
            self._dead[key] = [at, op, None]
            return
        batch = x.reshape(-1, x.shape[-1])
        dead = (batch <= 0).all(0) & (batch.mean(0) + FAR * batch.std(0) < 0)
        known = self._dead.get(key)
        if known is None:
            self._dead[key] = [at, op, dead]
        elif known[2] is not None:
            known[2] = known[2] & dead if known[2].shape == dead.shape else None

    # ---- gradients ------------------------------------------------------------

    def _share(self, at: int, record: Contributed) -> None:
        op, recorder, into = record.context.cause, record.recorder, record.into
        size = _size(self._snap(record.part))
        if op is None or size is None:
            return
        arrived = self._arrived.setdefault(recorder, {})
        if len(op.gives) == 1:
            before, uncancelled, deep = arrived.get(op.gives[0], NOTHING)
        else:
            came = [arrived.get(value, NOTHING) for value in op.gives]
            before, uncancelled, _ = max(came, key=lambda arrival: arrival[0])
            deep = max([arrival[2] for arrival in came])
        deep += 1
        if before:
            uncancelled *= 1.0 if size < CANCELLED * before else size / before
        else:
            uncancelled = size
        arrived[into] = size, uncancelled, deep
        top = self._top.setdefault(recorder, size)
        facts = {"size": size, "top": top, "deep": deep}
        if deep >= DEEP and 0 < uncancelled < VANISHED * top:
            self._add(at, "vanishes", into, facts, ("vanishes", recorder))
        if deep >= DEEP and into.variable and size > EXPLODED * max(top, 1e-3):
            self._add(at, "explodes", into, facts, ("explodes", recorder))
        if deep <= 2 and not into.variable:
            self._top[recorder] = max(top, size)

    def _answers(self, at: int, record: Answered) -> None:
        self._learnt.update([source for source in record.sources if source.variable])
        # A region asks for its own backward pass, and adds up what its parts answer.
        if record.context.phase != "forward":
            return
        self._still(at, record)
        missing = left_out(self._records, at)
        for source, answer in zip(record.sources, record.answers, strict=True):
            if answer is not None and (left := missing.get(source)) is not None:
                line = left.line.line if left.line is not None else 0
                self._add(at, "left", source, {"what": left.what, "line": line})
            if answer is None and source.variable and not self._left_alone(source, record.recorder):
                self._add(at, "unreached", source, {}, ("unreached", source))

    def _still(self, at: int, record: Answered) -> None:
        """Variables that even a large step would not move by a digit, because so little came back to them."""
        arrived, top = self._arrived.get(record.recorder, {}), self._top.get(record.recorder, 0.0)
        variables = [source for source in record.sources if source.variable and source in arrived]
        still = list[tuple[Value, float, float]]()
        for source in variables:
            size, uncancelled, deep = arrived[source]
            was = _size(self._snap(source)) or 0.0
            if deep >= DEEP and uncancelled < SLIGHT * top and 0 < RATE * size < was * np.finfo(source.dtype).eps / 2:
                still.append((source, size, was))
        if still:
            (first, size, was), count = still[0], len(still)
            facts = {"size": size, "was": was, "dtype": first.dtype, "count": count, "all": len(variables)}
            self._add(at, "still", first, facts, ("still", record.recorder))

    def _left_alone(self, source: Value, recorder: Recorder) -> bool:
        """Whether a tape heard a variable being read and did not watch it by itself, as it does others: it shall not learn."""
        watched: dict[Value, bool] = {}
        heard = False
        for record in self._records:
            if isinstance(record, Watched) and record.recorder is recorder:
                watched[record.value] = record.explicit
            elif isinstance(record, Applied) and source in record.op.takes:
                heard = heard or recorder in (*record.op.taken, *dict(record.op.refused))
        by_itself = not watched or not all(watched.values())
        return heard and by_itself and source not in watched

    def _update(self, at: int, value: Value, before: Snapshot | None) -> None:
        old, new = _array(before), _array(self._snap(value))
        if value not in self._learnt or old is None or new is None or old.shape != new.shape:
            return
        self._learnt.discard(value)
        was, change = float(np.linalg.norm(old)), float(np.linalg.norm(new - old))
        most = 1.0 if old.ndim > 1 else 10.0  # a bias begins at 0 and a lone number near it: they may move far
        if np.isfinite(change) and was > 1e-3 * np.sqrt(old.size) and change > most * was:
            self._add(at, "update", value, {"change": change, "was": was}, ("update", value))


def _array(snap: Snapshot | None) -> Any:
    """All numbers of a value; None where they are not at hand."""
    numbers = None if snap is None else exactly(snap)
    return None if numbers is None else numbers.astype(float)


def _spreads(given: Any, made: Any) -> bool:
    """Whether an operand has a number for each that was made, its own or one that it is repeated for."""
    try:
        return bool(np.broadcast_shapes(given.shape, made.shape) == made.shape)
    except ValueError:
        return False


def _sound(snap: Snapshot | None) -> bool:
    """Whether it is known at once that all numbers of a value are finite: the usual case, in a long program."""
    if snap is None:
        return False
    if isinstance(snap.value, float):
        return math.isfinite(snap.value)
    return snap.measure is not None and not (snap.measure.nan or snap.measure.infinite)


def _none(snap: Snapshot | None, perhaps: bool = False) -> Iterator[str]:
    """Which of nan and inf a value holds; or `perhaps` holds, where NaN hides it in a range."""
    if snap is None or _sound(snap):
        return
    data = snap.data or {}
    some: Any = (
        snap.value if snap.value is not None else data.get("numbers", [data.get("low", 0.0), data.get("high", 0.0)])
    )
    try:
        found = np.asarray(some, float)
    except (TypeError, ValueError):
        return
    hidden = snap.value is None and "low" in data and np.isnan(found).any()
    if hidden and snap.whole is not None:
        found, hidden = snap.whole.array, False
    if np.isnan(found).any():
        yield "nan"
    if np.isinf(found).any() or hidden and perhaps:
        yield "inf"


def _size(snap: Snapshot | None) -> float | None:
    """How large the numbers of a gradient are, as the root of the mean of their squares."""
    if snap is not None and snap.whole is None and isinstance(snap.value, float):
        return abs(snap.value) if math.isfinite(snap.value) else None
    if snap is not None and snap.whole is not None and (known := measured(snap)) is not None:
        return None if known.nan or known.infinite else math.sqrt(known.squares / math.prod(snap.whole.shape))
    found = _array(snap)
    if found is None or not np.size(found) or not np.isfinite(found).all():
        return None
    return float(np.sqrt(np.mean(np.square(found))))
