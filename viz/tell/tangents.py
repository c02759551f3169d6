"""Tangents: carried along at once, looked up at any time."""

from __future__ import annotations

from typing import Any

from ..capture.records import Carried, LookedUp, Op, Recorder, Value
from .claim import joined, push_words, renamed, settled
from .facts import Facts
from .formula import Term, equation


class Tangents(Facts):
    """Tells of forward mode."""

    def _on_tangent(self, record: Carried) -> None:
        recorder, of, tangent, op = record.recorder, record.of, record.tangent, record.op
        if of not in self.names.cards:
            return
        who, cell, kind = self._who(recorder), f"t:{self._id(recorder)}", self._kind("tangent", recorder)
        name, what = self.name(of), self._spelled(tangent)
        if record.seed or op is None:
            self._card(of, born=0)
            step = self._step("tangent", self.words("tangent.seed", who=who, name=name, what=what), record.site)
            self._set(of, cell, who, kind, self.snap(tangent), by=recorder)
            self._focus(step, of, cell)
            return
        merged = tangent in self.cards and self._made_by.get(tangent) == self.now
        self.told = True
        step = self.steps[-1] if merged else self._step("tangent", "", op.site)
        arrived = {value: self._holds(value, cell) for value in op.takes}
        self._set(of, cell, who, kind, self.snap(tangent), by=recorder)
        self._focus(step, of, cell)
        self._mark(step, recorder, kind)
        if merged:
            step["say"] += " " + self.words("tangent.is", who=who, name=name)
        else:
            step["say"] = self.words("tangent", who=who, name=name, what=what)
        columns = self._moved_along(op, step, kind, recorder, arrived, tangent)
        if columns and not merged:
            step["formula"] = columns

    def _moved_along(
        self, op: Op, step: dict[str, Any], kind: str, recorder: Recorder, arrived: Any, tangent: Value
    ) -> list[Term]:
        """Draw the tangents that came in along their edges; returns what they make, as a formula."""
        words = {**self._operands(op), "out": self.operand(op.gives[0])}
        moving = [at for at, value in enumerate(op.takes) if arrived[value] is not None and op.row.differentiable(at)]
        if self.moved_unseen(op, recorder, moving):
            return []
        for at in moving:
            value = op.takes[at]
            if value not in self.cards:
                return []
            self._add(step, "flow", [self._edge(value, op.gives[0], at)["id"], kind])
            words[f"d_{at}"] = self.tangent(recorder, value, arrived[value])
        parts = push_words(op, moving) if len(op.gives) == 1 else []
        self._card(op.gives[0])
        left = self.tangent(recorder, op.gives[0], self.snap(tangent))
        said = [settled(part, words[f"d_{at}"].snap, words) for part, at in zip(parts, moving, strict=bool(parts))]
        text = joined([renamed(part, f"d_{at}") for part, at in zip(said, moving, strict=True)]) if said else ""
        return equation([left.symbol, left.text, left.kind, left.value], text, words)

    def _on_look_up(self, record: LookedUp) -> None:
        recorder, of, found, site = record.recorder, record.of, record.found, record.site
        who, cell = self._who(recorder), f"t:{self._id(recorder)}"
        if of in self.names.cards and of not in self.cards and self._seen(of) is not None:
            # Made by an outer accumulator's own work, which was not recorded: the card stands alone, and its cells stay empty.
            self._card(of, born=max(1, self.now), site=site)
            if of in self.names.tangents:
                self._never(of, self.names.tangents[of][0])
        if found is None:
            why = self._why_no_tangent(recorder, of)
            step = self._step("miss", self.words("look.none", who=who, name=self.name(of), why=why), site)
            known = self._cells.get((of, cell))
            if of in self.cards and (known is None or not known["states"]):
                why = self.words("look.no_tangent", who=who)
                self._set(of, cell, who, self._kind("tangent", recorder), "None", by=recorder, why=why)
        else:
            name, what = self.name(of), self._spelled(found)
            zeros = found in self.names.made and found not in self.names.tangents
            say = self.words("look.zeros" if zeros else "look", who=who, name=name, what=what)
            step = self._step("look", say, site)
        if of in self.cards:
            self._focus(step, of, cell)
        self._mark(step, recorder, "look" if found is not None else "miss")
        self._looked_up = [*(self._looked_up if record.part else []), found]
        if record.part + 1 == record.parts:
            self.beside.gave(step, site.name if site is not None else "", *self._looked_up)

    def _why_no_tangent(self, recorder: Recorder, of: Value) -> str:
        maker = self.names.tangents.get(of, (None, None))[0]
        if maker is None:
            return ""
        return self.words("look.own") if maker is recorder else self.words("look.inner", maker=self._who(maker))
