"""The numbers on an edge: in which lines they stand in their capsule, and how large that is."""

from __future__ import annotations

import re
from functools import lru_cache

from ..capture.numbers import shape_text
from ..style import CHAR
from .sizes import DEEP, FEW, LINE, columns

EDGE = 18  # characters of a line


def chip_lines(text: str) -> list[str]:
    """What stands in the capsule on an edge: a number, the rows of a matrix under each other, a vector in lines.

    >>> chip_lines("6.75"), chip_lines("[[1, 2], [3, 4]]"), chip_lines("[0.5403, −1.3073, 2]")
    (['6.75'], ['[1, 2]', '[3, 4]'], ['[0.5403, −1.3073,', '2]'])
    """
    return list(_lines_of(text))


@lru_cache(maxsize=4096)
def _lines_of(text: str) -> tuple[str, ...]:
    if "], [" in text:
        return tuple(text[1:-1].replace("], ", "]␊").split("␊"))
    out = [""]
    for word in text.split(" ") if text.startswith("[") else [text]:
        if out[-1] and columns(f"{out[-1]} {word}") > EDGE:
            out.append("")
        out[-1] += f" {word}" if out[-1] else word
    return tuple(out)


def chip_fits(text: str) -> bool:
    """Whether an edge has room for these numbers at all.

    >>> chip_fits("[0.5403, −1.3073, 2]"), chip_fits("[[0.5403, −1.3073, 2.0001], [1, 2, 3]]")
    (True, False)
    """
    return len(_lines_of(text)) <= DEEP and max(map(columns, _lines_of(text))) <= EDGE


def chip_short(text: str) -> str:
    """What stands there instead where an array's numbers have no room: its shape.

    >>> chip_short("[[1, 2], [3, 4], [5, 6]]"), chip_short("[0.5403, −1.3073]"), chip_short("6.75")
    ('3×2', '(2,)', '6.75')
    """
    if not text.startswith("["):
        return text
    rows = text.removeprefix("[[").split("], [")
    count = rows[0].count(", ") + 1
    return shape_text((len(rows), count) if text.startswith("[[") else (count,))


def chip_deep(text: str) -> int:
    """The most lines that the same array may take, with whatever numbers: how many its capsule has room for from the start.

    >>> chip_deep("6.75"), chip_deep("[0.5, −1.3]"), chip_deep("(2,)"), chip_deep("3×2"), chip_deep("(500,)")
    (1, 2, 2, 3, 1)
    """
    found = re.fullmatch(r"\((\d+),\)|(\d+)×(\d+)", chip_short(text))
    if found is None:
        return len(_lines_of(text))
    count, rows, across = (int(number or 1) for number in found.groups())
    return min(count, DEEP) * rows if count * rows * across <= FEW and rows <= DEEP else 1


def chip_width(text: str) -> float:
    """How wide the capsule is that shows a number on an edge."""
    return max(map(columns, _lines_of(text))) * CHAR + 12


def chip_height(text: str) -> int:
    """How high it is."""
    return 18 + (len(_lines_of(text)) - 1) * LINE
