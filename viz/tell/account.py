"""What happened in a run, as an account that can be held against another framework's of the same program.

An account has aspects, each a list of facts in order: the words of a fact say what happened, its numbers what came of it.  Names
of values and recorders' identities are left out, so that two frameworks say the same where they did the same.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ..capture.numbers import Snapshot, flat
from ..capture.records import Op, Record, Recorder, Value
from ..capture.stream import Stream

ASPECTS = {
    "ops": "ops, and who writes them down",
    "kept": "what is kept for the backward pass",
    "recorders": "what recorders do",
    "regions": "what runs again",
    "back": "what comes back, edge by edge",
    "sums": "what is added up",
    "answers": "answers",
    "tangents": "tangents",
    "rules": "ops inside the rules",
}
BLOCKS = frozenset({"enter", "exit", "pause", "resume", "reset", "release", "deleted"})
NEAR = 2e-4  # numbers are told to six digits
MOST = 12  # numbers of an array that an account has


class Fact(NamedTuple):
    """One thing that happened."""

    words: tuple[str, ...]
    numbers: tuple[float, ...] = ()

    def __str__(self) -> str:
        numbers = ", ".join(f"{number:.6g}" for number in self.numbers)
        return " ".join(filter(None, self.words)) + (f": {numbers}" if numbers else "")


Account = dict[str, list[Fact]]


def near(one: Fact, other: Fact) -> bool:
    """Whether two facts of the same words have the same numbers, but for the last digits that are shown."""
    return len(one.numbers) == len(other.numbers) and all(
        math.isclose(a, b, rel_tol=NEAR, abs_tol=NEAR) or (math.isnan(a) and math.isnan(b))
        for a, b in zip(one.numbers, other.numbers, strict=True)
    )


class Teller:
    """Makes an account; `records` has, beside each fact, the record that it is from.

    `named` is whether recorders have names, as in some frameworks only.
    """

    def __init__(self, stream: Stream, named: bool = True) -> None:
        self.facts: Account = {aspect: [] for aspect in ASPECTS}
        self.records: dict[str, list[Record]] = {aspect: [] for aspect in ASPECTS}
        self.order = {id(record): at for at, record in enumerate(stream.records)}
        self._named = named
        self._record = Record()
        self._seen: dict[Value, Snapshot] = {}  # what each value was when it was last told
        self._parts: dict[Any, int] = {}  # by recorder and value: how many shares have come
        self._totals: dict[Any, tuple[float, ...]] = {}
        for self._record in stream.records:
            self._seen.update(self._record.numbers)
            self._told(self._record)

    def _name(self, recorder: Recorder) -> str:
        return recorder.name if self._named else ""

    def _add(self, aspect: str, *words: str, numbers: tuple[float, ...] = ()) -> None:
        self.facts[aspect].append(Fact(words, numbers))
        self.records[aspect].append(self._record)

    def _told(self, record: Any) -> None:
        kind = record.kind
        if kind == "op":
            self._op(record)
        elif kind in BLOCKS:
            self._add("recorders", kind, self._name(record.recorder))
        elif kind == "watch":
            self._add("recorders", kind, self._name(record.recorder), "asked to" if record.explicit else "by itself")
        elif kind.startswith("region"):
            self._add("regions", kind.replace("-", " "), "/".join(record.path), f"run {record.run + 1}")
        elif kind == "gradient":
            for places in (self._parts, self._totals):
                for place in [place for place in places if place[0] is record.recorder]:
                    del places[place]
        elif kind == "seed":
            self._add("back", self._name(record.recorder), "begins", numbers=self._numbers(record.part))
        elif kind == "contribution":
            cause: Op = record.context.cause
            words = self._name(record.recorder), "through", name_of(cause), f"argument {record.position + 1}"
            self._add("back", *words, numbers=self._numbers(record.part))
            place = record.recorder, record.into
            self._parts[place] = self._parts.get(place, 0) + 1
        elif kind == "total":
            self._totals[record.recorder, record.into] = self._numbers(record.total)
        elif kind == "gradients":
            self._answers(record)
        elif kind == "tangent":
            how = "is given" if record.seed else f"through {name_of(record.op)}" if record.op is not None else ""
            self._add("tangents", self._name(record.recorder), how, numbers=self._numbers(record.tangent))
        elif kind == "look-up":
            found = () if record.found is None else self._numbers(record.found)
            self._add("tangents", self._name(record.recorder), "looks up", "" if found else "None", numbers=found)

    def _op(self, record: Any) -> None:
        op: Op = record.op
        if op.context.phase in ("gradient", "jvp"):
            if op.context.role != "accumulate":
                self._add("rules", name_of(op), numbers=self._results(op))
            return
        names = sorted({self._name(recorder) or "a recorder" for recorder in op.taken})
        who = ", ".join(names) or "nobody"
        again = ("again",) if op.context.phase == "recompute" else ()
        self._add("ops", *again, name_of(op), "by", who, numbers=self._results(op))
        for recorder in op.taken:
            if recorder.kind == "tape":
                places = sorted({place for by, kept in op.saved if by is recorder for place in kept})
                said = [*map(_place, places)] or ["nothing"]
                self._add("kept", *again, name_of(op), recorder.name, "keeps", *said)

    def _answers(self, record: Any) -> None:
        recorder = record.recorder
        for (by, into), count in self._parts.items():
            total = self._totals.get((by, into))
            if by is recorder and count > 1 and total is not None:
                self._add("sums", self._name(recorder), f"of {count}", numbers=total)
        for answer in record.answers:
            numbers = () if answer is None else self._numbers(answer)
            self._add("answers", self._name(recorder), "None" if answer is None else "", numbers=numbers)

    def _results(self, op: Op) -> tuple[float, ...]:
        return self._numbers(op.gives[0]) if op.gives else ()

    def _numbers(self, value: Value) -> tuple[float, ...]:
        snap = self._seen.get(value) or value.early
        return () if snap is None else plain(snap)


def name_of(op: Op | None) -> str:
    """What an op is called where frameworks, or two runs, are compared; "" for none."""
    return "" if op is None else op.row.same or op.row.name


def _place(place: int) -> str:
    return f"argument {place + 1}" if place >= 0 else "its result"


def plain(snap: Snapshot) -> tuple[float, ...]:
    """The numbers of a value, rounded as a reader sees them: some of a small array, the range of a large one."""
    if snap.data is None:
        return () if snap.value is None else (_rounded(snap.value),)
    numbers = snap.data.get("numbers", [snap.data[end] for end in ("low", "high") if end in snap.data])
    return tuple(list(map(_rounded, map(float, flat(numbers))))[:MOST])


def _rounded(number: float) -> float:
    return float(f"{number:.6g}")
