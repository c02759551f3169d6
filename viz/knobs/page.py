"""A file in which knobs turn without a kernel: every position traced in advance, told as columns of texts by structure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..paint.page import LIVE, as_json, document, packed
from ..paint.turns import Turning
from .panel import panel, signature
from .traced import Traced

if TYPE_CHECKING:
    from .session import Live

MOST, LEAST = 61, 9  # positions of a number
SIZE = 1_000_000  # bytes that a page may have: a larger program gets fewer positions
BESIDE = 110_000  # of these for the player and its style


def page(
    live: Live, *, step: int = 0, view: str = "graph", theme: str = "", lang: str = "en", embed: bool = False
) -> str:
    """The program with its knobs as one HTML file, at most 1 MB: of a number it knows as many positions as there is room for.

    >>> from .session import Live
    >>> page(Live(lambda x: x, None, {"x": (0, 3)})).startswith("<!doctype html>")
    True
    """
    told, body = carried(live, view, page=True, embed=embed)
    start = f'{{ step: {int(step)}, view: "{view}", theme: "{theme}" }}'
    begin = f'const root = document.getElementById("player"); carried("turns").then(told => mountAlone(root, told, {start}));'
    return document(
        body, {"turns": as_json(told)}, begin, LIVE[:-1], [],
        title=live.title, theme=theme, lang=lang, embed=embed,
    )  # fmt: skip


def carried(live: Live, view: str = "graph", page: bool = False, embed: bool = False) -> tuple[dict[str, Any], str]:
    """As many positions as there is room for, and the first page's HTML; `page`, for a page of its own."""
    most = MOST
    while True:
        told, body = _told(live, most, view, page, embed)
        if len(packed(told)) + len(body.encode()) <= SIZE - BESIDE or most <= LEAST:
            return told, body
        most = max(LEAST, most // 2 + 1)


def _told(live: Live, most: int, view: str, page: bool, embed: bool) -> tuple[dict[str, Any], str]:
    """Every position: where the knobs stand, which page it is on, and the row of its texts; and the first page's HTML."""
    pages: dict[str, tuple[Turning, dict[tuple[int, str], list[int]], int]] = {}
    texts: dict[str, int] = {}
    lines: list[Any] = []
    curves: list[Any] = []
    known: dict[str, int] = {}
    positions: list[dict[str, Any]] = []
    sheets: list[dict[str, Any]] = []
    begin = dict(live.values)
    for values in live.positions(most):
        run = live.trace(values)
        live.values, live.run = values, run
        live._settle(run, values)
        key = run.structure
        at = pages.get(key)
        if at is None or (changes := at[0].turn(run.scene)) is None:
            turning = Turning(run.scene, *_parts(live, run), view=view, level=1 if page else 3, page=page, embed=embed)
            at = pages[key] = (turning, {}, len(sheets))
            sheets.append({"sheet": turning.sheet, "slots": [], "columns": [], "rows": 0})
            changes = []
        turning, slots, number = at
        rows = sheets[number]["rows"]
        for slot, name, line in changes:
            column = slots.setdefault((slot, name), [])
            if not column and rows:  # it was as the page has it up to here
                column += [_index(texts, lines, turning.first(slot, name))] * rows
            column += [column[-1]] * (rows - len(column)) if column else []
            column.append(_index(texts, lines, line))
        sheets[number]["rows"] += 1
        curve = live.curve(values)
        if repr(curve) not in known:
            known[repr(curve)] = len(curves)
            curves.append(curve)
        positions.append(
            {
                "values": values, "base": number, "row": rows, **live.height(run), "refused": live.refusal(run),
                "curve": known[repr(curve)],
            }
        )  # fmt: skip
    for _, slots, number in pages.values():
        rows = sheets[number].pop("rows")
        sheets[number]["slots"] = [list(slot) for slot in slots]
        sheets[number]["columns"] = [[*column, *[column[-1]] * (rows - len(column))] for column in slots.values()]
    live.values, live.run, live.page = begin, live.trace(begin), None
    body = sheets[0]["sheet"].pop("html")
    return {"live": live.told(), "texts": lines, "bases": sheets, "positions": positions, "curves": curves}, body


def _parts(live: Live, run: Traced) -> tuple[Any, Any]:
    return signature(run.scene, live.program, live.knobs), panel(live.knobs, live.axis)


def _index(texts: dict[str, int], lines: list[Any], line: Any) -> int:
    key = repr(line)
    if key not in texts:
        texts[key] = len(lines)
        lines.append(line)
    return texts[key]
