"""A card per value: its name and number in the first row, one further row per derivative, its op as a disc at its side."""

from __future__ import annotations

import math
from typing import Any

from ...layout.sizes import SHAPE_CHAR, columns, digits, disc, face, grid, label, op_sign, shape
from ...style import CHAR, CUT, DISC, LABEL_CHAR, PAD, PIXEL, ROW
from .. import state as at
from .ink import Box, Ink, clean, group, number, tag
from .marks import pin

Focus = tuple[set[str], set[tuple[str, str]]]

AGAIN = {"away": "let go: it runs again when it is needed", "replay": "run again", "rebuild": "rebuilt"}
SIZE, SMALL = 12.3, 11.0  # px of the type in a card


def frame(value: dict[str, Any], box: list[float], direction: str) -> Box:
    """The card's own box inside a node's box: what the disc leaves."""
    side = DISC if op_sign(value) and direction == "LR" else 0
    over = DISC if op_sign(value) and direction == "TB" else 0
    return (box[0] + side, box[1] + over, box[2] - side, box[3] - over)


def card(ink: Ink, value: dict[str, Any], box: list[float], rows: list[int], step: int, focus: Focus, way: str) -> str:
    """A value's card at a step, with its disc, its outline saying what it is, and a ring round what the step looks at."""
    whole, cells = focus
    x, y, w, h = inner = frame(value, box, way)
    there, ghost, hot = at.born(value, step), bool(value.get("ghost")), value["id"] in whole
    rx = 2.0 if value.get("kind") == "variable" else 8.0
    parts = [_disc(ink, value, box, way, step, hot, ghost)] if op_sign(value) else []
    again = at.again_at(value, step)
    if again in ("replay", "rebuild"):  # the sheet behind it: here it lies once more
        parts.append(ink.box((x + 4, y + 4, w, h), rx, **ink.fill("bg"), **ink.stroke("replay", 1.6)))
        parts.append(ink.text(x + w + 1, y - 1, "↻", 13, "replay", weight=700, anchor="middle"))
    for away in (6.0, 3.0) if value.get("group") else ():  # a stack: several values under the face of the last
        sheet = ink.box((x + away, y + away, w, h), rx, **ink.fill("bg"), **ink.stroke("faint", 1.2))
        parts.append(sheet)
    if hot:
        parts.append(ink.box((x - 4, y - 4, w + 8, h + 8), rx + 4, **ink.stroke("halo", 5)))
    edge = (
        ("ink", 1.8)
        if hot
        else ("replay", 1.2)
        if again
        else ("mute", 1.2)
        if ghost or value.get("kind") == "variable"
        else ("faint", 1.2)
    )
    dashes = "1.5 3" if not there else "5 4" if ghost or again == "away" else None
    ground = {"fill": "none"} if (ghost or again == "away") and there else ink.fill("bg")
    parts.append(ink.box(inner, rx, **ground, **ink.stroke(*edge), stroke_dasharray=dashes))
    top = y + 3
    for tall, cell, now in zip(rows, value["cells"], at.cells_at(value, step), strict=False):
        if top > y + 4:
            parts.append(ink.line(x + 7, top, x + w - 7, top, "line"))
        if (value["id"], cell["id"]) in cells:
            parts.append(ink.box((x + 2, top + 1, w - 4, tall - 2), 5.0, **ink.stroke("ink", 1.8)))
        if again == "away" and cell["id"] == "v":
            parts.append(_gone(ink, label(value, cell), (x, top, w, float(tall or ROW))))
        else:
            parts.append(_row(ink, value, label(value, cell), now, (x, top, w, float(tall or ROW)), there))
        top += tall
    return group(tag("title", _said(value, step)), *parts, opacity=None if there else 0.45)


def _gone(ink: Ink, name: str, box: Box) -> str:
    """A row whose number nobody has any more."""
    x, y, w, h = box
    base = y + h / 2 + 4.4
    return ink.text(x + PAD, base, name, SIZE, "mute", weight=600) + ink.text(
        x + w - PAD,
        base,
        "let go",
        10.5,
        "mute",
        anchor="end",
        sans=True,
        most=max(12.0, w - 2 * PAD - columns(name) * CHAR - 4),
    )


def _said(value: dict[str, Any], step: int) -> str:
    if not at.born(value, step):
        return clean(f"{value['name']}: not made yet")
    pairs = zip(value["cells"], at.cells_at(value, step), strict=True)
    rows = [f"{label(value, cell)} {in_words(now)}" for cell, now in pairs]
    rows += [AGAIN[word]] if (word := at.again_at(value, step)) else []
    ghost = [f"not written down: {value['ghost']}"] if value.get("ghost") else []
    return clean("; ".join([*rows, *ghost]))


def in_words(cell: at.Cell) -> str:
    """What a cell shows, as it is read aloud."""
    if cell.state is None:
        return "not yet"
    if cell.sign == "none":
        return f"{CUT}, cut" + (f" ({cell.state['why']})" if cell.state.get("why") else "")
    if cell.sign == "never":
        return "∅, this recorder does not see it"
    data = cell.state.get("data")
    if not data:
        return str(cell.state.get("text", ""))
    head = f"[{', '.join(str(one) for one in data.get('shape', []))}]"
    rows = grid(cell.state)
    return f"{head} " + (", ".join(digits(one) for row in rows for one in row) if rows else face(cell.state))


def _disc(ink: Ink, value: dict[str, Any], box: list[float], way: str, step: int, hot: bool, ghost: bool) -> str:
    cx, cy, wide, sign = disc(value, box, way)
    link = (cx, cy + 11, cx, box[1] + DISC) if way == "TB" else (cx + 11, cy, box[0] + DISC, cy)
    if len(sign) > 1:
        said = ink.text(cx, cy + 3.6, sign, 10.5, anchor="middle", most=wide - 6)
    else:
        said = ink.text(cx, cy + 5, sign, 15, anchor="middle")
    dashes = "4 3" if ghost else None
    line = ink.stroke("ink", 1.8) if hot else ink.stroke("mute", 1.2)
    paint = {**ink.fill("bg"), **line, "stroke_dasharray": dashes}
    if value.get("custom"):
        rim = tag("path", d=octagon(cx, cy, wide), **paint)
    else:
        rim = ink.box((cx - wide / 2, cy - 11, wide, 22), 11.0, **paint)
    own = at.own_at(value, step)
    px, py = (cx, cy + 15) if way == "TB" else (cx + 15, cy)
    return group(ink.line(*link, "faint", 1.4), rim, said, pin(ink, px, py, own, 4.5) if own else "")


def octagon(cx: float, cy: float, wide: float) -> str:
    """The disc of an op that goes back by a rule of the learner's: its corners are cut instead of round."""
    flat = number(wide - 12.8)
    return f"M{number(cx - wide / 2 + 6.4)} {number(cy - 11)}h{flat}l6.4 6.4v9.2l-6.4 6.4h-{flat}l-6.4-6.4v-9.2Z"


def derived(value: dict[str, Any]) -> str:
    """The role of a value that is itself a derivative (a second order one is purple); empty for the others."""
    kind = str(value.get("kind", "")).rstrip("2")
    if kind not in ("gradient", "tangent"):
        return ""
    return f"{kind}2" if value.get("order", 1) > 1 or value["kind"].endswith("2") else kind


def _row(ink: Ink, value: dict[str, Any], name: str, cell: at.Cell, box: Box, there: bool) -> str:
    (x, y, w, h), first = box, cell.id == "v"
    base, own = y + h / 2 + 4.4, derived(value)
    role = (own or "ink") if first else cell.kind
    wide = columns(name) * (CHAR if first else LABEL_CHAR)
    role = role if first or cell.state else "mute"
    size = SIZE if first else SMALL
    parts = [ink.text(x + PAD, base, name, size, role, weight=600 if first else None)]
    if not there:
        return group(*parts)
    rows = grid(cell.state) if cell.state else None
    hue = own if first and own else "mute" if first and value.get("ghost") else cell.kind
    room = w - 2 * PAD - wide - 6
    if rows:
        parts.append(squares(ink, rows, x + w - PAD, y, h, hue))
        said = shape(cell.state)
        if columns(said) * SHAPE_CHAR < room - len(rows[0]) * PIXEL - 4:
            parts.append(ink.text(x + PAD + wide + 5, base, said, 9.5, "mute"))
        return group(*parts)
    role = {"not yet": "mute", "none": "ink", "never": "mute"}.get(cell.sign, hue)
    weight = (
        800 if cell.fresh and not cell.sign else 700 if cell.sign == "none" else None if cell.sign == "never" else 600
    )
    parts.append(ink.text(x + w - PAD, base, face(cell.state), SIZE, role, weight=weight, anchor="end", most=room + 6))
    return group(*parts)


def squares(ink: Ink, rows: list[list[float]], right: float, y: float, h: float, role: str) -> str:
    """An array as squares: area is size, full is positive, hollow is negative; a cross is not a number."""
    top, left = y + (h - len(rows) * PIXEL) / 2, right - len(rows[0]) * PIXEL
    most = max([abs(one) for row in rows for one in row if math.isfinite(one)] + [1e-300])
    out = []
    for i, row in enumerate(rows):
        for j, one in enumerate(row):
            cx, cy = left + (j + 0.5) * PIXEL, top + (i + 0.5) * PIXEL
            if not math.isfinite(one):
                out.append(ink.curve(f"M{cx - 2:.1f} {cy - 2:.1f}l4 4m0-4l-4 4", "ink", 1.2))
                continue
            side = 1.6 if one == 0 else max(1.6, (PIXEL - 1.4) * math.sqrt(abs(one) / most))
            paint = ink.fill("faint") if one == 0 else ink.fill(role) if one > 0 else ink.stroke(role, 1.2)
            out.append(ink.box((cx - side / 2, cy - side / 2, side, side), **paint))
    return group(*out)
