"""Positions without Graphviz: a layered drawing of our own, for machines that have neither engine, the same on all of them.

`layers` gives each value a rank and each rank an order; here both become coordinates.  Along the reading direction ranks
follow each other with room for walls, numbers and pins between them.  Across it, one question to the network simplex
places values, waypoints and the walls of regions at once, so that edges run straight and nothing shares a place.
Coordinates across are whole numbers of half pixels.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .curve import Point, hull, meets, sampled
from .dotfile import MARGIN, Plan, offsets, spacing
from .engine import LayoutError
from .judge import faults, sound
from .layers import Item, Layers, Part, ordered
from .read import Box, Drawing, tidied
from .simplex import Distance, solve
from .sizes import LABEL, label_width

HEAD = MARGIN + LABEL + 4  # px from a region's upper wall to what it holds: its label stands there
LANE = 12  # px that a waypoint keeps free for its edge
BESIDE_EDGE, BESIDE_WALL = 12, 24  # px from an edge, or a region's wall, to what stands beside it
STRAIGHT = {0: 1, 1: 2, 2: 6}  # what a bend costs, by how many ends of the piece are waypoints
TIGHT = 3  # what a region's breadth costs
ORDER = 0.7
SWAY = 40  # px that an edge may leave its waypoints by: the lanes of other edges are not far
NEAR = 5  # px that an edge stays away from a card that it passes


def drawings(plan: Plan, quick: bool = False) -> dict[str, Drawing]:
    """The best drawing of a plan in each direction; raises LayoutError where values use each other in a circle."""
    try:
        first = Layers.of(plan)
    except ValueError as fault:
        raise LayoutError("values that use each other in a circle have no order to be drawn in") from fault
    tries = [(False, 0.1)] if quick else [(False, 0.1), (True, 0.1), (False, 2.0)]
    orders = [ordered(first, backwards, after) for backwards, after in tries]
    best = {}
    for direction in ("LR", "TB"):
        drawn = [_drawn(layers, direction) for layers in orders]
        best[direction] = min(drawn, key=lambda drawing: _worth(plan, drawing))
    return best


def _worth(plan: Plan, drawing: Drawing) -> tuple[float, ...]:
    """The cost of a drawing; a pair of values out of reading order costs two crossings."""
    disorder, wrong, area = faults(plan, drawing)
    return not sound(plan, drawing), ORDER * disorder + wrong, area


def _drawn(layers: Layers, direction: str) -> Drawing:
    """One drawing: along and across first, then boxes and curves, then what all drawings go through."""
    plan = layers.plan
    sheet = Sheet(layers, direction)
    sheet.place_across()
    sheet.place_along()
    drawing = Drawing(direction, {}, {}, {})
    for key in plan.values:
        drawing.nodes[key] = sheet.box(sheet.values[key])
    drawing.regions = {
        region["id"]: sheet.ground(region["id"]) for region in plan.scene.regions if region["id"] in layers.spans
    }
    for at, edge in enumerate(plan.edges):
        drawing.edges[edge["id"]] = _led(plan, drawing, sheet.waypoints(at), edge)
    return tidied(plan, drawing)


@dataclass(slots=True)
class Sheet:
    """Where things stand, along the reading direction and across it."""

    layers: Layers
    direction: str
    across: dict[int, float] = field(default_factory=dict)  # the middle of each item, by id()
    walls: dict[str, tuple[float, float]] = field(default_factory=dict)  # of each region, across
    ends: dict[str, tuple[float, float]] = field(default_factory=dict)  # and along
    ranks: list[tuple[float, float]] = field(default_factory=list)  # where each begins, and ends
    values: dict[str, Item] = field(default_factory=dict)
    apart: tuple[float, float] = (0.0, 0.0)  # neighbours in a rank, and ranks

    def __post_init__(self) -> None:
        plan = self.layers.plan
        self.values = {item.value: item for row in self.layers.ranks for item in row if item.value}
        self.apart = spacing(plan, self.direction)

    def size(self, item: Item) -> tuple[int, int]:
        """How long and how broad an item is: along, and across."""
        if not item.value:
            return 0, LANE
        w, h = self.layers.plan.size(item.value, self.direction)
        return (w, h) if self.direction == "LR" else (h, w)

    # ---- across -------------------------------------------------------------------------------------------------------

    def place_across(self) -> None:
        """Ask for everything across at once: what stands beside what, what lies inside what, and which pieces are straight."""
        items = [item for row in self.layers.ranks for item in row if not item.of]
        number = {id(item): at for at, item in enumerate(items)}
        regions = list(self.layers.spans)
        low = {key: len(items) + 2 * at for at, key in enumerate(regions)}
        head, foot = (HEAD, MARGIN) if self.direction == "LR" else (MARGIN, MARGIN)
        distances: list[Distance] = []
        for key in regions:
            at, up = low[key], self.layers.plan.parents.get(key, "")
            label = 24 if self.direction == "LR" else round(self._label(key)) + 2 * MARGIN
            distances.append((at, at + 1, 2 * label, TIGHT))
            if up in low:
                distances += [(low[up], at, 2 * head, 0), (at + 1, low[up] + 1, 2 * foot, 0)]

        def beside(tree: list[Part], region: str) -> None:
            sides: list[tuple[int, int, int, int]] = []  # begins and ends at which unknown, and how far from it
            for part in tree:
                if isinstance(part, Item):
                    half = self.size(part)[1]
                    sides.append((number[id(part)], half, number[id(part)], half))
                else:
                    sides.append((low[part[0]], 0, low[part[0]] + 1, 0))
                    beside(part[1], part[0])
            for (_, _, a, more), (b, less, _, _), left, two in zip(sides, sides[1:], tree, tree[1:]):
                distances.append((a, b, more + less + 2 * self._gap(left, two), 0))
            if region and sides:
                distances.append((low[region], sides[0][0], sides[0][1] + 2 * head, 0))
                distances.append((sides[-1][2], low[region] + 1, sides[-1][3] + 2 * foot, 0))

        for rank in range(len(self.layers.ranks)):
            beside(self.layers.nested(rank), "")
        count = len(items) + 2 * len(regions)
        for a, b, more, weight in self._pieces(number):
            distances += [(count, a, max(0, more), weight), (count, b, max(0, -more), weight)]
            count += 1
        x = solve(count, distances)
        self.across = {id(item): x[at] / 2 for item, at in zip(items, range(len(items)))}
        self.walls = {key: (x[at] / 2, x[at + 1] / 2) for key, at in low.items()}

    def _pieces(self, number: dict[int, int]) -> list[tuple[int, int, int, int]]:
        """From where to where each piece of an edge runs, by how much their middles differ when it is straight, and its worth.

        Uses of one value by the same op count as one piece, to the middle between them.
        """
        found: dict[tuple[int, int], list[tuple[float, int]]] = {}
        for segment in self.layers.segments:
            bends = (not segment.a.value) + (not segment.b.value)
            found.setdefault((number[id(segment.a)], number[id(segment.b)]), []).append(
                (self._port(segment.edge, segment.b), STRAIGHT[bends])
            )
        return [
            (a, b, round(2 * sum(port for port, _ in ports) / len(ports)), sum(weight for _, weight in ports))
            for (a, b), ports in found.items()
        ]

    def _port(self, edge: int, item: Item) -> float:
        """How far from an item's middle the edge arrives."""
        if not item.value:
            return 0.0
        arriving = self.layers.plan.arriving[item.value]
        return offsets(len(arriving))[arriving.index(self.layers.plan.edges[edge])]

    def _gap(self, left: Part, right: Part) -> int:
        if not isinstance(left, Item) or not isinstance(right, Item):
            return BESIDE_WALL
        if left.value and right.value:
            return round(self.apart[0])
        return BESIDE_EDGE

    def _label(self, region: str) -> float:
        return label_width(
            self.layers.plan.scene, next(known for known in self.layers.plan.scene.regions if known["id"] == region)
        )

    # ---- along --------------------------------------------------------------------------------------------------------

    def place_along(self) -> None:
        """Rank after rank, each as far on as edges, walls and labels need."""
        between = self.apart[1]
        head = MARGIN if self.direction == "LR" else HEAD
        spans, end, wall = self.layers.spans, -between, -between
        inner_first = sorted(spans, key=lambda key: -len(self.layers.plan.around[key]))
        for rank, row in enumerate(self.layers.ranks):
            opening = max((len(self._within(key, rank, 0)) for key in spans if spans[key][0] == rank), default=0)
            begin = max(end + between, wall + BESIDE_WALL + head * opening, end + BESIDE_WALL + head * opening)
            end = begin + max(self.size(item)[0] for item in row)
            self.ranks.append((begin, end))
            wall = end
            for key in inner_first:
                if spans[key][1] == rank:
                    self.ends[key] = self._ends(key, head)
                    wall = max(wall, self.ends[key][1])

    def _within(self, region: str, rank: int, side: int) -> list[str]:
        """The regions around this one, itself too, that begin (0) or end (1) at this rank."""
        return [inner for inner in self.layers.plan.around[region] if self.layers.spans[inner][side] == rank]

    def _ends(self, region: str, head: int) -> tuple[float, float]:
        plan = self.layers.plan
        inside = [self._along(item) for key, item in self.values.items() if region in plan.above(key)]
        inner = [ends for child, ends in self.ends.items() if plan.parents.get(child) == region]
        left = min(begin for begin, _ in [*inside, *inner]) - head
        right = max(end for _, end in [*inside, *inner]) + MARGIN
        if self.direction == "LR":
            right = max(right, left + self._label(region) + MARGIN)
        return left, right

    def _along(self, item: Item) -> tuple[float, float]:
        begin, end = self.ranks[item.rank]
        length = self.size(item)[0]
        middle = (begin + end) / 2
        return middle - length / 2, middle + length / 2

    # ---- what comes of it ---------------------------------------------------------------------------------------------

    def at(self, along: float, across: float) -> Point:
        """A point of the page."""
        return (along, across) if self.direction == "LR" else (across, along)

    def box(self, item: Item) -> Box:
        """A value's box."""
        long, broad = self.size(item)
        x, y = self.at(self._along(item)[0], self.across[id(item)] - broad / 2)
        return [x, y, *((long, broad) if self.direction == "LR" else (broad, long))]

    def ground(self, region: str) -> Box:
        """A region's box."""
        (left, right), (low, high) = self.ends[region], self.walls[region]
        x, y = self.at(left, low)
        w, h = self.at(right - left, high - low)
        return [x, y, w, h]

    def waypoints(self, edge: int) -> list[Point]:
        """Where an edge leaves, where it enters and leaves the ranks that it passes, and where it arrives."""
        first, *passed, last = self.layers.chains[edge]
        points = [self.at(self._along(first)[1], self.across[id(first)])]
        for item in passed:
            points += [self.at(along, self.across[id(item)]) for along in self.ranks[item.rank]]
        across = self.across[id(last)] + self._port(edge, last)
        points.append(self.at(self.ranks[last.rank][0], across))
        points.append(self.at(self._along(last)[0], across))
        return points


def _led(plan: Plan, drawing: Drawing, points: list[Point], edge: dict[str, str]) -> list[Point]:
    """A smooth line through as few of these points as keep it clear of cards and of regions that it has no part in."""
    inside = {*plan.above(edge["a"]), *plan.above(edge["b"])}
    x1, y1, x2, y2 = hull(points)
    obstacles = [
        [x - NEAR, y - NEAR, w + 2 * NEAR, h + 2 * NEAR]
        for key, (x, y, w, h) in drawing.nodes.items()
        if key not in (edge["a"], edge["b"])
    ]
    obstacles += [box for key, box in drawing.regions.items() if key not in inside]
    obstacles = [
        box for box in obstacles if box[0] < x2 and box[0] + box[2] > x1 and box[1] < y2 and box[1] + box[3] > y1
    ]
    line, at = [points[0]], 0
    while at < len(points) - 1:
        for to in range(len(points) - 1, at, -1):
            curve = _curve(points[at], points[to], drawing.direction)
            if to == at + 1 or (
                _sway(curve, points[at + 1 : to], drawing.direction) <= SWAY
                and not any(meets(curve, box) for box in obstacles)
            ):
                line += curve[1:]
                at = to
                break
    return line


def _sway(curve: list[Point], passed: list[Point], direction: str) -> float:
    """How far at most, across, a curve leads past these points."""
    along = 0 if direction == "LR" else 1
    line, far, at = sampled(curve, 24), 0.0, 0
    for point in passed:
        while at < len(line) - 2 and line[at + 1][along] < point[along]:
            at += 1
        far = max(far, abs(line[at][1 - along] - point[1 - along]))
    return far


def _curve(a: Point, b: Point, direction: str) -> list[Point]:
    """One Bézier that leaves and arrives in the reading direction."""
    right, down = ((b[0] - a[0]) / 2, 0.0) if direction == "LR" else (0.0, (b[1] - a[1]) / 2)
    return [a, (a[0] + right, a[1] + down), (b[0] - right, b[1] - down), b]
