"""Tangents: carried along at once, looked up at any time."""

from __future__ import annotations

from typing import Any

from minitape.record.events import Label
from minitape.tensor import Tag
from minitape.trace import Application

from .cast import dotted
from .facts import Facts
from .formula import Operand, Term, derivative_words, operator, terms
from .run import Moment


class Tangents(Facts):
    """Tells of forward mode."""

    def _on_tangent(self, moment: Moment) -> None:
        facts = moment.event.facts
        label, of, tangent = facts["label"], facts["of"], facts["tangent"]
        if of not in self.cast.cards:
            return
        who, cell, kind = self._who(label), f"t:{self._id(label)}", self._kind("tangent", label)
        if facts["seed"]:
            self._value(of, born=0)
            say = f"{who} gives {self.name(of)} the tangent {self._spelled(tangent)}: the direction in which it moves."
            step = self._step("tangent", say, moment.event.site)
            self._set(of, cell, who, kind, self._snaps[tangent], by=label)
            self._add(step, "focus", [self.values[of]["id"], cell])
            return
        application: Application = facts["application"]
        merged = tangent in self.values and self._made_by.get(tangent) == self.now
        self._told = True
        step = self.steps[-1] if merged else self._step("tangent", "", application.site)
        arrived = {tag: self._holds(tag, cell) for tag in application.inputs}
        self._set(of, cell, who, kind, self._snaps[tangent], by=label)
        self._add(step, "focus", [self.values[of]["id"], cell])
        self._add(step, "marks", [self._id(label), self._kind("tangent", label)])
        say = f"{who} carries the tangent along, at once: that of {self.name(of)} is {self._spelled(tangent)}."
        if merged:
            step["say"] += f" It is {who}'s tangent of {self.name(of)}."
        else:
            step["say"] = say
        self._move_along(application, step, cell, kind, label, arrived, tangent, merged)

    def _move_along(
        self, application: Application, step: dict[str, Any], cell: str, kind: str, label: Label, arrived: Any, tangent: Tag,
        merged: bool,
    ) -> None:  # fmt: skip
        out = application.outputs[0]
        words = self._words(application)
        words["out"] = self._operand(out)
        columns: list[Term] = []
        for position, tag in enumerate(application.inputs):
            moving = arrived[tag]
            if moving is None or tag not in self.values or not application.primitive.differentiable(position):
                continue
            self._add(step, "flow", [self._edge(tag, out, position)["id"], kind])
            words["d"] = Operand(self._dotted(tag, label), moving, kind, self.values[tag]["id"])
            part = terms(derivative_words(application, position), words)
            minus = bool(part) and part[0][0] == "−"
            columns += part if not columns or minus else [operator("+"), *part]
        if columns and not merged:
            left = [self._dotted(out, label), self._operand(tangent).text, kind, self.values[out]["id"]]
            step["formula"] = [left, operator("="), *columns]

    def _dotted(self, tag: Tag, label: Label) -> str:
        return dotted(self.name(tag), self.cast.order[label])

    def _on_look_up(self, moment: Moment) -> None:
        facts = moment.event.facts
        label, of, found = facts["label"], facts["of"], facts["found"]
        who, site, cell = self._who(label), moment.event.site, f"t:{self._id(label)}"
        if of in self.cast.cards and of not in self.values and of in self._snaps:
            # Made in an outer accumulator's own work, which nobody saw: the card stands alone, and its cells stay empty.
            self._value(of, born=max(1, self.now), site=site)
            self._never(of, self.cast.tangents[of][0]) if of in self.cast.tangents else None
        if found is None:
            step = self._step(
                "miss",
                f"{who} looks for its tangent of {self.name(of)} and has none{self._why_no_tangent(label, of)}: None.",
                site,
            )
            if of in self.values:
                known = self._cells.get((of, cell))
                if known is None or not known["states"]:
                    self._set(
                        of,
                        cell,
                        who,
                        self._kind("tangent", label),
                        "None",
                        by=label,
                        why=f"{who} has no tangent for it",
                    )
        else:
            step = self._step(
                "look",
                f"{who} looks up its tangent of {self.name(of)}: {self._spelled(found)}. Nothing is computed.",
                site,
            )
        if of in self.values:
            self._add(step, "focus", [self.values[of]["id"], cell])
        self._add(step, "marks", [self._id(label), "look" if found is not None else "miss"])
        name = site.assigned_name()
        self._produced(step, name, "None" if found is None else self._spelled(found))

    def _why_no_tangent(self, label: Label, of: Tag) -> str:
        maker = self.cast.tangents.get(of, (None, None))[0]
        if maker is not None and maker is not label:
            return f", because an inner accumulator does not see what {self._who(maker)} computes"
        if maker is label:
            return ", because an accumulator does not see its own work"
        return ""
