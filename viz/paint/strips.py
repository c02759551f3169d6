"""How large something is in every turn, as bars side by side; of many turns each is a stretch, and no spike is lost."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from typing import Any, NamedTuple

from ..layout.curve import tidy
from ..style import words

MOST = 116  # bars of a strip
SPAN = 300.0  # from the largest to the smallest: beyond that the scale is logarithmic

Sizes = list[float | None]


class Scale(NamedTuple):
    """From how large to how large; logarithmic or not."""

    low: float
    high: float
    log: bool

    def of(self, size: float) -> float:
        """The share of the height that a size takes, from 0 to 1; zero takes none."""
        if size <= 0 or self.high <= 0:
            return 0.0
        if not self.log:
            return size / self.high
        if self.low == self.high:
            return 1.0
        return 0.08 + 0.92 * math.log(size / self.low) / math.log(self.high / self.low)


def scale_of(rows: list[Sizes], log: bool = False) -> Scale:
    """One scale for all runs that are laid over each other; gradients are logarithmic, so that ×0.5 a turn is a straight slope.

    >>> scale_of([[1.0, 2.0, None]]).of(1.0), round(scale_of([[1.0, 10.0, 100.0]], log=True).of(10.0), 2)
    (0.5, 0.54)
    """
    sizes = [size for row in rows for size in row if size]
    if not sizes:
        return Scale(0.0, 0.0, False)
    low, high = min(sizes), max(sizes)
    return Scale(low, high, high > 2 * low if log else high > SPAN * low)


def stretches(turns: int, most: int = MOST) -> list[tuple[int, int]]:
    """The turns that a bar stands for: one each, or as many as must share.

    >>> stretches(3), stretches(5, 2)
    ([(0, 1), (1, 2), (2, 3)], [(0, 2), (2, 5)])
    """
    count = min(turns, most)
    return [(turns * at // count, turns * (at + 1) // count) for at in range(count)]


def bars(card: dict[str, Any], row: str, wide: float, high: float, scale: Scale) -> tuple[str, str]:
    """The outline of a strip's bars, each as high as the most of its stretch; and what has no height: a cross at the foot
    where numbers are none, an arrow up to the top where they are infinite."""
    sizes: Sizes = card[row]
    odd = card.get(f"{row}_odd", ())
    none, endless = {turn for turn, nan, _ in odd if nan}, {turn for turn, _, infinite in odd if infinite}
    levels, crosses = list[tuple[float, float]](), ""
    for first, end in stretches(len(sizes)):
        x, w = wide * first / len(sizes), wide * (end - first) / len(sizes)
        most = _most(sizes[first:end])
        tall = 0.0 if most is None else high * scale.of(most)
        levels.append((x, high - max(1.0, tall) if tall else high))
        if w > 3:
            levels.append((x + w - 1, high))
        c, r = x + w / 2, min(3.0, max(1.5, w / 2))
        if endless & set(range(first, end)):
            crosses += f"M{c - r:.1f} {r + 1:.1f}l{r:.1f}-{r:.1f}l{r:.1f} {r:.1f}m-{r:.1f}-{r:.1f}v{high / 2:.1f}"
        if none & set(range(first, end)):
            crosses += f"M{c - r:.1f} {high - 2 * r:.1f}l{2 * r:.1f} {2 * r:.1f}m0-{2 * r:.1f}l-{2 * r:.1f} {2 * r:.1f}"
    lying = any(level < high for _, level in levels)
    return f"{stairs(levels, high)}H{tidy(wide)}V{tidy(high)}z" if lying else "", crosses


def _most(sizes: Sizes) -> float | None:
    """The largest that is known."""
    return max((size for size in sizes if size is not None), default=None)


def stairs(levels: list[tuple[float, float]], y: float, across: Callable[[float], str] = tidy) -> str:
    """From a height to level after level, as (from where on, height), told from each to the next that is another.

    >>> stairs([(0, 4), (2, 1.5), (3, 1.5), (5, 4)], 4)
    'M0 4h2v-2.5h3v2.5'
    """
    x, y = round(levels[0][0], 1), round(y, 1)
    out = f"M{across(x)} {tidy(y)}"
    for at, level in levels:
        if (top := round(level, 1)) != y:
            place = round(at, 1)
            out += f"h{across(place - x)}v{tidy(top - y)}"
            x, y = place, top
    return out


def curve(sizes: Sizes, wide: float, high: float, scale: Scale) -> str:
    """The same of another run, as a line that lies over the bars; where there is no number, it has a gap."""
    out, pen = "", "M"
    for first, end in stretches(len(sizes)):
        most = _most(sizes[first:end])
        if most is None:
            pen = "M"
            continue
        x, y = wide * first / len(sizes), high * (1 - scale.of(most))
        out += f"{pen}{tidy(x)} {tidy(y)}H{tidy(wide * end / len(sizes))}"
        pen = "L"
    return out


def shown(card: dict[str, Any], row: str, turn: int) -> str:
    """The number beside a strip: how large, or how many of its numbers are NaN or infinite; a size of what is left would mislead.

    >>> card = {"shape": "[9]", "values": [None, None, None], "values_odd": [[0, 4, 0], [1, 0, 2], [2, 4, 2]]}
    >>> [shown(card, "values", turn) for turn in range(3)]
    ['4 NaN', '2 ∞', '4 NaN, 2 ∞']
    >>> shown({**card, "shape": "", "values_odd": [[0, 0, 1]]}, "values", 0)
    '∞'
    """
    if turn >= len(card.get(row, ())):  # it is another run's, which has fewer turns
        return words("loop.unknown")
    odd = card.get(f"{row}_odd", ())
    place = bisect_left(odd, [turn])
    _, nan, infinite = odd[place] if place < len(odd) and odd[place][0] == turn else (turn, 0, 0)
    if nan + infinite == 1 and not card["shape"]:
        return words("loop.nan_alone" if nan else "loop.infinite_alone")
    if nan or infinite:
        told = [words("loop.nan", count=nan)] if nan else []
        return ", ".join([*told, words("loop.infinite", count=infinite)] if infinite else told)
    size = card[row][turn]
    return words("loop.unknown") if size is None else spelled(size)


def all_shown(card: dict[str, Any], row: str, turns: int) -> list[str]:
    """The same of every turn."""
    sizes = card.get(row, ())
    if f"{row}_odd" in card or len(sizes) < turns:
        return [shown(card, row, turn) for turn in range(turns)]
    unknown = words("loop.unknown")
    return [unknown if size is None else spelled(size) for size in sizes[:turns]]


def spelled(size: float) -> str:
    """A size in three digits.

    >>> spelled(0.0123456), spelled(1234567.0), spelled(0.0)
    ('0.0123', '1.23e6', '0')
    """
    if size and not 1e-4 <= size < 1e5:
        mantissa, _, exponent = f"{size:.2e}".partition("e")
        return f"{mantissa}e{int(exponent)}".replace("-", "−")
    return f"{size:.3g}" if size < 1000 else f"{size:.0f}"
