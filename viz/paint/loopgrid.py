"""Where the cards of a loop's body stand: columns by who reads whom, broken into rows where they are too many for a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..layout.sizes import columns, short
from .ink import columns_wrapped

WIDE = 1040.0  # px of a loop's drawing
CARD, GAP = 132.0, 38.0  # px: a card, and the room between two columns
LOW, STRIP = 22.0, 37.0  # px: a card's name, and each of its strips
LINE, LINES = 14.0, 3  # px of a further line of the name; how many lines there are at most
CHAR, SHAPE_CHAR = 7.4, 7.2  # px of a column of a name, of a shape
HEAD, BETWEEN, CARRY = 28.0, 12.0, 22.0  # px: the loop's line of code; between cards; the way of what is carried
LANE = 6.0  # px between two edges that lead on into the same row of cards
INSIDE = ("value", "input")  # kinds of cards that belong to a turn
SIDE, TURNS = 14.0, 22.0  # px beside the cards; more of it, at both sides, where edges lead on into a further row


@dataclass
class Grid:
    """What lies around the cards: where the outside begins, how high it all is, where each card's carried values run, and, by
    the cards at their ends, where the edges that lead on into a further row do."""

    strip: float = STRIP
    below: float = 0.0
    high: float = 0.0
    carry: dict[float, float] = field(default_factory=dict)
    lanes: dict[tuple[str, str], float] = field(default_factory=dict)

    def tall(self, card: dict[str, Any]) -> float:
        """How high a card is."""
        strips = sum(name in card for name in ("values", "gradients", "shares"))
        return LOW + LINE * (len(title(card)) - 1) + self.strip * strips


def title(card: dict[str, Any]) -> list[str]:
    """A card's name in lines, the last of which leaves room for its shape.

    >>> title({"name": "x @ Wx + h @ Wh", "sign": "", "shape": "2×4"}), title({"name": "h", "sign": "tanh", "shape": "2×4"})
    (['x @ Wx + h @ Wh', ''], ['h = tanh'])
    """
    said = f"{card['name']} = {card['sign']}" if card["sign"] else card["name"]
    most = int((CARD - 16) / CHAR)
    lines = [line.strip() for line in columns_wrapped(said, most)]
    if columns(lines[-1]) * CHAR + columns(card["shape"]) * SHAPE_CHAR + 6 > CARD - 16 and card["shape"]:
        lines.append("")
    if len(lines) <= LINES:
        return lines
    return [*lines[: LINES - 1], short("".join(lines[LINES - 1 :]), most - columns(card["shape"]) - 1)]


def arranged(
    told: dict[str, Any], wide: float = WIDE, strip: float = STRIP
) -> tuple[dict[str, tuple[float, float]], Grid]:
    """The corner of each card in a drawing so wide, and what lies around them; `strip` is a strip with its numbers."""
    inside = [card for card in told["body"] if card["kind"] in INSIDE]
    ranks = _ranks(inside)
    left, across = SIDE, int((wide - SIDE) // (CARD + GAP))
    if max(ranks.values(), default=0) >= across:
        left = SIDE + TURNS
        across = int((wide - left - TURNS + GAP) // (CARD + GAP))
    rows: dict[int, dict[int, list[dict[str, Any]]]] = {}
    on: dict[int, list[tuple[str, str]]] = {}  # the edges that lead on into a row
    for card in inside:
        row, column = divmod(ranks[card["id"]], across)
        rows.setdefault(row, {}).setdefault(column, []).append(card)
    for source, reader in edges(inside):
        if ranks[source] // across != ranks[reader] // across:
            on.setdefault(ranks[reader] // across, []).append((source, reader))
    spots: dict[str, tuple[float, float]] = {}
    grid, y = Grid(strip), HEAD
    tall = grid.tall
    for row, places in sorted(rows.items()):
        grid.lanes |= {edge: y + LANE * at for at, edge in enumerate(on.get(row, ()))}
        y += LANE * len(on.get(row, ()))
        high = max(sum(tall(card) + BETWEEN for card in column) - BETWEEN for column in places.values())
        for column, cards in places.items():
            used = sum(tall(card) + BETWEEN for card in cards) - BETWEEN
            top = y + (high - used) / 2
            for card in cards:
                spots[card["id"]] = (left + column * (CARD + GAP), top)
                grid.carry[top] = y + high + 14
                top += tall(card) + BETWEEN
        y += high + CARRY + BETWEEN
    grid.below = y + 4
    outside = [card for card in told["body"] if card["id"] not in spots]
    y = grid.below + 22
    for at, card in enumerate(outside):
        column = at % across
        if at and not column:
            y += max(map(tall, outside[at - across : at])) + BETWEEN
        spots[card["id"]] = (left + column * (CARD + GAP), y)
    grid.high = max([grid.below, *(spots[card["id"]][1] + tall(card) for card in outside)])
    return spots, grid


def edges(body: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """From each value of a turn to what reads it, and from what comes into the turn."""
    out = []
    for card in body:
        out += [(source, card["id"]) for source in card["takes"]]
        out += [(card["id"], reader) for reader in card.get("readers", ()) if card["kind"] == "input"]
    return out


def _ranks(cards: list[dict[str, Any]]) -> dict[str, int]:
    """The column of each card: one after the last that it reads; an input just before its first reader."""
    ranks: dict[str, int] = {}
    late = {reader for card in cards if card["kind"] == "input" for reader in card["readers"]}
    for card in cards:  # in the order in which they ran
        if card["kind"] == "value":
            ranks[card["id"]] = max(
                [ranks[source] + 1 for source in card["takes"]], default=1 if card["id"] in late else 0
            )
    read = {
        card["id"]: [ranks[other["id"]] for other in cards if card["id"] in other["takes"]]
        for card in cards
        if card["kind"] == "value"
    }
    for card in reversed(cards):  # what begins a turn stands beside what it is joined with
        if card["kind"] == "value" and not card["takes"] and read[card["id"]] and card["id"] not in late:
            ranks[card["id"]] = max(ranks[card["id"]], min(read[card["id"]]) - 1)
    least = min([ranks[card["id"]] for card in cards if card["kind"] == "value"], default=0) - (1 if late else 0)
    ranks = {key: rank - max(0, least) for key, rank in ranks.items()}
    for card in cards:
        if card["kind"] == "input":
            ranks[card["id"]] = max(0, min(ranks[reader] for reader in card["readers"]) - 1)
    return ranks
