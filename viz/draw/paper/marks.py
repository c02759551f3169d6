"""One outline per event, centred on 0 0: the shape says what happened, colour only repeats it.  The player draws the same."""

from __future__ import annotations

from ...style import MARKS
from .ink import Ink, number, tag

SHAPES: dict[str, str] = {
    "enter": "M3-6H0V6H3",
    "exit": "M-3-6H0V6H-3",
    "pause": "M-2.2-5V5M2.2-5V5",
    "resume": "M-3.4-5V5M0-4.4L5 0L0 4.4Z",
    "watch": "M4.6 0A4.6 4.6 0 1 1-4.6 0A4.6 4.6 0 1 1 4.6 0ZM1.2 0A1.2 1.2 0 1 1-1.2 0A1.2 1.2 0 1 1 1.2 0Z",
    "op": "M4 0A4 4 0 1 1-4 0A4 4 0 1 1 4 0Z",
    "ghost": "M4 0A4 4 0 1 1-4 0A4 4 0 1 1 4 0Z",
    "seed": "M3.6-4.6L-4.6 0L3.6 4.6Z",
    "back": "M3.6-4.6L-4.6 0L3.6 4.6Z",
    "seed2": "M2.6-4.6L-5 0L2.6 4.6ZM5.4-4.6V4.6",
    "back2": "M2.6-4.6L-5 0L2.6 4.6ZM5.4-4.6V4.6",
    "tangent": "M-3.6-4.6L4.6 0L-3.6 4.6Z",
    "tangent2": "M-2.6-4.6L5 0L-2.6 4.6ZM-5.4-4.6V4.6",
    "replay": "M3.4 2.4A4.2 4.2 0 1 1 3.4-2.4M4.6-5.6V-1.6H.8",
    "rebuild": "M-3.4 2.4A4.2 4.2 0 1 0-3.4-2.4M-4.6-5.6V-1.6H-.8",
    "look": "M1.6 1.6L5.6 5.6M2.6-1A3.6 3.6 0 1 1-4.6-1A3.6 3.6 0 1 1 2.6-1",
    "miss": "M-4-4L4 4M4-4L-4 4",
    "free": "M0-5L5 0L0 5L-5 0Z",
    "write": "M-3.5-3.5H3.5V3.5H-3.5Z",
}

# In the score: the mark of a line's numbers, and the dashes of its line.
LINE_MARKS = {"value": "op", "gradient": "back", "gradient2": "back2", "tangent": "tangent", "tangent2": "tangent2"}
DASHES = {"gradient": "7 3", "gradient2": "7 3 2 3", "tangent2": "12 2 2 2"}

FILLED = {"op", "back", "back2", "tangent", "tangent2", "write"}
PAPER = {"seed", "seed2", "free"}  # filled with the ground, so that the lane does not run through them


def mark(ink: Ink, kind: str, x: float, y: float, scale: float = 1.0, opacity: float | None = None) -> str:
    """The mark of one event at a place; an unknown kind is drawn as a square, so that nothing is lost."""
    role = MARKS[kind][1] if kind in MARKS else "ink"
    inner = ink.fill(role if kind in FILLED else "bg") if kind in FILLED | PAPER else {"fill": "none"}
    place = f"translate({number(x)} {number(y)})" + (f" scale({scale:.2g})" if scale != 1 else "")
    dashes = "2 2" if kind == "ghost" else None
    d = SHAPES.get(kind, SHAPES["write"])
    line: dict[str, object] = {"stroke_linejoin": "round", "stroke_linecap": "round", "stroke_dasharray": dashes}
    return tag("path", d=d, transform=place, **inner, **ink.stroke(role, 1.6), **line, opacity=opacity)


def pin(ink: Ink, x: float, y: float, state: str, size: float = 5.0) -> str:
    """The diamond of a kept input: full while it is kept, hollow when let go."""
    s = number(size)
    d = f"M{number(x)} {number(y - size)}l{s} {s}l-{s} {s}l-{s}-{s}Z"
    return tag("path", d=d, **ink.fill("tape" if state == "kept" else "bg"), **ink.stroke("tape", 1.5))


def arrow(ink: Ink, x: float, y: float, way: tuple[float, float], role: str) -> str:
    """An arrowhead with its tip at a place, pointing along a unit vector."""
    (dx, dy), long, half = way, 9.0, 4.2
    bx, by = x - dx * long, y - dy * long
    a, b = (bx - dy * half, by + dx * half), (bx + dy * half, by - dx * half)
    d = f"M{number(x)} {number(y)}L{number(a[0])} {number(a[1])}L{number(b[0])} {number(b[1])}Z"
    return tag("path", d=d, **ink.fill(role))
