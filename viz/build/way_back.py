"""The way back: seeds, contributions along the edges, sums, answers."""

from __future__ import annotations

from typing import Any

from minitape import nest
from minitape.record.events import Label
from minitape.tensor import Tag
from minitape.trace import Application

from .again import Region
from .facts import Facts
from .formula import Operand, Term, derivative_words, operator, terms
from .numbers import Snapshot, spelled
from .run import Moment

SPOKEN = 8  # gradients that one sentence tells one by one


class WayBack(Facts):
    """Tells of gradients."""

    def _on_gradient(self, moment: Moment) -> None:
        facts = moment.event.facts
        label, targets = facts["label"], tuple(facts["targets"])
        self._rows[label] = facts["row"]
        self._targets[label] = targets
        key = (label, targets)
        cell = self._calls.setdefault(key, f"g{len(self._calls)}")
        names = [self.name(tag) for tag in targets]
        target = names[0] if len(names) == 1 else "(" + "+".join(names) + ")"
        self._call[label] = (cell, target if len(target) <= 8 else "target", self._kind("gradient", label))
        for found_tag, found_cell in list(self._cells):
            if found_cell == cell:  # the same question once more: the slots are empty again
                self._cells[found_tag, cell]["states"].append({"t": self.now + 1, "text": ""})

    def _cell_label(self, label: Label, tag: Tag) -> str:
        target, name = self._call[label][1], self.name(tag)
        short = name.isidentifier() and len(name) + len(target) <= 8
        return f"∂{target}/∂{name}" if short else f"∂{target}"

    def _put_gradient(self, label: Label, tag: Tag, snap: Snapshot | str | None, why: str = "") -> None:
        cell, _, kind = self._call[label]
        self._set(tag, cell, self._cell_label(label, tag), kind, snap, by=label, why=why)

    def _on_seed(self, moment: Moment) -> None:
        facts = moment.event.facts
        label, tag = facts["label"], facts["into"]
        name, seed = self.name(tag), self._spelled(facts["part"])
        plain = self._snaps[facts["part"]].value == 1.0
        row = self._rows.get(label)
        why = f"with 1, since {name} follows itself one to one" if plain else f"with {seed}, one number per element"
        if row is not None:
            why = f"with {seed}: row {row} of the Jacobian asks about element {row} alone"
        step = self._step("seed", f"{self._who(label)} goes back from {name}, starting {why}.", moment.event.site)
        self._value(tag, born=0)
        self._put_gradient(label, tag, self._snaps[facts["part"]])
        self._add(step, "focus", [self.values[tag]["id"], self._call[label][0]])
        self._add(step, "marks", [self._id(label), self._kind("seed", label).replace("gradient", "seed")])
        if facts["part"] in self.cast.cards:
            self._value(facts["part"])
            self._add(step, "focus", self.values[facts["part"]]["id"])
        kind = self._call[label][2]
        step["formula"] = [
            [self._cell_label(label, tag), self._operand(facts["part"]).text, kind, ""],
            operator("="),
            operator(seed),
        ]

    def _on_contribution(self, moment: Moment) -> None:
        facts, context = moment.event.facts, moment.event.context
        label, tag, part, position = facts["label"], facts["into"], facts["part"], facts["position"]
        application: Application = context.cause
        if label not in self._call or tag not in self.cast.cards or application.outputs[0] not in self.values:
            return
        region = self.cast.again.region_of(application)
        if region is not None:
            self._handed_on(moment, region)
            return
        merged = part in self.values and self._made_by.get(part) == self.now and self.steps[-1]["kind"] == "op"
        self._told = True
        step = self.steps[-1] if merged else self._step("contribution", "", moment.event.site)
        cause = self.program.place(application.site)
        if cause is not None:
            step["cause"] = cause
        cell, _, kind = self._call[label]
        edge = self._edge(tag, application.outputs[0], position)
        text = self._snaps[part].text
        edge.setdefault("carried", []).append({"t": self.now, "by": self._id(label), "kind": kind, "text": text})
        self._add(step, "flow", [edge["id"], "back" + ("2" if kind.endswith("2") else "")])
        self._add(step, "focus", self.values[tag]["id"], [self.values[tag]["id"], cell])
        self._add(step, "marks", [self._id(label), "back" + ("2" if kind.endswith("2") else "")])
        way = self._through(application, position)
        if facts["first"]:
            self._put_gradient(label, tag, self._snaps[part])
            say = f"{way}: {self._spelled(part)}."
        else:
            self._pending[label] = {"way": way, "part": part, "step": step, "merged": merged}
            say = f"{way}: another {self._spelled(part)}."
        share = self._share(application, position, label)
        if merged:
            step["say"] = f"{say} It is a new entry of {self._recorders_of(part)}: {self.name(part)}."
        else:
            step["say"] = say
            step["formula"] = [
                [self._cell_label(label, tag), self._operand(part).text, kind, self.values[tag]["id"]],
                operator("="),
                *share,
            ]

    def _handed_on(self, moment: Moment, region: Region) -> None:
        """What a region found for one of its inputs."""
        facts = moment.event.facts
        label, tag, part = facts["label"], facts["into"], facts["part"]
        way = f"Out of {region.name}, back to {self.name(tag)}"
        step = self._step("contribution", f"{way}: {self._spelled(part)}.", moment.event.site)
        self._over(region)
        cause = self.program.place(moment.event.context.cause.site)
        if cause is not None:
            step["cause"] = cause
        self._add(step, "focus", self.values[tag]["id"], [self.values[tag]["id"], self._call[label][0]])
        self._add(step, "marks", [self._id(label), self._kind("back", label)])
        if self.regions[region]["kind"] == "rebuild":
            self._through_sums(label, tag, region, step)
        if facts["first"]:
            self._put_gradient(label, tag, self._snaps[part])
        else:
            self._pending[label] = {"way": way, "part": part, "step": step, "merged": False}

    def _through_sums(self, label: Label, tag: Tag, region: Region, step: dict[str, Any]) -> None:
        """What a reversible layer passes on through its own sums, unchanged: it needs no tape for that, so nobody told it."""
        cell, _, kind = self._call[label]
        for one in region.body:
            out = one.outputs[0]
            if one.op != "add" or tag not in one.inputs or out not in self.values:
                continue
            edge, there = self._edge(tag, out, one.inputs.index(tag)), self._holds(out, cell)
            if there is not None and not edge.get("carried"):
                edge["carried"] = [{"t": self.now, "by": self._id(label), "kind": kind, "text": there.text}]
                self._add(step, "flow", [edge["id"], self._kind("back", label)])

    def _recorders_of(self, tag: Tag) -> str:
        return " and ".join(dict.fromkeys(self._who(one) for one in self.known_by.get(tag, []))) or "nobody"

    def _through(self, application: Application, position: int) -> str:
        out, tag = application.outputs[0], application.inputs[position]
        uses = [i for i, one in enumerate(application.inputs) if one is tag]
        which = (
            ""
            if len(uses) == 1
            else f", its {('first', 'second', 'third', 'fourth')[uses.index(position)]} use"
            if len(uses) < 5
            else ""
        )
        name = self.name(out)
        whole = f"{name} = {self._written(application)}" if name.isidentifier() else name
        return f"Back through {whole} to {self.name(tag)}{which}"

    def _share(self, application: Application, position: int, label: Label) -> list[Term]:
        cell = self._call[label][0]
        out = application.outputs[0]
        snap = self._holds(out, cell) or Snapshot("?", None)
        words = self._words(application)
        words["d"] = Operand(self._cell_label(label, out), snap, self._call[label][2], self.values[out]["id"])
        words["out"] = self._operand(out)
        if len(application.outputs) > 1:
            for i, one in enumerate(application.outputs):
                words[f"out{i}"] = self._operand(one)
                words[f"d{i}"] = words["d"]._replace(snap=self._holds(one, cell) or Snapshot("0", None, 0.0))
        return terms(derivative_words(application, position), words)

    def _on_total(self, moment: Moment) -> None:
        facts = moment.event.facts
        label, tag, total = facts["label"], facts["into"], facts["total"]
        pending = self._pending.pop(label, None)
        if label not in self._call or tag not in self.cast.cards or tag not in self.values:
            return
        cell, _, kind = self._call[label]
        before = self._holds(tag, cell)
        self._put_gradient(label, tag, self._snaps[total])
        self._told = True
        step = self.steps[-1]
        self._add(step, "focus", [self.values[tag]["id"], cell])
        if pending is None or before is None:
            return
        part, summed = pending["part"], self._snaps[total]
        added = f"{spelled(before)} + {self._spelled(part)} = {spelled(summed)}"
        if summed.data is not None and "low" in summed.data:  # three ranges in a row say nothing
            added = f"now {spelled(summed)}"
        if step is pending["step"]:
            step["say"] = f"{pending['way']}: another {self._spelled(part)}. What arrives is added: {added}."
            name, whole = self._cell_label(label, tag), self.values[tag]["id"]
            before_text = Operand("", before, kind).text
            share = step.get("formula", [[], [], *[]])[2:]
            step["formula"] = [
                [name, self._operand(total).text, kind, whole],
                operator("="),
                [name, before_text, kind, whole],
                operator("+"),
                *share,
            ]
        else:
            step["say"] = (
                f"What arrives at {self.name(tag)} is added: {added}. {self._recorders_of(total)} records the sum too."
            )

    def _on_gradients(self, moment: Moment) -> None:
        facts = moment.event.facts
        label = facts["label"]
        if label not in self._call:
            return
        parts, focus = [], []
        for tag, answer in zip(facts["sources"], facts["answers"], strict=True):
            self._value(tag, born=0)
            name = self.cast.given.get(answer, "") if answer is not None else ""
            head = name or f"∂{self._call[label][1]}/∂{self.name(tag)}"
            head = head if facts["row"] is None else f"Row {facts['row']} of {head}"
            if answer is None:
                why = self._why_no_gradient(label, tag)
                self._put_gradient(label, tag, "None", why)
                parts.append(f"{self.name(tag)} gets None: {why}")
            else:
                parts.append(f"{head} is {self._spelled(answer)}")
            focus.append([self.values[tag]["id"], self._call[label][0]])
        more = facts.get("more", 0) + max(0, len(parts) - SPOKEN)
        said = ". ".join(parts[:SPOKEN]) + (f". And so for {more} more." if more else ".")
        step = self._step("gradients", said, moment.event.site)
        for tag, answer in zip(facts["sources"], facts["answers"], strict=True):
            if answer is not None and answer in self.cast.cards and answer not in self.values:
                self._value(answer, site=moment.event.site)
            elif answer is None:
                last = self._cells[tag, self._call[label][0]]["states"]
                last[-1]["t"] = self.now
        self._add(step, "focus", *focus)
        if facts["row"] is not None or "more" in facts:
            return
        names = moment.event.site.assigned_names()
        texts = ["None" if one is None else self._spelled(one) for one in facts["answers"]]
        if isinstance(names, str):
            self._produced(step, names, texts[0] if len(texts) == 1 else "[" + ", ".join(texts) + "]")
        else:
            for name, text in zip(nest.flatten(names), texts, strict=False):
                self._produced(step, name, text)

    def _why_no_gradient(self, label: Label, source: Tag) -> str:
        """The nearest reason why no gradient came back: the source, the target, or the way between them."""
        who, target = self._who(label), self._targets[label][0]
        if label not in self.known_by.get(source, ()):
            return f"{who} does not watch {self.name(source)}"
        if label not in self.known_by.get(target, ()) and target is not source:
            maker = self.cast.gradients.get(target)
            if maker is not None and maker is not label:
                missed = f"{who} was not listening when {self._who(maker)} went back"
                return f"{missed}, so it does not know where {self.name(target)} came from"
            return f"{who} did not write down how {self.name(target)} was made"
        return f"no path leads from {self._call[label][1]} back to {self.name(source)} on {who}"
