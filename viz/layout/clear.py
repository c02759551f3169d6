"""Edges led around what they would run through: cards that they do not belong to, and the words of regions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from heapq import heappop, heappush

from .curve import BEND, Point, cuts, heading, hull, meets, runs_through, sampled
from .dotfile import Plan
from .read import Box, Drawing, label_box, shift

AIR = 2.0  # px around a card in which an edge seems to touch it
NEAR = 5.0  # px that a detour stays away at least
LANES, LANE = 4, 3.0  # how many ways there are round a corner, and px from one to the next
RUN_UP = 14.0  # px of an edge on either side that bend with it
ROOM = (60.0, 400.0)  # px around a detour in which a way is looked for, first and then
BENDS = (BEND, 0.2, 0.08)  # how smoothly a way may bend, the best first
PER = 24  # how finely an edge is looked at


def clear(plan: Plan, drawing: Drawing) -> None:
    """Lead each edge that runs through a card or a region's label around it, where there is a way; all else stays."""
    words = [
        label_box(plan, region, drawing.labels[region["id"]])
        for region in plan.scene.regions
        if region["id"] in drawing.labels
    ]
    led, unseen = 0, set(plan.unseen)
    for edge in plan.edges:
        line = drawing.edges[edge["id"]]
        left, top, right, bottom = hull(line)
        solid = [_wide(box, AIR) for key, box in drawing.nodes.items() if key not in (edge["a"], edge["b"])] + words
        near = [
            box
            for box in solid
            if box[0] < right and box[0] + box[2] > left and box[1] < bottom and box[1] + box[3] > top
        ]
        if edge["id"] in unseen or not near:
            continue
        points = sampled(line)
        if not any(runs_through(points, box) for box in near):
            continue
        own = [drawing.nodes[edge["a"]], drawing.nodes[edge["b"]]]
        drawing.edges[edge["id"]] = _around(line, solid, own, NEAR + led % LANES * LANE)
        led += drawing.edges[edge["id"]] is not line
    if led:
        shift(drawing)


def _around(line: list[Point], solid: list[Box], own: list[Box], far: float) -> list[Point]:
    """The line with a detour for each of its stretches that runs through something solid; itself where there is no way."""
    points, begin, out = sampled(line, PER), 0, list[Point]()
    for first, last in _joined(points, solid, far):
        way = _way(points[first], points[last], solid, own, far)
        if not way:
            return line
        begins, ends = (heading(points[max(0, at - 1)], points[min(len(points) - 1, at + 1)]) for at in (first, last))
        curves = [_bent(way, begins, ends, share) for share in BENDS]
        bent = min(curves, key=lambda curve: _hits(curve, solid))
        out += [*_part(line, begin, first)[bool(out) :], *bent[1:]]
        begin = last
    whole = [*out, *_part(line, begin, len(points) - 1)[1:]] if out else line
    return whole if _hits(whole, solid) < _hits(line, solid) else line


def _joined(points: list[Point], solid: list[Box], far: float) -> list[tuple[int, int]]:
    """From which point to which the line bends; where one run-up would begin in another, it does so once."""
    out: list[tuple[int, int]] = []
    for first, last in _stretches(points, solid, far):
        first, last = _run_up(points, first, -1), _run_up(points, last, 1)
        if out and first < out[-1][1]:
            first = out.pop()[0]
        out.append((first, last))
    return out


def _hits(line: list[Point], solid: list[Box]) -> int:
    return sum(meets(line, box) for box in solid)


def _wide(box: Box, by: float) -> Box:
    return [box[0] - by, box[1] - by, box[2] + 2 * by, box[3] + 2 * by]


def _cuts(a: Point, b: Point, box: Box) -> bool:
    return cuts(a, b, box[0], box[1], box[0] + box[2], box[1] + box[3])


def _stretches(points: list[Point], solid: list[Box], far: float) -> Iterator[tuple[int, int]]:
    """From which point to which the line is near something solid, if it runs through it there."""
    left, top, right, bottom = hull(points)
    boxes = [
        (box, _wide(box, far))
        for box in solid
        if box[0] - far < right
        and box[0] + box[2] + far > left
        and box[1] - far < bottom
        and box[1] + box[3] + far > top
    ]
    begin, through = -1, False
    for at, (a, b) in enumerate(zip(points, points[1:], strict=False)):
        near = [box for box, wide in boxes if _cuts(a, b, wide)]
        if near and begin < 0:
            begin, through = at, False
        through = through or any(_cuts(a, b, box) for box in near)
        if begin >= 0 and not near:
            if through:
                yield begin, at
            begin = -1
    if begin >= 0 and through:
        yield begin, len(points) - 1


def _run_up(points: list[Point], at: int, by: int) -> int:
    """The point that lies a run-up before or behind one."""
    start = points[at]
    while 0 < at < len(points) - 1 and math.dist(points[at], start) < RUN_UP:
        at += by
    return at


def _way(a: Point, b: Point, solid: list[Box], own: list[Box], far: float) -> list[Point]:
    """The shortest way from corner to corner of what is solid; empty where there is none."""
    for room in ROOM:
        x, y, w, h = (
            min(a[0], b[0]) - room,
            min(a[1], b[1]) - room,
            abs(a[0] - b[0]) + 2 * room,
            abs(a[1] - b[1]) + 2 * room,
        )
        boxes = [_wide(box, far) for box in solid] + [_wide(box, 1.0) for box in own]
        boxes = [
            box for box in boxes if box[0] < x + w and box[0] + box[2] > x and box[1] < y + h and box[1] + box[3] > y
        ]
        boxes = [box for box in boxes if not _within(a, box) and not _within(b, box)]
        corners = [
            (u, v)
            for box in boxes
            for u in (box[0], box[0] + box[2])
            for v in (box[1], box[1] + box[3])
            if not any(_within((u, v), other) for other in boxes)
        ]
        if way := _shortest(a, b, corners, boxes):
            return way
    return []


def _within(point: Point, box: Box) -> bool:
    return box[0] < point[0] < box[0] + box[2] and box[1] < point[1] < box[1] + box[3]


def _shortest(a: Point, b: Point, corners: list[Point], boxes: list[Box]) -> list[Point]:
    queue, done = [(math.dist(a, b), 0.0, [a])], set[Point]()
    while queue:
        _, gone, way = heappop(queue)
        here = way[-1]
        if here == b:
            return way
        if here in done:
            continue
        done.add(here)
        for there in (b, *corners):
            if there not in done and not any(_cuts(here, there, box) for box in boxes):
                more = gone + math.dist(here, there)
                heappush(queue, (more + math.dist(there, b), more, [*way, there]))
    return []


def _bent(way: list[Point], begin: Point, end: Point, share: float) -> list[Point]:
    """A smooth line through the corners of a way, with these directions at its ends; the smaller the share, the sharper."""
    inner = [heading(a, c) for a, c in zip(way, way[2:], strict=False)]
    headings, out = [begin, *inner, end], [way[0]]
    for (a, b), u, v in zip(zip(way, way[1:], strict=False), headings, headings[1:], strict=False):
        long = math.dist(a, b) * share
        out += [(a[0] + u[0] * long, a[1] + u[1] * long), (b[0] - v[0] * long, b[1] - v[1] * long), b]
    return out


def _part(line: list[Point], first: int, last: int) -> list[Point]:
    """The chain from one of its sampled points to another."""
    out: list[Point] = []
    for at in range(0, len(line) - 3, 3):
        low, high = max(0.0, first / PER - at / 3), min(1.0, last / PER - at / 3)
        if low < high:
            out += _cut(line[at : at + 4], low, high)[bool(out) :]
    return out or [line[round(first / PER) * 3]]


def _cut(curve: list[Point], low: float, high: float) -> list[Point]:
    """A stretch of one Bézier as a Bézier."""
    head = _halves(curve, high)[0]
    return _halves(head, low / high)[1] if low else head


def _halves(curve: list[Point], at: float) -> tuple[list[Point], list[Point]]:
    rows = [curve]
    while len(rows[-1]) > 1:
        rows.append(
            [(a + (c - a) * at, b + (d - b) * at) for (a, b), (c, d) in zip(rows[-1], rows[-1][1:], strict=False)]
        )
    return [row[0] for row in rows], [row[-1] for row in reversed(rows)]
