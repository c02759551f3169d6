"""A schedule as steps × time: a bar while the state before a step is kept, a mark where it runs, runs again, is reversed."""

from __future__ import annotations

from typing import Any

from ..layout.sizes import sans_width
from .ink import Ink, document, group, tag
from .still import event

MARKS = {"advance": "ghost", "tape": "op", "reverse": "back"}
SIGNS = {"advance": "○", "tape": "●", "reverse": "◀"}
WORDS = {"ghost": "runs, nothing recorded", "op": "runs, recorded", "replay": "runs again", "back": "is reversed"}
LEFT, TOP, LEGEND = 74.0, 46.0, 30.0
LONG = 400  # columns that are told one by one


def table(grid: dict[str, Any]) -> str:
    """The grid in characters: a row per step, a column per move; ─ kept, ○ runs, ● is recorded, ↻ runs again, ◀ is reversed.

    >>> move = {"what": "tape", "step": 0, "held": [0], "again": False}
    >>> print(table({"title": "none: 1 steps, 1 runs", "said": "0 again", "steps": 1, "columns": [move]}))
    none: 1 steps, 1 runs
    0 again
    step 0  ●
    """
    room = len(str(grid["steps"] - 1))
    rows = [
        f"step {step:>{room}}  " + "".join(_sign(column, step) for column in grid["columns"]).rstrip()
        for step in range(grid["steps"])
    ]
    return "\n".join([grid["title"], grid["said"], *rows])


def _sign(column: dict[str, Any], step: int) -> str:
    if column["step"] == step:
        return "↻" if column["again"] else SIGNS[column["what"]]
    return "─" if step in column["held"] else " "


def picture(grid: dict[str, Any], theme: str = "") -> str:
    """The grid as an SVG document."""
    ink = Ink(theme, "mtp")
    count, steps = len(grid["columns"]), grid["steps"]
    wide = min(22.0, max(3.0, 760.0 / max(1, count)))
    tall = min(22.0, max(6.0, 420.0 / max(1, steps)))
    parts = [
        ink.text(0, 16, grid["title"], 15, weight=650, sans=True),
        ink.text(0, 34, grid["said"], 12.5, "mute", sans=True),
    ]
    for step in range(steps):
        y = TOP + (step + 0.5) * tall
        parts.append(ink.line(LEFT, y, LEFT + count * wide, y, "line", 0.8))
        if tall >= 12 or step % (1 + int(12 // tall)) == 0:
            parts.append(ink.text(LEFT - 10, y + 4, f"step {step}", 11, "mute", anchor="end", sans=True))
        for start, end in _kept(grid, step):
            bar = (LEFT + start * wide, y - tall * 0.34, (end - start) * wide, tall * 0.68)
            parts.append(ink.box(bar, 2.0, **ink.fill("m-tape"), opacity=0.32))
    parts += _moves(ink, grid, wide, tall)
    low = TOP + steps * tall
    parts.append(ink.text(LEFT + count * wide, low + 15, "time →", 11, "mute", anchor="end", sans=True))
    legend, across = _legend(ink, grid)
    parts.append(group(legend, transform=f"translate(0 {low + 24:.1f})"))
    width, height = max(LEFT + count * wide, across, 330.0) + 24, low + 24 + LEGEND
    shade = tag("path", d="M0 0V6", **ink.stroke("replay", 1.4), stroke_opacity="0.55")
    units = {"patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
    pattern = tag("pattern", shade, id="mtp-again", width=6, height=6, **units)
    body = group(*parts, transform="translate(12 6)")
    return document(ink, described(grid), (width, height), tag("defs", pattern), ink.ground(), body)


def _moves(ink: Ink, grid: dict[str, Any], wide: float, tall: float) -> list[str]:
    """A mark for each move; what runs again lies on a hatched ground."""
    parts, small = [], min(1.0, wide / 13, tall / 12)
    for at, column in enumerate(grid["columns"]):
        x, y = LEFT + (at + 0.5) * wide, TOP + (column["step"] + 0.5) * tall
        if column["again"]:
            box = (x - wide * 0.46, y - tall * 0.4, wide * 0.92, tall * 0.8)
            parts.append(ink.box(box, 2.0, **ink.fill("bg"), **ink.stroke("replay", 1.0)))
            parts.append(ink.box(box, fill="url(#mtp-again)"))
        parts.append(event(ink, _kind(column), x, y, small))
    return parts


def _kind(column: dict[str, Any]) -> str:
    """Which mark a move has."""
    return "replay" if column["again"] else MARKS[column["what"]]


def described(grid: dict[str, Any]) -> str:
    """The grid as alternative text: the moves in order, as far as they can be listened to."""
    said = [
        f"{'again ' if column['again'] else ''}{column['what']} {column['step']}" for column in grid["columns"][:LONG]
    ]
    return f"{grid['title']}; {grid['said']}. In time: {', '.join(said)}."


def _kept(grid: dict[str, Any], step: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for at, column in enumerate(grid["columns"]):
        if step in column["held"]:
            spans[-1:] = [(spans[-1][0], at + 1)] if spans and spans[-1][1] == at else [*spans[-1:], (at, at + 1)]
    return spans


def _legend(ink: Ink, grid: dict[str, Any]) -> tuple[str, float]:
    used = set(map(_kind, grid["columns"]))
    bar = ink.box((0, 2, 22, 11), 2.0, **ink.fill("m-tape"), opacity=0.32)
    parts, x = [bar, ink.text(28, 12, "kept", 12, "mute", sans=True)], 30 + sans_width("kept", 12) + 16
    for kind, words in WORDS.items():
        if kind in used:
            parts += [event(ink, kind, x + 6, 8), ink.text(x + 17, 12, words, 12, "mute", sans=True)]
            x += 17 + sans_width(words, 12) + 14
    return "".join(parts), x
