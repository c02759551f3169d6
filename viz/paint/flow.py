"""Forward mode as a picture: values down the left, the tangent of each accumulator beside them, both made in one step."""

from __future__ import annotations

from typing import Any

from ..layout.sizes import columns, digits, face, grid, sans_width, shape
from ..scene import order_of
from ..style import CUT, NEVER
from .cards import array, moved
from .ink import FONTS, Ink, document, fitting, group, tag
from .sheet import Mark
from .still import Still
from .text import in_columns

NAME, CELL, GAP, ROW, HEAD = 150.0, 190.0, 26.0, 54.0, 44.0


def table(flow: dict[str, Any]) -> str:
    """The pairs as text: a row per value, a column per accumulator."""
    rows = [["value", "is", *[f"tangent ({column['name']})" for column in flow["columns"]]]]
    for row in flow["rows"]:
        rows.append([row["name"], _text(row["state"]), *map(_said, row["tangents"])])
    return "\n".join(in_columns(rows))


def described(flow: dict[str, Any]) -> str:
    """The pairs as alternative text."""
    said = []
    for row in flow["rows"]:
        pairs = [
            f"{head['name']} {_said(tangent)}" for head, tangent in zip(flow["columns"], row["tangents"], strict=True)
        ]
        said.append(f"{row['name']} {_text(row['state'])}, tangent {', '.join(pairs)}")
    return "Values and their tangents. " + "; ".join(said) + "."


def _text(state: dict[str, Any] | None) -> str:
    return face(state) + (f" ({shape(state)})" if state is not None and shape(state) else "")


def _said(tangent: dict[str, Any]) -> str:
    return _text(tangent["state"]) + (" seed" if tangent["seed"] else "")


def picture(flow: dict[str, Any], theme: str = "") -> str:
    """The pairs as an SVG document."""
    ink = Ink(theme, "mtf")
    wide = NAME + CELL + (CELL + GAP) * len(flow["columns"])
    parts = [ink.text(NAME, 22, "value", 13, "value", weight=650, sans=True)]
    for place, head in enumerate(flow["columns"]):
        x = _left(place)
        parts.append(
            ink.text(x, 22, fitting(f"tangent, {head['name']}", CELL, 13), 13, head["kind"], weight=650, sans=True)
        )
    parts.append(ink.line(0, HEAD - 12, wide, HEAD - 12, "line"))
    for at, row in enumerate(flow["rows"]):
        parts.append(group(*_row(ink, flow, row), transform=f"translate(0 {HEAD + at * ROW:g})"))
    height = HEAD + len(flow["rows"]) * ROW + 34
    legend = "each row is one step: the value and its tangents are made together, and nothing is kept for later"
    parts.append(ink.text(0, height - 12, legend, 12, "mute", sans=True, most=wide))
    body = group(*parts, transform="translate(20 8)", **FONTS)
    return document(ink, described(flow), (wide + 40, height + 16), ink.ground(), body)


def _left(place: int) -> float:
    return NAME + CELL + GAP + place * (CELL + GAP)


def _row(ink: Ink, flow: dict[str, Any], row: dict[str, Any]) -> list[str]:
    role = row["kind"] or "value"
    said = ink.text(
        NAME - 14, 22, fitting(row["name"], NAME - 60, 14), 14, role if row["kind"] else "ink", weight=600, anchor="end"
    )
    parts = [said]
    if row["sign"]:
        parts.append(ink.text(NAME - 14, 38, fitting(row["sign"], NAME - 20, 11), 11, "mute", anchor="end", sans=True))
    parts.append(ink.box((NAME, 0, CELL - GAP, ROW - 10), 8.0, **ink.fill("bg"), **ink.stroke(role, 1.4)))
    parts += _number(ink, row["state"], row["formula"], NAME, CELL - GAP, role)
    for place, (head, tangent) in enumerate(zip(flow["columns"], row["tangents"], strict=True)):
        x, w, h = _left(place), CELL - 4, ROW - 10
        never = tangent["state"] is None or tangent["state"].get("text") in (NEVER, CUT)
        # the slanted edge says "tangent" where colour does not
        d = f"M{x:.0f} 0H{x + w - 12:.0f}L{x + w:.0f} {h / 2:.0f}L{x + w - 12:.0f} {h:.0f}H{x:.0f}Z"
        line = ink.stroke("faint" if never else head["kind"], 1.4)
        dashes = "4 3" if never else None
        parts.append(tag("path", d=d, **ink.fill("bg"), **line, stroke_linejoin="round", stroke_dasharray=dashes))
        bars = order_of(head["kind"]) - 1
        parts += [ink.line(x + 5 + 4 * at, 4, x + 5 + 4 * at, h - 4, head["kind"], 2.0) for at in range(bars)]
        x, w = x + 4 * max(0, bars - 1), w - 4 * max(0, bars - 1)
        parts += _number(ink, tangent["state"], tangent["formula"], x, w - 14, "mute" if never else head["kind"])
        if tangent["seed"]:
            parts.append(ink.text(x + 12, 38, "seed: the direction", 11, "mute", sans=True))
        elif tangent["state"] is not None and tangent["state"].get("text") == NEVER:
            parts.append(ink.text(x + 12, 38, "does not see it", 11, "mute", sans=True))
    return parts


def _number(
    ink: Ink, state: dict[str, Any] | None, formula: list[list[str]], x: float, wide: float, role: str
) -> list[str]:
    rows = grid(state) if state is not None else None
    if rows is not None and len(rows) <= 2:
        numbers = f"[{', '.join(digits(entry) for row in rows for entry in row)}]"
        short = len(rows) == 1 and columns(numbers) * 8.4 <= wide - 34 - 12 * len(rows[0])
        if short:
            said = ink.text(x + 12, 20, numbers, 14, role, weight=650)
        else:
            said = ink.text(x + 12, 20, shape(state), 11, "mute")
        drawn = Mark("g", *array(rows, role), transform=moved(x + wide - 10, 14))
        parts = [Still(ink, 0).write(drawn), said]
    else:
        parts = [ink.text(x + 12, 20, face(state), 14, role, weight=650, most=wide - 20)]
    terms = [term[0] for term in formula if term[0].strip()]
    words = " ".join(terms[2:] if terms[1:2] == ["="] else terms)  # a value that is named by its formula has no other
    if words and sans_width(words, 11) <= wide * 1.25:
        parts.append(ink.text(x + 12, 38, words, 11, "mute", most=wide - 16))
    return parts
