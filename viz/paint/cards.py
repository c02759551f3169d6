"""A card per value: its name and number in the first row, one further row per derivative, its op as a disc at its side.

A card is drawn around its own corner, so that another layout is another transform and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

from ..layout.lines import REASON_LINE, reason, reason_boxes
from ..layout.sizes import (
    LINE,
    ROWS,
    SHAPE_CHAR,
    SIGN_CHAR,
    beside,
    columns,
    digits,
    disc,
    face,
    fits,
    frame,
    grid,
    label,
    lines,
    op_sign,
    place_of,
    shape,
)
from ..scene import of_order, order_of, without_order
from ..style import CHAR, CUT, DISC, GHOST, LABEL_CHAR, NEVER, PAD, PIXEL, ROW, words
from . import state as at
from .ink import Box, number
from .sheet import Known, Mark, around, over, said
from .space import Space

SIGNS = {CUT: "none", NEVER: "never"}
NEWEST = 8  # derivatives of a value that are read out with it: a weight in a training loop has one more in each turn
SQUARES = ("pos", "neg", "zero", "odd")  # what a number of an array is drawn as


def rect(x: float, y: float, w: float, h: float, **more: Any) -> Mark:
    """A rectangle."""
    return Mark("rect", x=float(x) or None, y=float(y) or None, width=float(w), height=float(h), **more)


def path(d: str, cls: str, **more: Any) -> Mark:
    """A path."""
    return Mark("path", d=d, cls=cls, **more)


def text(x: float, y: float, shown: Any, cls: Any, most: float | None = None, wide: float = 0, **more: Any) -> Mark:
    """One line of text; squeezed into `most` px where its widest form, `wide` px, needs more."""
    squeeze: dict[str, Any] = (
        {"textlength": float(most), "lengthadjust": "spacingAndGlyphs"} if most and wide > most else {}
    )
    return Mark("text", x=float(x), y=float(y), text=shown, cls=cls, **squeeze, **more)


def moved(x: float, y: float) -> str:
    """A transform to a place."""
    return f"translate({number(float(x))} {number(float(y))})"


def icon(*drawn: Mark, wide: int = 22, high: int = 16, corner: str = "0 0") -> Mark:
    """A small drawing beside words that say what it is."""
    size: dict[str, Any] = {"width": wide, "height": high, "viewbox": f"{corner} {wide} {high}"}
    return Mark("svg", *drawn, cls="icon", **size, aria_hidden="true")


def item(drawn: Mark, said: str, cls: str = "item") -> Mark:
    """One thing of a legend: an icon and its words."""
    return Mark("span", drawn, Mark("span", text=said), cls=cls)


def spans(facts: list[dict[str, Any]]) -> list[int]:
    """Where spans begin and end."""
    return [date for fact in facts for date in (fact["from"], fact.get("to")) if date is not None]


def pin(x: float, y: float, key: str, facts: list[dict[str, Any]], size: float = 5.0, title: str = "") -> Mark:
    """The diamond of a kept input: full while it is kept, hollow when let go."""
    s = number(size)
    look = over(
        spans(facts), lambda step: said("pin", {"free": "", "": "off"}.get(word := at.span_at(facts, step), word))
    )
    told = [Mark("title", text=title)] if title else []
    return Mark("path", *told, d=f"M0-{s}l{s} {s}l-{s} {s}l-{s}-{s}Z", transform=moved(x, y), cls=look, key=key)


def octagon(cx: float, cy: float, wide: float) -> str:
    """The disc of an op that goes back by a rule of the learner's: its corners are cut instead of round."""
    flat = number(wide - 12.8)
    return f"M{number(cx - wide / 2 + 6.4)} {number(cy - 11)}h{flat}l6.4 6.4v9.2l-6.4 6.4h-{flat}l-6.4-6.4v-9.2Z"


def derived(value: dict[str, Any]) -> str:
    """The role of a value that is itself a derivative (a second order one is purple); empty for the others."""
    kind = without_order(value["kind"])
    if kind not in ("gradient", "tangent"):
        return ""
    return of_order(kind, max(value.get("order", 1), order_of(value["kind"])))


def in_words(cell: at.Cell) -> str:
    """What a cell shows, as it is read aloud."""
    if cell.state is None:
        return words("card.not_yet")
    if cell.sign == "none":
        why = cell.state.get("why")
        return words("card.cut_why", why=why) if why else words("card.cut")
    if cell.sign == "never":
        return words("card.never")
    data = cell.state.get("data")
    if not data:
        return str(cell.state.get("text", ""))
    head, rows = shape(cell.state), grid(cell.state)
    return f"{head} " + (", ".join(digits(entry) for row in rows for entry in row) if rows else face(cell.state))


def about(value: dict[str, Any], step: int) -> str:
    """What a card has no room for: the op by name, an array's numbers, why there is no number, what became of it."""
    made = words("card.made", op=value["op"]) if value.get("op") else ""
    out = [f"{value['name']}{made}"]
    if at.born(value, step):
        for cell, now in _worded(value["cells"][:1], step):
            out.append(f"{label(value, cell)} {in_words(now)}")
        derivatives = list(islice(_worded(value["cells"][:0:-1], step), NEWEST + 1))
        if len(derivatives) > NEWEST:
            out.append(words("card.earlier"))
        for cell, now in derivatives[NEWEST - 1 :: -1]:
            out.append(f"{label(value, cell)} {in_words(now)}")
        if again := at.again_at(value, step):
            out.append(words(f"card.{again}"))
    if value.get("ghost"):
        out.append(words("card.ghost", why=value["ghost"]))
    return "; ".join(out)


def _worded(cells: list[dict[str, Any]], step: int) -> Iterator[tuple[dict[str, Any], at.Cell]]:
    """The cells that show less than there is: an array's numbers, why there is none."""
    for cell in cells:
        if cell.get("states") and cell["states"][0]["t"] <= step:
            now = at.cell_at(cell, step)
            if now.sign in ("none", "never") or (now.state and now.state.get("data")):
                yield cell, now


def told(value: dict[str, Any]) -> list[int]:
    """The dates at which anything that is said of a value may change."""
    states = [state["t"] for cell in value["cells"] for state in cell.get("states", [])]
    return [value.get("born", 0), value.get("gone") or 0, *spans(value.get("again") or []), *states]


def card(
    value: dict[str, Any], box: list[float], rows: list[int], way: str, focus: dict[Any, set[int]], space: Space, known: Known
) -> Mark:  # fmt: skip
    """A value's card with its disc, its outline saying what it is, and a ring round what a step looks at."""
    left, top, w, h = frame(value, box, way)
    inner = [box[0] - left, box[1] - top, box[2], box[3]]
    disc = disc_of(value, inner, way) if op_sign(value) else []
    title, look, faced = known.once(f"card:{value['id']} {w}x{h}", lambda: _faced(value, (w, h), rows, focus))
    parts = [title, *disc, *faced, *([tag(value, (left, top, w, h), space)] if value.get("ghost") else [])]
    return Mark(
        "g", *parts, cls=look, key=f"card:{value['id']}", data_value=value["id"], data_go=value.get("born", 0),
        transform=moved(left, top),
    )  # fmt: skip


def _faced(
    value: dict[str, Any], size: tuple[float, float], rows: list[int], focus: dict[Any, set[int]]
) -> tuple[Mark, Any, list[Mark]]:
    """What a card is in both directions: its tooltip, its look, and what is drawn within it."""
    (w, h), seen, again, ghost = size, focus.get(value["id"], set()), value.get("again"), bool(value.get("ghost"))
    kind = value["kind"] if value["kind"] == "variable" else derived(value)
    born = [value.get("born", 0), value.get("gone"), *spans(again or [])]

    def look(step: int) -> str:
        there = at.born(value, step)
        return said(
            "card", kind, ghost and "ghost", at.again_at(value, step), not there and "future", step in seen and "on"
        )

    parts: list[Mark] = []
    if again is not None:  # the sheet behind it: here it lies once more
        parts += [rect(4, 4, w, h, cls="sheet"), text(w + 1, -1, "↻", "againmark")]
    if value.get("group"):  # a stack: several values under the face of the last
        parts += [rect(away, away, w, h, cls="stack") for away in (6.0, 3.0)]
    parts += [rect(-4, -4, w + 8, h + 8, cls="halo"), rect(0, 0, w, h, cls="face")]
    y = 3
    for at_, tall in enumerate(rows[:ROWS]):
        cells = [cell for number_, cell in enumerate(value["cells"]) if place_of(number_) == at_]
        if at_:
            parts.append(path(f"M7 {y}H{number(float(w - 7))}", "rule"))
        seen_ = set[int]().union(*(focus.get((value["id"], cell["id"]), set()) for cell in cells))
        parts += row(value, cells, (0, y, w, tall or ROW), seen_)
        y += tall or ROW
    title = Mark("title", text=over(told(value), lambda step: about(value, step)), key=f"title:{value['id']}")
    return title, over([*born, *around(seen)], look), parts


def disc_of(value: dict[str, Any], box: list[float], way: str) -> list[Mark]:
    """The op at the side of the value that it made; an op that keeps its own output (exp, tanh) has a pin between the two."""
    cx, cy, wide, sign = disc(value, box, way)
    ends = (cx, cy + 11, cx, box[1] + DISC) if way == "TB" else (cx + wide / 2, cy, box[0] + beside(value, way), cy)
    link = "M{} {}L{} {}".format(*(number(float(place)) for place in ends))
    rim = (
        path(octagon(cx, cy, wide), "disc")
        if value.get("custom")
        else rect(cx - wide / 2, cy - 11, wide, 22, cls="disc")
    )
    is_word = len(sign) > 1
    # one width for both layouts: what is squeezed is a matter of the narrower
    squeezed = text(
        cx, cy + (3.6 if is_word else 5), sign, "opname" if is_word else "opsign", wide - 6, columns(sign) * SIGN_CHAR
    )
    out = [path(link, "link"), rim, squeezed]
    if own := value.get("kept"):
        px, py = (cx, cy + 15) if way == "TB" else (cx + wide / 2 + 4, cy)
        out.append(pin(px, py, f"own:{value['id']}", own, 4.5, words("card.kept", name=value["name"])))
    return out


def row(value: dict[str, Any], cells: list[dict[str, Any]], box: Box, seen: set[int]) -> list[Mark]:
    """One row of a card: its label, and on the right "not yet", a number, a sign, or an array: numbers, squares or a range.
    Of several cells the one that was written last stands there."""
    (x, y, w, h), cell = box, cells[0]
    first, key = cell["id"] == "v", f"{value['id']}|{cell['id']}"
    dated = sorted(((state["t"], at_) for at_, one in enumerate(cells) for state in one.get("states", [])))
    states = sorted((state for one in cells for state in one.get("states", [])), key=lambda state: state["t"])
    drawn = [state for state in states if fits(state, h)]
    few = {state["t"]: told for state in drawn if (told := lines(state))}
    grids = {state["t"]: rows for state in drawn if state["t"] not in few and (rows := grid(state))}
    haunted = not grids and not few and h >= ROW + GHOST  # the layout has room under the number for what it was
    base = y + (ROW if haunted else h) / 2 + 4.4
    when = [state["t"] for state in states]
    wide = max(columns(label(value, one)) for one in cells) * (CHAR if first else LABEL_CHAR)
    room, end = w - 2 * PAD - wide - 6, x + w - PAD

    def now(step: int) -> dict[str, Any] | None:
        return at.latest(states, step)

    def whose(step: int) -> dict[str, Any]:
        return cells[([0] + [at_ for t, at_ in dated if t <= step])[-1]]

    def kind(step: int) -> str:
        return (first and derived(value)) or str(whose(step)["kind"])

    def squares_at(step: int) -> list[list[float]] | None:
        state = now(step)
        return grids.get(state["t"]) if state else None

    def line_at(step: int, place: int) -> str:
        state = now(step)
        told = few.get(state["t"], []) if state else []
        return told[place] if place < len(told) else ""

    def look(step: int) -> str:
        state = now(step)
        sign = SIGNS.get(state.get("text", ""), "") if state else "notyet"
        fresh = state is not None and state["t"] == step > 0 and not sign
        return said("number", kind(step), first and "own", sign, fresh and "fresh")

    out = []
    if seen:
        ring = over(around(seen), lambda step: "ring" if step in seen else "ring off")
        out.append(rect(x + 2, y + 1, w - 4, h - 2, key=f"ring:{key}", cls=ring))
    named = "name" if first else over(when, lambda step: said("label", kind(step), not now(step) and "faint"))
    out.append(text(x + PAD, base, over(when, lambda step: label(value, whose(step))), named, key=f"label:{key}"))
    if first and value.get("again") is not None:
        out.append(text(end, base, words("card.gone"), "letgo", max(12.0, room), 31))
    deep = max(map(len, few.values()), default=0)
    for place in range(deep):
        line = over(when, partial(line_at, place=place))
        widest = max(columns(rows[place]) * CHAR for rows in few.values() if place < len(rows))
        at_ = base + (place - (deep - 1) / 2) * LINE
        out.append(text(end, at_, line, over(around(when), look), room + 6, widest, key=f"line {place}:{key}"))
    if len(grids) + len(few) < len(states) or not when or min(when) > 0:
        shown = over(when, lambda step: "" if squares_at(step) or line_at(step, 0) else face(now(step)))
        other = {*grids, *few}
        widest = max([CHAR, *(columns(face(state)) * CHAR for state in states if state["t"] not in other)])
        entry = text(end, base, shown, over(around(when), look), room + 6, widest, key=f"number:{key}")
        out.append(entry)
        if haunted:
            out.append(text(end, base + GHOST, "", "was", key=f"was:{key}", data_was=""))
    if grids:
        out += _array(value, cell, grids, squares_at, (end, y + h / 2), key)
        left = x + PAD + wide + 5

        def shaped(step: int) -> str:
            rows, told_ = squares_at(step), shape(now(step))
            return told_ if rows and columns(told_) * SHAPE_CHAR < room - len(rows[0]) * PIXEL - 4 else ""

        out.append(
            Mark(
                "g",
                text(left, base, over(when, shaped), "shape", key=f"shape:{key}"),
                cls=said("squares", first and "own"),
            )
        )
    return out


def _array(
    value: dict[str, Any],
    cell: dict[str, Any],
    grids: dict[int, Any],
    squares_at: Any,
    end: tuple[float, float],
    key: str,
) -> list[Mark]:
    first = cell["id"] == "v"
    hue = derived(value) if first and derived(value) else cell["kind"]
    drawn = {step: squares(rows) for step, rows in grids.items()}
    dates = [state["t"] for state in cell["states"]]

    def outline(step: int, name: str) -> str:
        state = at.latest(cell["states"], step)
        return drawn[state["t"]][name] if state and squares_at(step) else ""

    paths = []
    for name in SQUARES:
        d = over(dates, partial(outline, name=name))
        paths.append(path(d, said(name, hue), key=f"{name}:{key}"))
    return [Mark("g", *paths, cls=said("squares", first and "own"), transform=moved(*end))]


def array(rows: list[list[float]], hue: str) -> list[Mark]:
    """An array that never changes, as squares."""
    return [path(d, said(name, hue)) for name, d in squares(rows).items() if d]


def squares(rows: list[list[float]]) -> dict[str, str]:
    """An array as outlines by kind of number, around the middle of its right side: area is size, a cross is not a number, an
    arrow up or down is infinite.

    >>> squares([[4.0, 0.0]])["zero"]
    'M-5.3-0.8h1.6v1.6h-1.6Z'
    """
    out = dict.fromkeys(SQUARES, "")
    most = max([abs(entry) for row in rows for entry in row if math.isfinite(entry)] + [1e-300])
    for i, numbers in enumerate(rows):
        for j, entry in enumerate(numbers):
            cx, cy = (j + 0.5 - len(numbers)) * PIXEL, (i + 0.5 - len(rows) / 2) * PIXEL
            if math.isinf(entry):
                up = 1 if entry > 0 else -1
                out["odd"] += (
                    f"M{number(cx)} {number(cy + 3 * up)}v{-6 * up}m-2.5 {2.5 * up}l2.5 {-2.5 * up}l2.5 {2.5 * up}"
                )
                continue
            if math.isnan(entry):
                out["odd"] += f"M{number(cx - 2)} {number(cy - 2)}l4 4m0-4l-4 4"
                continue
            side = 1.6 if entry == 0 else max(1.6, (PIXEL - 1.4) * math.sqrt(abs(entry) / most))
            s = number(side)
            name = "zero" if entry == 0 else "pos" if entry > 0 else "neg"
            out[name] += f"M{number(cx - side / 2)} {number(cy - side / 2)}h{s}v{s}h-{s}Z".replace(" -", "-")
    return out


def tag(value: dict[str, Any], box: Box, space: Space) -> Mark:
    """The reason of a ghost under its card, above or beside it; where it fits nowhere, the tooltip alone has it."""
    x, y, w, _ = box
    _, covered, (left, top, wide, _) = space.best(reason_boxes(value, box))
    drawn = [
        text(left + wide / 2 - x, top - y + 10 + REASON_LINE * at_, line, "tag")
        for at_, line in enumerate(reason(value, w)[0])
    ]
    return Mark("g", *drawn, cls="reason" if covered <= 20 else "reason off")
