"""Where free-standing text may go: of several places the one that covers least, and which numbers have to drop out.

Boxes lie in squares of a grid, so that a question costs what lies near it and not the whole picture.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

Box = tuple[float, float, float, float]
SIDE = 96.0  # px of a square
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

    def best(self, options: list[Box], others: Iterable[Box] = ()) -> tuple[int, float, Box]:
        """The number of the option that covers least (the first of equals), which is taken; how much it covers; its box.

        Where each of them covers something, `others` are options too.

        >>> Space([(0, 0, 10, 10)]).best([(5, 5, 10, 10), (20, 0, 10, 10)])
        (1, 0.0, (20, 0, 10, 10))
        """
        covered = self._all_covered(options, others)
        found = min(range(len(covered)), key=lambda place: (round(covered[place][0], 1), place))
        self.take(covered[found][1])
        return found, *covered[found]

    def least(self, options: list[Box], others: Iterable[Box] = ()) -> float:
        """How much of itself the option lies on others with that does so least, from 0 to 1.

        >>> Space([(0, 0, 10, 10)]).least([(5, 5, 10, 10), (0, 8, 10, 10)])
        0.2
        """
        return min(covered / (w * h) for covered, (_, _, w, h) in self._all_covered(options, others))

    def _all_covered(self, options: list[Box], others: Iterable[Box]) -> list[tuple[float, Box]]:
        covered = [(self._covered(box), box) for box in options]
        for box in others if all(round(much, 1) for much, _ in covered) else ():
            covered.append((self._covered(box), box))
            if not round(covered[-1][0], 1):
                break
        return covered

    def _covered(self, box: Box) -> float:
        near = sorted({place for square in _squares(box) for place in self._grid.get(square, ())})
        return sum(_shared(box, self.taken[place]) for place in near)


def _squares(box: Box) -> Iterator[tuple[int, int]]:
    x, y, w, h = (side / SIDE for side in box)
    for column in range(math.floor(x), math.floor(x + w) + 1):
        for row in range(math.floor(y), math.floor(y + h) + 1):
            yield column, row


def _shared(a: Box, b: Box) -> float:
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return max(0.0, w) * max(0.0, h)


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
