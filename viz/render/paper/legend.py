"""The legend: only the marks that this scene uses, each with its words."""

from __future__ import annotations

from ...layout.sizes import sans_width
from ...scene import Scene
from ...style import CELLS, CUT, MARKS, NEVER, NOT_YET
from .cards import squares
from .ink import Ink, group
from .marks import arrow, mark, pin

SIZE, ICON, ROW = 12.0, 27.0, 20.0


def legend(ink: Ink, scene: Scene, width: float, parts: tuple[str, ...], graph: bool) -> tuple[str, float]:
    """The marks used by the parts that are shown, in lines; and the height."""
    x, y, out = 0.0, 0.0, []
    for icon, words in _items(ink, scene, parts, graph):
        wide = ICON + sans_width(words, SIZE) * 0.94 + 12
        if x and x + wide > width:
            x, y = 0.0, y + ROW
        out.append(
            group(icon, ink.text(ICON, 12.3, words, SIZE, "mute", sans=True), transform=f"translate({x:.1f} {y:g})")
        )
        x += wide
    return group(*out), (y + ROW) if out else 0.0


def _items(ink: Ink, scene: Scene, parts: tuple[str, ...], graph: bool) -> list[tuple[str, str]]:
    cells = [cell for value in scene.values for cell in value["cells"]]
    states = [one for cell in cells for one in cell.get("states", [])]
    kinds, texts = {one["kind"] for one in cells}, {one.get("text") for one in states}
    items = []
    if graph:
        items += [(_line(ink, kind), words) for kind, words in CELLS.items() if kind in kinds]
        if any(one.get("kept") for one in scene.edges):
            items += [(pin(ink, 11, 8, "kept"), "kept for the way back"), (pin(ink, 11, 8, "free"), "let go")]
        if any(one["kind"] == "tape" for one in scene.regions):
            items.append((ink.box((2, 1, 18, 14), 4.0, **ink.fill("tint"), **ink.stroke("line")), "what a tape knows"))
        if any(one.get("kind") == "variable" for one in scene.values):
            items.append((ink.box((3, 2, 16, 12), 1.0, **ink.stroke("mute", 1.2)), "square corners: a variable"))
        if any(one.get("ghost") for one in scene.values):
            items.append(
                (ink.box((3, 2, 16, 12), 4.0, **ink.stroke("mute", 1.2), stroke_dasharray="4 3"), "not written down")
            )
        if any(one.get("data") for one in states):
            items.append((squares(ink, [[1, -0.7]], 20, 0, 16, "value"), "positive, negative; area is size"))
    if graph and len(kinds) > 1:
        items.append((_sign(ink, NOT_YET), "not yet"))
    if graph and CUT in texts:
        items.append((_sign(ink, "✂"), "None: the way is cut"))
    if graph and NEVER in texts:
        items.append((_sign(ink, NEVER), "this recorder does not see it"))
    if "lanes" in parts:
        used = {kind for one in scene.steps for _, kind in one.get("marks", [])}
        if graph:
            used.discard("free")  # the open pin says it
        items += [(mark(ink, kind, 11, 8), words) for kind, (words, _) in MARKS.items() if kind in used]
    return items


def _line(ink: Ink, kind: str) -> str:
    if kind.startswith("gradient"):
        return ink.curve("M6 8H21", kind, 2.6, stroke_dasharray="7 3") + arrow(ink, 1, 8, (-1, 0), kind)
    return ink.curve("M1 8H15", kind, 2.6) + arrow(ink, 21, 8, (1, 0), kind)


def _sign(ink: Ink, glyph: str) -> str:
    return ink.text(11, 12.5, glyph, 15, weight=700, anchor="middle")
