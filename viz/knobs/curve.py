"""The function that a program computes, as a line over its knob, and how steep it is at each step of a run.

What is drawn as height is what the first backward pass starts from, or what a tangent is looked up of, and as slope what the
same recorder says of the knob's own value; a program that does its steps by hand names both: `("z", "dx")`.  Where there is
neither, the height is the one number that the program gives back, and there is no slope.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from .traced import Traced

SHARP = 0.2  # radians between two pieces of a line in a square plot

Slope = list[Any]  # step, slope (None: not known yet), whether it stays at that


def number(text: Any) -> float | None:
    """A number as a card shows it, or None.

    >>> number("−0.5"), number("1.5e−7"), number("✂ None"), number("True")
    (-0.5, 1.5e-07, None, None)
    """
    try:
        found = float(str(text).replace("−", "-").replace("∞", "inf"))
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def _last(cell: dict[str, Any] | None) -> float | None:
    states = (cell or {}).get("states", [])
    return number(states[-1].get("text")) if states else None


def corners(points: list[list[float]], least: float) -> list[float]:
    """The middles of the pieces longer than `least` at which a line through points turns so sharply that one sees its pieces.

    >>> corners([[0, 0], [1, 1], [2, 2], [3, 1]], 0.6), corners([[0, 0], [1, 1], [2, 2.1]], 0.6)
    ([1.5, 2.5], [])
    """
    wide, high = (max(side) - min(side) for side in zip(*points, strict=True)) if points else (0.0, 0.0)
    if not wide or not high:
        return []
    ways = [math.atan2((d - b) / high, (c - a) / wide) for (a, b), (c, d) in pairwise(points)]
    sharp = {at + side for at, (one, next_) in enumerate(pairwise(ways)) if abs(next_ - one) > SHARP for side in (0, 1)}
    return [
        (points[at][0] + points[at + 1][0]) / 2
        for at in sorted(sharp)
        if points[at + 1][0] - points[at][0] > 1.001 * least
    ]


def height_and_slope(run: Traced, knob: str, names: tuple[str, str] | None) -> tuple[float | None, list[Slope]]:
    """How high the function is at this position, and how steep from which step on."""
    cards = {value["id"]: value for value in run.scene.values}
    if names is not None:
        named = [next((value for value in reversed(run.scene.values) if value["name"] == name), None) for name in names]
        height, slope = (value["cells"][0] if value else None for value in named)
        return _last(height), _slopes(slope, 1.0)
    own = next((value for value in run.scene.values if value["name"] == knob), None)
    asked = [step for step in run.scene.steps if step["kind"] in ("seed", "look") and step.get("focus")]
    for step in asked:
        spot = step["focus"][0]
        if isinstance(spot, str) or own is None or cards[spot[0]]["order"]:
            continue
        target, mine = cards[spot[0]], _cell(own, spot[1])
        if step["kind"] == "seed":
            return _last(target["cells"][0]), _slopes(mine, 1.0)
        if moving := _last(mine):
            return _last(target["cells"][0]), _slopes(_cell(target, spot[1]), moving)
    return _given(run.result), []


def _cell(value: dict[str, Any], identity: str) -> dict[str, Any] | None:
    return next((cell for cell in value["cells"] if cell["id"] == identity), None)


def _slopes(cell: dict[str, Any] | None, by: float) -> list[Slope]:
    states = (cell or {}).get("states", [])
    told = [(state["t"], number(state.get("text"))) for state in states]
    return [[step, None if steep is None else steep / by, at == len(told) - 1] for at, (step, steep) in enumerate(told)]


def _given(result: Any) -> float | None:
    """The one number that a program gave back."""
    try:
        return number(float(result))
    except (TypeError, ValueError):
        return None
