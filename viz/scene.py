"""The contract between what happened and what is drawn.

A Scene is plain data: facts about one run, in the order in which a learner steps through them.  `tell/` writes it, the painter
and the player read it, and neither knows the other.  It turns into JSON and back without loss, the same run gives the same
bytes, and what is read is held against the shapes below: a wrong scene is refused with the path to what is wrong.  Positions are
the one derived part (`layout`): a scene without them is still whole.

The only clock is the step number: step 0 is "nothing has run yet", and a fact dated `t` holds from step `t` on, until the next
fact of the same thing.  Spans run from `from` up to, not including, `to`; without `to` they are open.  So the picture at any step
is a function of the scene, and back is as exact as forward.  Lists keep their order; what is absent is left out of the JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from .schema import ARRAY, Either, check, cleaned, dumps, loads, maybe, wrong

SCHEMA = "minitape-scene/1"

ORDERS = 6  # of derivatives; the last stands for all that follow, too

_TURN = re.compile(r"turn (\d+)(?: of loop(\d+))?")


def turn_of(name: str) -> tuple[int, int] | None:
    """The loop and the turn that a name asks to be opened; None for any other name.

    >>> turn_of("turn 512"), turn_of("turn 3 of loop1"), turn_of("fold 2")
    ((0, 512), (1, 3), None)
    """
    found = _TURN.fullmatch(name)
    return (int(found[2] or 0), int(found[1])) if found else None


def of_order(kind: str, order: int) -> str:
    """A kind of derivative, or of step, with the order that it is drawn in.

    >>> of_order("gradient", 1), of_order("gradient", 2), of_order("back", 4)
    ('gradient', 'gradient2', 'back4')
    """
    return kind + (str(min(order, ORDERS)) if order > 1 else "")


def order_of(kind: str) -> int:
    """The order in which a kind is drawn.

    >>> order_of("gradient"), order_of("tangent3")
    (1, 3)
    """
    return int(kind[-1]) if kind[-1].isdigit() else 1


def without_order(kind: str) -> str:
    """The kind alone.

    >>> without_order("gradient"), without_order("tangent3")
    ('gradient', 'tangent')
    """
    return kind.rstrip("0123456789")


def joined(spans: Iterable[Sequence[int]], gap: int = 0) -> list[list[int]]:
    """Spans in their order, those that overlap or are no farther apart than a gap as one.

    >>> joined([(4, 6), (1, 2), (2, 3)]), joined([(1, 2), (3, 5)], gap=1)
    ([[1, 3], [4, 6]], [[1, 5]])
    """
    out: list[list[int]] = []
    for start, stop in sorted(map(tuple, spans)):
        if out and start <= out[-1][1] + gap:
            out[-1][1] = max(out[-1][1], stop)
        else:
            out.append([start, stop])
    return out


def _kinds(*bases: str) -> list[str]:
    return [of_order(base, order) for base in bases for order in range(1, ORDERS + 1)]


DERIVED = _kinds("gradient", "tangent")


PLACE = (str, int)  # source id, line
SPAN = {"by": str, "from": int, "to?": int}  # by: a holder or a recorder
TERM = (str, str, str, str)  # symbol, number under it, kind, value id or ""; a column of a formula
SOURCE = {"id": str, "label": str, "lines": [(int, str)]}  # "cell 1", "lesson.py"; gaps in the line numbers are folds
RECORDER = {  # outermost first
    "id": str,
    "name": str,
    "kind": {"tape", "accumulator"},
    "order": int,  # 1: first derivatives, 2: derivatives of derivatives …
    "states": [{"t": int, "state": {"listening", "paused", "stopped", "spent"}}],
}
HOLDER = {"id": str, "label": str}  # of bytes; bottom of the memory stack first
CELL = {
    "id": str,  # "v" for the value itself
    "label": str,
    "kind": {"value", *DERIVED},
    "by?": str,  # a recorder
    # A text is at most a few characters; data are there for arrays only.  Three texts are signs, not numbers: "None" (cut; the
    # state carries why), "∅" (this recorder does not see it), and "" for "not yet", drawn "·", as where there is no state at all.
    "states": [{"t": int, "text": str, "data?": ARRAY, "why?": str}],
}
VALUE = {
    "id": str,
    "name": str,
    "kind": {"variable", "constant", "value", "gradient", "tangent"},
    "order": int,  # 0 for values
    "dtype?": str,
    "shape?": [int],
    "bytes?": int,
    "op?": str,  # unless it was made from nothing
    "sign?": str,  # what the op's disc shows
    "custom?": bool,  # the op goes back by a rule of the program's own: its disc has eight corners
    "place?": PLACE,
    "born": int,  # the step that made it; 0: it was there before
    "gone?": int,  # the step from which nobody has its bytes
    "region?": maybe(str),
    "ghost?": str,  # why no tape wrote it down
    # Of a value of a region, the spans in which it is there once more; an empty list while it never is.
    "again?": [{"from": int, "to?": int, "kind": {"replay", "rebuild"}}],
    "twin?": str,  # the value of the first run that it repeats, where somebody wrote the rerun down
    "group?": str,
    "cells": [CELL],
    "kept?": [SPAN],  # a tape keeps it as its own op's output: a pin between disc and card
    # Somebody held its bytes (of several the one who is charged), or those of a rerun that gave it again.
    "held?": [SPAN],
}
EDGE = {
    "id": str,
    "a": str,
    "b": str,
    "slot": int,  # which argument of b's op
    "carried?": [
        {"t": int, "to?": int, "by": str, "kind": str, "text": str}
    ],  # what came back, or what tangent went along it
    "kept?": [SPAN],  # a tape keeps this input for the backward pass
}
REGION = {
    "id": str,
    "label": str,
    "kind": {"tape", *DERIVED, "recompute", "rebuild", "custom", "name"},
    "recorder?": str,
    "parent?": maybe(str),
    # Of recompute and rebuild (a reversible layer): open | closed | replaying | rebuilding | done, and as text what stands beside
    # the label instead of the state's word; of the others, a recorder's.
    "states": [{"t": int, "state": str, "text?": str}],
    "runs?": int,  # how often it ran, if more than once
    "kept?": int,  # bytes that are kept of it
    "plain?": int,  # bytes that a plain tape would keep
}
GROUP = {  # what of a long run is told as one step of kind "fold", until it is opened by its id
    "id": str,
    "label": str,  # "line 11 ×25"
    "kind": {"layer", "region", "repeat", "ops"},
    "parent?": maybe(str),  # the opened group that it is a part of
    "face?": str,  # the value that stands for it; it and others carry `group`
    "values": int,  # how many it folds
    "from": int,
    "to": int,
}
NAME = {
    "id": str,
    "label": str,
    "from": int,
    "to?": int,
}  # of the learner's, on the time axis: with viz.region("encoder")
ALARM = {
    "t": int,
    "kind": {"nan", "inf", "dead", "vanishes", "still", "explodes", "unreached", "update", "left"},
    "say": str,
}  # what is wrong
ASK = {  # stories: what is said of a wrong guess, by option
    "question": str,
    "options": [str],
    "answer": str,
    "note?": str,
    "after?": int,
    "stories?": {str: str},
    "name?": str,  # of a stored one
}
STEP = {
    "kind": str,
    "say": str,  # one sentence
    "place?": PLACE,  # the line that runs
    "cause?": PLACE,  # the line whose entry is being reversed
    "formula?": [TERM],
    "focus?": [Either(str, (str, str))],  # a value, or a value and one of its cells
    "flow?": [(str, {"forward", *_kinds("back", "tangent")})],  # along an edge
    "marks?": [(str, str)],  # of a recorder: style.MARKS
    "memory?": {str: int},  # bytes by holder
    "high?": int,  # the most bytes inside this step, where above its end
    "produced?": [(PLACE, str)],
    "ask?": ASK,  # asked before the next step is shown; the guess is set against the answer `after` steps later
    "twin?": int,  # of a replayed or rebuilt op: the step of its first run
}
SHEET = {
    "w": float,
    "h": float,
    "nodes": {str: [float]},  # x, y, w, h: the op's disc (left of the card in LR, above it in TB) and the card
    "edges": {str: str},  # SVG paths
    "regions": {str: [float]},  # x, y, w, h; of its label where it begins, its baseline, its room, its lines
}
LAYOUT = {"engine": str, "rows": {str: [float]}, "LR": SHEET, "TB": SHEET}  # rows: by value, the height of each cell
SHAPE = {
    "schema": str,
    "title?": str,
    "lead?": str,
    "unit?": str,
    "sources?": [SOURCE],
    "recorders?": [RECORDER],
    "holders?": [HOLDER],
    "values?": [VALUE],
    "edges?": [EDGE],
    "regions?": [REGION],
    "groups?": [GROUP],
    "names?": [NAME],
    "alarms?": [ALARM],
    "steps?": [STEP],
    "layout?": LAYOUT,
    "notes?": [str],  # sentences to show with the picture: what it leaves out, and why
    "vocabulary?": {str: str},  # words of the source's own, where it has some: see tell/words.toml
}


@dataclass(slots=True)
class Scene:
    """One run as facts, ready to be drawn, exported, compared and read aloud.

    >>> scene = viz.Scene(title="nothing", steps=[{"kind": "start", "say": "Nothing has run yet.", "memory": {}}])
    >>> viz.Scene.from_json(scene.to_json()) == scene
    True
    """

    title: str = ""
    lead: str = ""
    unit: str = "B"
    sources: list[dict[str, Any]] = field(default_factory=list)
    recorders: list[dict[str, Any]] = field(default_factory=list)
    holders: list[dict[str, Any]] = field(default_factory=list)
    values: list[dict[str, Any]] = field(default_factory=list)
    edges: list[dict[str, Any]] = field(default_factory=list)
    regions: list[dict[str, Any]] = field(default_factory=list)
    groups: list[dict[str, Any]] = field(default_factory=list)
    names: list[dict[str, Any]] = field(default_factory=list)
    alarms: list[dict[str, Any]] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    layout: dict[str, Any] | None = None
    notes: list[str] = field(default_factory=list)
    vocabulary: dict[str, str] | None = None
    schema: str = SCHEMA
    # By step, the rule that ran and every number it read, for the microscope of a page that is made here: not in JSON.
    looks: Any = field(default=None, compare=False, repr=False)
    # The learner's loops, with the sizes of whole arrays in every turn (tell/loops.py), for the same page: not in JSON.
    loops: list[dict[str, Any]] = field(default_factory=list, compare=False, repr=False)
    # By value of the stream, its card, or the one it is folded into, for whoever compares runs: not in JSON.
    cards: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    def begin_of(self, name: str) -> int | None:
        """The step with which a turn begins that a name opens; None for any other name, and for a turn that there is not.

        >>> viz.Scene(loops=[{"steps": [2, 5, 8]}]).begin_of("turn 1")
        5
        """
        place = turn_of(name)
        if place is None or place[0] >= len(self.loops):
            return None
        steps: list[int] = self.loops[place[0]]["steps"]
        return steps[place[1]] if place[1] < len(steps) else None

    def to_dict(self) -> dict[str, Any]:
        """The scene as plain data, `schema` first and what is absent left out."""
        whole = {
            part.name: getattr(self, part.name) for part in fields(self) if part.name not in ("looks", "loops", "cards")
        }
        if not self.alarms:
            del whole["alarms"]
        return {"schema": whole.pop("schema"), **{key: value for key, value in whole.items() if value is not None}}

    def to_json(self) -> str:
        """The scene as one line of JSON; the same scene gives the same bytes."""
        return dumps(self.to_dict())

    @classmethod
    def from_dict(cls, data: Any) -> Scene:
        """The scene that `to_dict` described; raises ValueError with the path to what is wrong.

        >>> viz.Scene.from_dict({"schema": "minitape-scene/1", "steps": [{"kind": "op", "say": "…", "focus": 5}]})
        Traceback (most recent call last):
        ValueError: scene.steps[0].focus: expected a list, got 5...
        """
        if not isinstance(data, dict):
            raise wrong("scene", "an object", data)
        if data.get("schema") != SCHEMA:
            raise ValueError(f"this reads scenes of {SCHEMA!r}, not of {data.get('schema')!r}: export the run again")
        check(data, SHAPE, "scene")
        scene = cls(**cleaned(data))
        _linked(scene)
        return scene

    @classmethod
    def from_json(cls, text: str) -> Scene:
        """The scene that `to_json` wrote; raises ValueError with the path to what is wrong."""
        return cls.from_dict(loads(text, "scene"))


def _linked(scene: Scene) -> None:
    """Raise ValueError for a name of something that the scene does not have."""
    if not scene.steps:
        raise ValueError("scene.steps: expected one at least")
    known = {
        kind: {thing["id"] for thing in getattr(scene, kind)}
        for kind in ("values", "edges", "recorders", "regions", "sources")
    }

    for kind, names in known.items():
        if len(names) < len(getattr(scene, kind)):
            raise ValueError(f"scene.{kind}: two have the same id")

    def has(kind: str, name: str | None, path: str) -> None:
        if name is not None and name not in known[kind]:
            raise ValueError(f"scene.{path}: there is no {name!r} among scene.{kind}")

    def then(step: int, path: str) -> None:
        if not 0 <= step < len(scene.steps):
            raise ValueError(f"scene.{path}: there is no step {step}")

    for at, value in enumerate(scene.values):
        has("regions", value.get("region"), f"values[{at}].region")
        has("sources", value["place"][0] if "place" in value else None, f"values[{at}].place")
        then(value["born"], f"values[{at}].born")
        if not value["cells"]:
            raise ValueError(f"scene.values[{at}].cells: expected one at least")
    for at, edge in enumerate(scene.edges):
        has("values", edge["a"], f"edges[{at}].a")
        has("values", edge["b"], f"edges[{at}].b")
        for place, state in enumerate(edge.get("carried", [])):
            has("recorders", state["by"], f"edges[{at}].carried[{place}].by")
            then(state["t"], f"edges[{at}].carried[{place}].t")
    parents = {region["id"]: region.get("parent") for region in scene.regions}
    for at, region in enumerate(scene.regions):
        has("regions", region.get("parent"), f"regions[{at}].parent")
        above = [region["id"]]
        while (parent := parents[above[-1]]) is not None:
            if parent in above:
                raise ValueError(f"scene.regions[{at}].parent: it lies in itself")
            above.append(parent)
    cells = {value["id"]: {cell["id"] for cell in value["cells"]} for value in scene.values}
    for at, step in enumerate(scene.steps):
        for place, focus in enumerate(step.get("focus", [])):
            name, cell = (focus, None) if isinstance(focus, str) else focus
            has("values", name, f"steps[{at}].focus[{place}]")
            if cell is not None and cell not in cells[name]:
                raise ValueError(f"scene.steps[{at}].focus[{place}]: {name!r} has no cell {cell!r}")
        for place, (edge, _) in enumerate(step.get("flow", [])):
            has("edges", edge, f"steps[{at}].flow[{place}]")
        for place, (recorder, _) in enumerate(step.get("marks", [])):
            has("recorders", recorder, f"steps[{at}].marks[{place}]")
        for part in ("place", "cause"):
            has("sources", step[part][0] if part in step else None, f"steps[{at}].{part}")
    _placed(scene, has)


_PATH = re.compile(r"M-?[\d.]+ -?[\d.]+(?:[A-Z ]?-?\d[\d.]*)+")  # as graph drawings have them


_FARTHEST = 100_000  # px that a drawing is wide or high


def _placed(scene: Scene, has: Callable[[str, str | None, str], None]) -> None:
    """The same for the layout, which has the same things both ways, each with all the numbers that it needs."""
    layout = scene.layout
    if layout is None:
        return
    if not all(abs(layout[way][size]) <= _FARTHEST for way in ("LR", "TB") for size in "wh"):
        raise ValueError(f"scene.layout: more than {_FARTHEST:,} px")
    cells = {value["id"]: len(value["cells"]) for value in scene.values}
    for name, rows in layout["rows"].items():
        has("values", name, "layout.rows")
        if rows and len(rows) != cells[name]:
            raise ValueError(f"scene.layout.rows[{name!r}]: {len(rows)} for {cells[name]} cells")
    for kind, of, count in (("nodes", "values", 4), ("regions", "regions", 8), ("edges", "edges", None)):
        for way in ("LR", "TB"):
            for name, box in layout[way][kind].items():
                if count is not None and not all(abs(number) <= _FARTHEST for number in box):
                    raise ValueError(f"scene.layout.{way}.{kind}[{name!r}]: more than {_FARTHEST:,} px")
                has(of, name, f"layout.{way}.{kind}")
                if count is None and not _PATH.fullmatch(box):
                    raise ValueError(
                        f"scene.layout.{way}.edges[{name!r}]: expected a path of curves, such as M0 0C1 0 2 1 3 1"
                    )
                if count is not None and len(box) != count:
                    raise ValueError(f"scene.layout.{way}.{kind}[{name!r}]: expected {count} numbers, got {len(box)}")
        if layout["LR"][kind].keys() != layout["TB"][kind].keys():
            raise ValueError(f"scene.layout.TB.{kind}: not the same as in scene.layout.LR")
