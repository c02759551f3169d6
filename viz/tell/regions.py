"""Regions: what a tape knows as one entry, and what runs again for it in the backward pass."""

from __future__ import annotations

from typing import Any

from ..capture.numbers import Snapshot, added, spelled
from ..capture.records import Op, Recorder, Value
from ..style import amount
from .backward import Backward
from .formula import brief
from .ops import Ops
from .told import Again, AtDoor, Entry, OfRegion, Region
from .words import listed


class Regions(Ops, Backward):
    """Tells of regions."""

    def __init__(self, *given: Any) -> None:
        self._results: dict[Value, tuple[Region, dict[str, Any]]] = {}  # kept by the layer that made them
        self._first_numbers: dict[Value, Snapshot] = {}  # what the first run made, whatever a rerun comes to
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

    def _closed(self, region: Region) -> None:
        header = self._header(region)
        self._state_of(region, "closed", self.words("region.closed") + (f" · {header}" if header else ""))

    def _on_region_open(self, record: OfRegion) -> None:
        region = record.of
        facts = self.region(region)
        if facts["states"]:  # inside of a region that runs again
            facts["runs"] = facts.get("runs", 1) + 1
            self._state_of(region, "replaying")
            return
        self._step("region", self.words("region.open", region=region.name), record.site)
        self._state_of(region, "open")

    def _on_region_close(self, record: OfRegion) -> None:
        """The pass through a region inside of one that runs again is over; its own turn is to come."""
        states = self.region(record.of)["states"]
        if states and states[-1]["state"] == "replaying":
            self._closed(record.of)

    def _on_region_rule(self, record: OfRegion) -> None:
        say = self.words("region.rule", who=self._back_by(record), region=record.of.name)
        self._step("region", say, record.site)

    def _back_by(self, record: OfRegion) -> str:
        actor = record.context.actor
        return self._who(actor) if actor in self.names.recorder_ids else self.words("a_tape")

    def _on_region_replay(self, record: OfRegion) -> None:
        region, who = record.of, self._back_by(record)
        number = self.region(region)["runs"] = self.region(region).get("runs", 1) + 1
        self._step("region", self.words("region.replay", who=who, region=region.name, run=number), record.site)
        self._state_of(region, "replaying")

    def _on_region_done(self, record: OfRegion) -> None:
        for value, home in self.names.replays.home.items():
            if home is record.of and value in self.cards:
                self._ends(value)
                self._holds_again(value)
        self._state_of(record.of, "done", self._header(record.of))

    def _holds_again(self, value: Value) -> None:
        """A result is what the first run made of it, though a rerun came to another number: a variable may have changed."""
        first = self._first_numbers.get(value)
        if first is not None and _other(first, self.snap(value)):
            self._snaps[value] = first
            self._set_value(value)

    def _over(self, region: Region) -> None:
        if self.region(region)["states"]:
            self._state_of(region, "done", self._header(region))

    def _on_entry(self, record: Entry) -> None:
        """A tape writes the whole region down as one entry."""
        op, region = record.op, record.of
        if not self.region(region)["states"]:
            self._before(region)
        given = {op.at(place) for _, places in op.saved for place in places}
        self._then.update({(op, value): self.snap(value) for value in op.takes if value.variable and value in given})
        step = self._step("entry", "", op.site)
        for value in op.gives:
            self._focus(step, value)
            self._first_numbers[value] = self.snap(value)
        recorders, _ = self._verdicts(op, step)
        kept = self._pin_at_the_door(op, region, recorders)
        let_go = self._results_let_go(record)
        results = self._pin_results(record, region, recorders)
        whole = bool(kept) and all(self.name(value) in kept for value in op.takes if not value.variable)
        kept += results
        if any(value in self.names.tangents for value in op.takes):
            region.plain = 0  # a plain tape would keep of the tangents' own ops too, which nobody has counted
        facts = self.region(region)
        facts["kept"], facts["plain"] = region.kept, region.plain
        if recorders:
            facts["recorder"] = self._id(recorders[0])
        for value, home in self.names.replays.home.items():
            if home is region and value in self.cards and value not in op.gives:
                self.cards[value].setdefault("again", [])
                self.cards[value].setdefault("gone", self.now)
        self._closed(region)
        from_results = bool(results) and (region.kind == "rebuild" or not whole)
        step["say"] = self._entered(region, recorders, kept, let_go or self._saving(op, region, from_results))
        if op.gives:
            self.beside.gave(step, op.site.name if op.site is not None else "", op.gives[0])

    def _entered(self, region: Region, recorders: list[Recorder], kept: list[str], more: str) -> str:
        if not recorders:
            return self.words("region.unwritten", region=region.name)
        many = len(recorders) > 1
        keeps = self.words("keep" if many else "keeps")
        if kept:
            what = self.words("region.keeps", keeps=keeps, kept=listed(kept))
        else:
            what = self.words("region.nothing", keeps=keeps)
        key = "region.written.many" if many else "region.written.one"
        who = listed([self._who(recorder) for recorder in recorders])
        return self.words(key, region=region.name, who=who, what=what, more=more).strip()

    def _before(self, region: Region) -> None:
        """Open a region that did not say when it began, from its first op on."""
        first = [self._made_by.get(op.gives[0], self.now) for op in region.body]
        self.region(region)["states"].append({"t": min(first, default=self.now), "state": "open"})

    def _header(self, region: Region) -> str:
        runs = self.region(region).get("runs", 1)
        kept = self.words("region.kept", kept=amount(region.kept), plain=amount(region.plain)) if region.plain else ""
        ran = self.words("region.ran", runs=runs) if runs > 1 else ""
        return " · ".join(text for text in (kept, ran) if text)

    def _saving(self, op: Op, region: Region, from_results: bool) -> str:
        if from_results:
            return self.words("region.from_results")
        if not region.plain:
            return ""
        if region.kept >= region.plain:
            return self.words("region.saves_nothing", plain=amount(region.plain))
        plain, kept = amount(region.plain), amount(region.kept)
        if any(value.variable for value in op.takes):  # their arrays are in neither number
            return self.words("region.saves.beside", plain=plain, kept=kept)
        return self.words("region.saves", plain=plain, kept=kept)

    def _pin_at_the_door(self, op: Op, region: Region, recorders: list[Recorder]) -> list[str]:
        names = []
        for recorder, places in op.saved:
            for place in places if recorder in recorders else ():
                value = op.at(place)
                door = self._door(value, region) if place >= 0 else None
                self._pin(recorder, self._card(value) if door is None else door)
                names.append(self.name(value))
        return list(dict.fromkeys(names))

    def _pin_results(self, record: Entry, region: Region, recorders: list[Recorder]) -> list[str]:
        """Results that a layer keeps itself, to rebuild from them: until a layer after it takes that over."""
        names = []
        recorder = next((recorder for recorder in recorders if recorder.kind == "tape"), None)
        for value in record.op.gives:
            if recorder is None or value not in record.kept or self._card(value).get("kept"):
                continue
            self._results[value] = (region, self._pin(recorder, self.cards[value]))
            region.kept += value.bytes
            names.append(self.name(value))
        return names

    def _results_let_go(self, record: Entry) -> str:
        """Results of layers before that no tape keeps any more, since this one will give them back."""
        names = []
        for value, (region, pin) in [*self._results.items()]:
            if value in record.kept:
                continue
            del self._results[value]
            pin["to"] = self.now
            region.kept -= value.bytes
            self.region(region)["kept"] = region.kept
            self._closed(region)
            names.append(self.name(value))
        if not names:
            return ""
        return self.words("region.lets_go.many" if len(names) > 1 else "region.lets_go.one", names=listed(names))

    def _door(self, value: Value, region: Region) -> dict[str, Any] | None:
        """The first edge along which a value goes into a region."""
        for op in region.body:
            if value in op.takes and op.gives[0] in self.cards:
                return self._edge(value, op.gives[0], op.takes.index(value))
        return None

    # ---- inside of a rerun --------------------------------------------------------------------------------------------------

    def _on_again(self, record: Again) -> None:
        op, first, region = record.op, record.first, record.of
        self._note_variables(op, record.known)
        kind = "rebuild" if op.context.phase == "rebuild" else "replay"
        step = self._step(kind, "", op.site)
        if region is not None and kind == "rebuild":
            self.region(region).setdefault("runs", 2)
            self.region(region)["kind"] = kind
            self._state_of(region, "rebuilding")
        out = op.gives[0]
        card, before = self._card(out), self._holds(out, "v")
        if before is not None:
            before = self._first_numbers.setdefault(out, before)
        for value in op.gives:
            self._comes_again(value, kind)
        self._add(step, "focus", card["id"])
        self._mark(step, op.context.actor, kind)
        if first is not None:
            if kind == "replay" and op.site == first.site is not None and self.names.is_result(first.gives[0], first):
                self.beside.gave(step, first.site.name, out)  # its line has run again
            if first.gives[0] in self._made_by:
                step["twin"] = self._made_by[first.gives[0]]
            for slot, value in enumerate(first.takes):
                if value in self.cards:
                    self._add(step, "flow", [self._edge(value, out, slot)["id"], "forward"])
        self._caused(step, op.context.cause)
        what, name, text = self._written(record.known), self.name(out), self._spelled(out)
        if self.names.replays.from_kept(op):
            step["say"] = f"{self.words('again.kept', what=what, name=name, value=text)}."
            return
        step["formula"] = self._equation(record.known, out)
        if before is not None and not _other(before, self.snap(out)):
            before = None  # there is nothing to say of it
        if kind == "replay" and "twin" in step:
            result = self.words("result", name=name, what=text)
            if before is not None:
                then = spelled(before)
                step["say"] = self.words("again.other", what=what, result=result, step=step["twin"], then=then)
            else:
                step["say"] = self.words("again", what=what, result=result, step=step["twin"])
        else:
            then = "" if before is None else self.words("given_back.other", then=spelled(before))
            step["say"] = self.words("given_back", what=what, name=name, value=text, then=then)

    def _comes_again(self, value: Value, kind: str) -> None:
        card = self._card(value)
        self._ends(value)
        card.setdefault("again", []).append({"from": self.now, "kind": kind})
        self._set_value(value)

    def _set_value(self, value: Value) -> None:
        cell = self._card(value)["cells"][0]
        self._set(value, "v", cell["label"], cell["kind"], self.snap(value))

    def _ends(self, value: Value) -> None:
        spans = self.cards[value].get("again", [])
        if spans and "to" not in spans[-1]:
            spans[-1]["to"] = max(self.now, spans[-1]["from"] + 1)

    def _on_at_door(self, record: AtDoor) -> None:
        """A share that reaches an input of a region from inside; the region hands on the sum of these."""
        recorder, value, part, position = record.recorder, record.into, record.part, record.position
        op = record.context.cause
        if op is None or recorder not in self._asked or op.gives[0] not in self.cards or value not in self.cards:
            return
        inner, cell = record.of, self._asked[recorder][0]
        if inner is None:
            way = self._through(op, position)
        else:
            way = self.words("out_of", region=inner.name, to=self.name(value))
        step = self._step("contribution", self.words("back", way=way, part=self._spelled(part)), record.site)
        self._caused(step, op)
        if inner is None:
            self._carry(self._edge(value, op.gives[0], position), recorder, self.snap(part), step)
        else:
            self._over(inner)
        self._focus(step, value)
        if record.in_parts:
            return
        before, arrived = self._holds(value, cell), self.snap(part)
        self._before_door.setdefault((recorder, value), before)
        both = arrived if before is None else added(before, arrived)
        if both is not None:
            self._put_gradient(recorder, value, both)
            self._focus(step, value, cell)
        if before is not None and both is not None and brief(both):
            self._added_at_door.add((recorder, value))
            step["say"] += " " + self.words("at_door.added", before=spelled(before), both=spelled(both))
        self._mark(step, recorder, self._kind("back", recorder))
        if both is not None and inner is None:
            self._claim(step, record, before, both)


def _other(then: Snapshot, now: Snapshot) -> bool:
    return (then.text, repr(then.data)) != (now.text, repr(now.data))  # compared as they are shown: NaN is like NaN
