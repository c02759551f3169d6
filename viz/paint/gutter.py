"""What stands at the left of a score's rows: who it is, and what it is now, as rows of text with timelines."""

from __future__ import annotations

from typing import Any

from ..layout.sizes import columns, label, short
from ..style import CUT, NEVER, words
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
    asked: dict[int, tuple[dict[str, Any], dict[str, Any] | None, dict[str, Any] | None]] = {}
    widest: dict[int, int] = {}  # of each cell's numbers

    def user(step: int) -> dict[str, Any]:
        return next((string for string in reversed(users) if string["from"] <= step), users[0])

    def line(step: int) -> dict[str, Any] | None:
        lines = [line for line in user(step)["lines"] if line["sub"] == sub]
        return next((line for line in reversed(lines) if line["first"] <= step), lines[0] if lines else None)

    def cell(step: int) -> tuple[dict[str, Any], dict[str, Any] | None, dict[str, Any] | None]:
        if step not in asked:
            value, found = score.values[user(step)["id"]], line(step)
            row = next((cell for cell in value["cells"] if found and cell["id"] == found["id"]), None)
            asked[step] = value, row, at.latest(row.get("states", []), step) if row else None
        return asked[step]

    def wide(row: dict[str, Any]) -> int:
        if id(row) not in widest:
            widest[id(row)] = max((columns(score.brief(state)) for state in row.get("states", [])), default=0)
        return widest[id(row)]

    def name(step: int) -> str:
        """As much as there is room for; a derivative's row stands beneath its value's, so that ∂a will do for ∂a/∂b."""
        value, row, _ = cell(step)
        if row is None:
            return ""
        whole = label(value, row) if level else str(value["name"])
        room = max(NARROW[not level] - wide(row), 6)
        if columns(whole) <= room:
            return whole
        if level:
            return short(whole.split("/∂")[0], room)
        return f"…{whole[1 - room :]}" if "/" in whole else short(whole, room)  # of a weight's name its end tells most

    def figure(step: int) -> str:
        _, row, state = cell(step)
        return "" if row is None or user(step)["from"] > step else score.brief(state)

    def look(step: int) -> str:
        string, (_, row, state) = user(step), cell(step)
        if row is None:
            return "linerow sub"
        unborn = string["from"] > step
        gone = not level and not unborn and not any(a <= step < b for a, b in [*string["alive"], *string["again"]])
        sign = {CUT: "none", NEVER: "never"}.get((state or {}).get("text", ""))
        fresh = state is not None and state["t"] == step > 0
        return said(
            "linerow",
            level and "sub",
            row["kind"],
            sign,
            unborn and "future",
            fresh and "fresh",
            gone and "gone",
            not state and "faint",
        )

    def title(step: int) -> str | None:
        """What the row has no room to say."""
        value, row, state = cell(step)
        if row is None:
            return None
        if user(step)["from"] > step:
            return words("card.unborn", name=value["name"])
        told_ = in_words(at.Cell(row["id"], "", row["kind"], state, False))
        whole = label(value, row) if level else str(value["name"])
        return None if told_ == score.brief(state) and name(step) == whole else f"{whole}: {told_}"

    dates = [
        date
        for string in users
        for date in [string["from"], *(line["first"] for line in string["lines"]), *told(score.values[string["id"]])]
    ]
    lives = [date for string in users for both in [*string["alive"], *string["again"]] for date in both]
    key = f"row:{row}"
    return Mark(
        "div",
        Mark("span", cls="linename", text=over(dates, name), key=f"{key}:name"),
        Mark("b", cls="linenumber", text=over(dates, figure), key=f"{key}:number"),
        cls=over([*around(dates), *lives], look), key=key,
        title=over(dates, title), data_value=over(dates, lambda step: user(step)["id"]),
        data_go=over(dates, lambda step: score.values[user(step)["id"]].get("born", 0)),
    )  # fmt: skip
