"""Words: the sentence of a step, the code with what its lines produced, the formula with its numbers, values as a list."""

from __future__ import annotations

from typing import Any

from ...layout.sizes import columns, face, label, short
from ...scene import Scene
from .. import state as at
from .ink import Ink, columns_wrapped, group, mono, wrap

ROLES = {"value", "gradient", "gradient2", "tangent", "tangent2"}
MOST_LINES = 26  # of code; longer programs are shown around the line that runs


def paragraph(
    ink: Ink, said: str, width: float, size: float, role: str = "ink", weight: int | None = None
) -> tuple[str, float]:
    """Running text in the proportional font, and its height."""
    if not said:
        return "", 0.0
    high = size * 1.4
    lines = wrap(said, width, size)
    out = [
        ink.text(0, size * 1.05 + high * i, one, size, role, weight=weight, sans=True) for i, one in enumerate(lines)
    ]
    return group(*out), high * len(lines)


def sentence(ink: Ink, scene: Scene, step: int, width: float) -> tuple[str, float]:
    """The sentence of a step, and under it why anything became None there, if it does not say so itself."""
    one = scene.steps[step]
    size = 20.0 if width > 560 else 17.0
    drawn, y = paragraph(ink, f"{one['say']}", min(width, size * 42), size)
    out = [drawn]
    for why in reasons(scene, step):
        if why in one["say"]:
            continue
        drawn, high = paragraph(ink, f"✂ None: {why}", min(width, 700), 14, "mute")
        out.append(group(drawn, transform=f"translate(0 {y + 4:.1f})"))
        y += high + 4
    if asked := one.get("ask"):
        said = f"{asked['question']}\u2002{' · '.join(str(option) for option in asked['options'])} ?"
        drawn, high = paragraph(ink, said, min(width, 700), 14, weight=600)
        out.append(group(drawn, transform=f"translate(0 {y + 6:.1f})"))
        y += high + 6
    return group(*out), y


def reasons(scene: Scene, step: int) -> list[str]:
    """Why cells became None at this step, each reason once."""
    states = [one for value in scene.values for cell in value["cells"] for one in cell.get("states", [])]
    return list(dict.fromkeys(one["why"] for one in states if one["t"] == step and one.get("why")))


def code(ink: Ink, scene: Scene, step: int, width: float) -> tuple[str, float]:
    """The program with the line that runs, the line whose entry is reversed, and what each line produced so far."""
    now, size = scene.steps[step], 12.75 if width > 310 else 11.5
    place, cause = tuple(now.get("place") or ()), tuple(now.get("cause") or ())
    made, y, out = at.produced_at(scene, step), 0.0, []
    high, left, advance = size * 1.55 + 4, 32.0, mono(size, "0")
    for source, lines in excerpt(scene, step):
        if len(scene.sources) > 1:
            y += 6 if y else 0
            out.append(ink.text(3, y + 12, source["label"], 12, "mute", weight=600, sans=True))
            y += 18
        for number, said in lines:
            if number is None:
                out.append(ink.text(left - 16, y + 11, "⋮", size, "mute"))
                y += 15
                continue
            key = (source["id"], number)
            text, fresh = made.get(key, ("", False))
            text = short(text, int((width - left) / advance))
            rows = columns_wrapped(said, int((width - left - 8) / advance))
            beside = mono(size, rows[-1]) + mono(size, text) + left + 20 <= width
            deep = len(rows) + (1 if text and not beside else 0)
            tall = high + (deep - 1) * size * 1.45
            if key == place:
                out.append(ink.box((0, y, width, tall), **ink.fill("soft")))
                out.append(ink.box((0, y, 3, tall), **ink.fill("ink")))
            elif key == cause:
                out.append(ink.line(1.5, y + 1, 1.5, y + tall, "gradient", 3, stroke_dasharray="3 3"))
            base = y + high / 2 + size * 0.36
            out.append(ink.text(left - 10, base, str(number), 11, "ink" if key == place else "mute", anchor="end"))
            for i, row in enumerate(rows):
                out.append(ink.text(left, base + i * size * 1.45, row, size, xml__space="preserve"))
            if text:
                tone, weight = ("ink", 600) if fresh else ("mute", None)
                out.append(
                    ink.text(width - 6, base + (deep - 1) * size * 1.45, text, size, tone, weight=weight, anchor="end")
                )
            y += tall
    return group(*out), y


def code_height(scene: Scene) -> float:
    """About how high the code, the title and the formula are together, at any step."""
    return 130 + 24 * min(MOST_LINES, sum(len(one["lines"]) for one in scene.sources))


def code_width(scene: Scene, room: float) -> float:
    """How wide the code is, with room for what its lines produce, at any step."""
    widest = max((columns(line[1]) for one in scene.sources for line in one["lines"]), default=0)
    made = max((columns(text) for one in scene.steps for _, text in one.get("produced", [])), default=0)
    return mono(12.75 if room > 310 else 11.5, "0") * (widest + made + 3) + 38


Line = tuple[int | None, str]


def excerpt(scene: Scene, step: int) -> list[tuple[dict[str, Any], list[Line]]]:
    """The sources with their lines, None for the number of a fold; a long program only around what this step is about."""
    now = scene.steps[step]
    lines = {one["id"]: [(line[0], line[1]) for line in one["lines"]] for one in scene.sources}
    if sum(map(len, lines.values())) > MOST_LINES:
        about = [tuple(one) for one in (now.get("place"), now.get("cause")) if one]
        about = about or [(scene.sources[0]["id"], lines[scene.sources[0]["id"]][0][0])]
        reach = MOST_LINES // (2 * len(set(about)))
        lines = {
            key: [one for one in some if any(key == source and abs(one[0] - line) <= reach for source, line in about)]
            for key, some in lines.items()
        }
    out = []
    for source in scene.sources:
        shown: list[Line] = []
        first = source["lines"][0][0] if source["lines"] else 0
        for number, said in lines[source["id"]]:
            before = shown[-1][0] if shown else first - 1
            if before is not None and number > before + 1:
                shown.append((None, ""))
            shown.append((number, said))
        if shown:
            if shown[-1][0] != source["lines"][-1][0]:
                shown.append((None, ""))
            out.append((source, shown))
    return out


def formula(ink: Ink, scene: Scene, step: int, width: float) -> tuple[str, float]:
    """The formula of a step: each symbol with its number under it, in the colour of what it is."""
    terms = scene.steps[step].get("formula", [])
    if not terms:
        return "", 0.0
    whole = sum(max(mono(15, one[0]), mono(18, str(one[1]))) + 10 for one in terms)
    # a little too long is set a little smaller, because one term alone on a line reads badly
    shrink = min(1.0, max(0.75, width / whole)) if whole <= width / 0.75 else 1.0
    x, y, out, big, small = 0.0, 0.0, [], 18.0 * shrink, 15.0 * shrink
    for symbol, figure, kind, *_ in terms:
        figure = "=" if symbol == "+=" else str(figure)
        wide = max(mono(small, symbol), mono(big, figure))
        if x and x + wide > width:
            x, y = 0.0, y + 56
        role = kind if kind in ROLES else "mute" if kind == "op" else "value"
        middle = x + wide / 2
        out.append(ink.text(middle, y + 16, symbol, small, role, anchor="middle", most=width))
        weight = None if kind == "op" else 600
        out.append(ink.text(middle, y + 40, figure, big, role, weight=weight, anchor="middle", most=width))
        x += wide + 10
    return group(*out), y + 50


def values(ink: Ink, scene: Scene, step: int, width: float) -> tuple[str, float]:
    """The values as a plain list, where there are no positions to draw a graph on."""
    note, high = paragraph(
        ink, "No graph: there are no positions for it. The values stand in a list instead.", width, 13, "mute"
    )
    out, y, column, each = [note], high + 8, 0, 300.0
    across = max(1, int(width // each))
    for value in scene.values:
        if not at.born(value, step):
            continue
        x, room = column * width / across, width / across - 18
        op = value.get("sign") or value.get("op") or ""
        out.append(ink.text(x, y + 13, short(f"{value['name']} {op}", int(room * 0.3 / 7.4)), 12.3, weight=600))
        cells = [(cell, now) for cell, now in zip(value["cells"], at.cells_at(value, step), strict=True) if now.state]
        at_x = x + room * 0.32
        for cell, now in cells:
            said = face(now.state) if cell["id"] == "v" else f"{label(value, cell)} {face(now.state)}"
            if at_x + mono(12.3, said) > x + room and cell is not cells[0][0]:
                out.append(ink.text(at_x, y + 13, "…", 12.3, "mute"))
                break
            role = "ink" if now.sign == "none" else "mute" if now.sign else now.kind
            out.append(
                ink.text(at_x, y + 13, said, 12.3, role, weight=700 if now.fresh else None, most=x + room - at_x + 8)
            )
            at_x += mono(12.3, said) + 12
        out.append(ink.line(x, y + 19, x + room, y + 19, "line"))
        column += 1
        if column == across:
            column, y = 0, y + 22
    return group(*out), y + (22 if column else 0)
