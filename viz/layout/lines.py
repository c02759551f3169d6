"""Running text in lines, and the lines that stand under a card and say why it is not written down."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..style import words
from .sizes import sans_width

LONG = 24  # characters of a formula's term from which on it is set smaller
REASON, REASON_LINE = 12, 13  # px: letters, lines
BELOW, ABOVE = 9, 3  # px: from the card to the first of them, and from the last, whose letters end before it does


def reason(value: dict[str, Any], width: float) -> tuple[list[str], float, float]:
    """Why a ghost is one, in a few short lines under its card of so many px; their width and height."""
    lines = wrap(value["ghost"], max(width + 36, 145), REASON)
    lines = lines if len(lines) <= 3 else [words("card.ghost_short")]
    return lines, max(sans_width(line, REASON) for line in lines), len(lines) * REASON_LINE + 2.0


def reason_boxes(value: dict[str, Any], box: Sequence[float]) -> list[tuple[float, float, float, float]]:
    """Where that may stand, the best place first: under a card with this box or above it, midway or to a side; beside it."""
    (x, y, w, h), (_, wide, tall) = box, reason(value, box[2])
    middle, beside = x + w / 2, y + h / 2 - tall / 2
    lefts = (middle - wide / 2, middle + BELOW, middle - wide - BELOW)
    places = [(left, top) for top in (y + h + BELOW, y - tall - ABOVE) for left in lefts]
    places += [(x + w + BELOW, beside), (x - wide - BELOW, beside)]
    # Nothing stands outside of the picture.
    return [(max(0.0, left), max(0.0, top), wide, tall) for left, top in places]


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


def bound(terms: list[list[Any]]) -> list[list[list[Any]]]:
    """A formula's terms in pieces between which a line may end: a sign stands before what it belongs to, and no line ends in one.

    >>> made = bound([["y", "9"], ["=", "="], ["x", "3"], ["×", "×"], ["x", "3"]])
    >>> [[symbol for symbol, _ in piece] for piece in made]
    [['y'], ['=', 'x'], ['×', 'x']]
    """
    pieces: list[list[list[Any]]] = []
    for term in terms:
        if not pieces or not _sign(pieces[-1][-1]):
            pieces.append([])
        pieces[-1].append(term)
    return pieces


def stretches(terms: list[list[Any]]) -> list[list[list[list[Any]]]]:
    """A formula in pieces, and apart from it what its parts come to: that begins a line of its own where the rest is too short.

    >>> made = stretches([["y", "6"], ["=", "="], ["2", "2"], ["×", "×"], ["√x", "√9"], *(["", sign] for sign in "=2×3")])
    >>> [["".join(str(figure) for _, figure in piece) for piece in pieces] for pieces in made]
    [['6', '=2', '×√9'], ['=2', '×3']]
    """
    begins = next(
        (at for at, (symbol, figure, *_) in enumerate(terms) if at and not symbol and _sign(["", figure])), None
    )
    return [bound(part) for part in (terms[:begins], terms[begins:] if begins else []) if part]


def is_long(term: list[Any]) -> bool:
    """Whether a term of a formula has more letters than one that is set in full size."""
    return max(len(term[0]), len(str(term[1]))) > LONG


def is_sum(term: list[Any]) -> bool:
    """Whether a term is a sign with the sum so far beneath it, after which a line may end where the next term has no room.

    >>> is_sum(["+=", "= [1, 2] +"]), is_sum(["×", "×"])
    (True, False)
    """
    return _sign(term) and any(char.isalnum() for char in str(term[1]))


def _sign(term: list[Any]) -> bool:
    """Whether a term of a formula joins what stands before it with what follows, as "=" does, and "= 1 +" below it."""
    said = str(term[0] or term[1])
    return said.startswith("=") or not any(char.isalnum() for char in said)


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
