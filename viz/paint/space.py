"""Where free-standing text may go: of several places the one that covers least, and which numbers have to drop out.

Boxes lie in squares of a grid, so that a question costs what lies near it and not the whole picture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..layout.curve import Point, cuts
from .ink import Box

SIDE, FINE = 96.0, 32.0  # px of a square, and where lines are looked for
MOVING = 8  # lines at rest are as bad beneath a number as one that something moves along
AIR = 4.0  # px: the least between two texts beside each other


class Space:
    """What is taken of a picture."""

    def __init__(self, taken: Iterable[Box]) -> None:
        self.taken: list[Box] = []
        self._grid: dict[tuple[int, int], list[int]] = {}
        for box in taken:
            self.take(box)

    def take(self, box: Box) -> None:
        """From now on this is taken."""
        for square in _squares(box):
            self._grid.setdefault(square, []).append(len(self.taken))
        self.taken.append(box)

    def best(
        self,
        options: Iterable[Box],
        crossed: Callable[[Box, float], int] = lambda box, most: 0,
        worse: tuple[float, int] = (math.inf, 0),
    ) -> tuple[int, float, Box]:
        """The number of the option that covers least, of equals the one that is `crossed` least, then the first; how much it
        covers; its box, which is taken.

        `crossed` may stop counting at `most`.  From the first number of `worse` on, options are as if crossed by the second more.

        >>> Space([(0, 0, 10, 10)]).best([(5, 5, 10, 10), (20, 0, 10, 10)])
        (1, 0.0, (20, 0, 10, 10))
        """
        least, found = (math.inf, math.inf), (0, 0.0, (0.0, 0.0, 0.0, 0.0))
        for place, box in enumerate(options):
            more = worse[1] if place >= worse[0] else 0
            if least <= (0, more):
                break
            covered = self._covered(box)
            if (rough := round(covered, 1)) <= least[0]:
                cost = (rough, crossed(box, math.inf if rough < least[0] else least[1] - more) + more)
                if cost < least:
                    least, found = cost, (place, covered, box)
        self.take(found[2])
        return found

    def least(self, options: Iterable[Box]) -> float:
        """How much of itself the option lies on others with that does so least, from 0 to 1.

        >>> Space([(0, 0, 10, 10)]).least([(5, 5, 10, 10), (0, 8, 10, 10)])
        0.2
        """
        least = math.inf
        for box in options:
            least = min(least, self._covered(box) / (box[2] * box[3]))
            if not round(least * box[2] * box[3], 1):
                break
        return least

    def _covered(self, box: Box) -> float:
        near = sorted({place for square in _squares(box) for place in self._grid.get(square, ())})
        return sum(shared_area(box, self.taken[place]) for place in near)


class Ways:
    """Lines through a picture, each with the last step at which something moves along it."""

    def __init__(self, ways: Iterable[tuple[str, list[Point], int]]) -> None:
        self._last: dict[str, int] = {}
        self._grid: dict[tuple[int, int], list[tuple[str, Point, Point, Box]]] = {}
        for key, line, last in ways:
            self._last[key] = last
            for a, b in pairwise(line):
                (x1, y1), (x2, y2) = a, b
                left, right = (x1, x2) if x1 < x2 else (x2, x1)
                top, low = (y1, y2) if y1 < y2 else (y2, y1)
                piece = key, a, b, (left, top, right, low)
                for square in _squares((left, top, right - left, low - top), FINE):
                    self._grid.setdefault(square, []).append(piece)

    def through(self, box: Box, since: float, own: str, most: float = math.inf) -> int:
        """How many of the lines but its `own` run through a box, no more than `most`; one that is moved along from a step on
        counts as MOVING.

        >>> ways = Ways([("a", [(0, 0), (9, 9)], 4), ("b", [(0, 5), (9, 5)], 2)])
        >>> ways.through((4, 4, 2, 2), 2, "c"), ways.through((4, 4, 2, 2), 3, "c"), ways.through((4, 4, 2, 2), 3, "a")
        (16, 9, 1)
        """
        found, count, (left, top, w, h) = {own}, 0, box
        right, bottom = left + w, top + h
        for square in _squares(box, FINE):
            for key, a, b, (x1, y1, x2, y2) in self._grid.get(square, ()):
                if x2 <= left or x1 >= right or y2 <= top or y1 >= bottom or key in found:  # most are
                    continue
                if cuts(a, b, left, top, right, bottom):
                    found.add(key)
                    count += MOVING if self._last[key] >= since else 1
                    if count >= most:
                        return count
        return count


def _squares(box: Box, side: float = SIDE) -> list[tuple[int, int]]:
    x, y, w, h = box
    x, y, w, h = x / side, y / side, w / side, h / side
    first, last, top, low = math.floor(x), math.floor(x + w), math.floor(y), math.floor(y + h)
    if first == last and top == low:  # most are smaller than a square
        return [(first, top)]
    rows = range(top, low + 1)
    return [(column, row) for column in range(first, last + 1) for row in rows]


def shared_area(a: Box, b: Box) -> float:
    (x, y, w, h), (left, top, wide, high) = a, b
    if x >= left + wide or left >= x + w or y >= top + high or top >= y + h:  # most do not meet
        return 0.0
    return (min(x + w, left + wide) - max(x, left)) * (min(y + h, top + high) - max(y, top))


@dataclass(slots=True, frozen=True)
class Label:
    """A text in its box, there from step `t` on."""

    x: float
    y: float
    w: float
    h: float
    t: int

    def overlaps(self, other: Label) -> bool:
        """Whether two texts would lie on each other."""
        beside = self.x < other.x + other.w + AIR and other.x < self.x + self.w + AIR
        return beside and self.y < other.y + other.h and other.y < self.y + self.h


class Labels:
    """Numbers in a narrow place: those that do not fit drop out, except at their own step and at the steps that go back to it.

    The first come are the last to drop out.  What would lie on something `fixed` is never shown.
    """

    def __init__(self, left: float, right: float, fixed: Sequence[Label] = ()) -> None:
        self.left, self.right, self.fixed = left, right, fixed
        self.all: list[Label] = []
        self._barred: set[int] = set()
        self._rows: dict[int, list[int]] = {}  # the labels that touch a stripe of 16 px
        self._fitting: set[int] = set()
        self._dated: dict[int, list[int]] = {}

    def add(self, label: Label) -> int:
        """Take in a text and return its number; whether it is seen is for `looks` to say."""
        place = len(self.all)
        inside = self.left <= label.x and label.x + label.w <= self.right
        if any(sign.overlaps(label) for sign in self.fixed):
            self._barred.add(place)
        elif inside and not any(near in self._fitting and self.all[near].overlaps(label) for near in self._near(label)):
            self._fitting.add(place)
        self.all.append(label)
        self._dated.setdefault(label.t, []).append(place)
        for stripe in _stripes(label):
            self._rows.setdefault(stripe, []).append(place)
        return place

    def _near(self, label: Label) -> set[int]:
        return {place for stripe in _stripes(label) for place in self._rows.get(stripe, ())}

    def looks(self, again: dict[int, Collection[int]]) -> list[dict[int, str]]:
        """What each text is by step, "off", "here" (its own step) or "on"; `again` has the steps that a step goes back to."""
        out: list[dict[int, str]] = [{0: "off", label.t: self._usual(place)} for place, label in enumerate(self.all)]
        shown: dict[int, dict[int, str]] = {}
        for step in {*self._dated, *again}:
            wins: list[int] = []
            for place in [
                *self._dated.get(step, ()),
                *(p for t in sorted(again.get(step, ())) for p in self._dated.get(t, ())),
            ]:
                if place not in self._barred and not any(self.all[place].overlaps(self.all[win]) for win in wins):
                    wins.append(place)
            for place in self._dated.get(step, ()):
                shown.setdefault(place, {})[step] = "here" if place in wins else "off"
            for win in wins:
                shown.setdefault(win, {}).setdefault(step, "on")
                for near in self._near(self.all[win]) - set(wins):
                    if self.all[near].t <= step and self.all[near].overlaps(self.all[win]):
                        shown.setdefault(near, {})[step] = "off"
        for place, exceptions in shown.items():
            look = out[place]
            for step in sorted(exceptions):
                look[step] = exceptions[step]
                if step + 1 not in exceptions:
                    look[step + 1] = self._usual(place)
        return out

    def _usual(self, place: int) -> str:
        return "on" if place in self._fitting else "off"


def _stripes(label: Label) -> range:
    return range(math.floor(label.y / 16), math.floor((label.y + label.h) / 16) + 1)
