"""Ops: what they make, who writes them down, and what is kept for the backward pass."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from ..capture.records import Applied, Op, Recorder, Site
from .facts import ANSWERED, Facts, most_of
from .folding import seen
from .formula import finer
from .spelling import home_of
from .told import Region
from .words import listed

_ADDS = re.compile(r"^\w+ [+−] \w+$")
# The reasons that have a sentence; others are shown in the source's own words.
REASONS = ("unwatched", "no tangent", "no derivative")


class Ops(Facts):
    """Tells of ops that have a card."""

    def _on_op(self, record: Applied) -> None:
        op = record.op
        if not op.gives or not seen(op) or op.gives[0] not in self.names.cards:
            self._own_rule(op)
            return
        self._note_variables(op)
        forward = op.context.phase == "forward"
        site = op.site if forward else record.site
        twin = self.names.replays.twin(op)
        step = self._step("op" if twin is None else "replay", "", site)
        if not forward:
            self._caused(step, op.context.cause)
        for value in op.takes:
            self._card(value)
        for value in op.gives:
            self._card(value, site=site)
            self._made_by[value] = self.now
        if _ADDS.search(op.row.formula):
            told = finer(self.snap(op.gives[0]), [self.taken(op, value) for value in op.takes])
            if told:
                self._finer[op.gives[0]] = self._cells[op.gives[0], "v"]["states"][-1]["text"] = told
        result = self._told_results(step, op.gives[: most_of(len(op.gives), ANSWERED)], len(op.gives))
        taken, refused = self._verdicts(op, step)
        self._draw_edges(op, step, taken)
        out = op.gives[0]
        from_kept = self.names.replays.from_kept(op)
        if from_kept:
            result = self.words("again.kept", what=self._written(op), name=self.name(out), value=self._spelled(out))
        else:
            step["formula"] = self._equation(op, out)
        home = self.names.replays.home.get(out)
        inside = home if home is not None and home.kind != "custom" else None
        step["say"] = self._sentence(op, result, taken, refused, inside)
        if forward:
            self._say_beside(step, op)
            self._hand_out(step, op, inside)
        if inside is not None:
            for recorder, states in self.recorder_states.items():  # tapes do not see what runs in a region
                if recorder.kind == "tape" and states[-1]["state"] == "listening":
                    self._mark(step, recorder, "ghost")
        elif forward and self.names.recorders:
            for value in op.gives:
                wrote, refusals = self._heard(self.names.folding.maker(op, value))
                if not wrote:
                    self.cards[value]["ghost"] = next(iter(refusals.values()), self.words("reason.nobody"))
        if op.context.phase == "jvp" and op.context.actor is not None:
            for value in op.gives:
                self._never(value, op.context.actor)
        if twin is not None:
            self._repeats(op, twin, step)

    def _say_beside(self, step: dict[str, Any], op: Op) -> None:
        """Say beside its line what an op gave; of a fold beside each line of the function that it ends in."""
        home = None if op.site is None else home_of(op.site)
        met, told = set[Site | None](), list[tuple[Site, Op]]()
        for inner in reversed(self.names.folding.inside(op)):  # what a line gave last
            site = inner.site
            if site in met:
                continue
            met.add(site)
            named = site is not None and site.name and home_of(site) == home
            if site is not None and named and self.names.is_result(inner.gives[0], inner):
                told.append((site, inner))
        for site, inner in reversed(told):
            place = self.program.place(site)
            if place is not None:
                self.beside.give(step, place, site.name, inner.gives[0])

    def _hand_out(self, step: dict[str, Any], op: Op, inside: Region | None) -> None:
        """Say beside the lines that call functions what they have got, when the call has given all of it."""
        for value in op.gives:
            for given in value.given_to:
                self._returning.setdefault(self.names.returns(op, value, given[0]), []).append((value, inside, given))
        for value, region, given in self._returning.pop(op, ()):
            self.beside.hand_out(step, value, region, to=[given])

    def _own_rule(self, op: Op) -> None:
        """A line of the learner's own rule, which runs in the backward pass and which nobody else writes down; of a call that is
        several ops only the last has what the line gives."""
        cause, actor, here = op.context.cause, op.context.actor, op.site
        asked = self.names.question(actor)
        if actor is None or cause is None or asked is None or not self._by_own_rule(op, cause):
            return
        others = [home_of(site) for site in (cause.site, asked.site) if site is not None]
        if here is None or here.source is None or not here.text or home_of(here) in others:
            return
        if op in self._parts_of_calls():
            return
        said = self.words("rule.own", name=cause.row.name, text=here.text, what=self._spelled(op.gives[0]))
        step = self._step("contribution", said, here)
        self._caused(step, cause)
        for value in cause.gives:  # no op of the rule has a card: the eye stays on what the rule goes back from
            if value in self.cards:
                self._focus(step, value)
        self._mark(step, actor, self._kind("back", actor))
        self.beside.gave(step, here.name, op.gives[0])

    def _by_own_rule(self, op: Op, cause: Op) -> bool:
        """Whether an op runs in a rule of the program's own: that of a function, or of a layer that says how it goes back."""
        region = self.names.replays.region_of(cause)
        by_rule = region is not None and region.by_rule and op.context.phase == "recompute"
        return by_rule or (cause.own_rule and op.context.phase == "gradient")

    def _parts_of_calls(self) -> set[Op]:
        """Of the ops of the learner's own rules those after which their call goes on: another kind of op, from the same place."""
        if self._parts is None:
            told = [record.op for record in self.names.records if isinstance(record, Applied)]
            ruled = [
                op for op in told
                if op.context.cause is not None and self._by_own_rule(op, op.context.cause) and op.site is not None
            ]  # fmt: skip
            self._parts = {
                op
                for op, after in pairwise(ruled)
                if (op.context.cause, op.site) == (after.context.cause, after.site) and op.row is not after.row
            }
        return self._parts

    def _repeats(self, op: Op, twin: Op, step: dict[str, Any]) -> None:
        """A replayed op that somebody else writes down has values of its own, beside those of the first run."""
        if twin.gives[0] in self._made_by:
            step["twin"] = self._made_by[twin.gives[0]]
            step["say"] += " " + self.words("op.once_more", step=step["twin"])
        for value, first in zip(op.gives, twin.gives, strict=True):
            if first in self.cards:
                self.cards[value]["twin"] = self.cards[first]["id"]
        self._mark(step, op.context.actor, "replay")

    def _verdicts(self, op: Op, step: dict[str, Any]) -> tuple[list[Recorder], dict[Recorder, str]]:
        """Mark who wrote an op down and who did not; returns both, with reasons."""
        taken, refused = self._heard(op)
        for recorder in sorted([*taken, *refused], key=self.names.recorders.index):  # the outermost first
            self._mark(step, recorder, "ghost" if recorder in refused else "op")
        for value in op.gives:
            wrote, _ = self._heard(self.names.folding.maker(op, value))
            self.known_by.setdefault(value, []).extend(wrote)
        return taken, refused

    def _heard(self, op: Op) -> tuple[list[Recorder], dict[Recorder, str]]:
        """Of the recorders that have a name here those that wrote an op down, and those that did not, with reasons."""
        taken = [recorder for recorder in op.taken if recorder in self.names.recorder_ids]
        refused = {}
        for recorder, reason in op.refused:
            if recorder in self.names.recorder_ids:
                refused[recorder] = self.words(f"reason.{reason.replace(' ', '_')}") if reason in REASONS else reason
        return taken, refused

    def _sentence(
        self, op: Op, result: str, taken: list[Recorder], refused: dict[Recorder, str], inside: Region | None
    ) -> str:
        if op.context.role == "accumulate":
            return self.words("op.added", result=result)
        works = op.context.phase != "forward" and op.context.actor in self.names.recorder_ids
        if works and not self.names.replays.from_kept(op):
            result = self.words("op.works_out", who=self._who(op.context.actor), what=self._written(op), result=result)
        tapes = [recorder for recorder in taken if recorder.kind == "tape"]
        if tapes:
            return self._written_down(op, result, tapes, inside)
        reason = next((why for recorder, why in refused.items() if recorder.kind == "tape"), "")
        if reason:
            return self.words("op.refused", result=result, reason=reason)
        if not taken and self.names.recorders and op.context.phase == "forward":
            if refused:
                return self.words("op.unseen", result=result, reason=next(iter(refused.values())).capitalize())
            if inside is not None:
                return self.words("op.inside", result=result, region=inside.name)
            return self.words("op.unheard", result=result)
        return f"{result}."

    def _written_down(self, op: Op, result: str, tapes: list[Recorder], inside: Region | None) -> str:
        key = "one" if len(tapes) == 1 else "both" if len(tapes) == 2 else "many"
        writes = self.words(f"op.written.{key}", who=listed([self._who(tape) for tape in tapes]))
        kept = list(dict.fromkeys(self.name(value) for tape in tapes for value in op.saves(tape)))
        keeps = self.words("keeps" if len(tapes) == 1 else "keep")
        if not kept and inside is not None:
            return self.words("op.again_later", result=result, writes=writes, keeps=keeps, region=inside.name)
        if not kept and op.own_rule:
            return self.words("op.keeps_rule", result=result, writes=writes, keeps=keeps, name=op.row.name)
        if not kept:
            return self.words("op.keeps_nothing", result=result, writes=writes, keeps=keeps)
        return self.words("op.keeps", result=result, writes=writes, keeps=keeps, kept=listed(kept))

    def _draw_edges(self, op: Op, step: dict[str, Any], taken: list[Recorder]) -> None:
        for out in op.gives:
            for slot, value in enumerate(op.takes):
                self._add(step, "flow", [self._edge(value, out, slot)["id"], "forward"])
        for recorder, places in op.saved:
            if recorder not in taken:
                continue
            for place in places:
                if place >= 0:
                    self._pin(recorder, *[self._edge(op.takes[place], out, place) for out in op.gives], op=op)
                else:
                    self._pin(recorder, self.cards[op.gives[~place]], op=op)
