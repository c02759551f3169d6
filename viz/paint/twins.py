"""One program in two frameworks, side by side: a table, as text and as a picture."""

from __future__ import annotations

import textwrap
from typing import Any

from ..layout.sizes import sans_width
from .ink import Ink, document, group
from .text import in_columns

SIZE, LINE, PAD, WIDE = 13.0, 26.0, 18.0, 96


def rows_of(facts: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """The table, its head first."""
    head = ("", *facts["names"], "")
    return [head, *[(row["what"], row["one"], row["other"], row["verdict"]) for row in facts["aspects"]]]


def table(facts: dict[str, Any]) -> str:
    """Where they first differ, and what each did.

    >>> print(table({"names": ("one", "other"), "said": "The same.", "aspects": [
    ...     {"what": "ops", "one": "2", "other": "3", "verdict": "2 alike"}]}))
    The same.
    <BLANKLINE>
         one  other
    ops  2    3      2 alike
    """
    return "\n".join([facts["said"], "", *in_columns(rows_of(facts))])


def described(facts: dict[str, Any]) -> str:
    """The table as alternative text."""
    first, second = facts["names"]
    told = [
        f"{row['what']}: {first} {row['one']}, {second} {row['other']}, {row['verdict']}" for row in facts["aspects"]
    ]
    return f"{first} and {second} side by side. {facts['said']} {'; '.join(told)}."


def picture(facts: dict[str, Any], theme: str = "") -> str:
    """The table as an SVG document: what is the same in the two is quiet, what differs stands out."""
    ink, rows = Ink(theme, "mtt"), rows_of(facts)
    wide = [max(sans_width(row[column], SIZE) for row in rows) * 1.08 + PAD for column in range(4)]
    starts = [sum(wide[:column]) + 4 for column in range(4)]
    said = textwrap.wrap(facts["said"], WIDE)
    parts = [ink.text(4, SIZE + 4 + at * 20, line, SIZE + 1, sans=True, weight=600) for at, line in enumerate(said)]
    top = len(said) * 20 + 14.0
    for number, row in enumerate(rows):
        y = top + number * LINE + SIZE + 4
        same = row[3] == "the same" or not number
        parts.append(ink.line(4, y + 9, sum(wide), y + 9, "line", 0.8))
        for column, cell in enumerate(row):
            loud = column == 3 and not same
            role = "gradient" if loud else "ink" if column in (1, 2) else "mute"
            parts.append(
                ink.text(starts[column], y, cell, SIZE, role, sans=True, weight=600 if loud or not number else None)
            )
    width = max(sum(wide), max(sans_width(line, SIZE + 1) for line in said) * 1.1) + 8
    return document(ink, described(facts), (width, top + len(rows) * LINE + 12), ink.ground(), group(*parts))
