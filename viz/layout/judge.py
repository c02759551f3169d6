"""Which of several drawings of the same graph reads best: counts of faults, compared from the worst kind on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

from .curve import Point, hull, runs_through, sampled
from .dotfile import Plan
from .read import Box, Drawing, hits, label_box, overlap

MANY = 60  # edges; beyond that crossings are not counted, because counting takes longer than drawing


def sound(plan: Plan, drawing: Drawing) -> bool:
    """Whether no two cards overlap, every card lies in the boxes of its regions, and regions lie in their parents."""
    boxes = list(drawing.nodes.values())
    if any(overlap(a, b, 0.5) for a, b in combinations(boxes, 2)):
        return False
    for key, box in drawing.nodes.items():
        if not all(_inside(box, drawing.regions[region]) for region in plan.above(key) if region in drawing.regions):
            return False
    return all(
        _inside(box, drawing.regions[plan.parents[key]])
        for key, box in drawing.regions.items()
        if plan.parents.get(key, "") in drawing.regions
    )


def _inside(box: Box, room: Box) -> bool:
    return (
        box[0] >= room[0] - 0.5
        and box[1] >= room[1] - 0.5
        and box[0] + box[2] <= room[0] + room[2] + 0.5
        and box[1] + box[3] <= room[1] + room[3] + 0.5
    )


def faults(plan: Plan, drawing: Drawing) -> tuple[float, ...]:
    """What is wrong with a drawing, to be compared: the smaller the better."""
    regions = [region for region in plan.scene.regions if region["id"] in drawing.regions]
    written_over = sum(hits(drawing, label_box(plan, region, drawing.labels[region["id"]])) for region in regions)
    return (
        round(disorder(plan, drawing), 1),
        through_cards(plan, drawing) + 0.5 * written_over + 0.34 * crossings(drawing),
        drawing.size[0] * drawing.size[1],
    )


def reading_order(plan: Plan) -> dict[str, int]:
    """The rank of every value's home: what lies directly in a region before the regions in it, and these in scene order."""
    rank: dict[str, int] = {}
    for at, region in enumerate(_in_order(plan, "")):
        rank.update(dict.fromkeys(plan.members.get(region, []), at))
    return rank


def _in_order(plan: Plan, region: str) -> Iterator[str]:
    """A region and all that lie in it, in scene order."""
    yield region
    for child in plan.children(region):
        yield from _in_order(plan, child)


def disorder(plan: Plan, drawing: Drawing) -> float:
    """The share of pairs of values in different regions that stand the wrong way round, across the reading direction."""
    axis, rank = (0 if drawing.direction == "TB" else 1), reading_order(plan)
    middle = {key: box[axis] + box[axis + 2] / 2 for key, box in drawing.nodes.items()}
    pairs = [(a, b) for a, b in combinations(rank, 2) if rank[a] != rank[b]]
    wrong = sum((rank[a] < rank[b]) != (middle[a] <= middle[b]) for a, b in pairs)
    return wrong / len(pairs) if pairs else 0.0


def through_cards(plan: Plan, drawing: Drawing) -> int:
    """How many times an edge runs through a card that is neither of its ends."""
    count = 0
    for edge in plan.edges:
        points = drawing.edges[edge["id"]]
        left, top, right, bottom = hull(points)
        line: list[Point] = []
        for key, (x, y, w, h) in drawing.nodes.items():
            if x < right and x + w > left and y < bottom and y + h > top and key not in (edge["a"], edge["b"]):
                line = line or sampled(points)
                count += runs_through(line, [x, y, w, h])
    return count


def crossings(drawing: Drawing) -> int:
    """How many pairs of edges cross, those that share an end near it left out."""
    if len(drawing.edges) > MANY:
        return 0
    lines = [sampled(line, 6)[1:-1] for line in drawing.edges.values()]
    framed = [(list(pairwise(line)), hull(line)) for line in lines]
    count = 0
    for (pieces, p), (others, q) in combinations(framed, 2):
        if p[0] <= q[2] and q[0] <= p[2] and p[1] <= q[3] and q[1] <= p[3]:
            count += any(_cross(*piece, *other) for piece in pieces for other in others)
    return count


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether either straight line parts the ends of the other."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = a, b, c, d
    along, down = bx - ax, by - ay
    if (along * (cy - ay) - down * (cx - ax)) * (along * (dy - ay) - down * (dx - ax)) >= 0:
        return False
    along, down = dx - cx, dy - cy
    return (along * (ay - cy) - down * (ax - cx)) * (along * (by - cy) - down * (bx - cx)) < 0
