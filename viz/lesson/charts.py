"""Pictures of a training loop: numbers over its steps, and a plane that a model divides into two sides."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from ..layout.sizes import digits, sans_width
from ..paint.compare import look, spread
from ..paint.ink import XMLNS, Ink, clean, following, group, number, tag
from ..picture import Drawing
from .subject import tf

WIDTH, HEIGHT, LEFT, TOP, FOOT = 560.0, 170.0, 52.0, 24.0, 40.0
PANEL, SPACE, GRID = 200.0, 12.0, 42  # px across a plane and between two, and the places that are asked across
SIDES = (("value", "round"), ("gradient", "square"))  # the colour and the dots of the side above zero, and of the other

Point = tuple[float, float]


def plot(
    up: str, curves: Sequence[float] | Mapping[str, Sequence[float]], most: float | None = None, across: str = "step"
) -> Drawing:
    """Numbers over steps: one list, or several under their names; what is higher than `most` is cut off.

    A curve has a gap where it is nan or infinite, and says so where that begins.  Raises ValueError where there is no number.

    >>> plot("loss", {"slow": [0.9, 0.8, 0.7], "quick": [0.9, 0.3, 0.1]})
    <plot of loss over 3 steps: slow, quick>
    """
    given = curves if isinstance(curves, Mapping) else {"": curves}
    named = {name: [float(level) for level in levels] for name, levels in given.items()}
    if not named or not all(named.values()):
        raise ValueError(
            f"no number of {up} to plot yet: give plot a list with one for each {across}, such as [0.9, 0.3]"
        )
    last = max(2, *(len(levels) for levels in named.values())) - 1
    finite = [level for levels in named.values() for level in levels if math.isfinite(level)]
    heights = _round(min(0.0, *finite, 0.0), most or max(0.0, *finite, 0.0) or 1.0, 4)
    bottom, top = heights[0], most or heights[-1]
    right = WIDTH - max(sans_width(name, 12.5) for name in named) * 1.1 - 16

    def x(step: float) -> float:
        return LEFT + (right - LEFT) * step / last

    def y(level: float) -> float:
        return HEIGHT - (HEIGHT - TOP) * (level - bottom) / (top - bottom)

    ink, lines, names = Ink("", "mtp"), [], list(named)
    parts = [ink.text(right, HEIGHT + 34, across, 11.5, "mute", anchor="end", sans=True)]
    parts.append(ink.text(LEFT - 9, TOP - 10, up, 11.5, "mute", anchor="end", sans=True))
    for step in _round(0.0, last, 7):
        if step <= last:
            parts.append(ink.text(x(step), HEIGHT + 17, f"{step:g}", 11, "mute", anchor="middle", sans=True))
    for level in heights:
        if level <= top:
            parts.append(ink.line(LEFT - 4, y(level), right, y(level), "line", 0.8))
            parts.append(ink.text(LEFT - 9, y(level) + 4, f"{level:g}", 11, "mute", anchor="end", sans=True))
    for place, levels in enumerate(named.values()):
        role, dash = look(place)
        lines.append(ink.curve(_line(levels, x, y), role, 1.8, stroke_dasharray=dash, stroke_linejoin="round"))
        for step in [at for at, level in enumerate(levels) if not math.isfinite(level)][:1]:
            words = f"{levels[step]:g}" + ("" if any(map(math.isfinite, levels[step:])) else " from here on")
            anchor = "end" if step > last / 2 else "start"
            parts.append(ink.text(x(step), TOP + 10 + 15 * place, words, 11.5, role, anchor=anchor, sans=True))
    box = {"x": LEFT, "y": TOP - 2, "width": right - LEFT + 1, "height": HEIGHT - TOP + 4}
    parts.append(tag("svg", *lines, viewBox=" ".join(map(number, box.values())), **box))  # cuts off what is outside
    ends = [next((level for level in reversed(levels) if math.isfinite(level)), bottom) for levels in named.values()]
    for place, at in spread([y(min(end, top)) for end in ends]):
        parts.append(ink.text(right + 8, at + 4.3, names[place], 12.5, look(place)[0], sans=True, weight=600))
    told = "; ".join(f"{name or up} {_course(levels)}" for name, levels in named.items())
    count = max(map(len, named.values()))
    words = f"{up} over {count} {across}{'s' * (count > 1)}"
    text = f"<plot of {words}{': ' if any(names) else ''}{', '.join(names)}>"
    return _drawing(ink, parts, (WIDTH, HEIGHT + FOOT), f"{words}. {told}.", text)


def _line(levels: Sequence[float], x: Callable[[float], float], y: Callable[[float], float]) -> str:
    """Numbers as an outline, with a gap where there is none."""
    there = [False, *map(math.isfinite, levels), False]
    return "".join(
        f"{'L' if there[step] else 'M'}{number(x(step))} {number(y(level))}"
        + ("h2" if not there[step] and not there[step + 2] else "")  # a number alone
        for step, level in enumerate(levels)
        if there[step + 1]
    )


def _course(levels: Sequence[float]) -> str:
    """How numbers go, in words; of a wild curve the last number says nothing, and no two machines agree on it.

    >>> _course([0.9, 0.3, 0.1]), _course([0.9, 5.0, 0.1])
    ('goes from 0.9 to 0.1', 'goes up and down, from 0.9')
    """
    way = sum(abs(after - before) for before, after in pairwise(levels))
    wild = way > 1.5 * abs(levels[-1] - levels[0])
    first, last = digits(levels[0]), digits(levels[-1])
    return f"goes up and down, from {first}" if wild else f"goes from {first} to {last}"


def _round(begin: float, end: float, count: int) -> list[float]:
    """Round numbers that reach from the beginning (0 or less) to the end, about so many of them.

    >>> _round(0, 599, 7), _round(-0.2, 0.37, 4)
    ([0.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0], [-0.2, 0.0, 0.2, 0.4])
    """
    size = 10.0 ** math.floor(math.log10((end - begin) / count))
    gap = next(size * step for step in (1, 2, 5, 10) if (end - begin) / (size * step) <= count)
    return [float(f"{gap * place:.12g}") for place in range(math.floor(begin / gap), math.ceil(end / gap) + 1)]


def plane(points: Any, labels: Any, scores: Mapping[str, Callable[[Any], Any]] | None = None) -> Drawing:
    """Points of two kinds: dots where the label is above zero, squares where it is not.

    `scores` are functions of places (a float32 tensor of two columns) under their names: each has a plane of its own, in which
    the places that it gives more than zero are on the side of the dots.

    >>> points, labels = tf.constant([[0.0, 1.0], [1.0, 0.0]]), tf.constant([1.0, -1.0])
    >>> plane(points, labels, {"upper half": lambda places: places[:, 1] - 0.5})
    <plane of 2 points: upper half>
    """
    spots, above = np.asarray(points, np.float64), np.asarray(labels).reshape(-1) > 0
    if spots.ndim != 2 or spots.shape[1] != 2 or len(spots) != len(above) or not len(spots):
        shapes = f"{list(np.shape(points))} and {list(np.shape(labels))}"
        raise ValueError(f"plane takes points of shape [n, 2] and a label for each, not {shapes}")
    low, high = spots.min(axis=0), spots.max(axis=0)
    high = np.where(high > low, high, low + 1.0)
    low, high = low - 0.08 * (high - low), high + 0.08 * (high - low)
    size = PANEL / (high[0] - low[0])
    tall = float(size * (high[1] - low[1]))
    ink, planes, told = Ink("", "mtq"), [], []
    asked: Mapping[str, Callable[[Any], Any] | None] = {**scores} if scores else {"": None}
    for place, (name, score) in enumerate(asked.items()):
        parts = []
        if score is not None:
            across, up = np.meshgrid(np.linspace(low[0], high[0], GRID), np.linspace(high[1], low[1], GRID))
            places = tf.constant(np.stack([across.ravel(), up.ravel()], axis=1), tf.float32)
            heights = np.nan_to_num(np.asarray(score(places), np.float64)).reshape(GRID, GRID)  # nan is on no side
            parts = _sides(ink, heights, PANEL / (GRID - 1), tall / (GRID - 1))
            scored = np.asarray(score(tf.constant(spots, tf.float32))).reshape(-1)
            right = np.sum(((scored > 0) == above) & ~np.isnan(scored))
            told.append(f"{name}: {right} of {len(spots)} on their side")
        for kind, (role, cap) in zip((above, ~above), SIDES, strict=True):
            d = "".join(f"M{number((x - low[0]) * size)} {number((high[1] - y) * size)}h0" for x, y in spots[kind])
            parts.append(ink.curve(d, role, 4.4, stroke_linecap=cap))
        parts.append(ink.text(PANEL / 2, tall + 18, name, 12, "mute", anchor="middle", sans=True))
        planes.append(group(*parts, transform=f"translate({place * (PANEL + SPACE):.0f} 4)"))
    zoom = 1.5 if scores is None else 1.0
    width, text = len(planes) * (PANEL + SPACE) - SPACE, f"plane of {len(spots)} points"
    words = f"{text}, {int(above.sum())} of them dots and {int((~above).sum())} squares. {'; '.join(told)}".rstrip()
    return _drawing(
        ink, planes, (width, tall + 28), words, f"<{text}{': ' if told else ''}{', '.join(scores or {})}>", zoom
    )


def _sides(ink: Ink, heights: Any, wide: float, tall: float) -> list[str]:
    """The plane in two colours, and between them the border: in each square of four places it is a straight line."""
    parts, border = [], ""
    for sign, (role, _) in zip((1, -1), SIDES, strict=True):
        region = ""
        for row, (upper, lower) in enumerate(pairwise(sign * heights)):
            levels = list(zip(upper, upper[1:], lower[1:], lower))  # at the corners of each square, clockwise
            full = [min(square) > 0 for square in levels]
            for whole, run in groupby(range(len(full)), full.__getitem__):
                columns = list(run)
                if whole:
                    first, last = columns[0], columns[-1] + 1
                    region += _path([(first, row), (last, row), (last, row + 1), (first, row + 1)], wide, tall)
                for column in [] if whole else columns:
                    corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
                    inside, crossed = _part(corners, levels[column])
                    region += _path(inside, wide, tall)
                    border += "".join(_path(crossed[at : at + 2], wide, tall) for at in (0, 2) if sign > 0)
        parts.append(tag("path", d=region, **ink.fill(role), fill_opacity=0.16))
    return [*parts, ink.curve(border, "ink", 1.4, stroke_linecap="round")]


def _part(corners: Sequence[Point], levels: Sequence[float]) -> tuple[list[Point], list[Point]]:
    """Of a square, what is above zero, and where its sides are at zero.

    >>> _part([(0, 0), (1, 0), (1, 1), (0, 1)], [1.0, 1.0, -1.0, -1.0])
    ([(0, 0), (1, 0), (1.0, 0.5), (0.0, 0.5)], [(1.0, 0.5), (0.0, 0.5)])
    """
    inside, crossed = [], []
    for here, there in ((0, 1), (1, 2), (2, 3), (3, 0)):
        (x, y), (x1, y1), level, next_level = corners[here], corners[there], levels[here], levels[there]
        if level > 0:
            inside.append((x, y))
        if (level > 0) != (next_level > 0):
            share = level / (level - next_level)
            crossed.append((x + share * (x1 - x), y + share * (y1 - y)))
            inside.append(crossed[-1])
    return inside, crossed


def _path(points: list[Point], wide: float, tall: float) -> str:
    return "M" + "L".join(f"{number(x * wide)} {number(y * tall)}" for x, y in points) if points else ""


def _drawing(ink: Ink, parts: list[str], size: Point, words: str, text: str, zoom: float = 1.0) -> Drawing:
    body = tag("title", clean(words)) + group(*parts)
    named = {"id": ink.prefix, "role": "img", "aria_label": words, "viewBox": f"0 0 {size[0]:.0f} {size[1]:.0f}"}
    sides = {"width": f"{size[0] * zoom:.0f}", "height": f"{size[1] * zoom:.0f}"}
    svg = tag("svg", body, following(ink, body), xmlns=XMLNS, **sides, **named)
    return Drawing(lambda: svg, words, text)
