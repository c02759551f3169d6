"""The grounds of the graph, areas that lie behind cards: what each tape knows, and the recorded work of each recorder."""

from __future__ import annotations

from typing import Any

from ..capture.records import Recorder, Value
from ..scene import of_order
from .names import Names
from .steps import Steps
from .told import Region


class Grounds:
    """Gives every card its region; `regions` are those that are used."""

    def __init__(self, names: Names, told: Steps) -> None:
        self.names, self.told = names, told
        self._found: dict[str, dict[str, Any]] = {}
        # By value: the result of the first recorded op of a recorder's work that takes it.
        self._users: dict[Value, Value] = {}
        for out, op in names.ops.items():
            if op.context.phase != "forward":
                for value in op.takes:
                    self._users.setdefault(value, out)
        for value, card in told.cards.items():
            parent = self._tapes(self._knowing(value))
            inside = names.replays.home.get(value)
            home = self._again(inside) if inside is not None else self._work(value, parent) or parent
            if home is not None:
                card["region"] = home

    @property
    def regions(self) -> list[dict[str, Any]]:
        """The regions of the scene, in the order in which cards lie on them."""
        return list(self._found.values())

    def _again(self, region: Region) -> str | None:
        """The ground of what a tape knows as one entry: it lies on the ground of the tapes that know its results."""
        if region.parent is not None:
            parent = self._again(region.parent)
        else:
            gives = region.entry.gives if region.entry is not None else ()
            parent = self._tapes(
                list(dict.fromkeys(recorder for value in gives for recorder in self.told.known_by.get(value, [])))
            )
        facts = self.told.regions.get(region)
        if facts is None:
            if region.entry is None or region.kind != "custom":
                return parent
            label = self.told.words("region.own_rule", region=region.name)
            facts = {"id": f"again{len(self.told.regions)}", "label": label, "kind": "custom", "states": []}
            self.told.regions[region] = facts
        facts["parent"] = parent
        self._found.setdefault(facts["id"], facts)
        return str(facts["id"])

    def _knowing(self, value: Value) -> list[Recorder]:
        """The recorders that know a value; a seed or a factor inside recorded work stands with the entry that uses it."""
        if value not in self.names.ops and self.told.work_of(value)[0] is not None and value in self._users:
            value = self._users[value]
        return self.told.known_by.get(value, [])

    def _tapes(self, recorders: list[Recorder]) -> str | None:
        """The ground of the tapes among them, outermost first, as far as each lies inside the one before."""
        parent, spans, around = None, self.names.spans, None
        for recorder in sorted(
            (recorder for recorder in recorders if recorder.kind == "tape"), key=self.names.recorders.index
        ):
            first, last = spans[recorder]
            if around is None or (around[0] <= first and last <= around[1]):
                around, who = (first, last), self.names.recorder_ids[recorder]
                identity = f"{parent}/{who}" if parent else who
                states = self.told.recorder_states.get(recorder, [])
                self._found.setdefault(identity, {
                    "id": identity, "label": self.names.recorder_names[recorder], "kind": "tape", "recorder": who,
                    "parent": parent, "states": states,
                })  # fmt: skip
                parent = identity
        return parent

    def _work(self, value: Value, parent: str | None) -> str | None:
        """The ground of a backward or tangent computation that somebody recorded, or that was looked at."""
        actor, kind = self.told.work_of(value)
        if actor is None or not kind:
            return None
        identity = f"{parent or ''}:{kind}:{self.names.recorder_ids[actor]}"
        label = self.told.words(f"ground.{kind}", who=self.names.recorder_names[actor])
        self._found.setdefault(identity, {
            "id": identity, "label": label, "kind": of_order(kind, self.names.order[actor]),
            "recorder": self.names.recorder_ids[actor], "parent": parent, "states": [],
        })  # fmt: skip
        return identity
