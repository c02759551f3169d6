"""Ops: what they make, who writes them down, and what is kept for the way back."""

from __future__ import annotations

from typing import Any

from minitape.record.events import Label
from minitape.trace import Application

from .again import Region
from .facts import Facts
from .formula import formula_words, operator, terms
from .run import Moment

_REASONS = {
    "unwatched": "nothing that flows into it is watched",
    "no tangent": "nothing that flows into it carries a tangent",
    "no derivative": "this op has no slope",
}


class Ops(Facts):
    """Tells of ops that have a card."""

    def _on_op(self, moment: Moment) -> None:
        application: Application = moment.event.facts["application"]
        if application.outputs[0] not in self.cast.cards or application.outputs[0] not in self.cast.applications:
            return
        forward = application.context.phase == "forward"
        site = application.site if forward else moment.event.site
        twin = self.cast.again.twin(application)
        step = self._step("op" if twin is None else "replay", "", site)
        if not forward and application.context.cause is not None:
            cause = self.program.place(application.context.cause.site)
            if cause is not None:
                step["cause"] = cause
        for tag in application.inputs:
            self._value(tag)
        for tag in application.outputs:
            self._value(tag, site=site)
            self._add(step, "focus", self.values[tag]["id"])
        taken, refused = self._verdicts(application, step)
        self._draw_edges(application, step, taken)
        out = application.outputs[0]
        words = self._words(application)
        left = self._operand(out)
        step["formula"] = [
            [left.symbol, left.text, left.kind, left.value],
            operator("="),
            *terms(formula_words(application), words),
        ]
        step["say"] = self._sentence(application, taken, refused)
        self._produced(step, application.site.assigned_name() if forward else "", self._spelled(out))
        home = self.cast.again.home.get(out)
        if home is not None and home.kind != "custom":
            self._inside(home, step)
        elif forward and not taken and self.cast.recorders:
            reason = next(iter(refused.values()), "nobody was listening")
            for tag in application.outputs:
                self.values[tag]["ghost"] = reason
        if not forward:
            self._unseen_cells(application)
        if twin is not None:
            self._repeats(application, twin, step)

    def _repeats(self, application: Application, twin: Application, step: dict[str, Any]) -> None:
        """A replayed op that somebody else writes down has values of its own, beside those of the first run."""
        if twin.outputs[0] in self._made_by:
            step["twin"] = self._made_by[twin.outputs[0]]
            step["say"] += f" It is step {step['twin']} once more."
        for one, first in zip(application.outputs, twin.outputs, strict=True):
            if first in self.values:
                self.values[one]["twin"] = self.values[first]["id"]
        if application.context.actor in self.cast.recorder_ids:
            self._add(step, "marks", [self._id(application.context.actor), "replay"])

    def _inside(self, region: Region, step: dict[str, Any]) -> None:
        """What runs in a region runs unseen: every tape that listens looks away."""
        step["say"] = step["say"].replace("Nobody is listening.", f"It runs inside {region.name}, where no tape looks.")
        for label, states in self.recorder_states.items():
            if label.kind == "tape" and states[-1]["state"] == "listening":
                self._add(step, "marks", [self._id(label), "ghost"])

    def _verdicts(self, application: Application, step: dict[str, Any]) -> tuple[list[Label], dict[Label, str]]:
        taken, refused = [], {}
        for label, reason in application.verdicts:
            if label not in self.cast.recorder_ids:
                continue
            self._add(step, "marks", [self._id(label), "ghost" if reason else "op"])
            if reason:
                refused[label] = _REASONS.get(reason, reason)
            else:
                taken.append(label)
                for tag in application.outputs:
                    self.known_by.setdefault(tag, []).append(label)
        return taken, refused

    def _sentence(self, application: Application, taken: list[Label], refused: dict[Label, str]) -> str:
        out = application.outputs[0]
        result = f"{self.name(out)} is {self._spelled(out)}"
        if application.context.role == "accumulate":
            return f"What arrived before and what arrives now are added: {result}."
        if application.context.phase != "forward" and application.context.actor in self.cast.recorder_ids:
            result = f"{self._who(application.context.actor)} works out {self._written(application)}: {result}"
        tapes = [one for one in taken if one.kind == "tape"]
        if not tapes:
            reason = next((r for one, r in refused.items() if one.kind == "tape"), "")
            if reason:
                return f"{result}. No tape writes this down: {reason}."
            if not taken and self.cast.recorders and application.context.phase == "forward":
                return f"{result}. {'Nobody is listening.' if not refused else f'{next(iter(refused.values())).capitalize()}.'}"
            return f"{result}."
        who = " and ".join(self._who(one) for one in tapes)
        both = f"{who} {'writes' if len(tapes) == 1 else 'both write' if len(tapes) == 2 else 'write'} this down"
        kept = self._kept_names(application, tapes)
        keep = "keeps" if len(tapes) == 1 else "keep"
        if not kept:
            return f"{result}. {both} and {keep} nothing: the way back through this op needs no values."
        return f"{result}. {both} and {keep} {' and '.join(kept)} for the way back."

    def _wanted(self, application: Application, label: Label) -> tuple[bool, ...]:
        primitive = application.primitive
        return tuple(
            label in self.known_by.get(tag, ()) and primitive.differentiable(i)
            for i, tag in enumerate(application.inputs)
        )

    def _kept_names(self, application: Application, tapes: list[Label]) -> list[str]:
        names = []
        for label in tapes:
            for place in application.primitive.saves(self._wanted(application, label)):
                tag = application.inputs[place] if place >= 0 else application.outputs[~place]
                names.append(self.name(tag))
        return list(dict.fromkeys(names))

    def _draw_edges(self, application: Application, step: dict[str, Any], taken: list[Label]) -> None:
        for out in application.outputs:
            for slot, tag in enumerate(application.inputs):
                edge = self._edge(tag, out, slot)
                self._add(step, "flow", [edge["id"], "forward"])
        for label in taken:
            if label.kind != "tape":
                continue
            for place in application.primitive.saves(self._wanted(application, label)):
                pin = {"by": self._id(label), "from": self.now}
                self._pins.append((label, pin))
                if place >= 0:
                    for out in application.outputs:
                        self._edge(application.inputs[place], out, place).setdefault("kept", []).append(pin)
                else:
                    self.values[application.outputs[~place]].setdefault("kept", []).append(pin)

    def _unseen_cells(self, application: Application) -> None:
        """The accumulators that do not see a recorder's own work: a cell that will stay empty, and says so."""
        actor = application.context.actor
        if actor is None or application.context.phase != "jvp":
            return
        for tag in application.outputs:
            self._never(tag, actor)
