"""Chains of cubic Béziers, as Graphviz gives them and SVG draws them: `M x y C x y x y x y ...`."""

from __future__ import annotations

import math
import re
from functools import lru_cache

Point = tuple[float, float]
BEND = 0.36  # how long the handles of a curve are that leads smoothly on, as a share of the way from end to end


def parsed(path: str) -> list[Point]:
    """The points of an SVG path of one move and cubic curves.

    >>> parsed("M0 0C1 1 2 1 3 0")
    [(0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (3.0, 0.0)]
    """
    flat = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path)]
    return list(zip(flat[::2], flat[1::2], strict=True))


def written(points: list[Point]) -> str:
    """The SVG path through these points.

    >>> written([(0, 0), (1, 1), (2, 1), (3, 0)])
    'M0 0C1 1 2 1 3 0'
    """
    pairs = [f"{tidy(x)} {tidy(y)}" for x, y in points]
    return f"M{pairs[0]}" + "".join("C" + " ".join(pairs[at : at + 3]) for at in range(1, len(pairs), 3))


_CHAIN = re.compile(r"M[-\d. ]+(?:C[-\d. ]+)+")


@lru_cache(maxsize=8192)
def relative(path: str) -> str:
    """The same chain in fewer letters: each curve from where the last one ended, what is straight as a line.  So two pictures of
    one run differ less, too: what was moved differs in its first point alone.

    >>> relative("M10 10C10 20 30 20 30 10C30 10 40 10 40 10"), relative("M0 0H5")
    ('M10 10c0 10 20 10 20 0h10', 'M0 0H5')
    """
    if not _CHAIN.fullmatch(path):
        return path
    (x, y), *points = parsed(path)
    out = f"M{_row(x, y)}"
    for at in range(0, len(points), 3):
        a, b, (u, v) = points[at : at + 3]
        if {a, b} <= {(x, y), (u, v)}:
            out += f"h{tidy(u - x)}" if v == y else f"v{tidy(v - y)}" if u == x else f"l{_row(u - x, v - y)}"
        else:
            # An end is seen closer.
            bend = [float(round(number)) for number in (a[0] - x, a[1] - y, b[0] - x, b[1] - y)]
            out += "c" + _row(*bend, u - x, v - y)
        x, y = u, v
    return out


def _row(*numbers: float) -> str:
    """Numbers beside each other; a minus is gap enough."""
    return " ".join(map(tidy, numbers)).replace(" -", "-")


def tidy(number: float) -> str:
    """A coordinate to a tenth of a pixel, as short as it can be.

    >>> tidy(3.0), tidy(-0.04), tidy(2.25)
    ('3', '0', '2.2')
    """
    text = f"{number:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


@lru_cache
def _shares(per: int) -> list[tuple[float, float, float, float]]:
    """What the four points of a cubic Bézier weigh at each of `per` steps along it."""
    ways = [(1 - t / per, t / per) for t in range(1, per + 1)]
    return [(s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t) for s, t in ways]


def sampled(points: list[Point], per: int = 12) -> list[Point]:
    """Points along the chain, `per` steps in each curve, both ends among them."""
    out, shares = [points[0]], _shares(per)
    for at in range(0, len(points) - 3, 3):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = points[at : at + 4]
        out += [(p * ax + q * bx + r * cx + u * dx, p * ay + q * by + r * cy + u * dy) for p, q, r, u in shares]
    return out


def steps(line: list[Point]) -> list[float]:
    """How far each point of a polyline is from the one before."""
    return list(map(math.dist, line, line[1:]))


def along(line: list[Point], way: float, parts: list[float] | None = None) -> tuple[Point, Point]:
    """The point after `way` px of a polyline, and the direction there (a unit vector); its `steps` may be given."""
    for at, step in enumerate(steps(line) if parts is None else parts):
        if step and way <= step:
            (a, b), f = line[at : at + 2], max(way, 0) / step
            return (a[0] + (b[0] - a[0]) * f, a[1] + (b[1] - a[1]) * f), ((b[0] - a[0]) / step, (b[1] - a[1]) / step)
        way -= step
    if len(line) < 2:
        return line[0], (1.0, 0.0)
    (ax, ay), (bx, by) = line[-2], line[-1]
    step = math.dist(line[-2], line[-1]) or 1.0
    return line[-1], ((bx - ax) / step, (by - ay) / step)


def heading(a: Point, b: Point) -> Point:
    """The direction from one point to another, as a unit vector."""
    long = math.dist(a, b) or 1.0
    return (b[0] - a[0]) / long, (b[1] - a[1]) / long


def hull(points: list[Point]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of points; a chain surely lies within those of its control points."""
    left, top = right, bottom = points[0]
    for x, y in points:  # `min` and `max` of few take four times as long
        if x < left:
            left = x
        elif x > right:
            right = x
        if y < top:
            top = y
        elif y > bottom:
            bottom = y
    return left, top, right, bottom


def meets(points: list[Point], box: list[float]) -> bool:
    """Whether a chain of Béziers runs through the inside of a box.

    >>> path = parsed("M0 0C1 1 9 9 10 10")
    >>> meets(path, [4, 4, 2, 2]), meets(path, [4, 0, 2, 2])
    (True, False)
    """
    left, top, right, bottom = box[0], box[1], box[0] + box[2], box[1] + box[3]
    x1, y1, x2, y2 = hull(points)
    if x2 <= left or x1 >= right or y2 <= top or y1 >= bottom:
        return False
    return runs_through(sampled(points), box)


def runs_through(line: list[Point], box: list[float]) -> bool:
    """Whether a polyline runs through the inside of a box."""
    left, top, right, bottom = box[0], box[1], box[0] + box[2], box[1] + box[3]
    x1, y1 = line[0]
    for x2, y2 in line[1:]:  # most pieces lie on one side: a call for each would take most of the time
        beside = (x1 <= left and x2 <= left) or (x1 >= right and x2 >= right) or (y1 <= top and y2 <= top)
        if not beside and cuts((x1, y1), (x2, y2), left, top, right, bottom):
            return True
        x1, y1 = x2, y2
    return False


def cuts(a: Point, b: Point, left: float, top: float, right: float, bottom: float) -> bool:
    """Whether a straight line runs through the inside of a box.

    >>> cuts((0, 0), (9, 9), 4, 4, 6, 6), cuts((0, 4), (4, 0), 2, 2, 6, 6), cuts((9, 1), (5, 5), 2, 2, 6, 6)
    (True, False, True)
    """
    (x1, y1), (x2, y2) = a, b
    if (x1 <= left and x2 <= left) or (x1 >= right and x2 >= right):  # most do: `min` and `max` took half of the time
        return False
    if (y1 <= top and y2 <= top) or (y1 >= bottom and y2 >= bottom):
        return False
    # It has corners of the box on either side: of the four products each corner has one of the first two and one of the others.
    wide, high = x2 - x1, y2 - y1
    least, most = wide * (top - y1), wide * (bottom - y1)
    low, far = high * (left - x1), high * (right - x1)
    if wide < 0:
        least, most = most, least
    if high < 0:
        low, far = far, low
    return (least < far and low < most) or a == b
