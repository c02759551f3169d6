"""A long line of cards, broken into rows as a line of text is, so that a chain fills a page."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from .curve import Point, hull
from .dotfile import MARGIN, Plan
from .judge import through_cards
from .read import EDGE, Box, Drawing, foreign, hold_reasons, overlap, set_labels, shift, widen_grounds

ROOM = (840.0, 460.0)  # px that a page leaves to the graph
WORTH = 1.15  # how much larger it must come out to be broken
LANE = 46.0  # px between two rows, for the edge that leads from one to the next and the number on it
TURN = 16.0  # px that this edge reaches beyond its row, and twice the radius of its corners
ENTRY = 36.0  # px before a row, where a pin may stand
MOST_ROWS, MOST_CROSSING = 4, 2


def wrapped(plan: Plan, drawing: Drawing) -> Drawing:
    """The drawing in as many rows as make it largest in a page's room; itself where it fits, or cannot be broken cleanly."""
    best, size = drawing, fit(drawing)
    if size >= 1.0:
        return drawing
    most = through_cards(plan, drawing)
    for count in range(2, MOST_ROWS + 1):
        cuts = _cuts(plan, drawing, count)
        rows = _in_rows(plan, drawing, cuts, most) if cuts else None
        if rows is not None and fit(rows) > size * WORTH:
            best, size = rows, fit(rows)
    return best


def fit(drawing: Drawing) -> float:
    """How large it can be drawn in the room of a page, 1 at most."""
    return min(ROOM[0] / drawing.size[0], ROOM[1] / drawing.size[1], 1.0)


def _cuts(plan: Plan, drawing: Drawing, count: int) -> list[float]:
    """Where to break the line into so many rows of much the same width; empty where that cannot be."""
    places = _places(plan, drawing)
    wide, found = drawing.size[0], []
    for at in range(1, count):
        if not places:
            return []
        goal = wide * at / count
        found.append(min(places, key=lambda place: abs(place - goal) / wide + 0.03 * places[place]))
    return found if all(b - a > 1 for a, b in pairwise(found)) else []


def _places(plan: Plan, drawing: Drawing) -> dict[float, int]:
    """Between which cards the line may be broken, and how many regions each of these places runs through."""
    spans = sorted((x, x + w) for x, _, w, _ in drawing.nodes.values())
    walls = [wall for x, _, w, _ in drawing.regions.values() for wall in (x, x + w)]
    places, reached = {}, spans[0][1]
    for left, right in spans[1:]:
        if left > reached:
            stops = sorted([reached, left, *(wall for wall in walls if reached < wall < left)])
            options = {(a + b) / 2: _crossed(drawing, (a + b) / 2) for a, b in pairwise(stops)}
            place = min(options, key=lambda option: options[option])
            if len(_over(plan, drawing, place)) <= MOST_CROSSING:
                places[place] = options[place]
        reached = max(reached, right)
    return places


def _crossed(drawing: Drawing, place: float) -> int:
    return sum(x < place < x + w for x, _, w, _ in drawing.regions.values())


def _over(plan: Plan, drawing: Drawing, place: float) -> list[str]:
    """The edges that lead from one side of a place to the other."""
    nodes = drawing.nodes
    return [edge["id"] for edge in plan.edges if nodes[edge["a"]][0] < place < nodes[edge["b"]][0]]


def _in_rows(plan: Plan, drawing: Drawing, cuts: list[float], most: int) -> Drawing | None:
    """The drawing broken at these places; None where an edge leads past a row, or more than `most` edges run through cards, or
    something else would lie on something."""
    row = {key: sum(x > cut for cut in cuts) for key, (x, *_) in drawing.nodes.items()}
    whole = {
        key: sum(x > cut for cut in cuts)
        for key, (x, _, w, _) in drawing.regions.items()
        if not any(x < cut < x + w for cut in cuts)
    }
    if any(row[edge["b"]] - row[edge["a"]] not in (0, 1) for edge in plan.edges):
        return None
    rows = _stacked(drawing, cuts, row, whole)
    moved = Drawing(drawing.direction, {}, {}, {})
    moved.nodes = {key: _by(box, rows[row[key]].move) for key, box in drawing.nodes.items()}
    moved.edges = _led(plan, drawing, rows, row)
    grounds: dict[str, Box] = {}
    for key in sorted(drawing.regions, key=lambda region: -len(plan.around[region])):  # what lies inside comes first
        if key in whole:
            grounds[key] = _by(drawing.regions[key], rows[whole[key]].move)
        else:
            held = [moved.nodes[value] for value in plan.values if key in plan.above(value)]
            grounds[key] = _hull(held + [box for inner, box in grounds.items() if plan.parents.get(inner) == key])
    moved.regions = {key: grounds[key] for key in drawing.regions}
    if not _clean(plan, moved):
        return None
    widen_grounds(plan, moved)
    hold_reasons(plan, moved)
    set_labels(plan, moved)
    shift(moved)
    return moved if through_cards(plan, moved) <= most else None


@dataclass(slots=True, frozen=True)
class Row:
    """How a row is moved to its place, and the corridor around it: where an edge enters, how far right and low it reaches."""

    move: Point
    entry: float
    right: float
    low: float


def _stacked(drawing: Drawing, cuts: list[float], row: dict[str, int], whole: dict[str, int]) -> list[Row]:
    """The rows under each other, each as high as what it holds."""
    rows: list[Row] = []
    top = 0.0
    for at in range(len(cuts) + 1):
        boxes = [drawing.nodes[key] for key in row if row[key] == at]
        boxes += [drawing.regions[key] for key in whole if whole[key] == at]
        left, high, right, low = _ends(boxes)
        indent = _indent(drawing, cuts, at, rows)
        rows.append(Row((indent - left, top - high), indent - ENTRY, indent + right - left, top + low - high))
        top += low - high + LANE
    return rows


def _indent(drawing: Drawing, cuts: list[float], at: int, rows: list[Row]) -> float:
    """Where a row begins: beneath what its cut runs through, so that nothing foreign lies between that region's parts."""
    through = [x for x, _, w, _ in drawing.regions.values() if at and x < cuts[at - 1] < x + w]
    begins = [x + rows[sum(x > cut for cut in cuts)].move[0] for x in through]
    return max([0.0, *(x + ENTRY + EDGE for x in begins if x > MARGIN)])


def _led(plan: Plan, drawing: Drawing, rows: list[Row], row: dict[str, int]) -> dict[str, list[Point]]:
    """The edges, moved with their row or led around its end, each in a corridor of its own."""
    lines: dict[str, list[Point]] = {}
    taken = [0] * len(rows)
    for edge in plan.edges:
        line, at, to = drawing.edges[edge["id"]], row[edge["a"]], row[edge["b"]]
        if at == to:
            lines[edge["id"]] = [_at(point, rows[at].move) for point in line]
            continue
        apart = 9.0 * taken[at]
        taken[at] += 1
        right, lane, left = rows[at].right + TURN + apart, rows[at].low + LANE / 2 + apart, rows[to].entry - apart
        lines[edge["id"]] = _around(_at(line[0], rows[at].move), _at(line[-1], rows[to].move), right, lane, left)
    return lines


def _at(point: Point, by: Point) -> Point:
    return point[0] + by[0], point[1] + by[1]


def _by(box: Box, by: Point) -> Box:
    return [box[0] + by[0], box[1] + by[1], box[2], box[3]]


def _hull(boxes: list[Box]) -> Box:
    """The ground that holds these boxes, with air around them and room for its name above."""
    left, top, right, bottom = _ends(boxes)
    return [left - MARGIN, top - MARGIN - 14, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN + 14]


def _ends(boxes: list[Box]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of all boxes."""
    return hull([corner for x, y, w, h in boxes for corner in ((x, y), (x + w, y + h))])


def _clean(plan: Plan, drawing: Drawing) -> bool:
    """Whether no ground lies under a card, or a ground, that does not belong to it."""
    return not any(overlap(box, other) for key, box in drawing.regions.items() for other in foreign(plan, drawing, key))


def _around(start: Point, end: Point, right: float, lane: float, left: float) -> list[Point]:
    """From a row's last card out to the right, back between the rows, and from the left into the next row."""
    (x1, y1), (x2, y2) = start, end
    corner = TURN / 2
    stops: list[tuple[Point, Point, Point]] = []  # into a corner, its tip, out of it
    for (x, y), (dx, dy), (ex, ey) in (
        ((right, y1), (-1, 0), (0, 1)),
        ((right, lane), (0, -1), (-1, 0)),
        ((left, lane), (1, 0), (0, 1)),
        ((left, y2), (0, -1), (1, 0)),
    ):
        stops.append(((x + corner * dx, y + corner * dy), (x, y), (x + corner * ex, y + corner * ey)))
    points = [(x1, y1)]
    for into, tip, out in stops:
        points += [*_straight(points[-1], into), tip, tip, out]
    return [*points, *_straight(points[-1], (x2, y2))]


def _straight(a: Point, b: Point) -> list[Point]:
    return [(a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part) for part in (1 / 3, 2 / 3, 1)]
