"""Regions: what a tape knows as one entry, and what runs again for it on the way back."""

from __future__ import annotations

from typing import Any

from minitape.record.events import Label
from minitape.tensor import Tag
from minitape.trace import Application

from .again import Region
from .formula import formula_words, operator, terms
from .numbers import Snapshot
from .ops import Ops
from .run import Moment
from .way_back import WayBack


def amount(count: int) -> str:
    """Bytes as a sentence says them.

    >>> amount(36), amount(36_000)
    ('36 B', '36 kB')
    """
    return f"{count} B" if count < 10_000 else f"{count / 1000:.3g} kB" if count < 1e6 else f"{count / 1e6:.3g} MB"


class Reruns(Ops, WayBack):
    """Tells of regions."""

    def __init__(self, *given: Any) -> None:
        self._results: dict[Tag, tuple[Region, dict[str, Any]]] = {}  # kept by the layer that made them
        super().__init__(*given)

    # ---- a region opens, closes, runs again, is done ---------------------------------------------------------------------

    def region(self, region: Region) -> dict[str, Any]:
        """The facts of a region, begun when it is first told of."""
        if region not in self.regions:
            self.regions[region] = {
                "id": f"again{len(self.regions)}", "label": region.name, "kind": region.kind,
                "parent": self.region(region.parent)["id"] if region.parent is not None else None, "states": [],
            }  # fmt: skip
        return self.regions[region]

    def _state_of(self, region: Region, state: str, words: str = "") -> None:
        states = self.region(region)["states"]
        if states and (states[-1]["state"], states[-1].get("text", "")) == (state, words):
            return
        if states and states[-1]["t"] == self.now:
            states.pop()
        states.append({"t": self.now, "state": state, **({"text": words} if words else {})})

    def _on_region_open(self, moment: Moment) -> None:
        region = moment.event.facts["way"]
        facts = self.region(region)
        if facts["states"]:  # inside of a region that runs again
            facts["runs"] = facts.get("runs", 1) + 1
            self._state_of(region, "replaying")
            return
        self._step("region", f"Into {region.name}: tapes look away from what runs inside.", moment.event.site)
        self._state_of(region, "open")

    def _on_region_close(self, moment: Moment) -> None:
        """The pass through a region inside of one that runs again is over; its own turn on the way back is to come."""
        region = moment.event.facts.get("way")
        if region is not None and self.region(region)["states"][-1]["state"] == "replaying":
            self._state_of(region, "closed", f"closed · {self._header(region)}".removesuffix(" · "))

    def _on_region_replay(self, moment: Moment) -> None:
        region: Region = moment.event.facts["way"]
        actor = moment.event.context.actor
        who = self._who(actor) if actor in self.cast.recorder_ids else "A tape"
        number = self.region(region)["runs"] = self.region(region).get("runs", 1) + 1
        self._step(
            "region", f"{who} needs what was let go in {region.name}: it runs again (run {number}).", moment.event.site
        )
        self._state_of(region, "replaying")

    def _on_region_done(self, moment: Moment) -> None:
        region = moment.event.facts["way"]
        for tag in [tag for tag, home in self.cast.again.home.items() if home is region]:
            if tag in self.values:
                self._ends(tag)
        self._state_of(region, "done", self._header(region))

    def _over(self, region: Region) -> None:
        if self.region(region)["states"]:
            self._state_of(region, "done", self._header(region))

    def _on_call(self, moment: Moment) -> None:
        """A tape writes the whole region down as one entry."""
        application: Application = moment.event.facts["application"]
        region: Region = moment.event.facts["way"]
        if not self.region(region)["states"]:
            self._before(region)
        step = self._step("entry", "", application.site)
        for tag in application.outputs:
            self._value(tag)
        self._add(step, "focus", *[self.values[tag]["id"] for tag in application.outputs if tag in self.values])
        tapes = []
        for label, reason in application.verdicts:
            if label in self.cast.recorder_ids:
                self._add(step, "marks", [self._id(label), "ghost" if reason else "op"])
            if not reason:
                tapes.append(label)
                for tag in application.outputs:
                    self.known_by.setdefault(tag, []).append(label)
        kept = self._pin_at_the_door(application, region, tapes)
        let_go = self._results_let_go(moment)
        results = self._pin_results(moment, application, region, tapes)
        kept += results
        facts = self.region(region)
        facts["kept"], facts["plain"] = region.kept, region.plain
        if tapes:
            facts["recorder"] = self._id(tapes[0])
        for tag in [tag for tag, home in self.cast.again.home.items() if home is region and tag in self.values]:
            if tag not in application.outputs:
                self.values[tag].setdefault("again", [])
                self.values[tag].setdefault("gone", self.now)
        self._state_of(region, "closed", f"closed · {self._header(region)}".removesuffix(" · "))
        tapes = [one for one in tapes if one in self.cast.recorder_ids]
        who = " and ".join(map(self._who, tapes))
        keep = "keep" if len(tapes) > 1 else "keeps"
        what = f"{keep} {' and '.join(kept)}" if kept else f"{keep} nothing"
        verb = "write" if len(tapes) > 1 else "writes"
        said = f"{who} {verb} it down as one entry and {what}. {let_go or self._saving(region, results)}".strip()
        step["say"] = f"Out of {region.name}: {said if tapes else 'what ran inside is let go.'}"
        self._produced(step, application.site.assigned_name(), self._spelled(application.outputs[0]))

    def _before(self, region: Region) -> None:
        """A region that did not say when it began: it was open from its first op."""
        first = [self._made_by.get(one.outputs[0], self.now) for one in region.body]
        self.region(region)["states"].append({"t": min(first, default=self.now), "state": "open"})

    def _header(self, region: Region) -> str:
        runs = self.region(region).get("runs", 1)
        bytes_ = f"kept {amount(region.kept)} of {amount(region.plain)}" if region.plain else ""
        ran = f"ran {runs} ×" if runs > 1 else ""
        return " · ".join(one for one in (bytes_, ran) if one)

    def _saving(self, region: Region, results: list[str]) -> str:
        if results:
            return "From its results it can go back, without what ran inside."
        if not region.plain:
            return ""
        if region.kept >= region.plain:
            return f"It saves nothing: a plain tape would keep {amount(region.plain)} too."
        return f"A plain tape would keep {amount(region.plain)}; this keeps {amount(region.kept)}."

    def _pin_at_the_door(self, application: Application, region: Region, tapes: list[Label]) -> list[str]:
        names = []
        for label in tapes:
            if label.kind != "tape":
                continue
            for place in application.primitive.saves(self._wanted(application, label)):
                pin = {"by": self._id(label), "from": self.now}
                self._pins.append((label, pin))
                tag = application.inputs[place] if place >= 0 else application.outputs[~place]
                names.append(self.name(tag))
                door = self._door(tag, region) if place >= 0 else None
                (self._value(tag) if door is None else door).setdefault("kept", []).append(pin)
        return list(dict.fromkeys(names))

    def _pin_results(self, moment: Moment, application: Application, region: Region, tapes: list[Label]) -> list[str]:
        """Results that a layer keeps itself, to rebuild from them: until a layer after it takes that over."""
        names = []
        for tag in application.outputs:
            label = next((one for one in tapes if one.kind == "tape"), None)
            if label is None or tag not in moment.kept or tag not in self.values or self.values[tag].get("kept"):
                continue
            pin = {"by": self._id(label), "from": self.now}
            self._pins.append((label, pin))
            self._results[tag] = (region, pin)
            self.values[tag]["kept"] = [pin]
            region.kept += tag.nbytes
            names.append(self.name(tag))
        return names

    def _results_let_go(self, moment: Moment) -> str:
        """Results of layers before that no tape keeps any more, since this one will give them back."""
        names = []
        for tag, (region, pin) in [*self._results.items()]:
            if tag in moment.kept:
                continue
            del self._results[tag]
            pin["to"] = self.now
            region.kept -= tag.nbytes
            self.region(region)["kept"] = region.kept
            self._state_of(region, "closed", f"closed · {self._header(region)}".removesuffix(" · "))
            names.append(self.name(tag))
        many = len(names) > 1
        return (
            f"It lets {' and '.join(names)} go: this layer will give {'them' if many else 'it'} back." if names else ""
        )

    def _door(self, tag: Tag, region: Region) -> dict[str, Any] | None:
        """The first edge along which a value goes into a region."""
        for one in region.body:
            if tag in one.inputs and one.outputs[0] in self.values:
                return self._edge(tag, one.outputs[0], one.inputs.index(tag))
        return None

    # ---- inside of a rerun --------------------------------------------------------------------------------------------------

    def _on_again(self, moment: Moment) -> None:
        application: Application = moment.event.facts["application"]
        first: Application | None = moment.event.facts["first"]
        kind = "rebuild" if application.context.phase == "rebuild" else "replay"
        region: Region | None = moment.event.facts["way"]
        step = self._step(kind, "", application.site)
        if region is not None and kind == "rebuild":
            self.region(region).setdefault("runs", 2)
            self.region(region)["kind"] = kind
            self._state_of(region, "rebuilding")
        out = application.outputs[0]
        value = self._value(out)
        for tag in application.outputs:
            self._comes_again(tag, kind)
        self._add(step, "focus", value["id"])
        actor = application.context.actor
        if actor in self.cast.recorder_ids:
            self._add(step, "marks", [self._id(actor), kind])
        if first is not None:
            step["twin"] = self._made_by[first.outputs[0]]
            for slot, tag in enumerate(first.inputs):
                if tag in self.values:
                    self._add(step, "flow", [self._edge(tag, out, slot)["id"], "forward"])
        cause = application.context.cause
        place = self.program.place(cause.site) if cause is not None else None
        if place is not None:
            step["cause"] = place
        left = self._operand(out)
        words = terms(formula_words(application), self._words(application))
        step["formula"] = [[left.symbol, left.text, left.kind, left.value], operator("="), *words]
        result = f"{self.name(out)} is {self._spelled(out)}"
        step["say"] = (
            f"{self._written(application)} runs again: {result}, as at step {step['twin']}."
            if kind == "replay" and "twin" in step
            else f"{self._written(application)} gives {self.name(out)} back: {self._spelled(out)}."
        )

    def _comes_again(self, tag: Tag, kind: str) -> None:
        value = self._value(tag)
        self._ends(tag)
        value.setdefault("again", []).append({"from": self.now, "kind": kind})
        self._set(tag, "v", value["cells"][0]["label"], value["cells"][0]["kind"], self._snaps[tag])

    def _ends(self, tag: Tag) -> None:
        spans = self.values[tag].get("again", [])
        if spans and "to" not in spans[-1]:
            spans[-1]["to"] = max(self.now, spans[-1]["from"] + 1)

    def _on_carried(self, moment: Moment) -> None:
        """A share that reaches the door of a region from inside; the region hands on their sum."""
        facts = moment.event.facts
        label, tag, part, position = facts["label"], facts["into"], facts["part"], facts["position"]
        application: Application = moment.event.context.cause
        if label not in self._call or application.outputs[0] not in self.values or tag not in self.values:
            return
        inner = self.cast.again.region_of(application)
        if inner is not None:
            way = f"Out of {inner.name}, back to {self.name(tag)}"
            step = self._step("contribution", f"{way}: {self._spelled(part)}.", moment.event.site)
            self._add(step, "focus", self.values[tag]["id"])
            self._over(inner)
            return
        step = self._step(
            "contribution", f"{self._through(application, position)}: {self._spelled(part)}.", moment.event.site
        )
        kind = self._call[label][2]
        edge = self._edge(tag, application.outputs[0], position)
        edge.setdefault("carried", []).append(
            {"t": self.now, "by": self._id(label), "kind": kind, "text": self._snaps[part].text}
        )
        second = "2" if kind.endswith("2") else ""
        self._add(step, "flow", [edge["id"], "back" + second])
        self._add(step, "focus", self.values[tag]["id"])
        before, arrived = self._holds(tag, self._call[label][0]), self._snaps[part]
        if before is not None and before.value is not None and arrived.value is not None:
            both = Snapshot(None, None, before.value + arrived.value)
            self._put_gradient(label, tag, both)
            self._add(step, "focus", [self.values[tag]["id"], self._call[label][0]])
            step["say"] += f" Added to {before.text}: {both.text}."
        self._add(step, "marks", [self._id(label), "back" + second])
        name = self._cell_label(label, tag)
        step["formula"] = [
            [name, self._operand(part).text, kind, self.values[tag]["id"]], operator("="),
            *self._share(application, position, label),
        ]  # fmt: skip
