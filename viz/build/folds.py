"""Folded runs: many ops as one step, their way back as one step, many rounds of a loop as one step."""

from __future__ import annotations

from typing import Any

from minitape.trace import Application

from .fold import Folded
from .numbers import Snapshot, number
from .reruns import Reruns
from .run import Moment


class Folds(Reruns):
    """Tells of what is folded."""

    def __init__(self, *given: Any) -> None:
        self.groups: list[dict[str, Any]] = []
        super().__init__(*given)

    def _on_op(self, moment: Moment) -> None:
        super()._on_op(moment)
        application: Application = moment.event.facts["application"]
        if not isinstance(application.primitive, Folded) or application.outputs[0] not in self.values:
            return
        block, step = application.primitive.block, self.steps[-1]
        step["kind"] = "fold"
        step.pop("formula", None)
        faces = [tag for tag in application.outputs if tag in self.values]
        made = ", ".join(f"{self.name(tag)} is {self._spelled(tag)}" for tag in faces[-2:])
        who = " and ".join(self._who(one) for one in self.known_by.get(faces[-1], []) if one.kind == "tape")
        wrote = f" {who} wrote them down." if who else ""
        step["say"] = f"{block.label}, {len(block.ops)} ops as one step: {made}.{wrote}"
        self.groups.append({
            "id": block.id, "label": block.label, "kind": block.kind, "parent": block.parent or None,
            "face": self.values[faces[-1]]["id"], "values": sum(len(one.outputs) for one in block.ops),
            "from": self.now, "to": self.now + 1,
        })  # fmt: skip
        for tag in faces:
            self.values[tag]["group"] = block.id

    def _on_back_through(self, moment: Moment) -> None:
        """The shares of a whole block, which came back one after the other."""
        facts = moment.event.facts
        label, application, arrived = facts["label"], facts["application"], facts["arrived"]
        out = next((tag for tag in application.outputs if tag in self.values), None)
        if label not in self._call or out is None:
            return
        cell, _, kind = self._call[label]
        step = self._step("contribution", "", moment.event.site)
        cause = self.program.place(application.site)
        if cause is not None:
            step["cause"] = cause
        second = "2" if kind.endswith("2") else ""
        said = []
        for tag, part in arrived.items():
            if tag not in self.values:
                continue
            before = self._holds(tag, cell)
            share = self._part(before, self._snaps[part], facts["counts"].get(tag, 1))
            edge = self._edge(tag, out, application.inputs.index(tag))
            edge.setdefault("carried", []).append({"t": self.now, "by": self._id(label), "kind": kind, "text": share})
            self._put_gradient(label, tag, self._snaps[part])
            self._add(step, "flow", [edge["id"], "back" + second])
            self._add(step, "focus", [self.values[tag]["id"], cell])
            said.append(f"{self.name(tag)} {self._spelled(part)}")
        self._add(step, "marks", [self._id(label), "back" + second])
        name = application.primitive.name
        many = f", {len(application.primitive.block.ops)} ops" if isinstance(application.primitive, Folded) else ""
        step["say"] = f"Back through {name}{many}: the gradient is now {', '.join(said)}."

    def _part(self, before: Snapshot | None, after: Snapshot, count: int) -> str:
        """What a block added to a gradient: the difference, or how many shares it was where that is no single number."""
        if before is None:
            return after.text
        if before.value is None or after.value is None:
            return f"{count} shares"
        return number(after.value - before.value)

    def _on_rounds(self, moment: Moment) -> None:
        """The rounds of a loop between the first and the last: only what they leave in variables is told."""
        facts = moment.event.facts
        step = self._step("fold", "", moment.event.site)
        said = []
        for tag in [one for one in facts["tags"] if one in self.cast.cards]:
            self._value(tag, born=0)
            self._set(tag, "v", self.name(tag), "value", self._snaps[tag])
            self._add(step, "focus", [self.values[tag]["id"], "v"])
            said.append(f"{self.name(tag)} is now {self._spelled(tag)}")
        rest = "; ".join(said) or "they leave nothing behind"
        step["say"] = f"{facts['count']} more rounds of the same, {facts['entries']} ops: {rest}."
        self.groups.append({
            "id": "rounds", "label": f"rounds 2 to {facts['count'] + 1}", "kind": "repeat", "parent": None,
            "values": facts["entries"], "from": self.now, "to": self.now + 1,
        })  # fmt: skip
