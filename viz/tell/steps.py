"""The steps of a run, one change each, in the order in which things happened.

Every record is told by the method of its name (`_on_` and the record's kind); one without changes nothing in the picture.
A record that cannot be told only costs its own step, which then shows the bare facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..capture.records import Applied, Record
from .doctor import Doctor, Finding
from .folds import Folds
from .given import given_last
from .looks import Looks
from .names import Names
from .program import Program
from .recorders import Recorders
from .tangents import Tangents
from .words import Words, listed


class CannotTell(Exception):
    """A record could not be told: which one, and what happened."""

    def __init__(self, place: int, kind: str, problem: Exception) -> None:
        super().__init__(f"record {place} ({kind}): {problem!r}")
        self.place, self.kind, self.problem = place, kind, problem


class Steps(Folds, Recorders, Tangents):
    """Builds cards, edges and steps from the records of a run; `bare` are those that only show their facts."""

    def __init__(self, names: Names, program: Program, words: Words, bare: Mapping[Any, str] | None = None) -> None:
        super().__init__(names, program, words)
        bare = bare or {}
        self._holders.begin(names.cards)
        self.looks = Looks(self)
        self.alarms: list[dict[str, Any]] = []
        waiting = Doctor(names.stream.records).findings
        places = {id(record): place for place, record in enumerate(names.stream.records)} if waiting else {}
        reached, covered = 0, list[Record]()
        self._step("start", words("start"), None)
        for value in names.cards:
            if value.early is not None and value not in names.made and value not in names.ops:
                self._card(value, born=0)
        for place, record in enumerate(names.records):
            covered += names.folding.covered.get(record, [])
            self._snaps.update(record.numbers)
            self.beside.changed.update(dict.fromkeys(value for value in record.numbers if value.variable))
            self.told = False
            if place in bare or record.kind in bare:
                self._bare(record, bare.get(place) or bare[record.kind])
            else:
                try:
                    getattr(self, "_on_" + record.kind.replace("-", "_"), self._ignore)(record)
                except Exception as problem:
                    raise CannotTell(place, record.kind, problem) from problem
            if self.told:
                self._bring_up(covered)
                covered.clear()
            self.looks.note(record)
            self._weigh(record)
            for heard in (record, *names.folding.covered.get(record, ())):
                reached = places.get(id(heard), reached)
            while self.told and waiting and waiting[0].at <= reached:
                self._alarm(waiting.pop(0))
        self._bring_up(covered)
        for finding in waiting:
            self._alarm(finding)
        for value, others in names.also.items():
            if value in self.cards:
                self.steps[self.cards[value]["born"]]["say"] += " " + words(
                    "also", name=self.name(value), others=listed([*others.values()])
                )
        for alarm in self.alarms:  # at the end, since the sentence of a step changes while shares arrive
            self.steps[alarm["t"]]["say"] += " " + alarm["say"]

    def _bring_up(self, covered: list[Record]) -> None:
        """Bring the lines of what is folded to what they gave last, where something older stands beside them."""
        step = self.steps[-1]
        for site, name, values in given_last(covered, self.names, self.name):
            place = self.program.place(site)
            if place is not None and self.beside.stands(place, name):
                self.beside.give(step, place, name, *values)
        for value in [value for record in covered if isinstance(record, Applied) for value in record.op.gives]:
            if value.given_to:
                self.beside.hand_out(step, value, old=True)
        self.beside.without_old(step)

    def _alarm(self, finding: Finding) -> None:
        """Tell at this step what is wrong."""
        self.alarms.append({"t": self.now, "kind": finding.kind, "say": finding.say(self.name, self.words)})

    def _ignore(self, record: Record) -> None:
        """A record that changes nothing in the picture."""

    def _bare(self, record: Record, problem: str) -> None:
        """Show what a record says, since it cannot be told."""
        self._step(
            "bare", self.words("bare", kind=record.kind, facts=plain_facts(record), problem=problem), record.site
        )


def plain_facts(record: Any) -> str:
    """A record's own facts as a row of words."""
    from dataclasses import fields

    common = {field.name for field in fields(Record)}
    facts = {field.name: getattr(record, field.name) for field in fields(record) if field.name not in common}
    said = [f"{name} {_plain(fact)}" for name, fact in facts.items() if fact not in (None, "", (), False)]
    return ", ".join(said) or "no facts"


def _plain(fact: Any) -> str:
    if isinstance(fact, tuple):
        return " ".join(map(_plain, fact))
    if isinstance(fact, dict):
        return " ".join(f"{_plain(key)}: {_plain(value)}" for key, value in fact.items())
    for name in ("row", "name", "id"):
        if hasattr(fact, name) and getattr(fact, name):
            return _plain(getattr(fact, name))
    return str(fact)
