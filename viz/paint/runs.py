"""Two runs side by side: where they first differ, the numbers beside each other, graph against graph, and their memory."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..layout.lines import wrap
from ..layout.sizes import sans_width
from ..scene import Scene
from ..style import words
from . import compare, twoloops
from .differ import icons, marks_on, used
from .ink import FONTS, XMLNS, Ink, clean, document, fitting, following, group, mono, tag
from .loopgrid import WIDE as LOOP
from .still import Still
from .svg import READABLE, GraphRoom, pointed
from .text import in_columns

WIDE, MARGIN, GAP = 640.0, 12.0, 20.0  # px of a picture that can be read in a narrow window
WIDEST = 1000.0  # and of a graph that could not
SIZE, LINE = 13.0, 19.0
NOTHING = "—"

Facts = dict[str, Any]


def brief(facts: Facts) -> list[dict[str, Any]]:
    """The rows of the table: of many pairs the first few, and the last."""
    return [row for row in facts["rows"] if row["brief"]]


def table(facts: Facts) -> str:
    """What differs, in words and numbers, and what each run holds."""
    head = ["", "line", *facts["names"], ""]
    rows = [[row["name"], row["line"], row["one"], row["other"], row["far"]] for row in brief(facts)]
    lines = [*facts["said"]]
    if rows:
        lines += ["", *in_columns([head, *rows])]
    if facts["more"]:
        lines.append(words("differ.more", count=facts["more"]))
    loops = [twoloops.described(pair, facts["names"]) for pair in facts["loops"]]
    return "\n".join([*lines, *[""][: len(loops)], *loops, "", compare.table(facts["curves"])])


def described(facts: Facts) -> str:
    """The same as alternative text."""
    told = _told(facts)
    pairs = [words("differ.table", rows="; ".join(told))] if told else []
    loops = [twoloops.described(pair, facts["names"]) for pair in facts["loops"]]
    return " ".join([*facts["said"], *pairs, *loops, compare.described(facts["curves"])])


class Part(NamedTuple):
    """A picture with its words, and the same for a narrow window where it needs to be another one."""

    svg: str
    words: str
    narrow: str = ""
    whole: bool = False  # never drawn smaller than it is: in a window with less room it scrolls


def parts(facts: Facts, theme: str = "") -> list[list[Part]]:
    """The pictures, in rows that may be broken where a window is narrow."""
    told = " ".join([*facts["said"], *(f"{pair}." for pair in _told(facts))])
    head = Part(_document(theme, "mtr", *_head(facts, theme), words=told), told)
    memory = memory_of(facts["curves"], theme)
    return [[head], _loops(facts, theme), _graphs(facts, theme), [memory]]


def memory_of(curves: compare.Curves, theme: str) -> Part:
    """The memory of all runs, wide and narrow."""
    drawn = [compare.picture(curves, theme, wide) for wide in (compare.WIDTH, WIDE - 2 * MARGIN)]
    return Part(drawn[0], compare.described(curves), drawn[1])


def _loops(facts: Facts, theme: str) -> list[Part]:
    holders = facts["graphs"][0]["scene"].get("holders", []) if facts["graphs"] else []
    out = []
    for at, pair in enumerate(facts["loops"]):
        told, drawn = twoloops.described(pair, facts["names"]), list[str]()
        for wide in (LOOP, WIDE - 2 * MARGIN):
            prefix = f"mtl{at}{len(drawn)}"
            body = twoloops.drawn(pair, facts["names"], holders, Ink(theme, prefix), wide)
            drawn.append(_document(theme, prefix, *body, words=told))
        out.append(Part(drawn[0], told, drawn[1], whole=True))
    return out


def _graphs(facts: Facts, theme: str) -> list[Part]:
    rooms = [GraphRoom(Scene.from_dict(run["scene"])) for run in facts["graphs"]]
    if facts["loops"] and _small(rooms):
        return []  # turn after turn, and too small to be read: the loop above is the same, drawn once
    out = []
    for at in range(len(rooms)):
        told, drawn = graph_words(facts, at), list[str]()
        for wide, way in _chosen(rooms):
            prefix = f"mtw{at}{len(drawn)}"
            drawn.append(
                _document(theme, prefix, *_graph(facts, rooms[at], at, Ink(theme, prefix), wide, way), words=told)
            )
        out.append(Part(drawn[0], told, drawn[1] if len(drawn) > 1 else "", whole=True))
    return out


def picture(facts: Facts, theme: str = "") -> str:
    """All of it as one SVG document."""
    ink, y, out, wide = Ink(theme, "mtq"), 0.0, [], WIDE
    for row in parts(facts, theme):
        sizes = [_size(part.svg) for part in row]
        beside = sum(w for w, _ in sizes) <= 2 * WIDE + GAP
        x = 0.0
        for part, (w, h) in zip(row, sizes, strict=True):
            out.append(part.svg.replace("<svg ", f'<svg x="{x:.0f}" y="{y:.0f}" ', 1))
            wide = max(wide, x + w)
            x, y = (x + w + GAP, y) if beside else (0.0, y + h + GAP)
        y += max((h for _, h in sizes), default=-GAP) + GAP if beside else 0.0
    head = tag("title", clean(" ".join(facts["said"]))) + ink.ground()
    size = {"viewBox": f"0 0 {wide:.0f} {y:.0f}", "width": f"{wide:.0f}", "height": f"{y:.0f}"}
    named = {"id": ink.prefix, "role": "img", "aria_label": described(facts)}
    return tag("svg", head, *out, following(ink, head), xmlns=XMLNS, **named, **size)


def _size(svg: str) -> tuple[float, float]:
    _, _, w, h = svg.split('viewBox="', 1)[1].split('"', 1)[0].split()
    return float(w), float(h)


def _document(theme: str, prefix: str, body: str, wide: float, high: float, *, words: str) -> str:
    ink = Ink(theme, prefix)
    drawn = group(body, transform=f"translate({MARGIN:g} {MARGIN:g})", **FONTS)
    size = wide + 2 * MARGIN, high + 2 * MARGIN
    return document(ink, words, size, pointed(ink, body), ink.ground(), drawn)


# ---- the sentence and the numbers ---------------------------------------------------------------------------------------


def _told(facts: Facts) -> list[str]:
    """The pairs that differ, in words."""
    first, second = facts["names"]
    return [f"{row['name']}: {first} {row['one']}, {second} {row['other']}, {row['far']}" for row in brief(facts)]


def _head(facts: Facts, theme: str) -> tuple[str, float, float]:
    ink, y, out, room = Ink(theme, "mtr"), 0.0, [], WIDE - 2 * MARGIN
    for at, said in enumerate(facts["said"]):
        size = 16.0 if not at else SIZE
        for line in wrap(said, room / 1.04, size):
            y += size + 6
            out.append(
                ink.text(0, y, line, size, "ink" if not at else "mute", sans=True, weight=650 if not at else None)
            )
        y += 4
    still = Still(ink, 0)
    for row in brief(facts):
        y += 8
        out.append(ink.line(0, y, room, y, "line", 0.8))
        y += LINE
        mark = group(still.write(icons()[row["mark"]]), transform=f"translate(8 {y - 4.5:.1f})")
        far = fitting(row["far"], room * 0.5, SIZE)
        wide = sans_width(far, SIZE)
        first = words("differ.first") + " " if row["first"] else ""
        begins = 24 + (sans_width(first, SIZE) * 1.08 if first else 0)
        line = words("differ.line", line=row["line"]) if row["line"] else ""
        name = f"{line}  {row['name']}" if line else row["name"]
        out += [mark, ink.text(24, y, first.strip(), SIZE, "ink", sans=True, weight=700) if first else ""]
        out.append(
            ink.text(begins, y, fitting(name, room - wide - begins - 14, SIZE), SIZE, "ink", sans=True, weight=600)
        )
        out.append(ink.text(room, y, far, SIZE, "mute", sans=True, anchor="end"))
        body, high = _numbers(ink, facts["names"], (row["one"], row["other"]), y, room)
        out.append(body)
        y += high
    if facts["more"]:
        y += LINE + 6
        out.append(ink.text(24, y, words("differ.more", count=facts["more"]), SIZE, "mute", sans=True))
    return "".join(out), room, y + 4


def _numbers(ink: Ink, names: tuple[str, ...], numbers: tuple[str, ...], y: float, room: float) -> tuple[str, float]:
    """Both numbers: beside each other where there is room, else under each other."""
    there = [at for at in (0, 1) if numbers[at] != NOTHING]
    if not there:
        return "", 0.0
    names, numbers = tuple(names[at] for at in there), tuple(numbers[at] for at in there)
    labels = [fitting(name, 110, SIZE - 1) for name in names]
    wide = max(sans_width(label, SIZE - 1) for label in labels) * 1.06 + 10
    half = (room - 24) / 2
    beside = all(wide + mono(SIZE - 0.5, number) <= half - 8 for number in numbers)
    out = []
    for at, (label, number) in enumerate(zip(labels, numbers, strict=True)):
        x, line = (24 + half * at, y + LINE) if beside else (24.0, y + LINE * (at + 1))
        out.append(ink.text(x, line, label, SIZE - 1, "mute", sans=True))
        out.append(ink.text(x + wide, line, number, SIZE - 0.5, "value", most=(half if beside else room - 24) - wide))
    return "".join(out), LINE * (1 if beside else len(labels))


# ---- graph against graph ------------------------------------------------------------------------------------------------


def graph_words(facts: Facts, at: int) -> str:
    marks = facts["graphs"][at]["marks"].values()
    return words(
        "differ.graph", name=facts["names"][at], count=sum(bool(mark["value"] or mark["gradient"]) for mark in marks)
    )


def _graph(facts: Facts, room: GraphRoom, at: int, ink: Ink, wide: float, way: str) -> tuple[str, float, float]:
    title = ink.text(0, 15, fitting(facts["names"][at], wide, 15), 15, "ink", sans=True, weight=650)
    if not room.placed or not way:
        said = wrap(words("graph.missing") if not room.scene.values else words("differ.no_graph"), wide, SIZE)
        lines = [ink.text(0, 40 + 18 * n, line, SIZE, "mute", sans=True) for n, line in enumerate(said)]
        return "".join([title, *lines]), wide, 60.0
    drawing, marks = room.of(way), facts["graphs"][at]["marks"]
    wide = max(wide, drawing.w * READABLE)
    scale = min(wide / drawing.w, 1.15)
    still = Still(ink, len(room.scene.steps) - 1)
    body = still.write(drawing.mark) + still.marks(marks_on(room.scene, way, marks))
    out = [title, group(body, transform=f"translate({(wide - drawing.w * scale) / 2:.1f} 24) scale({scale:.4g})")]
    y, x = 24 + drawing.h * scale + 16, 8.0
    for name, icon in used(marks.values()):
        told = words(f"differ.mark_{name}")
        if x + 18 + sans_width(told, SIZE - 1) > wide:
            x, y = 8.0, y + LINE + 2
        out += [group(still.write(icon), transform=f"translate({x:.0f} {y:.0f})"),
                ink.text(x + 14, y + 4, told, SIZE - 1, "mute", sans=True)]  # fmt: skip
        x += 36 + sans_width(told, SIZE - 1) * 1.06
    return "".join(out), wide, y + 8


def _small(rooms: list[GraphRoom]) -> bool:
    """Whether the type of a graph is too small however wide it is drawn."""
    wide, way = _chosen(rooms)[0]
    return bool(way) and any(wide / room.of(way).w < READABLE for room in rooms)


def _chosen(rooms: list[GraphRoom]) -> list[tuple[float, str]]:
    """A width and a direction for both graphs; two where the type of a narrow one gets small, the wider one first."""
    if not all(room.placed for room in rooms):
        return [(WIDE - 2 * MARGIN, "")]
    found: list[tuple[float, str]] = []
    for wide in (WIDE - 2 * MARGIN, WIDEST):
        way = min(("LR", "TB"), key=lambda way: sum(room.cost(way, wide) for room in rooms))
        found.insert(0, (wide, way))
        if all(wide / room.of(way).w >= READABLE for room in rooms):
            break
    return found
