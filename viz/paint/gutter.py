"""What stands at the left of a score's rows: who it is, and what it is now, as rows of text with timelines."""

from __future__ import annotations

from typing import Any

from ..layout.sizes import columns, label, short
from ..style import words
from . import state as at
from .cards import in_words, told
from .ink import number
from .plan import STAFF
from .score import Score
from .sheet import Mark, around, over, said
from .time import who

NARROW = 25, 24  # columns of a derivative's row, and of a value's, in the narrowest room: its name and its number


def recorder_rows(score: Score) -> list[tuple[Mark, float]]:
    """Who is on each staff at a step, and its place."""
    out = []
    for place, users in enumerate(at.rows_of(score.scene)):
        y = score.staves[users[0]["id"]][0]
        out.append((Mark("div", *who(users, f"staff:{place}"), cls="lane", style=f"top:{number(y - STAFF / 2)}px"), y))
    return out


def line_rows(score: Score) -> list[tuple[Mark, float, int]]:
    """The name and the number of each row at a step, its place, and its level: 0 for a value, 1 for a derivative."""
    out, top = [], 0
    for row, level in enumerate(score.plan.levels):
        top = row if not level else top
        users = [string for string in score.plan.strings if string["row"] == top]
        out.append((_line_row(score, row, level, row - top, users), float(score.rows[row]), level))
    return out


def _line_row(score: Score, row: int, level: int, sub: int, users: list[dict[str, Any]]) -> Mark:
    told_, key = _Told(score, level, sub, users), f"row:{row}"
    dates = [
        date
        for string in users
        for date in [string["from"], *(line["first"] for line in string["lines"]), *told(score.values[string["id"]])]
    ]
    lives = [date for string in users for life in told_.lives(string) for date in life]
    return Mark(
        "div",
        Mark("span", cls="linename", text=over(dates, told_.name), key=f"{key}:name"),
        Mark("b", cls="linenumber", text=over(dates, told_.figure), key=f"{key}:number"),
        cls=over([*around(dates), *lives], told_.look), key=key,
        title=over(dates, told_.title), data_value=over(dates, lambda step: told_.user(step)["id"]),
        data_go=over(dates, lambda step: score.values[told_.user(step)["id"]].get("born", 0)),
    )  # fmt: skip


class _Told:
    """What is told of a row of a score when, of whoever is in it then."""

    def __init__(self, score: Score, level: int, sub: int, users: list[dict[str, Any]]) -> None:
        self.score, self.level, self.users = score, level, users
        self._lines = {string["id"]: [line for line in string["lines"] if line["sub"] == sub] for string in users}
        self._asked: dict[int, tuple[dict[str, Any], dict[str, Any] | None, dict[str, Any] | None]] = {}
        self._widest: dict[int, int] = {}  # of each cell's numbers

    def user(self, step: int) -> dict[str, Any]:
        """The string that has begun last."""
        return next((string for string in reversed(self.users) if string["from"] <= step), self.users[0])

    def lives(self, string: dict[str, Any]) -> list[list[int]]:
        """From when to when its value is there."""
        return [*string["alive"], *string["again"]]

    def cell(self, step: int) -> tuple[dict[str, Any], dict[str, Any] | None, dict[str, Any] | None]:
        """The value, its cell in this row, and what stands in it."""
        if step not in self._asked:
            string = self.user(step)
            value, lines = self.score.values[string["id"]], self._lines[string["id"]]
            line = next((line for line in reversed(lines) if line["first"] <= step), lines[0] if lines else None)
            row = next((cell for cell in value["cells"] if line and cell["id"] == line["id"]), None)
            self._asked[step] = value, row, at.latest(row.get("states", []), step) if row else None
        return self._asked[step]

    def name(self, step: int) -> str:
        """As much as there is room for: of a derivative, which stands beneath its value's row, the beginning."""
        value, row, _ = self.cell(step)
        if row is None:
            return ""
        whole = self._whole(value, row)
        room = max(NARROW[not self.level] - self._wide(row), 6)
        if columns(whole) <= room:
            return whole
        # Of a weight's name its end tells most.
        return f"…{whole[1 - room :]}" if "/" in whole and not self.level else short(whole, room)

    def _whole(self, value: dict[str, Any], row: dict[str, Any]) -> str:
        return label(value, row) if self.level else str(value["name"])

    def _wide(self, row: dict[str, Any]) -> int:
        if id(row) not in self._widest:
            shown = map(self.score.brief, row.get("states", []))
            self._widest[id(row)] = max(map(columns, shown), default=0)
        return self._widest[id(row)]

    def figure(self, step: int) -> str:
        """The number."""
        _, row, state = self.cell(step)
        return "" if row is None or self.user(step)["from"] > step else self.score.brief(state)

    def look(self, step: int) -> str:
        """The row's class."""
        string, (_, row, state) = self.user(step), self.cell(step)
        if row is None:
            return "linerow sub"
        unborn, sign = string["from"] > step, state and at.sign(state)
        gone = not self.level and not unborn and not any(a <= step < b for a, b in self.lives(string))
        return said(
            "linerow", self.level and "sub", row["kind"], sign, unborn and "future", at.fresh(state, step) and "fresh",
            gone and "gone", not state and "faint",
        )  # fmt: skip

    def title(self, step: int) -> str | None:
        """What the row has no room to say."""
        value, row, state = self.cell(step)
        if row is None:
            return None
        if self.user(step)["from"] > step:
            return words("card.unborn", name=value["name"])
        told_, whole = in_words(state), self._whole(value, row)
        return None if told_ == self.score.brief(state) and self.name(step) == whole else f"{whole}: {told_}"
