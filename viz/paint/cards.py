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
from ..style import CHAR, DISC, GHOST, LABEL_CHAR, PAD, PIXEL, ROW, words
from . import state as at
from .ink import Box, number
from .sheet import Known, Mark, around, over, said
from .space import Space

NEWEST = 8  # derivatives of a value that are read out with it: a weight in a training loop has one more in each turn
STACK = 6.0  # px that what lies beneath a card reaches out from under it
SQUARES = ("pos", "neg", "zero", "odd")  # what a number of an array is drawn as


def rect(x: float, y: float, w: float, h: float, **more: Any) -> Mark:
    """A rectangle."""
    return Mark("rect", x=float(x) or None, y=float(y) or None, width=float(w), height=float(h), **more)


def path(d: Any, cls: Any, **more: Any) -> Mark:
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


def in_words(state: dict[str, Any] | None) -> str:
    """What a cell shows, as it is read aloud."""
    if state is None:
        return words("card.not_yet")
    if at.sign(state) == "none":
        why = state.get("why")
        return words("card.cut_why", why=why) if why else words("card.cut")
    if at.sign(state) == "never":
        return words("card.never")
    if not state.get("data"):
        return str(state.get("text", ""))
    head, rows = shape(state), grid(state)
    return f"{head} " + (", ".join(digits(entry) for row in rows for entry in row) if rows else face(state))


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


def _worded(cells: list[dict[str, Any]], step: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The cells that show less than there is: an array's numbers, why there is none."""
    for cell in cells:
        now = at.latest(cell.get("states", []), step)
        if now and (at.sign(now) or now.get("data")):
            yield cell, now


def told(value: dict[str, Any]) -> list[int]:
    """The dates at which anything that is said of a value may change."""
    states = [state["t"] for state in at.states_of(value)]
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
        parts += [rect(away, away, w, h, cls="stack") for away in (STACK, STACK / 2)]
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


class _Row:
    """What a row of a card shows at each step: of several cells the one that was written last."""

    def __init__(self, value: dict[str, Any], cells: list[dict[str, Any]], high: float) -> None:
        self.value, self.cells, self.is_own = value, cells, cells[0]["id"] == "v"
        dated = [(state["t"], at_, state) for at_, cell in enumerate(cells) for state in cell.get("states", [])]
        self._dated = sorted(dated, key=lambda dated: dated[:2])
        self.states = [state for *_, state in self._dated]
        self.when = [state["t"] for state in self.states]
        drawn = [state for state in self.states if fits(state, high)]
        self.few = {state["t"]: told for state in drawn if (told := lines(state))}
        self.grids = {state["t"]: rows for state in drawn if state["t"] not in self.few and (rows := grid(state))}

    def now(self, step: int) -> dict[str, Any] | None:
        return at.latest(self.states, step)

    def cell(self, step: int) -> dict[str, Any]:
        return self.cells[([0] + [at_ for t, at_, _ in self._dated if t <= step])[-1]]

    def name(self, step: int) -> str:
        return label(self.value, self.cell(step))

    def kind(self, step: int) -> str:
        return (self.is_own and derived(self.value)) or str(self.cell(step)["kind"])

    def label_look(self, step: int) -> str:
        return said("label", self.kind(step), not self.now(step) and "faint")

    def squares(self, step: int) -> list[list[float]] | None:
        """The rows of an array that is drawn as squares."""
        state = self.now(step)
        return self.grids.get(state["t"]) if state else None

    def square_look(self, step: int, name: str) -> str:
        return said(name, self.kind(step))

    def line(self, step: int, place: int) -> str:
        """One of the lines of an array that is told number by number."""
        state = self.now(step)
        told = self.few.get(state["t"], []) if state else []
        return told[place] if place < len(told) else ""

    def number(self, step: int) -> str:
        """What stands there in one line: a number, a range, a sign."""
        return "" if self.squares(step) or self.line(step, 0) else face(self.now(step))

    def number_look(self, step: int) -> str:
        state = self.now(step)
        sign, fresh = at.sign(state), at.fresh(state, step)
        return said("number", self.kind(step), self.is_own and "own", sign, not sign and fresh and "fresh")


def row(value: dict[str, Any], cells: list[dict[str, Any]], box: Box, seen: set[int]) -> list[Mark]:
    """One row of a card: its label, and on the right "not yet", a number, a sign, or an array: numbers, squares or a range."""
    (x, y, w, h), key, shown = box, f"{value['id']}|{cells[0]['id']}", _Row(value, cells, box[3])
    when, few, grids, first = shown.when, shown.few, shown.grids, shown.is_own
    haunted = not grids and not few and h >= ROW + GHOST  # the layout has room under the number for what it was
    base = y + (ROW if haunted else h) / 2 + 4.4
    wide = max(columns(label(value, cell)) for cell in cells) * (CHAR if first else LABEL_CHAR)
    room, end = w - 2 * PAD - wide - 6, x + w - PAD
    look = over(around(when), shown.number_look)
    out = []
    if seen:
        ring = over(around(seen), lambda step: "ring" if step in seen else "ring off")
        out.append(rect(x + 2, y + 1, w - 4, h - 2, key=f"ring:{key}", cls=ring))
    named = "name" if first else over(when, shown.label_look)
    out.append(text(x + PAD, base, over(when, shown.name), named, key=f"label:{key}"))
    if first and value.get("again") is not None:
        out.append(text(end, base, words("card.gone"), "letgo", max(12.0, room), 31))
    deep = max(map(len, few.values()), default=0)
    for place in range(deep):
        line = over(when, partial(shown.line, place=place))
        widest = max(columns(rows[place]) * CHAR for rows in few.values() if place < len(rows))
        at_ = base + (place - (deep - 1) / 2) * LINE
        out.append(text(end, at_, line, look, room + 6, widest, key=f"line {place}:{key}"))
    if len(grids) + len(few) < len(shown.states) or not when or min(when) > 0:
        others = [state for state in shown.states if state["t"] not in {*grids, *few}]
        widest = max([CHAR, *(columns(face(state)) * CHAR for state in others)])
        out.append(text(end, base, over(when, shown.number), look, room + 6, widest, key=f"number:{key}"))
        if haunted:
            out.append(text(end, base + GHOST, "", "was", key=f"was:{key}", data_was=""))
    if grids:
        out += _array(shown, (end, y + h / 2), key)
        left = x + PAD + wide + 5

        def shaped(step: int) -> str:
            rows, told_ = shown.squares(step), shape(shown.now(step))
            return told_ if rows and columns(told_) * SHAPE_CHAR < room - len(rows[0]) * PIXEL - 4 else ""

        beside_it = text(left, base, over(when, shaped), "shape", key=f"shape:{key}")
        out.append(Mark("g", beside_it, cls=said("squares", first and "own")))
    return out


def _array(shown: _Row, end: tuple[float, float], key: str) -> list[Mark]:
    drawn = {step: squares(rows) for step, rows in shown.grids.items()}

    def outline(step: int, name: str) -> str:
        state = shown.now(step)
        return drawn[state["t"]][name] if state and shown.squares(step) else ""

    paths = []
    for name in SQUARES:
        look = over(shown.when, partial(shown.square_look, name=name))
        paths.append(path(over(shown.when, partial(outline, name=name)), look, key=f"{name}:{key}"))
    return [Mark("g", *paths, cls=said("squares", shown.is_own and "own"), transform=moved(*end))]


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
