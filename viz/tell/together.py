"""Loops that two runs have in common: the same cards, reading each other in the same way."""

from __future__ import annotations

from typing import Any

from ..scene import Scene

MOST = 2  # loops of two runs that are drawn over each other: the largest


def together(one: Scene, other: Scene) -> list[list[dict[str, Any]]]:
    """The loops of one run, each with that of the other whose body is the same, the largest first."""
    left, pairs = list(other.loops), []
    for told in one.loops:
        like = next((loop for loop in left if signature(loop) == signature(told)), None)
        if like is not None:
            left.remove(like)
            pairs.append([told, like])
    pairs.sort(key=lambda pair: -len(pair[0]["body"]) * pair[0]["turns"])
    return pairs[:MOST]


def signature(told: dict[str, Any]) -> list[tuple[Any, ...]]:
    """What the body of a loop is made of, whatever the numbers are and whatever op stands in a card."""
    return [(card["kind"], *card["takes"], *card.get("readers", ())) for card in told["body"]]
