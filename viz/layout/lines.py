"""Running text in lines, and the lines that stand under a card and say why it is not written down."""

from __future__ import annotations

import re
from typing import Any

from ..style import words
from .sizes import sans_width

REASON, REASON_LINE, BELOW = 12, 13, 9  # px: letters, lines, and from the card to the first of them


def reason(value: dict[str, Any], width: float) -> tuple[list[str], float, float]:
    """Why a ghost is one, in a few short lines under its card of so many px; their width and height."""
    lines = wrap(value["ghost"], max(width + 36, 145), REASON)
    lines = lines if len(lines) <= 3 else [words("card.ghost_short")]
    return lines, max(sans_width(line, REASON) for line in lines), len(lines) * REASON_LINE + 2.0


def wrap(said: str, room: float, size: float) -> list[str]:
    """`said` in lines of at most `room` px of the proportional font; between CJK characters a line may end anywhere.

    >>> wrap("one two three", 80, 15)
    ['one two', 'three']
    """
    lines, line = [], ""
    for word in re.findall(r"[ \t\n]+|[⺀-鿿가-힣＀-￠]|[^ \t\n⺀-鿿가-힣＀-￠]+", said):
        if sans_width(line + word.rstrip(), size) > room and line.strip():
            lines.append(line.rstrip(" \t\n"))
            line = ""
        line += " " if word.isspace() and word != "\u00a0" and line else "" if word.isspace() else word
        if sans_width(line, size) > room:
            *whole, line = _cut_up(line, room, size)
            lines += whole
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _cut_up(word: str, room: float, size: float) -> list[str]:
    """A word that no line has room for, in pieces of at most `room` px, each of a letter at least."""
    pieces, wide = [""], 0.0
    for char in word:
        more = sans_width(char, size)
        if pieces[-1] and wide + more > room:
            pieces.append("")
            wide = 0.0
        pieces[-1] += char
        wide += more
    return pieces
