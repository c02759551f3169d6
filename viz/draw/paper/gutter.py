"""What stands at the left of a score's rows: who it is, and what it is now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...layout.sizes import digits, face, grid, label, short
from ...scene import Scene
from .. import state as at
from ..plan import Plan
from .ink import Ink, fitting, group, mono

ROOM = 230.0  # px: the most that names take
SHORT = 13  # columns


def told(state: dict[str, Any] | None) -> str:
    """What a state says in a narrow place: an array's numbers one by one, where that is as short as a number or two."""
    rows = grid(state) if state else None
    said = "[" + ", ".join(map(digits, rows[0])) + "]" if rows else ""
    return said if state and 0 < len(said) <= SHORT and len(state["data"]["shape"]) == 1 else face(state)


class Gutter:
    """The names of recorders and values at a step; `staves` says where a recorder's staff is, `tops` where each row is."""

    def __init__(
        self, ink: Ink, scene: Scene, plan: Plan, step: int, right: float, staves: dict[str, float], tops: list[float]
    ) -> None:
        self.ink, self.scene, self.plan, self.step = ink, scene, plan, step
        self.right, self.room = right, min(right, ROOM)
        self.staves, self.tops = staves, tops

    def draw(self) -> str:
        """All of them."""
        return group(
            *map(self._recorder, self._listening()), *[row for one in self._occupants() for row in self._rows(one)]
        )

    def _recorder(self, recorder: dict[str, Any]) -> str:
        y, word = self.staves[recorder["id"]] + 4.5, at.state_at(recorder, self.step)
        word = word if len(word) * 6.5 < self.room / 2 else ""
        name = fitting(recorder["name"], self.room - len(word) * 7, 13)
        return group(
            self.ink.text(self.right - self.room, y, name, 13, weight=600, sans=True),
            self.ink.text(self.right, y, word, 12, "mute", anchor="end", sans=True),
        )

    def _rows(self, one: dict[str, Any]) -> Iterator[str]:
        value = next(value for value in self.scene.values if value["id"] == one["id"])
        now = {line["sub"]: line for line in reversed(one["lines"])}
        now |= {line["sub"]: line for line in one["lines"] if line["first"] <= self.step}
        for level, line in sorted(now.items()):
            gone = level == 0 and not any(start <= self.step < end for start, end in [*one["alive"], *one["again"]])
            cell = next(cell for cell in value["cells"] if cell["id"] == line["id"])
            yield self._row(value, cell, self.tops[one["row"] + level], level, gone)

    def _row(self, value: dict[str, Any], cell: dict[str, Any], top: float, level: int, gone: bool) -> str:
        unborn, left = value["born"] > self.step, self.right - self.room
        found = at.latest(cell.get("states", []), self.step)
        said = "" if unborn else told(found)
        size, inset, y = (11.5, 14.0, top + 4) if level else (12.3, 0.0, top + 4.3)
        most = max(2, int((self.room - inset - mono(size, said) - 10) / mono(size, "0")))
        name = short(label(value, cell) if level else value["name"], most)
        ring = self.ink.box((left - 6, y - 13, self.room + 10, 17), 4.0, **self.ink.stroke("ink", 1.5))
        fresh = found is not None and found["t"] == self.step > 0
        role, weight = ("mute", None) if gone else (cell["kind"], 600)
        return group(
            ring if fresh else "",
            self.ink.text(left + inset, y, name, size, cell["kind"] if level else "ink", weight=None if level else 600),
            self.ink.text(self.right, y, said, size, role, weight=weight, anchor="end"),
            opacity=0.45 if unborn else None,
        )

    def _listening(self) -> Iterator[dict[str, Any]]:
        """Of the recorders that share a staff, the last that has begun."""
        staff: dict[float, dict[str, Any]] = {}
        for one in self.scene.recorders:
            begun = any(state["t"] <= self.step for state in one.get("states", []))
            if self.staves[one["id"]] not in staff or begun:
                staff[self.staves[one["id"]]] = one
        yield from staff.values()

    def _occupants(self) -> Iterator[dict[str, Any]]:
        """Of the strings that share their rows, the last that has begun."""
        rows: dict[int, dict[str, Any]] = {}
        for one in self.plan.strings:
            if one["row"] not in rows or one["from"] <= self.step:
                rows[one["row"]] = one
        yield from rows.values()
