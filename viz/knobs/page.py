"""A file in which knobs turn without a kernel: every position traced in advance, told as columns of texts by structure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..paint.page import LIVE, document, packed
from ..paint.turns import Change, Turning
from ..schema import dumps

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
        body, {"turns": dumps(told)}, begin, LIVE[:-1], [],
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
    texts, curves, pages = _Numbered(), _Numbered(), list[_Columns]()
    bases: dict[str, _Columns] = {}  # by structure the page that was made last
    positions: list[dict[str, Any]] = []
    begin = dict(live.values)
    for values in live.positions(most):
        run = live.moved(values)
        base, changes = bases.get(run.structure), None
        if base is not None:
            changes = base.page.turn(run.scene)
        if base is None or changes is None:
            how: dict[str, Any] = {"view": view, "level": 1 if page else 3, "page": page, "embed": embed}
            base, changes = _Columns(Turning(run.scene, *live.parts(run), **how), len(pages), texts), []
            bases[run.structure] = base
            pages.append(base)
        positions.append({
            "values": values, "base": base.number, "row": base.add(changes), **live.height(run), "refused": live.refusal(run),
            "curve": curves.number(live.curve(values)),
        })  # fmt: skip
    live.values, live.run, live.page = begin, live.trace(begin), None
    body = pages[0].page.sheet.pop("html")
    told = {"live": live.told(), "texts": texts.all, "bases": [base.told() for base in pages], "positions": positions}
    return {**told, "curves": curves.all}, body


class _Numbered:
    """Things, each once, by their numbers."""

    def __init__(self) -> None:
        self.all: list[Any] = []
        self._known: dict[str, int] = {}

    def number(self, thing: Any) -> int:
        """The number of a thing, a new one where it was not met before."""
        number = self._known.setdefault(repr(thing), len(self.all))
        if number == len(self.all):
            self.all.append(thing)
        return number


class _Columns:
    """A page, and what its attributes are from position to position: a column of texts for each that differs."""

    def __init__(self, page: Turning, number: int, texts: _Numbered) -> None:
        self.page, self.number, self.rows, self._texts = page, number, 0, texts
        self._columns: dict[tuple[int, str], list[int]] = {}

    def add(self, changes: list[Change]) -> int:
        """One more position, and its row."""
        for slot, name, line in changes:
            column = self._columns.setdefault((slot, name), [])
            if not column and self.rows:  # it was as the page has it up to here
                column.append(self._texts.number(self.page.first(slot, name)))
            self._fill(column)
            column.append(self._texts.number(line))
        self.rows += 1
        return self.rows - 1

    def _fill(self, column: list[int]) -> None:
        """What is not told anew stays."""
        column += column[-1:] * (self.rows - len(column))

    def told(self) -> dict[str, Any]:
        """The page with its columns, as plain data."""
        for column in self._columns.values():
            self._fill(column)
        slots = [list(slot) for slot in self._columns]
        return {"sheet": self.page.sheet, "slots": slots, "columns": list(self._columns.values())}
