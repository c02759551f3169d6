"""The legend: only the marks that this scene uses, each with its words."""

from __future__ import annotations

from ...layout.sizes import sans_width
from ...scene import Scene
from ...style import CELLS, CUT, MARKS, NEVER, NOT_YET
from .. import state as at
from .cards import octagon, squares
from .ink import Ink, group, tag
from .marks import DASHES, LINE_MARKS, SHAPES, arrow, mark, pin

SIZE, ICON, ROW = 12.0, 27.0, 20.0


def legend(ink: Ink, scene: Scene, width: float, parts: tuple[str, ...], graph: bool) -> tuple[str, float]:
    """The marks used by the parts that are shown, in lines; and the height."""
    x, y, out = 0.0, 0.0, []
    for icon, words in _items(ink, scene, parts, graph, width):
        wide = ICON + sans_width(words, SIZE) * 0.94 + 12
        if x and x + wide > width:
            x, y = 0.0, y + ROW
        out.append(
            group(icon, ink.text(ICON, 12.3, words, SIZE, "mute", sans=True), transform=f"translate({x:.1f} {y:g})")
        )
        x += wide
    return group(*out), (y + ROW) if out else 0.0


def _items(ink: Ink, scene: Scene, parts: tuple[str, ...], graph: bool, width: float) -> list[tuple[str, str]]:
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
        if any(one["kind"] in ("recompute", "rebuild") for one in scene.regions):
            lid = ink.box((2, 1, 18, 14), 4.0, **ink.stroke("replay", 1.2), stroke_dasharray="4 3")
            again = ink.box((4, 3, 16, 12), 4.0, **ink.stroke("replay", 1.6))
            items += [
                (lid, "a region: its values are let go"),
                (again + ink.box((2, 1, 16, 12), 4.0, **ink.fill("bg"), **ink.stroke("replay", 1.2)), "run again"),
            ]
        if any(one.get("custom") for one in scene.values):
            paint = {**ink.fill("bg"), **ink.stroke("mute", 1.2)}
            sheet = tag("path", d=octagon(11, 8, 22), transform="translate(3.3 2.4) scale(.7)", **paint)
            items.append((sheet, "a gradient rule of your own"))
        if any(one.get("group") for one in scene.values):
            sheets = [ink.box((x, x - 1, 13, 9), 3.0, **ink.fill("bg"), **ink.stroke("mute", 1.2)) for x in (7, 4.5, 2)]
            items.append((group(*sheets), "a stack: many values told as one"))
        if any(one.get("ghost") for one in scene.values):
            items.append(
                (ink.box((3, 2, 16, 12), 4.0, **ink.stroke("mute", 1.2), stroke_dasharray="4 3"), "not written down")
            )
        if any(one.get("data") for one in states):
            items.append((squares(ink, [[1, -0.7]], 20, 0, 16, "value"), "positive, negative; area is size"))
    score = "score" in parts
    if score:
        items += _score_items(ink, scene, kinds)
    if (graph or score) and len(kinds) > 1:
        items.append((_sign(ink, NOT_YET), "not yet"))
    if (graph or score) and CUT in texts:
        items.append((_sign(ink, "✂"), "None: the way is cut"))
    if (graph or score) and NEVER in texts:
        items.append((_sign(ink, NEVER), "this recorder does not see it"))
    if "lanes" in parts or score:
        used = {kind for one in scene.steps for _, kind in one.get("marks", [])}
        if graph:
            used.discard("free")  # the open pin says it
        items += [(mark(ink, kind, 11, 8), words) for kind, (words, _) in MARKS.items() if kind in used]
    if "memory" in parts and scene.holders:
        peak = at.peak_words(scene)
        said = peak if sans_width(peak, SIZE) * 0.94 + ICON < width else peak.partition(":")[0]
        items.append((tag("path", d="M11 12l-4.3-7h8.6Z", **ink.fill("ink")), said))
    return items


def _score_items(ink: Ink, scene: Scene, kinds: set[str]) -> list[tuple[str, str]]:
    thin = ink.line(0, 8, 22, 8, "value", 1.5)
    items = [(thin, "alive")]
    if any(one.get("kept") for one in [*scene.edges, *scene.values]):
        items.append((ink.line(0, 8, 22, 8, "value", 7, opacity=0.32) + thin, "kept by a tape"))
    if any(one.get("again") for one in scene.values):
        items.append((ink.line(0, 8, 22, 8, "replay", 2.6), "there once more"))
    items.append((mark(ink, "op", 11, 8), "written"))
    items.append(
        (tag("path", d=SHAPES["op"], transform="translate(11 8)", **ink.fill("bg"), **ink.stroke("value", 1.6)), "read")
    )
    for kind in [one for one in CELLS if one in kinds and one != "value"]:
        line = ink.line(0, 8, 22, 8, kind, 1.4, stroke_dasharray=DASHES.get(kind))
        items.append((line + mark(ink, LINE_MARKS[kind], 11, 8), CELLS[kind]))
    if any(one["kind"].startswith("gradient") for edge in scene.edges for one in edge.get("carried", [])):
        road = ink.curve("M21 15V8H6", "gradient", 1.6) + tag("path", d="M1 8l7-3.6v7.2z", **ink.fill("gradient"))
        arc = ink.curve("M20 14C20 0 4 0 4 10", "gradient", 1.3) + tag(
            "path", d="M4 15l-3-6h6z", **ink.fill("gradient")
        )
        items += [(road, "road it took back"), (arc, "reads this entry")]
    return items


def _line(ink: Ink, kind: str) -> str:
    if kind.startswith("gradient"):
        return ink.curve("M6 8H21", kind, 2.6, stroke_dasharray="7 3") + arrow(ink, 1, 8, (-1, 0), kind)
    return ink.curve("M1 8H15", kind, 2.6) + arrow(ink, 21, 8, (1, 0), kind)


def _sign(ink: Ink, glyph: str) -> str:
    return ink.text(11, 12.5, glyph, 15, weight=700, anchor="middle")
