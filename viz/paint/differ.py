"""Marks on the cards of a graph that differ from another run's: ≠ apart, ≈ near, + only here, and a frame around the first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..layout.sizes import frame
from ..scene import Scene
from .cards import moved, path, rect, text
from .graph import RIM
from .sheet import Mark

SIGNS = {"apart": "≠", "near": "≈", "only": "+"}


def badge(kind: str) -> Mark:
    """The mark of a kind of difference, around its middle: a square on its corner, a disc, a square."""
    outline = {"apart": "M0-10.5L10.5 0L0 10.5L-10.5 0Z", "only": "M-8-8h16v16h-16Z"}
    shape = Mark("circle", r=8.5, cls="differ near") if kind == "near" else path(outline[kind], f"differ {kind}")
    return Mark("g", shape, text(0, 4.6, SIGNS[kind], f"differsign {kind}"))


def icons() -> dict[str, Mark]:
    """The marks for a legend."""
    first = Mark("rect", x=-8.0, y=-6.0, width=16.0, height=12.0, cls="differfirst")
    return {kind: badge(kind) for kind in SIGNS} | {"first": first}


def used(marks: Iterable[dict[str, Any]]) -> list[tuple[str, Mark]]:
    """Those of the legend that stand on some cards, by name."""
    kinds = {kind for mark in marks for kind in (mark["value"], mark["gradient"], "first" if mark["first"] else "")}
    return [(name, icon) for name, icon in icons().items() if name in kinds]


def marks_on(scene: Scene, way: str, marks: dict[str, Any]) -> list[Mark]:
    """What stands on the cards of a graph in one direction: at the right of the value's row, and of the gradient's."""
    layout = scene.layout or {}
    out: list[Mark] = []
    for value in scene.values:
        mark, box = marks.get(value["id"]), layout[way]["nodes"].get(value["id"])
        if mark is None or box is None:
            continue
        x, y, w, h = frame(value, box, way)
        rows = layout["rows"].get(value["id"]) or [h]
        parts = [rect(-7, -7, w + 14, h + 14, cls="differfirst")] if mark["first"] else []
        if mark["value"] == "only":
            parts.append(rect(-3, -3, w + 6, h + 6, cls="differonly"))
        if mark["value"]:
            left = value.get("again") is not None  # on the right stands the sign of what runs again
            parts.append(Mark("g", badge(mark["value"]), transform=moved(-4 if left else w + 2, 0)))
        if mark["gradient"] and len(rows) > 1:
            parts.append(Mark("g", badge(mark["gradient"]), transform=moved(w + 2, rows[0] + rows[1] / 2 + 3)))
        out.append(Mark("g", *parts, transform=moved(x + RIM, y + RIM)))
    return out
