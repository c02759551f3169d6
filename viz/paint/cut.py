"""A cut as one self-contained SVG: the path, the mark that stops it, and under it the words."""

from __future__ import annotations

import zlib
from typing import Any

from ..layout.sizes import short
from .blocks import paragraph
from .ink import FONTS, Box, Ink, document, group, mono, number, tag

WIDTH, MARGIN = 760.0, 18.0
LETTER = 7.0  # of the small type beside an arc
BOLD = 0.9  # of the room, for type that runs wider than it is measured
HIGH, DISC = 34.0, 13.0  # a card; the radius of an op's disc
LINK, CUT, EYE = 84.0, 150.0, 128.0  # the room between two cards: usually, where the cut is, beside the eye
EDGE = 14.0  # how far the recorder's ground reaches beyond a card


def picture(cut: dict[str, Any], theme: str = "") -> str:
    """The SVG document of what `viz.tell.cut.cut_of` says."""
    ink = Ink(theme, f"mt{zlib.crc32(repr((cut, theme)).encode()):08x}")
    parts: list[str] = []
    y = 0.0

    def put(drawn: tuple[str, float], before: float = 0.0) -> None:
        nonlocal y
        body, high = drawn
        if body:
            y += before
            parts.append(group(body, transform=f"translate(0 {number(y)})"))
            y += high

    room = WIDTH - 2 * MARGIN
    put(_head(ink, cut))
    put(_path(ink, cut, room), before=12)
    put(paragraph(ink, _sentence(cut["say"]), room, 15), before=10)
    for path in cut["paths"]:
        put(_mono(ink, f"path  {path}", room, "tangent" if cut["forward"] else "gradient"), before=2)
    for use in cut["missing"]:
        put(_mono(ink, f"✂     {use}", room, "mute"), before=2)
    if cut["place"]:
        put(_mono(ink, f"{cut['place']}:  {cut['line']}", room, "mute"), before=4)
    if cut["fix"]:
        put(paragraph(ink, f"Fix: {cut['fix']}", room * BOLD, 15, weight=600), before=8)
    for line in cut["type"].splitlines():
        put(_mono(ink, line, room, "value"), before=2)
    for note in cut["notes"]:
        put(paragraph(ink, _sentence(note), room, 13, "mute"), before=4)
    return _document(ink, cut, "".join(parts), y + 2 * MARGIN)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] if text[:1].islower() and " " in text and text.split(" ")[0] in _STARTS else text


_STARTS = {"the", "only", "it", "its", "no", "this", "then", "one"}


def _head(ink: Ink, cut: dict[str, Any]) -> tuple[str, float]:
    size = 19.0
    out = [ink.text(0, size, _answered(cut), size, weight=700)]
    if cut["code"]:
        wide = mono(13, cut["code"]) + 14
        x = WIDTH - 2 * MARGIN - wide
        out.append(ink.box((x, 1, wide, 22), 11, **ink.fill("soft"), **ink.stroke("line")))
        out.append(ink.text(x + wide / 2, 16.5, cut["code"], 13, "mute", anchor="middle"))
    return group(*out), size * 1.3


def _path(ink: Ink, cut: dict[str, Any], room: float) -> tuple[str, float]:
    nodes = cut["nodes"]
    if not nodes:
        return "", 0.0
    widths = [max(44.0, mono(15, short(node["name"], 18)) + 22) for node in nodes]
    links = [_room(cut, index) for index in range(1, len(nodes))]
    total = sum(widths) + sum(links)
    scale = min(1.0, room / total)
    top, out, x = 36.0, list[str](), 0.0
    centres: list[tuple[float, float]] = []
    for width, link in zip(widths, [*links, 0.0], strict=True):
        centres.append((x, x + width))
        x += width + link
    out.append(_lane(ink, cut, centres, top))
    for index, node in enumerate(nodes):
        left, right = centres[index]
        if index:
            out.append(_link(ink, cut, index, centres[index - 1][1], left, top))
        out.append(_card(ink, cut, index, node, (left, top, right - left, HIGH)))
    if cut["missing"]:
        beside = ((room - total * scale) / 2 + MARGIN) / scale - EDGE - 8
        out.append(_lost(ink, cut, centres, top, int(beside / LETTER)))
    if cut["mark"] == "eye":
        out.append(_eye(ink, (centres[0][0] + centres[0][1]) / 2, top - 17))
    high = top + HIGH + 34
    return group(*out, transform=f"translate({number((room - total * scale) / 2)} 0) scale({scale:.3g})"), high * scale


_HEARD = ("recorded", "source", "known", "fold")


def _room(cut: dict[str, Any], index: int) -> float:
    """How far the card at `index` stands from the one before: a mark and its words need more."""
    if cut["mark"] == "eye":
        return EYE if index == 1 else LINK
    return CUT if index == cut["where"] and cut["mark"] and not cut["missing"] else LINK


def _lane(ink: Ink, cut: dict[str, Any], centres: list[tuple[float, float]], top: float) -> str:
    """What the recorder heard, as a tinted ground with its name; it ends where it stopped to listen."""
    heard = [i for i, node in enumerate(cut["nodes"]) if node["state"] in _HEARD]
    if cut["mark"] in ("eye", "gap"):
        heard = list(range(1, len(centres))) if cut["mark"] == "eye" else []
    if cut["nodes"][cut["where"]]["state"] == "before":  # it began to listen only after the cut
        heard = list(range(cut["where"] + 1, len(centres)))
    if not heard:
        return ""
    left, right = centres[heard[0]][0] - EDGE, centres[max(heard)][1] + EDGE
    # Once it has let go, its outline is all that is left.
    gone = cut["mark"] == "released"
    paint = {"fill": "none", "stroke_dasharray": "5 4"} if gone else {**ink.fill("tint"), "stroke_opacity": 0.35}
    ground = ink.box((left, top - 28, right - left, HIGH + 56), 10, **ink.stroke("tape"), **paint)
    return group(ground, ink.text(left + 8, top - 13, cut["recorder"], 12, "tape"))


def _card(ink: Ink, cut: dict[str, Any], index: int, node: dict[str, Any], box: Box) -> str:
    x, y, w, h = box
    ghost = node["broken"] and cut["mark"] in ("ghost", "pause", "slide") or (cut["mark"] == "eye" and index == 0)
    dashes = {"stroke_dasharray": "4 3"} if ghost else {}
    paint = {"fill": "none"} if ghost else ink.fill("bg")
    role = "mute" if ghost else "ink"
    return group(
        ink.box(box, 6, **paint, **ink.stroke(role, 1.6), **dashes),
        ink.text(x + w / 2, y + h / 2 + 5, short(node["name"], 18), 15, role, anchor="middle", most=w - 12),
    )


def _link(ink: Ink, cut: dict[str, Any], index: int, left: float, right: float, top: float) -> str:
    """What stands between two cards: the op, and where the cut is its mark and its words."""
    node, before = cut["nodes"][index], cut["nodes"][index - 1]
    y, middle = top + HIGH / 2, (left + right) / 2
    if "fold" in (node["state"], before["state"]):
        return ink.line(left + 6, y, right - 6, y, "faint", 1.6, stroke_dasharray="2 4")
    here = index == cut["where"] and cut["mark"] not in ("", "eye") and not cut["missing"]
    if here and cut["mark"] == "gap":
        said = ink.text(middle, y + 40, "no path", 12, "mute", anchor="middle", sans=True)
        return ink.text(middle, y + 5, "?", 17, "mute", anchor="middle") + said
    sign = short(node["sign"], 14 if here else 9)
    is_disc = 0 < len(sign) <= 3
    if here and before["state"] in _HEARD and cut["mark"] != "released":
        middle += EDGE / 2
    if here and is_disc:
        middle -= 10
    ghost, role = node["broken"] and cut["mark"] == "ghost", "mute" if node["broken"] or here else "ink"
    out = [ink.line(left, y, right - 2, y, role, 1.6, **({"stroke_dasharray": "4 3"} if ghost or here else {}))]
    out.append(tag("path", d=f"M{number(right - 1)} {number(y)}l-8 -4v8Z", **ink.fill(role)))
    if is_disc:
        disc = {**ink.fill("bg"), **ink.stroke(role, 1.6), **({"stroke_dasharray": "3 3"} if ghost else {})}
        out.append(tag("circle", cx=middle, cy=y, r=DISC, **disc))
        out.append(ink.text(middle, y + 5, sign, 13, role, anchor="middle", most=2 * DISC - 6))
    elif sign:
        out.append(ink.text(middle, y - (30 if here else 16), sign, 12, role, anchor="middle", most=LINK))
    if here:
        out.append(_mark(ink, cut["mark"], middle + (DISC + 13 if is_disc else 0), y))
        below = middle + (10 if is_disc else 0)
        out.append(ink.text(below, y + 39, cut["words"], 12, "gradient", anchor="middle", sans=True))
    if (cut["mark"] == "" or cut["missing"]) and not node["broken"]:  # a number: the backward pass comes through
        out.append(_tangent(ink, left, right, y + 22) if cut["forward"] else _gradient(ink, left, right, y + 22))
    return group(*out)


def _gradient(ink: Ink, left: float, right: float, y: float) -> str:
    head = tag("path", d=f"M{number(left + 2)} {number(y)}l8 -4v8Z", **ink.fill("gradient"))
    return ink.line(left + 8, y, right, y, "gradient", 1.6, stroke_dasharray="5 3") + head


def _tangent(ink: Ink, left: float, right: float, y: float) -> str:
    head = tag("path", d=f"M{number(right - 2)} {number(y)}l-8 -4v8Z", **ink.fill("tangent"))
    return ink.line(left, y, right - 8, y, "tangent", 1.6) + head


def _lost(ink: Ink, cut: dict[str, Any], centres: list[tuple[float, float]], top: float, columns: int) -> str:
    """The use that is missing: an arc from the source to the target, cut in its middle; its words where they have room."""
    left, right = sum(centres[0]) / 2, sum(centres[-1]) / 2
    middle, y = (left + right) / 2, top - 28
    d = f"M{number(left)} {number(top)}C{number(left)} {number(y)} {number(right)} {number(y)} {number(right)} {number(top)}"
    words = short(cut["missing"][0], columns)
    return group(
        ink.curve(d, "mute", 1.6, stroke_dasharray="4 3"),
        _mark(ink, cut["mark"], middle, top - 21),
        ink.text(centres[-1][1] + EDGE + 8, top - 16, words, 12, "gradient", sans=True) if columns > 6 else "",
    )


def _mark(ink: Ink, kind: str, x: float, y: float) -> str:
    """The one thing that stops the backward pass."""
    line: dict[str, Any] = {"fill": "none", **ink.stroke("gradient", 2.0), "stroke_linecap": "round"}
    filled = {**line, **ink.fill("bg")}
    bricks = "".join(f"M-5 {row}H5" for row in (-22, -14, -6, 2, 10, 18))
    wall = f"M-5-22V22M5-22V22M-5 22H5{bricks}M0-22V-14M-2.5-14V-6M2.5-6V2M-2.5 2V10M0 10V18"
    rings = [
        tag("circle", cx=cx, cy=11.5, r=3.8, **ink.fill("bg"), **ink.stroke("gradient", 2.0)) for cx in (-5.5, 5.5)
    ]
    marks = {
        "wall": ink.box((-5, -22, 10, 44), 1, **ink.fill("bg")) + tag("path", d=wall, **line | {"stroke-width": 1.4}),
        "scissors": tag("path", d="M-7-13L4 8M7-13L-4 8", **line) + "".join(rings),
        "stop": tag("path", d="M-4-9L4-9L9-4L9 4L4 9L-4 9L-9 4L-9-4Z", **filled) + tag("path", d="M-4 0H4", **line),
        "pause": ink.box((-8, -10, 16, 20), 3, **ink.fill("bg"))
        + tag("path", d="M-3.5-7V7M3.5-7V7", **line | {"stroke-width": 3.0}),
        "released": tag("path", d="M0-9L9 0L0 9L-9 0Z", **filled, stroke_dasharray="3 3"),
        "slide": tag("path", d="M-9 0H7M2-5L8 0L2 5", **line),
    }
    cross = tag("path", d="M-6-6L6 6M6-6L-6 6", **line)
    return group(marks.get(kind, cross), transform=f"translate({number(x)} {number(y)})")


def _eye(ink: Ink, x: float, y: float) -> str:
    """A closed eye: this recorder does not look at the value."""
    lid = "M-12-3Q0 8 12-3M-9 1L-12 5M-3 4.5L-4 9M3 4.5L4 9M9 1L12 5"
    body = tag("path", d=lid, fill="none", **ink.stroke("gradient", 2.0), stroke_linecap="round")
    said = ink.text(18, 5, "not watched", 12, "gradient", sans=True)
    return group(body, said, transform=f"translate({number(x)} {number(y)})")


def _mono(ink: Ink, said: str, room: float, role: str) -> tuple[str, float]:
    return ink.text(0, 14, said, 13, role, most=room, xml__space="preserve"), 19.0


def _document(ink: Ink, cut: dict[str, Any], body: str, height: float) -> str:
    drawn = group(body, transform=f"translate({number(MARGIN)} {number(MARGIN)})", **FONTS)
    return document(ink, _answered(cut), (WIDTH, height), ink.ground(), drawn, desc=described(cut))


def _answered(cut: dict[str, Any]) -> str:
    return f"{cut['title']} is {cut['answer'] or 'a number'}"


def described(cut: dict[str, Any]) -> str:
    """The picture in words."""
    said = f"{_answered(cut)}: {cut['say']}"
    return f"{said} Fix: {cut['fix']}." if cut["fix"] else said
