"""A loop drawn once, with its turn as an axis of its own: in every card how large value and gradient are in each turn.

What moves with the turn is a `Line` over the turns, as what moves with the step is elsewhere, so two writers serve: a page, in
which `static/lens.js` goes from turn to turn, and a still of one turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from typing import Any

from ..layout.curve import tidy
from ..layout.sizes import columns, sans_width, short
from ..style import HOLDERS, amount, words
from .cards import path, rect, text
from .loopgrid import CARD, GAP, INSIDE, LANE, LINE, LOW, STRIP, WIDE, Grid, arranged, edges, title
from .sheet import Known, Mark, over
from .strips import all_shown, bars, curve, scale_of, shown, stairs
from .time import gap_for

BARS = (116.0, 18.0)  # px of a strip's bars in a card
OTHER = 14.0  # px of the line that has another run's number
LEFT, CELL, MEMORY = 132.0, 20.0, 46.0  # px of the names beside the axis; how high its cells and the memory are
MANY = 60  # turns that have a cell each
LONG = WIDE - LEFT  # px in which memory is drawn; a drawing of another width stretches it
ROWS = (("values", "value"), ("gradients", "gradient"), ("shares", "gradient"))  # of a card, and the kind of number

Told = dict[str, Any]


def loop(
    told: Told, holders: Sequence[Told], against: Told | None = None, moves: bool = True, wide: float = WIDE,
    names: Sequence[str] = (),
) -> tuple[Mark, float]:  # fmt: skip
    """A loop as one drawing `wide` px wide, and its height; over it, dashed, another run of a loop with the same body.

    `moves` writes the cursors for a page, where one number moves them all; a still has each at its own place.
    """
    drawn, high = body(told, against, moves, wide, names)
    under, low = axis(told, holders, against, moves, wide)
    return Mark("g", drawn, Mark("g", under, transform=f"translate(0 {high:.0f})")), high + low


def body(
    told: Told, against: Told | None = None, moves: bool = True, wide: float = WIDE, names: Sequence[str] = (),
    known: Known | None = None,
) -> tuple[Mark, float]:  # fmt: skip
    """What of a loop is drawn once: its cards and edges; and how high that is.

    `known` is for drawings of several widths: what stands in a card is the same in all of them.
    """
    known = Known() if known is None else known
    turns = told["turns"]
    spots, grid = arranged(told, wide, STRIP + (OTHER if against else 0.0))
    other = {card["id"]: card for card in against["body"]} if against else {}
    several = other_turns(told, against, names) if against else ""
    drawn = [_ground(told, grid, wide, several), *_edges(told, spots, grid)]
    for card in told["body"]:
        theirs = other.get(card["id"])
        inside = known.once(card["id"], partial(_inside, card, theirs, turns, moves, grid))
        x, y = spots[card["id"]]
        kind = "variable" if card["kind"] == "variable" else "value"
        place = f"translate({x:.0f} {y:.0f})"
        drawn.append(Mark("g", *inside, cls=f"card {kind}", transform=place, data_card=card["id"]))
    if any(card["kind"] not in INSIDE for card in told["body"]):
        drawn.append(text(14, grid.below + 14, words("loop.outside"), "loopword"))
    return Mark("g", *drawn), grid.high + 8


def axis(
    told: Told, holders: Sequence[Told], against: Told | None = None, moves: bool = True, wide: float = WIDE
) -> tuple[Mark, float]:
    """The turns one after the other, and memory under them with the names of its holders; and how high that is."""
    cells, y = cells_of(told), 18.0
    under, low = _holders(told, holders, y + CELL + 10 + MEMORY + 18), y + CELL + 10 + MEMORY + 6
    drawn = [*_axis(told, y, cells, wide), *_memory(told, holders, y + CELL + 10, cells, wide, against), *under]
    drawn.append(_cursor(told, y - 3, CELL + 16 + MEMORY, cells, moves, wide))
    return Mark("g", *drawn), low + 18 if under else low


def _holders(told: Told, holders: Sequence[Told], y: float) -> list[Mark]:
    """A square in its colour and its name for each holder that has something in the loop."""
    drawn, x = list[Mark](), LEFT
    for at, holder in enumerate(holders, 1):
        if any(map(itemgetter(at), told["memory"])):
            square = rect(x, y - 9, 10, 10, cls=f"held {holder['id']}")
            drawn += [square, text(x + 15, y, holder["label"], "loopword")]
            x += 15 + sans_width(holder["label"], 11) + 14
    return drawn


def cells_of(told: Told) -> int:
    """How many cells the axis of a loop has: on a mirrored one the turns come back after the loop's end."""
    turns: int = told["turns"]
    return 2 * turns + 1 if told["order"] == "mirrored" else turns


def padded(row: Sequence[Any], turns: int) -> list[Any]:
    """What another run has in so many turns: cut, or nothing where it had no turn any more."""
    return [*row[:turns], *[None] * (turns - len(row))]


def _comes_back(told: dict[str, Any]) -> bool:
    """Whether a gradient is known of anything in the loop."""
    return any(
        part is not None for card in told["body"] for row in ("gradients", "shares") for part in card.get(row, ())
    )


def own_turns(told: Told) -> int:
    """How many turns a run had of a loop that stands on an axis of two."""
    turns: int = told["own" if "own" in told else "turns"]
    return turns


def other_turns(told: Told, against: Told, names: Sequence[str]) -> str:
    """How many turns another run had, where it had not as many."""
    count = own_turns(against)
    return words("differ.loop_turns", count=count, name=names[1]) if count != own_turns(told) else ""


def final(told: Told) -> Told:
    """The card that a loop is told by: the last value of its body that has a gradient."""
    body = [card for card in told["body"] if card["kind"] == "value"]
    return next((card for card in reversed(body) if "gradients" in card), body[-1])


def finals(told: Told, other: Told) -> tuple[Told, Told]:
    """The same card of both runs."""
    last = final(told)
    return last, next(card for card in other["body"] if card["id"] == last["id"])


def sentences(told: Told) -> list[str]:
    """What each turn was, in words: how large the value is that the loop is told by, and its gradient."""
    last, turns = final(told), told["turns"]
    sizes = all_shown(last, "values", turns)
    gradients = all_shown(last, "gradients", turns) if "gradients" in last else []
    out = []
    for turn in range(turns):
        said = words("loop.turn", turn=turn, last=turns - 1, name=last["name"], size=sizes[turn])
        out.append(said + (words("loop.gradient", size=gradients[turn]) if gradients else "") + ".")
    return out


def sentence_of_both(told: Told, turn: int, against: Told, names: Sequence[str]) -> str:
    """The same of a turn in two runs."""
    last, _ = both = finals(told, against)
    has = [name for name, run in zip(names, (told, against), strict=True) if turn < own_turns(run)]
    if len(has) == 1:
        card = both[names.index(has[0])]
        out = words(
            "differ.turn_alone", turn=turn, last=told["turns"] - 1, has=has[0], name=card["name"],
            size=shown(card, "values", turn),
        )  # fmt: skip
        return out + (words("loop.gradient", size=shown(card, "gradients", turn)) if "gradients" in card else "") + "."
    out = words(
        "differ.turn", turn=turn, last=told["turns"] - 1, name=last["name"], one=names[0], other=names[1],
        a=shown(last, "values", turn), b=shown(both[1], "values", turn),
    )  # fmt: skip
    if all("gradients" in card for card in both):
        a, b = [shown(card, "gradients", turn) for card in both]
        out += words("differ.turn_gradient", a=a, b=b)
    return out + "."


# ---- the body ---------------------------------------------------------------------------------------------------------------


def _ground(told: Told, grid: Grid, wide: float, several: str) -> Mark:
    said = words(f"loop.{told['order'] if _comes_back(told) else 'one_way'}", count=own_turns(told), several=several)
    code = short(told["label"], max(12, min(60, int((wide - 40 - sans_width(said, 11)) / 7.4))))
    head = text(14, 17, code, "loophead"), text(14 + columns(code) * 7.4 + 12, 17, said, "loopword")
    return Mark("g", rect(0, 0, wide, grid.below - 12, cls="ground loop"), *head)


def _edges(told: Told, spots: dict[str, tuple[float, float]], grid: Grid) -> list[Mark]:
    kinds = {card["id"]: card for card in told["body"]}
    out = []
    for source, reader in edges(told["body"]):
        ends = spots[source], spots[reader], grid.tall(kinds[source]), grid.tall(kinds[reader])
        lane = grid.lanes.get((source, reader))
        out.append(path(_wire(*ends) if lane is None else _on(*ends, lane), "edge live"))
    for at, (source, reader) in enumerate(told["carried"]):
        (x, y), low = spots[reader], grid.tall(kinds[reader])
        under = grid.carry[y] + 5 * (at % 3)
        out.append(path(_arc(spots[source], spots[reader], grid.tall(kinds[source]), low, under), "carried"))
        out.append(path(f"M{x - 6:.0f} {y + low - 18:.0f}l5 4l-5 4", "carried head"))
    if told["carried"]:
        out.append(_said_of_ways(told["carried"], spots, grid))
    return out


def _said_of_ways(carried: list[list[str]], spots: dict[str, tuple[float, float]], grid: Grid) -> Mark:
    """What the ways around a turn are, above the longest of them, where none goes up through the words if that can be."""
    ends = [(spots[source][0] + CARD - 18, spots[reader][0] - 9, spots[reader][1]) for source, reader in carried]
    left, right, row = max(((*sorted(way[:2]), way[2]) for way in ends), key=lambda way: way[1] - way[0])
    said, y = words("loop.carried"), grid.carry[row]
    wide, middle = sans_width(said, 11), (left + right) / 2
    if right - left <= wide + 12:  # the way is shorter than its words: beside it
        room = right + wide < max(x for x, _ in spots.values()) + CARD
        return text(right + 6 + wide / 2 if room else left - 6 - wide / 2, y + 4, said, "loopword middle value")
    up = [x for first, last, of in ends for x in (first, last) if of == row]
    free = [
        x
        for x in range(round(left + wide / 2 + 6), round(right - wide / 2 - 6), 2)
        if all(abs(x - one) > wide / 2 + 4 for one in up)
    ]
    return text(min(free, key=lambda x: abs(x - middle), default=middle), y - 3, said, "loopword middle value")


def _wire(a: tuple[float, float], b: tuple[float, float], high: float, low: float) -> str:
    x1, y1, x2, y2 = a[0] + CARD, a[1] + high / 2, b[0], b[1] + low / 2
    middle = (x1 + x2) / 2 if x2 - x1 < 2 * GAP else x2 - GAP
    return f"M{x1:.0f} {y1:.0f}C{middle:.0f} {y1:.0f} {middle:.0f} {y2:.0f} {x2:.0f} {y2:.0f}"


def _on(a: tuple[float, float], b: tuple[float, float], high: float, low: float, lane: float) -> str:
    """Into a further row: down beside its column, along a lane of its own between the rows, and down beside the other column."""
    x1, y1, x2, y2 = a[0] + CARD, a[1] + high / 2, b[0], b[1] + low / 2
    beside = lane / LANE % 4 * 3.5  # edges of neighbouring lanes run beside each other here, too
    down, into = x1 + 8 + beside, x2 - 14 - beside
    turn = 5 if into > down else -5
    return (
        f"M{x1:.0f} {y1:.0f}H{down - 5:.0f}q5 0 5 5V{lane - 5:.0f}q0 5 {turn} 5H{into - turn:.0f}"
        f"q{turn} 0 {turn} 5V{y2 - 5:.0f}q0 5 5 5H{x2:.0f}"
    )


def _arc(a: tuple[float, float], b: tuple[float, float], high: float, low: float, y: float) -> str:
    """From under a card back to the left side of the one that reads it a turn later."""
    x1, y1, x2, y2 = a[0] + CARD - 18, a[1] + high, b[0] - 9, b[1] + low - 14
    return f"M{x1:.0f} {y1:.0f}V{y:.0f}H{x2:.0f}V{y2:.0f}H{b[0] - 1:.0f}"


def _inside(card: Told, other: Told | None, turns: int, moves: bool, grid: Grid) -> list[Mark]:
    """What stands in a card."""
    parts = [Mark("title", text=f"{card['name']} {card['shape']}"), rect(0, 0, CARD, grid.tall(card), cls="face")]
    lines = title(card)
    last = LINE * (len(lines) - 1)
    parts += [text(8, 15 + LINE * at, line, "name") for at, line in enumerate(lines) if line]
    parts.append(text(CARD - 8, 15 + last, card["shape"], "loopshape"))
    top = LOW + last
    for row, hue in ROWS:
        if row not in card:
            continue
        parts += _strip(card, other, row, hue, top, turns, moves)
        top += grid.strip
    return parts


def _strip(card: Told, other: Told | None, row: str, hue: str, y: float, turns: int, moves: bool) -> list[Mark]:
    wide, high = BARS
    theirs = padded(other[row], turns) if other and row in other else []
    scale = scale_of([card[row], theirs], log=hue == "gradient")
    key = f"{card['id']}:{row}"
    full = over(range(turns), all_shown(card, row, turns).__getitem__)
    marks = [
        text(8, y + 9, words(f"loop.{row}"), "loopword"),
        text(CARD - 8, y + 9, full, f"number {hue}", key=f"n:{key}"),
    ]
    if other and row in other:
        y += OTHER
        also = over(range(turns), all_shown(other, row, turns).__getitem__)
        marks += [path(f"M8 {y + 5:.0f}h22", "against"), text(CARD - 8, y + 9, also, f"number {hue}", key=f"o:{key}")]
    lying, odd = bars(card, row, wide, high, scale)
    body = [rect(0, 0, wide, high, cls="track turns"), path(lying, f"bars {hue}")]
    if odd:
        body.append(path(odd, "oddturn"))
    if theirs:
        body.append(path(curve(theirs, wide, high, scale), "against"))
    sight = rect(-1, -1, max(3.0, wide / turns) + 2, high + 2, cls="sightturn", key=f"c:{key}")
    return [*marks, pointed([*body, at_turn(sight, turns, wide, moves)], 8, y + 13, turns, wide)]


def at_turn(mark: Mark, turns: int, wide: float, moves: bool) -> Mark:
    """A mark that stands where the turn is on a strip so wide, or going to the left, if that is below 0: by one number of the
    page, or, in a still, by a place of its own."""
    if moves:
        mark.attrs["style"] = f"transform:translateX(calc(var(--turn)*{wide * (turns - 1) / turns:.2f}px))"
    else:
        mark.attrs["transform"] = over(range(turns), lambda turn: f"translate({wide * turn / turns:.1f} 0)")
    return mark


def pointed(marks: list[Mark], x: float, y: float, turns: int, wide: float, cells: int | None = None) -> Mark:
    """Where a pointer finds its turn: as many turns beside each other, on `cells` cells if there are more of these."""
    place = f"translate({x:g} {y:.0f})"
    return Mark("g", *marks, transform=place, data_turns=str(turns), data_wide=f"{wide:g}", data_cells=cells)


# ---- the axis and what lies under it ----------------------------------------------------------------------------------------


def _axis(told: Told, y: float, cells: int, whole: float) -> list[Mark]:
    turns, wide = told["turns"], whole - LEFT
    each = wide / cells
    out = [text(14, y + 14, words("loop.axis"), "loophead")]
    body: list[Mark] = []
    room = 10 + 7 * len(str(turns - 1))
    # as many numbers as fit; of narrower drawings the same, some of which are not seen
    every, here = (gap_for(width / cells, room) for width in (WIDE - LEFT, wide))
    for begin, cls, sign in ((0, "cell", 1), (turns + 1, "cell gradient", -1))[: 2 if cells > turns else 1]:
        if turns <= MANY:
            body += [rect((begin + at) * each + 1, 0, each - 2, CELL, cls=cls) for at in range(turns)]
        else:
            body.append(rect(begin * each, 0, turns * each, CELL, cls=cls))
        for at in range(0, turns, every):
            place, half = begin + (at if sign > 0 else turns - 1 - at), 4 * len(str(at))  # px of the number
            x = min(max((place + 0.5) * each, half), wide - half)
            body.append(text(x, 14, str(at), "celltext" if at % here == 0 else "celltext off"))
    if cells > turns:
        out.append(text(LEFT + 2, y - 8, words("loop.forward"), "loopword"))
        out.append(text(whole - 2, y - 8, words("loop.back"), "loopword end"))
    return [*out, pointed(body, LEFT, y, turns, wide, cells)]


def _memory(
    told: Told, holders: Sequence[Told], y: float, cells: int, whole: float, against: Told | None
) -> list[Mark]:
    points = told["memory"]
    if not points or not holders:
        return []
    wide, names = whole - LEFT, [holder["id"] for holder in holders]
    stretched = f"scale({wide / LONG:.4g} 1)" if wide != LONG else None
    theirs = [point for point in against["memory"] if point[0] < cells] if against else []
    most = max(sum(point[1:]) for point in [*points, *theirs]) or 1
    body = [rect(0, 0, LONG, MEMORY, cls="track turns")]
    for top in range(len(names), 0, -1):
        levels = [(point[0] / cells * LONG, MEMORY * (1 - sum(point[1 : 1 + top]) / most)) for point in points]
        d = f"{stairs(levels, MEMORY)}H{tidy(LONG)}V{tidy(MEMORY)}Z"
        holder = names[top - 1]
        body.append(Mark("path", Mark("title", text=HOLDERS.get(holder, holder)), d=d, cls=f"held {holder}"))
    if theirs:
        heights = [(point[0] / cells * LONG, MEMORY * (1 - sum(point[1:]) / most)) for point in theirs]
        body.append(path(stairs(heights, heights[0][1]), "against"))
    named = [
        text(14, y + 14, words("loop.memory"), "loophead"),
        text(14, y + 30, words("loop.peak", amount=amount(most, "B")), "loopword"),
    ]
    return [*named, pointed([Mark("g", *body, transform=stretched)], LEFT, y, told["turns"], wide, cells)]


def _cursor(told: Told, y: float, high: float, cells: int, moves: bool, whole: float) -> Mark:
    turns, wide = told["turns"], whole - LEFT
    each = max(4.0, wide / cells)
    span = wide / cells * turns
    parts = [at_turn(rect(0, 0, each, high, cls="sightturn", key="axis"), turns, span, moves)]
    if cells > turns:
        again = rect(wide - each, 0, each, high, cls="sightturn", key="axis:back")
        parts.append(at_turn(again, turns, -span, moves))
    return Mark("g", *parts, transform=f"translate({LEFT:g} {y:.0f})")
