"""The legend: only the marks that a scene uses, drawn as they are, each with its words."""

from __future__ import annotations

import re
from itertools import chain
from typing import Any, NamedTuple

from ..layout.sizes import chip_short, grid, lines, shape
from ..scene import Scene
from ..style import CELLS, CUT, DASHES, LINE_MARKS, MARKS, NEVER, NOT_YET, SHAPES, words
from . import state as at
from .cards import octagon, path, rect
from .graph import cramped
from .sheet import Mark, said

SQUEEZED: dict[str, Any] = {"textlength": 22.0, "lengthadjust": "spacingAndGlyphs"}
VECTOR = re.compile(r"\(\d+,\)$")  # a shape that stands for numbers
WIDE = 22  # px of a drawing
OWN = ("tape", "kept")  # words of the legend that a framework may have its own for


class Item(NamedTuple):
    """A drawing, what it means, and how wide it is."""

    icon: list[Mark]
    said: str
    wide: int = WIDE


def legend(scene: Scene, parts: tuple[str, ...], short: set[str] | None = None) -> list[Item]:
    """Each mark that these parts of the scene use (of graph, lanes, score, memory), and what it means; `short` are its cramped
    edges, where they are known."""
    values, cells = scene.values, [cell for value in scene.values for cell in value["cells"]]
    states = [state for cell in cells for state in cell.get("states", [])]
    kinds, texts = {cell["kind"] for cell in cells}, {state.get("text") for state in states}
    used = {mark for step in scene.steps for _, mark in step.get("marks", [])}
    graph, score = "graph" in parts and bool(scene.layout), "score" in parts
    out: list[Item] = []
    own = {word: (scene.vocabulary or {}).get(word, word) for word in OWN}

    def add(key: str, holds: Any, *icon: Mark) -> None:
        if holds:
            out.append(Item(list(icon), words(f"legend.{key}", **own)))

    if graph:
        told = {kind: said.replace("tape", own["tape"]) for kind, said in CELLS.items() if kind in kinds}
        out += [Item([_arrow(kind)], said, _room(kind)) for kind, said in told.items()]
        kept, regions = any(edge.get("kept") for edge in scene.edges), {region["kind"] for region in scene.regions}
        add("kept", kept, _outline("free", "pin kept"))
        add("free", kept, _outline("free", "pin"))
        add("tape", "tape" in regions, rect(2, 1, 18, 14, rx=4, cls="box tape"))
        add("variable", any(value["kind"] == "variable" for value in values), rect(3, 2, 16, 12, rx=1, cls="box"))
        add("closed", regions & {"recompute", "rebuild"}, rect(2, 1, 18, 14, rx=4, cls="box lid"))
        add(
            "again",
            regions & {"recompute", "rebuild"},
            rect(4, 3, 16, 12, rx=4, cls="box again"),
            rect(2, 1, 16, 12, rx=4, cls="box again"),
        )
        eight = path(octagon(11, 8, 22), "disc", transform="translate(3.3 2.4) scale(.7)")
        add("custom", any(value.get("custom") for value in values), eight)
        add(
            "stack",
            any(value.get("group") for value in values),
            *(rect(x, x - 1, 13, 9, rx=3, cls="box") for x in (7, 4.5, 2)),
        )
        add("ghost", any(value.get("ghost") for value in values), rect(3, 2, 16, 12, rx=4, cls="box ghost"))
        two = (path("M2 4h8v8h-8Z", "pos value"), path("M13 5h6v6h-6Z", "neg value"))
        add("squares", any(grid(state) and not lines(state) for state in states), *two)
        add(
            "shape", _vectors(scene, states, short), Mark("text", x=11, y=12, text="(n,)", cls="shapeglyph", **SQUEEZED)
        )
    if score:
        add("alive", True, path("M0 8H22", "string"))
        add(
            "held",
            any(thing.get("kept") for thing in [*scene.edges, *values]),
            path("M0 8H22", "kept"),
            path("M0 8H22", "string"),
        )
        add("once_more", any(value.get("again") for value in values), path("M0 8H22", "string again"))
        add("written", True, _outline("op", "touch value"))
        add("read", True, _outline("op", "touch value read"))
        for kind in CELLS:
            if kind in kinds and kind != "value":
                line = path("M0 8H22", f"derivative {kind}")
                out.append(Item([line, _outline(LINE_MARKS[kind], f"touch {kind}")], CELLS[kind]))
        back = any(fact["kind"].startswith("gradient") for edge in scene.edges for fact in edge.get("carried", []))
        backpath = Mark(
            "g",
            path("M21 15V8H6", "backpathline"),
            path("M1 8l7-3.6v7.2z", "tip gradient"),
            cls="backpath gradient here",
        )
        arc = Mark(
            "g", path("M20 14C20 0 4 0 4 10", "arcline"), path("M4 15l-3-6h6z", "tip gradient"), cls="arc gradient here"
        )
        add("backpath", back, backpath)
        add("arc", back, arc)
    table = "graph" in parts and not graph
    add("not_yet", (graph or score or table) and len(kinds) > 1, _glyph(NOT_YET))
    add("cut", (graph or score or table) and CUT in texts, _glyph("✂"))
    add("never", (graph or score or table) and NEVER in texts, _glyph(NEVER))
    if "lanes" in parts or score:
        for mark, (meaning, _) in MARKS.items():
            if mark in used and not (graph and mark == "free"):  # the open pin says it
                out.append(Item([_outline(mark, f"mark {mark}")], meaning))
    if "memory" in parts and scene.holders:
        add(
            "high",
            any(at.high_at(scene, step) > at.total_at(scene, step) for step in range(len(scene.steps))),
            path("M11 14V3m-2.5 0h5", "high"),
        )
        out.append(Item([path("M11 12l-4.3-7h8.6Z", "peak")], at.peak_words(scene)))
    return out


def _outline(mark: str, cls: str) -> Mark:
    return path(SHAPES[mark], cls, transform="translate(11 8)")


def _room(kind: str) -> int:
    """How wide an arrow is drawn: from the second order on, so that a dash and all its dots are seen beside its head."""
    period = sum(map(int, DASHES.get(kind, "").split()))
    return max(WIDE, period + (7 if kind.startswith("gradient") else 11))


def _arrow(kind: str) -> Mark:
    wide = _room(kind)
    line, tip = f"M6 8H{wide - 1}", "M8 4L1 8L8 12Z"
    if not kind.startswith("gradient"):
        line, tip = f"M1 8H{wide - 6}", f"M{wide - 8} 4L{wide - 1} 8L{wide - 8} 12Z"
    if kind.startswith("tangent"):
        heads = (f"M{wide - 12} 4L{wide - 6.4:g} 8L{wide - 12} 12Z", f"M{wide - 7} 4L{wide - 1} 8L{wide - 7} 12Z")
        line, tip = f"M1 8H{wide - 10}", "".join(heads)
    # the arrowhead is drawn here: a marker would be as large as in the graph
    return Mark("g", path(line, said("dash", kind)), path(tip, f"tip {kind}"))


def _glyph(sign: str) -> Mark:
    return Mark("text", x=11, y=12.5, text=sign, cls="glyph")


def _vectors(scene: Scene, states: list[dict[str, Any]], short: set[str] | None) -> bool:
    """Whether the graph shows the shape of a vector: beside its squares, or on an edge, where its numbers have no room."""
    if any(VECTOR.match(shape(state)) and grid(state) and not lines(state) for state in states):
        return True
    carried = {link["id"]: [fact["text"] for fact in link["carried"]] for link in scene.edges if link.get("carried")}
    if any(map(VECTOR.match, chain(*carried.values()))):
        return True
    rows = {link for link, texts in carried.items() if any(VECTOR.match(chip_short(text)) for text in texts)}
    return bool(rows) and not rows.isdisjoint(cramped(scene) if short is None else short)
