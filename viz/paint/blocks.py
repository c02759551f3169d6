"""The texts of a still: the same panels as a page's, set as lines of SVG.  Each function gives a drawing and its height."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from typing import Any

from ..layout.lines import stretches, wrap
from ..layout.sizes import columns, sans_width, short
from ..scene import DERIVED
from .ink import Ink, columns_wrapped, fitting, group, mono, tag
from .sheet import Mark

ROLES = {"value", *DERIVED}
MOST_LINES = 26  # of code; longer programs are shown around the line that runs
CODE = 32.0  # px before the lines of code, for their numbers
LEADING = 1.45  # from line to line of one that is broken, per px of type
NAMES = 230.0  # px: the most that the names beside a score take

Drawn = tuple[str, float]


def paragraph(ink: Ink, said: str, width: float, size: float, role: str = "ink", weight: int | None = None) -> Drawn:
    """Running text in the proportional font."""
    if not said:
        return "", 0.0
    high = size * 1.4
    lines = wrap(said, width, size)
    out = [
        ink.text(0, size * 1.05 + high * at, line, size, role, weight=weight, sans=True)
        for at, line in enumerate(lines)
    ]
    return group(*out), high * len(lines)


def sentence(ink: Ink, say: str, whys: list[str], ask: dict[str, Any] | None, width: float) -> Drawn:
    """The sentence of a step, and under it why anything became None there, and the question that it asks."""
    size = 20.0 if width > 560 else 17.0
    drawn, y = paragraph(ink, say, min(width, size * 42), size)
    out = [drawn]

    def under(text: str, gap: int, role: str, weight: int | None = None) -> None:
        nonlocal y
        drawn, high = paragraph(ink, text, min(width, 700), 14, role, weight)
        out.append(group(drawn, transform=f"translate(0 {y + gap:.1f})"))
        y += high + gap

    for why in whys:
        under(why, 4, "mute")
    if ask:
        under(f"{ask['question']}\u2002{' · '.join(map(str, ask['options']))} ?", 6, "ink", 600)
    return group(*out), y


def excerpt(rows: list[Mark], step: int) -> list[Mark]:
    """The rows of a program; of a long one only those around what a step is about, and a fold for the others."""
    if len(rows) <= MOST_LINES:
        return rows
    states = [str(row.now("cls", step)).split() for row in rows]
    about = [at for at, state in enumerate(states) if {"now", "cause"} & set(state)] or [0]
    reach = MOST_LINES // (2 * len(about))
    shown = [at for at in range(len(rows)) if any(abs(at - place) <= reach for place in about)]
    out: list[Mark] = []
    for before, at in zip([-1, *shown], shown, strict=False):
        if at > before + 1:
            out.append(Mark("li", cls="fold", text="⋮"))
        out.append(rows[at])
    return [*out, Mark("li", cls="fold", text="⋮")] if shown[-1] < len(rows) - 1 else out


def code(ink: Ink, panel: Mark, step: int, width: float) -> Drawn:
    """The program with the line that runs, the line whose entry is reversed, and what each line produced so far."""
    size, y, out = 12.75 if width > 310 else 11.5, 0.0, list[str]()
    rows = excerpt([row for block in panel.kids for row in (block.kids if block.tag == "ol" else [block])], step)
    for row in rows:
        part, *states = str(row.now("cls", step)).split()
        if part == "source":
            y += 6 if y else 0
            out.append(ink.text(3, y + 12, row.now("text", step), 12, "mute", weight=600, sans=True))
            y += 18
        elif part == "fold":
            out.append(ink.text(CODE - 16, y + 11, "⋮", size, "mute"))
            y += 15
        else:
            drawn, tall = _code_line(ink, row, states, step, size, width, y)
            out += drawn
            y += tall
    return group(*out), y


def _code_line(
    ink: Ink, row: Mark, states: list[str], step: int, size: float, width: float, y: float
) -> tuple[list[str], float]:
    """A line of code with its number, and what it produced: behind it, or under it where that has more room."""
    high, advance = size * 1.55 + 4, mono(size, "0")
    number, content, *made = row.kids
    text = short(str(made[0].kids[0].now("text", step)) if made else "", int((width - CODE) / advance))
    lines = columns_wrapped(str(content.attrs["text"]), int((width - CODE - 8) / advance))
    beside = mono(size, lines[-1]) + mono(size, text) + CODE + 20 <= width
    deep = len(lines) + (1 if text and not beside else 0)
    tall, base, out = high + (deep - 1) * size * LEADING, y + high / 2 + size * 0.36, list[str]()
    if "now" in states:
        out.append(ink.box((0, y, width, tall), **ink.fill("soft")))
        out.append(ink.box((0, y, 3, tall), **ink.fill("ink")))
    elif "cause" in states:
        out.append(ink.line(1.5, y + 1, 1.5, y + tall, "gradient", 3, stroke_dasharray="3 3"))
    role = "ink" if "now" in states else "mute"
    out.append(ink.text(CODE - 10, base, str(number.attrs["text"]), 11, role, anchor="end"))
    out += [
        ink.text(CODE, base + at * size * LEADING, line, size, xml__space="preserve") for at, line in enumerate(lines)
    ]
    if text:
        tone, weight = ("ink", 600) if "fresh" in str(made[0].now("cls", step)) else ("mute", None)
        out.append(
            ink.text(width - 6, base + (deep - 1) * size * LEADING, text, size, tone, weight=weight, anchor="end")
        )
    return out, tall


def formula(ink: Ink, terms: list[list[Any]], width: float) -> Drawn:
    """The formula of a step: each symbol with its number under it, in the colour of what it is."""
    if not terms:
        return "", 0.0
    whole = sum(max(mono(15, term[0]), mono(18, str(term[1]))) + 10 for term in terms)
    # a little too long is set a little smaller, because one term alone on a line reads badly
    shrink = min(1.0, max(0.75, width / whole)) if whole <= width / 0.75 else 1.0
    big, small = 18.0 * shrink, 15.0 * shrink

    def across(columns: Iterable[list[Any]]) -> list[float]:
        return [max(mono(small, symbol), mono(big, str(figure))) + 10 for symbol, figure, *_ in columns]

    x, rows = 0.0, list[list[tuple[float, float, list[Any]]]]([[]])
    for pieces in stretches(terms):
        if x and x + sum(across(chain(*pieces))) - 10 > width:
            x, rows = 0.0, [*rows, []]
        for piece in pieces:
            widths = across(piece)
            if x and x + sum(widths) - 10 > width:
                x, rows = 0.0, [*rows, []]
            for column, wide in zip(piece, widths, strict=True):
                rows[-1].append((x, wide, column))
                x += wide
    y, out = 0.0, list[str]()
    for row in rows:
        most = [max(60.0, width - x) for x, *_ in row]
        set_ = [
            (_broken(symbol, small, room), _broken(str(figure), big, room))
            for room, (_, _, (symbol, figure, *_)) in zip(most, row, strict=True)
        ]
        deep = max(len(above) for above, _ in set_) - 1
        for room, (x, wide, (_, _, kind, *_)), (above, below) in zip(most, row, set_, strict=True):
            role = kind if kind in ROLES else "mute" if kind == "op" else "value"
            how: dict[str, Any] = {"anchor": "middle", "most": room}
            middle, weight = x + min(wide - 10, room) / 2, None if kind == "op" else 600
            out += [
                ink.text(middle, y + 16 + at * small * LEADING, line, small, role, **how)
                for at, line in enumerate(above)
            ]
            under = y + 40 + deep * small * LEADING
            out += [
                ink.text(middle, under + at * big * LEADING, line, big, role, weight=weight, **how)
                for at, line in enumerate(below)
            ]
        y += 56 + (deep * small + (max(len(below) for _, below in set_) - 1) * big) * LEADING
    return group(*out), y - 6


def _broken(said: str, size: float, room: float) -> list[str]:
    """A term in lines of at most so many px: a line ends behind a row of numbers, or else behind a blank."""
    rows = re.split(r"(?<=], )", said)
    lines = [""]
    for word in [word for row in rows for word in ([row] if mono(size, row) <= room else re.split(r"(?<= )", row))]:
        if lines[-1] and mono(size, (lines[-1] + word).rstrip()) > room:
            lines.append("")
        lines[-1] += word
    return [line.rstrip() for line in lines]


def values(ink: Ink, panel: Mark, step: int, width: float, note: str) -> Drawn:
    """The table of values as a plain list, where there are no positions to draw a graph on."""
    drawn, high = paragraph(ink, note, width, 13, "mute")
    out, y, column = [drawn], high + 8, 0
    across = max(1, int(width // 300))
    for row in panel.kids[-1].kids[-1].kids:
        if "future" in str(row.now("cls", step)):
            continue
        x, room = column * width / across, width / across - 18
        name, made, own, more = row.kids
        title = f"{name.attrs['text']} {made.kids[0].attrs['text']}"
        out.append(ink.text(x, y + 13, short(title, int(room * 0.3 / 7.4)), 12.3, weight=600))
        left = x + room * 0.32
        for place, cell in enumerate([*own.kids, *more.kids]):
            said, states = str(cell.kids[0].now("text", step)), str(cell.now("cls", step)).split()
            if "notyet" in states:
                continue
            if left + mono(12.3, said) > x + room and place:
                out.append(ink.text(left, y + 13, "…", 12.3, "mute"))
                break
            role = "ink" if "none" in states else "mute" if "never" in states else states[2]
            weight = 700 if "fresh" in states else None
            out.append(ink.text(left, y + 13, said, 12.3, role, weight=weight, most=x + room - left + 8))
            left += mono(12.3, said) + 12
        out.append(ink.line(x, y + 19, x + room, y + 19, "line"))
        column += 1
        if column == across:
            column, y = 0, y + 22
    return group(*out), y + (22 if column else 0)


def lane_row(ink: Ink, row: Mark, step: int, gutter: float, y: float) -> str:
    """A recorder beside its lane, and its state before it where there is room."""
    name, word = (str(kid.now("text", step)) for kid in row.kids)
    name = fitting(name, gutter, 13)
    word = word if sans_width(f"{name}  {word}", 13) * 0.9 < gutter else ""
    line = ink.text(gutter, y + 4.5, name, 13, anchor="end", sans=True)
    said = tag("tspan", f"{word}\u2002", font_size=12, **ink.fill("mute")) if word else ""
    return line.replace(">", ">" + said, 1)


def hold_rows(ink: Ink, rows: list[Mark], step: int, gutter: float, pitch: float) -> str:
    """The legend of memory at the left of it, with what each holder has at a step."""
    told = []
    for row in rows:
        name, figure, _ = row.kids
        label = [str(kid.attrs["text"]) for kid in name.kids] or [str(name.attrs["text"])]
        told.append((label, str(figure.now("text", step)), row.attrs.get("data_holder")))
    ends = gutter - 26 - max(mono(12, figure) for _, figure, _ in told)
    out = []
    for place, (label, amount, holder) in enumerate(told):
        y, said = place * pitch + 11, "".join(label)
        if holder:
            role = f"m-{holder}" if holder in ("variable", "python", "tape", "accumulator", "flight") else "mute"
            out.append(ink.box((gutter - 10, y - 9, 10, 10), **ink.fill(role)))
            out.append(
                ink.box((gutter - 10, y - 9, 10, 10), fill=f"url(#{ink.prefix}-hatch)") if holder == "flight" else ""
            )
        elif sans_width(said, 12) * 0.9 > ends:
            said = label[-1]
        out.append(ink.text(gutter - 18, y, amount, 12, weight=600, anchor="end"))
        out.append(ink.text(ends, y, fitting(said, ends, 12), 12, "mute" if holder else "ink", anchor="end", sans=True))
    return group(*out)


def staff_row(ink: Ink, row: Mark, step: int, right: float, y: float) -> str:
    """A recorder beside its staff, its state behind it where there is room."""
    room = min(right, NAMES)
    name, word = (str(kid.now("text", step)) for kid in row.kids)
    word = word if len(word) * 6.5 < room / 2 else ""
    name = ink.text(right - room, y + 4.5, fitting(name, room - len(word) * 7, 13), 13, weight=600, sans=True)
    return name + (ink.text(right, y + 4.5, word, 12, "mute", anchor="end", sans=True) if word else "")


def line_row(ink: Ink, row: Mark, step: int, right: float, top: float, level: int) -> str:
    """A value or a derivative beside its string: its name and its number, ringed where a step wrote it."""
    room, states = min(right, NAMES), str(row.now("cls", step)).split()
    name, figure = (str(kid.now("text", step)) for kid in row.kids)
    if not name:
        return ""
    size, inset, y = (11.5, 14.0, top + 4) if level else (12.3, 0.0, top + 4.3)
    kind = next((state for state in states if state in ROLES), "ink")
    most = max(2, int((room - inset - mono(size, figure) - 10) / mono(size, "0")))
    ring = (
        ink.box((right - room - 6, y - 13, room + 10, 17), 4.0, **ink.stroke("ink", 1.5)) if "fresh" in states else ""
    )
    role = "ink" if "none" in states else "mute" if {"gone", "never", "faint"} & set(states) else kind
    weight = None if "gone" in states else 600
    return group(
        ring,
        ink.text(
            right - room + inset, y, short(name, most), size, kind if level else "ink", weight=None if level else 600
        ),
        ink.text(right, y, figure, size, role, weight=weight, anchor="end") if figure else "",
        opacity=0.45 if "future" in states else None,
    )


def icons(drawn: list[tuple[str, str, int]], ink: Ink, width: float) -> Drawn:
    """A legend in lines: drawings so wide and 16 px high, each with its words; words that are too long lose what stands after a
    colon."""
    size, high, x, y, out = 12.0, 20.0, 0.0, 0.0, list[str]()
    for mark, words, room in drawn:
        icon = room + 5.0
        if sans_width(words, size) * 0.94 + icon >= width:
            words = words.partition(":")[0]
        wide = icon + sans_width(words, size) * 0.94 + 12
        if x and x + wide > width:
            x, y = 0.0, y + high
        out.append(
            group(mark, ink.text(icon, 12.3, words, size, "mute", sans=True), transform=f"translate({x:.1f} {y:g})")
        )
        x += wide
    return group(*out), (y + high) if out else 0.0


def code_height(panel: Mark) -> float:
    """About how high the code, the title and the formula are together, at any step."""
    return 130 + 24 * min(MOST_LINES, sum(len(block.kids) for block in panel.kids))


def code_width(sources: list[dict[str, Any]], steps: list[dict[str, Any]], room: float) -> float:
    """How wide the code is, with room for what its lines produce, at any step."""
    widest = max((columns(line[1]) for source in sources for line in source["lines"]), default=0)
    made = max((columns(text) for step in steps for _, text in step.get("produced", [])), default=0)
    return mono(12.75 if room > 310 else 11.5, "0") * (widest + made + 3) + 38
