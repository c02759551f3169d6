"""The legend: only the marks that a scene uses, drawn as they are, each with its words."""

from __future__ import annotations

import re
from itertools import chain
from typing import Any, NamedTuple

from ..layout.chips import chip_short
from ..layout.sizes import grid, lines, shape
from ..scene import Scene
from ..style import CELLS, CUT, DASHES, LINE_MARKS, MARKS, NEVER, NOT_YET, SHAPES, words
from . import state as at
from .cards import octagon, path, rect
from .sheet import Mark, said
from .spots import cramped

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
    drawn, score, made = "graph" in parts and bool(scene.layout), "score" in parts, _Legend(scene)
    if drawn:
        made.graph(short)
    if score:
        made.score()
    if "graph" in parts or score:
        made.signs()
    if "lanes" in parts or score:
        made.events(beside_graph=drawn)
    if "memory" in parts and scene.holders:
        made.memory()
    return made.items


class _Legend:
    """The items so far, and what they are asked of a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.items = scene, list[Item]()
        self.states = at.states_of(*scene.values)
        self.kinds = {cell["kind"] for value in scene.values for cell in value["cells"]}
        self.own = {word: (scene.vocabulary or {}).get(word, word) for word in OWN}
        self.kept = any(thing.get("kept") for thing in [*scene.edges, *scene.values])

    def add(self, key: str, holds: Any, *icon: Mark) -> None:
        """An item, where the scene has what it tells of."""
        if holds:
            self.items.append(Item(list(icon), words(f"legend.{key}", **self.own)))

    def any(self, key: str) -> bool:
        """Whether any value says this."""
        return any(value.get(key) for value in self.scene.values)

    def graph(self, short: set[str] | None) -> None:
        """What stands in the graph."""
        scene, states = self.scene, self.states
        told = {kind: said.replace("tape", self.own["tape"]) for kind, said in CELLS.items() if kind in self.kinds}
        self.items += [Item([_arrow(kind)], said, _room(kind)) for kind, said in told.items()]
        regions = {region["kind"] for region in scene.regions}
        again = regions & {"recompute", "rebuild"}
        self.add("kept", self.kept, _outline("free", "pin kept"))
        self.add("free", self.kept, _outline("free", "pin"))
        self.add("tape", "tape" in regions, rect(2, 1, 18, 14, rx=4, cls="box tape"))
        variable = any(value["kind"] == "variable" for value in scene.values)
        self.add("variable", variable, rect(3, 2, 16, 12, rx=1, cls="box"))
        self.add("closed", again, rect(2, 1, 18, 14, rx=4, cls="box lid"))
        self.add("again", again, *(rect(x, x - 1, 16, 12, rx=4, cls="box again") for x in (4, 2)))
        eight = path(octagon(11, 8, 22), "disc", transform="translate(3.3 2.4) scale(.7)")
        self.add("custom", self.any("custom"), eight)
        self.add("stack", self.any("group"), *(rect(x, x - 1, 13, 9, rx=3, cls="box") for x in (7, 4.5, 2)))
        self.add("ghost", self.any("ghost"), rect(3, 2, 16, 12, rx=4, cls="box ghost"))
        two = (path("M2 4h8v8h-8Z", "pos value"), path("M13 5h6v6h-6Z", "neg value"))
        self.add("squares", any(grid(state) and not lines(state) for state in states), *two)
        vector = Mark("text", x=11, y=12, text="(n,)", cls="shapeglyph", **SQUEEZED)
        self.add("shape", _vectors(scene, states, short), vector)

    def score(self) -> None:
        """What stands in the score."""
        scene, line = self.scene, "M0 8H22"
        self.add("alive", True, path(line, "string"))
        self.add("held", self.kept, path(line, "kept"), path(line, "string"))
        self.add("once_more", self.any("again"), path(line, "string again"))
        self.add("written", True, _outline("op", "touch value"))
        self.add("read", True, _outline("op", "touch value read"))
        for kind in CELLS:
            if kind in self.kinds and kind != "value":
                touch = _outline(LINE_MARKS[kind], f"touch {kind}")
                self.items.append(Item([path(line, f"derivative {kind}"), touch], CELLS[kind]))
        back = any(fact["kind"].startswith("gradient") for edge in scene.edges for fact in edge.get("carried", []))
        for key, way, tip in (
            ("backpath", "M21 15V8H6", "M1 8l7-3.6v7.2z"), ("arc", "M20 14C20 0 4 0 4 10", "M4 15l-3-6h6z"),
        ):  # fmt: skip
            head = path(tip, "tip gradient")
            self.add(key, back, Mark("g", path(way, f"{key}line"), head, cls=f"{key} gradient here"))

    def signs(self) -> None:
        """What stands in place of a number."""
        texts = {state.get("text") for state in self.states}
        self.add("not_yet", len(self.kinds) > 1, _glyph(NOT_YET))
        self.add("cut", CUT in texts, _glyph("✂"))
        self.add("never", NEVER in texts, _glyph(NEVER))

    def events(self, beside_graph: bool) -> None:
        """What recorders did."""
        used = {mark for step in self.scene.steps for _, mark in step.get("marks", [])}
        for mark, (meaning, _) in MARKS.items():
            if mark in used and not (beside_graph and mark == "free"):  # the open pin says it
                self.items.append(Item([_outline(mark, f"mark {mark}")], meaning))

    def memory(self) -> None:
        """What stands over the bytes."""
        scene = self.scene
        inside = any(at.high_at(scene, step) > at.total_at(scene, step) for step in range(len(scene.steps)))
        self.add("high", inside, path("M11 14V3m-2.5 0h5", "high"))
        self.items.append(Item([path("M11 12l-4.3-7h8.6Z", "peak")], at.peak_words(scene)))


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
