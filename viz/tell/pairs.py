"""The words of a pair of moments: their numbers in so many digits that they can be told apart, a share, a dtype, what is set."""

from __future__ import annotations

import numpy as np

from ..capture.numbers import number, spelled
from ..schema import clean
from .differences import ONLY, Pair
from .distance import ROUNDING, Known, coarser
from .moments import Moment

ACROSS = 48  # the longest line of the program, in letters


def mark_of(pair: Pair) -> str:
    """The mark of a pair in a picture: apart ≠ | near ≈ | only +."""
    return "only" if pair.verdict == ONLY else "near" if pair.verdict in (ROUNDING, "dtype") else "apart"


def shown(moment: Moment | None) -> str:
    """The number of a moment as a sentence says it; a long dash where it has none."""
    if moment is None or moment.number is None:
        return "None" if moment is not None and moment.kind in ("answer", "look-up") else "—"
    return spelled(moment.snap) if moment.snap is not None else "—"


def both_shown(pair: Pair) -> tuple[str, str]:
    """Both numbers, in so many digits that they can be told apart; of a large array those that are farthest apart."""
    one, other = shown(pair.one), shown(pair.other)
    if pair.one is None or pair.other is None or pair.far is None or not pair.far.differing:
        return one, other
    a, b = (moment.number.numbers if moment.number is not None else None for moment in (pair.one, pair.other))
    if a is None or b is None or a.shape != b.shape:
        return one, other
    place = ""
    if a.size > 6:
        a, b, place = a[pair.far.at], b[pair.far.at], f" at [{', '.join(map(str, pair.far.at))}]"
    elif one != other:
        return one, other
    for places in range(5, 18):
        one, other = _digits(a, places), _digits(b, places)
        if one != other:
            break
    return one + place, other + place


def _digits(array: np.ndarray, places: int) -> str:
    if array.ndim:
        return "[" + ", ".join(_digits(row, places) for row in array) + "]"
    return f"{float(array):.{places}g}".replace("-", "−")


def short(text: str) -> str:
    return text if len(text) <= ACROSS else text[: ACROSS - 1] + "…"


def percent(share: float) -> str:
    """A share of the larger of two numbers, in brackets; nothing where they lie on two sides of zero."""
    if not 0 < share < 1:
        return ""
    return f" ({100 * share:.0f} %)" if share >= 0.095 else f" ({number(float(f'{100 * share:.2g}'))} %)"


def kind_of(known: Known | None) -> str:
    return "None" if known is None else known.dtype


def shape_of(known: Known | None) -> str:
    return "None" if known is None else f"({', '.join(map(str, known.shape))}{',' * (len(known.shape) == 1)})"


def coarse_of(pair: Pair) -> str:
    kinds = [
        moment.number.dtype for moment in (pair.one, pair.other) if moment is not None and moment.number is not None
    ]
    return max(kinds, key=lambda kind: coarser(kind, kind))


def settings_of(pair: Pair, side: int) -> str:
    """The settings of an op that differ."""
    mine, theirs = (moment.op.settings or {} if moment and moment.op else {} for moment in (pair.one, pair.other))
    own = (mine, theirs)[side]
    keys = [key for key in {**mine, **theirs} if repr(mine.get(key)) != repr(theirs.get(key))]
    return clean(", ".join(f"{key}={own[key]!r}" if key in own else f"no {key}" for key in keys))
