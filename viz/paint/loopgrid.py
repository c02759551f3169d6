"""Where the cards of a loop's body stand: columns by who reads whom, broken into rows where they are too many for a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

WIDE = 1040.0  # px of a loop's drawing
CARD, GAP = 132.0, 38.0  # px: a card, and the room between two columns
LOW, STRIP = 22.0, 34.0  # px: a card's name, and each of its strips
HEAD, BETWEEN, CARRY = 28.0, 12.0, 22.0  # px: the loop's line of code; between cards; the way of what is carried


@dataclass
class Grid:
    """What lies around the cards: where the outside begins, how high it all is, and where each card's carried values run."""

    strip: float = STRIP
    below: float = 0.0
    high: float = 0.0
    carry: dict[float, float] = field(default_factory=dict)

    def tall(self, card: dict[str, Any]) -> float:
        """How high a card is."""
        return LOW + self.strip * sum(name in card for name in ("values", "gradients", "shares"))


def arranged(
    told: dict[str, Any], wide: float = WIDE, strip: float = STRIP
) -> tuple[dict[str, tuple[float, float]], Grid]:
    """The corner of each card in a drawing so wide, and what lies around them; `strip` is a strip with its numbers."""
    across = int((wide - 14) // (CARD + GAP))
    inside = [one for one in told["body"] if one["kind"] in ("value", "input")]
    ranks = _ranks(inside)
    lanes: dict[int, dict[int, list[dict[str, Any]]]] = {}
    for one in inside:
        band, column = divmod(ranks[one["id"]], across)
        lanes.setdefault(band, {}).setdefault(column, []).append(one)
    spots: dict[str, tuple[float, float]] = {}
    grid, y = Grid(strip), HEAD
    tall = grid.tall
    for _, lane in sorted(lanes.items()):
        high = max(sum(tall(one) + BETWEEN for one in column) - BETWEEN for column in lane.values())
        for column, cards in lane.items():
            used = sum(tall(one) + BETWEEN for one in cards) - BETWEEN
            top = y + (high - used) / 2
            for one in cards:
                spots[one["id"]] = (14 + column * (CARD + GAP), top)
                grid.carry[top] = y + high + 14
                top += tall(one) + BETWEEN
        y += high + CARRY + BETWEEN
    grid.below = y + 4
    outside = [one for one in told["body"] if one["id"] not in spots]
    for at, one in enumerate(outside):
        band, column = divmod(at, across)
        spots[one["id"]] = (14 + column * (CARD + GAP), grid.below + 22 + band * (LOW + 2 * strip + BETWEEN))
    grid.high = max([grid.below, *(spots[one["id"]][1] + tall(one) for one in outside)])
    return spots, grid


def _ranks(cards: list[dict[str, Any]]) -> dict[str, int]:
    """The column of each card: one after the last that it reads; an input just before its first reader."""
    ranks: dict[str, int] = {}
    late = {reader for one in cards if one["kind"] == "input" for reader in one["readers"]}
    for one in cards:  # in the order in which they ran
        if one["kind"] == "value":
            ranks[one["id"]] = max(
                [ranks[source] + 1 for source in one["takes"]], default=1 if one["id"] in late else 0
            )
    read = {
        one["id"]: [ranks[other["id"]] for other in cards if one["id"] in other["takes"]]
        for one in cards
        if one["kind"] == "value"
    }
    for one in reversed(cards):  # what begins a turn stands beside what it is joined with
        if one["kind"] == "value" and not one["takes"] and read[one["id"]] and one["id"] not in late:
            ranks[one["id"]] = max(ranks[one["id"]], min(read[one["id"]]) - 1)
    least = min([ranks[one["id"]] for one in cards if one["kind"] == "value"], default=0) - (1 if late else 0)
    ranks = {key: rank - max(0, least) for key, rank in ranks.items()}
    for one in cards:
        if one["kind"] == "input":
            ranks[one["id"]] = max(0, min(ranks[reader] for reader in one["readers"]) - 1)
    return ranks
