"""Numbers in a narrow place: those that do not fit drop out, except at the step at hand and at the steps it goes back to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

AIR = 4.0  # px: the least between two texts beside each other


@dataclass(slots=True, frozen=True)
class Label:
    """A text in its box, there from step `t` on."""

    x: float
    y: float
    w: float
    h: float
    t: int
    said: str
    role: str

    def overlaps(self, other: Label) -> bool:
        """Whether two texts would lie on each other."""
        beside = self.x < other.x + other.w + AIR and other.x < self.x + self.w + AIR
        return beside and self.y < other.y + other.h and other.y < self.y + self.h


class Space:
    """The room between two edges; the first come are the last to drop out."""

    def __init__(self, left: float, right: float) -> None:
        self.left, self.right = left, right
        self.labels: list[Label] = []
        self.fitting: list[Label] = []

    def add(self, one: Label) -> None:
        """Take in a text; whether it is seen is for `shown` to say."""
        self.labels.append(one)
        inside = self.left - 9 <= one.x and one.x + one.w <= self.right
        if inside and not any(one.overlaps(other) for other in self.fitting):
            self.fitting.append(one)

    def shown(self, step: int, again: Collection[int]) -> list[Label]:
        """The texts that are seen at a step, where those of the steps `again` count almost as much as its own."""
        wins: list[Label] = []
        for one in [
            *[one for one in self.labels if one.t == step],
            *[one for one in self.labels if one.t in again],
        ]:
            if not any(one.overlaps(other) for other in wins):
                wins.append(one)
        rest = [one for one in self.fitting if one.t <= step and one not in wins]
        return wins + [one for one in rest if not any(one.overlaps(other) for other in wins)]
