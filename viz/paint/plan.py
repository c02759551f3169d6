"""The plan of a score: what stands in which row, and what joins what; no pixels beyond the heights of rows and staves.

The rules:

    string   one per value, in the order in which values appear.  Its first row is the value, and each derivative that ever
             has a number or a sign hangs one row under it.  A string is alive while somebody holds the value's bytes (`held`,
             else from `born` to `gone`), and once more while a rerun has brought it back (`again`); it is thick
             while a tape keeps it: the pins of the edges that lead from it, and its own.
    row      a string takes new rows at the bottom, unless all rows together were more than ROOMY: then it takes over the
             rows of a string that has ended, the tightest that fit; and derivatives of one kind that come after each other
             share a row (each shown until the next).  A string has ended after its last living step and the
             last step that reads or writes any of its rows.  Strings that share a row each have their name where they begin.
    stem     what a step reads (`flow`: forwards the argument, backwards the result's derivative) and writes (states dated so).
    arc      from each contribution that came back (`carried`) to the step that made the edge's result (its rerun, where
             there was one), on the staff of the recorder that went back; from each rerun of an op to its first run.
             `far` is the longest on a staff.
    backpath the same, along the strings: from the result's stem to the argument's row, and back to where the argument was made.
    band     a backward pass, from a recorder's seed to its answer; under it each region, while it runs and while it runs again,
             as deep as it lies in others; under those the learner's own names.
    staff    one per recorder, outermost first; of many recorders, those that come after each other share one.

A score of more than MOST values is not drawn; it says so instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..scene import Scene, joined
from ..style import CUT, NEVER
from .state import pins, rows_of, stretches, written

STAFF, LINE, SUB, GAP, ROOMY, ARCH, MOST = 32, 18, 14, 4, 24, 46, 300

REGIONS = ("recompute", "rebuild", "custom")  # what runs in them is one entry to a tape

Span = list[int]
Line = tuple[str, str]  # (value id, cell id)


@dataclass(slots=True)
class Plan:
    """Where everything of a score stands, as plain data."""

    levels: list[int]  # of each row: 0 for a value, 1 for a derivative
    strings: list[dict[str, Any]]
    staves: list[dict[str, Any]]
    stems: list[dict[str, Any]]
    arcs: list[dict[str, Any]]
    backpaths: list[dict[str, Any]]
    bands: list[dict[str, Any]]


def plan_of(scene: Scene) -> Plan:
    """The plan of a scene's score.

    >>> plan_of(Scene(steps=[{"kind": "start", "say": "Nothing has run yet."}])).levels
    []
    """
    stems = _stems(scene)
    touched: dict[Line, int] = {}
    for stem in stems:
        for line in [*stem["reads"], *stem["writes"]]:
            touched[tuple(line)] = stem["step"]
    answered = {
        tuple(thing)
        for step in scene.steps
        if step["kind"] in ("gradients", "look")
        for thing in step.get("focus", [])
        if not isinstance(thing, str)
    }
    kept, end = pins(scene), len(scene.steps)
    strings = [_string(value, end, kept.get(value["id"], []), touched, answered) for value in scene.values]
    levels = _rows(strings)
    arcs, backpaths = _ways_back(scene)
    staves = _staves(scene, arcs)
    return Plan(levels, strings, staves, stems, arcs, backpaths, _bands(scene))


def heights(levels: list[int]) -> tuple[list[int], int]:
    """Where each row stands, in px from the top, and the height of all.

    >>> heights([0, 1, 0])
    ([22, 36, 58], 68)
    """
    y, rows = GAP, []
    for at, level in enumerate(levels):
        y += SUB if level else LINE + (GAP if at else 0)
        rows.append(y)
    return rows, y + 10


def _stems(scene: Scene) -> list[dict[str, Any]]:
    values = {value["id"]: value for value in scene.values}
    edges = {edge["id"]: edge for edge in scene.edges}
    writes: list[list[list[str]]] = [[] for _ in scene.steps]
    reads: list[list[list[str]]] = [[] for _ in scene.steps]

    def add(rows: list[list[list[str]]], at: int, line: list[str]) -> None:
        if 0 <= at < len(rows) and line not in rows[at]:
            rows[at].append(line)

    for value in scene.values:
        for cell in value["cells"]:
            for state in written(cell):
                add(writes, state["t"], [value["id"], cell["id"]])
    for at, step in enumerate(scene.steps):
        for identity, way in step.get("flow", []):
            edge = edges.get(identity)
            if edge is None:
                continue
            if way == "forward":
                add(reads, at, [edge["a"], "v"])
                continue
            end, start = (edge["a"], edge["b"]) if way.startswith("back") else (edge["b"], edge["a"])
            for value_id, cell_id in [line for line in writes[at] if line[0] == end and line[1] != "v"]:
                known = values.get(start, {"cells": []})
                if value_id == end and any(cell["id"] == cell_id for cell in known["cells"]):
                    add(reads, at, [start, cell_id])
    return [
        {"step": at, "reads": [line for line in reads[at] if line not in writes[at]], "writes": writes[at]}
        for at in range(len(scene.steps))
    ]


def _string(
    value: dict[str, Any], end: int, pins: list[dict[str, Any]], touched: dict[Line, int], answered: set[Any]
) -> dict[str, Any]:
    identity = value["id"]
    cells = [cell for at, cell in enumerate(value["cells"]) if at == 0 or written(cell)]
    born = value.get("born", 0)
    again = _joined(value.get("again") or [], end)
    once = [span for span in value.get("held") or [] if not _inside(span, again, end)]
    alive = _joined(once or [{"from": born, "to": value.get("gone")}], end)
    whole = _joined([{"from": start, "to": stop} for start, stop in [*alive, *again]], end)
    kept = _joined([*pins, *value.get("kept", [])], end)
    lines = []
    for cell in cells:
        key, states = (identity, cell["id"]), written(cell)
        numbers = [state["t"] for state in states if state.get("text") not in (CUT, NEVER)]
        first = min([*(state["t"] for state in states), end])
        stays = cell["id"] != "v" and (key in answered or cell["kind"].startswith("tangent"))
        last = touched.get(key, born)
        line = {"id": cell["id"], "kind": cell["kind"], "first": first, "last": last, "from": min([*numbers, end])}
        lines.append({**line, "to": end if stays else last, "sub": 0})
    last = max([born, *[span[1] for span in whole], *[line["to"] for line in lines]])
    return {
        "id": identity, "row": 0, "from": born, "to": last, "lines": lines, "alive": alive, "again": again,
        "kept": _within(kept, whole),
    }  # fmt: skip


def _joined(spans: list[dict[str, Any]], end: int) -> list[Span]:
    """Spans that touch or overlap become one; an open end is the end of the run."""
    ends = [[span["from"], _stop(span, end)] for span in spans]
    return joined(span for span in ends if span[0] < span[1])


def _stop(span: dict[str, Any], end: int) -> int:
    return end if span.get("to") is None else int(span["to"])


def _inside(span: dict[str, Any], others: list[Span], end: int) -> bool:
    return any(a <= span["from"] and _stop(span, end) <= b for a, b in others)


def _within(spans: list[Span], alive: list[Span]) -> list[Span]:
    both = [[max(start, a), min(stop, b)] for start, stop in spans for a, b in alive]
    return [span for span in both if span[0] < span[1]]


def _rows(strings: list[dict[str, Any]]) -> list[int]:
    share = sum(len(string["lines"]) for string in strings) > ROOMY
    blocks: list[dict[str, Any]] = []
    levels: list[int] = []
    for string in strings:
        size = _lines(string, share)
        free = [block for block in blocks if share and block["until"] < string["from"] and block["size"] >= size]
        block = min(free, key=lambda block: (block["size"], block["row"]), default=None)
        if block is None:
            block = {"row": len(levels), "size": size}
            blocks.append(block)
            levels += [1 if at else 0 for at in range(size)]
        block["until"] = string["to"]
        string["row"] = block["row"]
    return levels


def _lines(string: dict[str, Any], share: bool) -> int:
    """The rows of one string: derivatives of one kind that come after each other share one, too.  Returns how many."""
    users: list[dict[str, Any]] = []
    for line in string["lines"]:
        after = [
            k for k, user in enumerate(users) if k and user["kind"] == line["kind"] and user["last"] < line["first"]
        ]
        if share and users and after:
            line["sub"] = after[0]
            users[after[0]]["to"] = min(users[after[0]]["to"], line["first"])
            users[after[0]] = line
        else:
            line["sub"] = len(users)
            users.append(line)
    return len(users)


def _ways_back(scene: Scene) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    values = {value["id"]: value for value in scene.values}
    arcs, backpaths, into = [], [], dict[str, int]()
    for edge in scene.edges:
        for share in edge.get("carried", []):
            if not share["kind"].startswith("gradient") or edge["a"] not in values or edge["b"] not in values:
                continue
            at = _latest_life(values[edge["b"]], share["t"])
            back = _latest_life(values[edge["a"]], at)
            arcs.append({"by": share["by"], "kind": share["kind"], "from": share["t"], "to": at})
            nth = into[edge["a"]] = into.get(edge["a"], -1) + 1
            told = {key: share[key] for key in ("kind", "t", "text")}
            backpaths.append({"edge": edge["id"], **told, "at": at, "back": back, "nth": nth})
    for at, step in enumerate(scene.steps):
        for by, mark in step.get("marks", []) if "twin" in step else ():
            if mark in ("replay", "rebuild"):
                arcs.append({"by": by, "kind": "replay", "from": at, "to": step["twin"]})
    return arcs, backpaths


def _latest_life(value: dict[str, Any], step: int) -> int:
    """The step at which a value was last made, up to a step: where it was born, changed, or brought back by a rerun."""
    states = value["cells"][0].get("states", []) if value["cells"] else []
    return max([value.get("born", 0), *[state["t"] for state in states if state["t"] <= step]])


def _staves(scene: Scene, arcs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    far = dict.fromkeys((recorder["id"] for recorder in scene.recorders), 0)
    for arc in arcs:
        far[arc["by"]] = max(far.get(arc["by"], 0), arc["from"] - arc["to"])

    def staff(recorder: str, place: int) -> dict[str, Any]:
        arch = min(ARCH, 14 + 3 * far[recorder]) if far[recorder] else 0
        return {"id": recorder, "far": far[recorder], "arch": arch, "staff": place}

    return [staff(recorder["id"], place) for place, users in enumerate(rows_of(scene)) for recorder in users]


def _bands(scene: Scene) -> list[dict[str, Any]]:
    bands = [*_passes(scene), *_runs(scene)]
    beneath, last = max([-1, *[band["row"] for band in bands]]) + 1, len(scene.steps) - 1
    return bands + [_band(beneath, name["from"], _stop(name, last), "name", name["label"]) for name in scene.names]


def _band(row: int, start: int, end: int, kind: str, brief: str, label: str = "") -> dict[str, Any]:
    return {"row": row, "from": start, "to": end, "kind": kind, "label": label or brief, "brief": brief}


def _passes(scene: Scene) -> list[dict[str, Any]]:
    """A band per backward pass, as long as it goes on."""
    names = {recorder["id"]: recorder["name"] for recorder in scene.recorders}
    going: dict[str, dict[str, Any]] = {}
    bands = []
    for at, step in enumerate(scene.steps):
        for identity, mark in step.get("marks", []):
            if mark.startswith("seed") and identity not in going:
                kind, name = mark.replace("seed", "gradient"), str(names.get(identity))
                going[identity] = _band(0, at, at, kind, name, f"{name} goes back")
                bands.append(going[identity])
            if mark.startswith("back") and identity in going:
                going[identity]["to"] = at
        if step["kind"] == "gradients":
            for band in going.values():
                band["to"] = at
            going.clear()
    return bands


def _runs(scene: Scene) -> list[dict[str, Any]]:
    """A band per run of each region, as deep as the region lies in others."""
    regions = {region["id"]: region for region in scene.regions}
    bands = []
    for region in [region for region in scene.regions if region["kind"] in REGIONS]:
        brief, depth = region["label"], _depth(regions, region)
        for start, end, state in stretches(region, len(scene.steps)):
            if state == "open":
                bands.append(_band(depth, start, end, "first", brief))
            elif state in ("replaying", "rebuilding"):
                bands.append(_band(depth, start, end, "replay", brief, f"{brief} again"))
    return bands


def _depth(regions: dict[str, dict[str, Any]], region: dict[str, Any] | None) -> int:
    return _depth(regions, regions.get(region.get("parent") or "")) + (region["kind"] in REGIONS) if region else 0
