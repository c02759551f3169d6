"""An engine's answer, read into a drawing and brought into our own form: discs, twins, grounds, labels."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from .chips import chip_width
from .curve import BEND, Point, heading, hull, meets, sampled, written
from .dotfile import MARGIN, Plan, Wish, offsets
from .lines import reason_boxes
from .sizes import LABEL, LABEL_LINE, LIKELY, disc, frame, label_rooms, label_width, sans_width

Box = list[float]
# A region's label: where it begins, its baseline, the room that it has, and in how many lines it stands.
Label = tuple[float, float, float, int]
EDGE = 6  # px that a ground reaches beyond an edge that belongs to it
RADIUS = 11.0  # px of an op's disc
HOOK = 16  # px that Graphviz may lead an edge back on its way
SIDE = 8  # px between a region's wall and its label


@dataclass(slots=True)
class Drawing:
    """One direction, drawn: boxes of values and regions, and the curves of edges."""

    direction: str
    nodes: dict[str, Box]
    edges: dict[str, list[Point]]
    regions: dict[str, Box]
    labels: dict[str, Label] = field(default_factory=dict)
    size: tuple[float, float] = (0, 0)

    def block(self) -> dict[str, Any]:
        """The drawing as the contract's block, to a tenth of a pixel."""
        return {
            "w": _tenth(self.size[0]),
            "h": _tenth(self.size[1]),
            "nodes": {key: _tenths(box) for key, box in self.nodes.items()},
            "edges": {key: written(points) for key, points in self.edges.items()},
            "regions": {key: _tenths([*box, *self.labels[key]]) for key, box in self.regions.items()},
        }


def _tenths(numbers: list[float]) -> list[float]:
    return [_tenth(number) for number in numbers]


def _tenth(number: float) -> float:
    rounded = round(number, 1)
    return int(rounded) if rounded == int(rounded) else rounded


def read(plan: Plan, wish: Wish, answer: dict[str, Any]) -> Drawing:
    """The drawing that Graphviz answered with, mirrored where the wish says so, and tidied up."""
    left, low, right, high = (float(part) for part in answer["bb"].split(","))
    upright = wish.direction == "TB"

    def place(x: float, y: float) -> Point:
        x, y = x - left, high - y
        if wish.mirrored:
            return (right - left - x, y) if upright else (x, high - low - y)
        return x, y

    names = list(plan.values)
    drawing = Drawing(wish.direction, {}, {}, {})
    boxes: dict[str, Box] = {}
    for thing in answer.get("objects", []):
        if thing["name"].startswith("cluster_") and "bb" in thing:
            a, b, c, d = (float(part) for part in thing["bb"].split(","))
            (x1, y1), (x2, y2) = place(a, d), place(c, b)
            at = int(thing["name"].removeprefix("cluster_"))
            boxes[plan.scene.regions[at]["id"]] = [min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)]
        elif "pos" in thing:
            key = names[int(thing["name"].removeprefix("n"))]
            x, y = place(*(float(part) for part in thing["pos"].split(",")))
            w, h = plan.size(key, wish.direction)
            drawing.nodes[key] = [x - w / 2, y - h / 2, w, h]
    drawing.nodes = {key: drawing.nodes[key] for key in names}
    drawing.regions = {region["id"]: boxes[region["id"]] for region in plan.scene.regions if region["id"] in boxes}
    for line in answer.get("edges", []):
        pairs = re.sub(r"[se],\S+ ", "", line["pos"]).split()
        edge = plan.edges[int(line["id"].removeprefix("e"))]
        drawing.edges[edge["id"]] = [place(*(float(part) for part in pair.split(","))) for pair in pairs]
    drawing.edges = {edge["id"]: unhooked(plan, drawing, edge) for edge in plan.edges}
    return tidied(plan, drawing)


def unhooked(plan: Plan, drawing: Drawing, edge: dict[str, Any]) -> list[Point]:
    """An edge of Graphviz's without its hooks: a curve that runs back on its way leads straight on, if no card is in the way."""
    line, axis = list(drawing.edges[edge["id"]]), 0 if drawing.direction == "LR" else 1
    onwards = (1.0 - axis, float(axis))
    for at in range(0, len(line) - 3, 3):
        (x, y), _, _, (u, v) = curve = line[at : at + 4]
        way = [point[axis] for point in sampled(curve)]
        if way[-1] > way[0] and max(a - b for a, b in zip(accumulate(way, max), way, strict=True)) > HOOK:
            straight, share = heading(curve[0], curve[3]), math.dist(curve[0], curve[3]) * BEND
            first = heading(line[at - 1], curve[0]) if at else onwards
            last = heading(curve[3], line[at + 4]) if at + 4 < len(line) else onwards
            (a, b), (c, d) = (one if one[axis] > 0 else straight for one in (first, last))
            line[at + 1], line[at + 2] = (x + a * share, y + b * share), (u - c * share, v - d * share)
    cards = [box for key, box in drawing.nodes.items() if key not in (edge["a"], edge["b"])]
    old = drawing.edges[edge["id"]]
    return line if line == old or sum(meets(line, box) - meets(old, box) for box in cards) <= 0 else old


def tidied(plan: Plan, drawing: Drawing) -> Drawing:
    """A drawing of any engine in our own form."""
    part_twins(plan, drawing)
    meet_discs(plan, drawing)
    widen_grounds(plan, drawing)
    hold_reasons(plan, drawing)
    set_labels(plan, drawing)
    shift(drawing)
    return drawing


def part_twins(plan: Plan, drawing: Drawing) -> None:
    """Uses of the same value by the same op (x * x) stand far enough apart for the numbers that they carry back."""
    axis = 0 if drawing.direction == "TB" else 1
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for arriving in plan.arriving.values():
        for edge in arriving:
            groups.setdefault((edge["a"], edge["b"]), []).append(edge)
    for twins in groups.values():
        if len(twins) < 2:
            continue
        chips = [chip_width(fact["text"]) for edge in twins for fact in edge.get("carried", [])]
        apart = 24.0 if axis else max([chip + 6 for chip in chips] + [24.0])
        lines = [drawing.edges[edge["id"]] for edge in twins]
        middle = [sampled(line, 8)[len(line) // 3 * 4][axis] for line in lines]
        centre = sum(middle) / len(middle)
        for at, (edge, line) in enumerate(zip(twins, lines, strict=True)):
            push = (centre + (at - (len(twins) - 1) / 2) * apart - middle[at]) * (4 / 3 if len(line) == 4 else 1)
            drawing.edges[edge["id"]] = [line[0], *(_moved(point, axis, push) for point in line[1:-1]), line[-1]]


def _moved(point: Point, axis: int, by: float) -> Point:
    return (point[0] + by, point[1]) if axis == 0 else (point[0], point[1] + by)


def meet_discs(plan: Plan, drawing: Drawing) -> None:
    """An argument's edge ends on the rim of its op's disc, not on the box around it."""
    upright = drawing.direction == "TB"
    for key, arriving in plan.arriving.items():
        box = drawing.nodes[key]
        cx, cy, wide, text = disc(plan.values[key], box, drawing.direction)
        for off, edge in zip(offsets(len(arriving)), arriving, strict=True):
            line = drawing.edges[edge["id"]]
            if not text:
                end = (box[0] + box[2] / 2 + off, box[1]) if upright else (box[0], box[1] + box[3] / 2 + off)
            else:
                end = _rim(cx, cy, wide / 2 - RADIUS, off, upright)
            by = (end[0] - line[-1][0], end[1] - line[-1][1])
            drawing.edges[edge["id"]] = [*line[:-2], (line[-2][0] + by[0], line[-2][1] + by[1]), end]


def _rim(cx: float, cy: float, straight: float, off: float, upright: bool) -> Point:
    """Where an argument that arrives so far from the middle meets a disc: a circle, or a capsule with a straight part."""
    across = max(0.0, abs(off) - straight) if upright else off
    deep = math.sqrt(max(0.0, RADIUS * RADIUS - across * across))
    return (cx + off, cy - deep) if upright else (cx - straight - deep, cy + off)


def widen_grounds(plan: Plan, drawing: Drawing) -> None:
    """The ground of a region reaches under the edges between what it holds, where nothing foreign is in the way."""
    for edge in plan.edges:
        common = [
            region for region in plan.above(edge["a"]) if region in plan.above(edge["b"]) and region in drawing.regions
        ]
        if not common:
            continue
        left, top, right, bottom = hull(sampled(drawing.edges[edge["id"]]))
        _grow(plan, drawing, common[0], [left - EDGE, top - EDGE, right + EDGE, bottom + EDGE])


def _around(box: Box, need: Box) -> Box:
    x1, y1 = min(box[0], need[0]), min(box[1], need[1])
    return [x1, y1, max(box[0] + box[2], need[2]) - x1, max(box[1] + box[3], need[3]) - y1]


def _alone(plan: Plan, drawing: Drawing, region: str, box: Box) -> bool:
    if box == drawing.regions[region]:
        return True
    return not any(overlap(box, other) for other in foreign(plan, drawing, region))


def foreign(plan: Plan, drawing: Drawing, region: str) -> list[Box]:
    """The cards and the grounds that have no part in a region."""
    out = [box for key, box in drawing.nodes.items() if region not in plan.above(key)]
    return out + [
        box for key, box in drawing.regions.items() if key not in plan.around[region] and region not in plan.around[key]
    ]


def overlap(a: Box, b: Box, slack: float = 0.0) -> bool:
    """Whether two boxes share more than a rim of `slack` px."""
    return (
        a[0] + a[2] > b[0] + slack
        and b[0] + b[2] > a[0] + slack
        and a[1] + a[3] > b[1] + slack
        and b[1] + b[3] > a[1] + slack
    )


def label_box(plan: Plan, region: dict[str, Any], label: Label) -> Box:
    """What a region's label takes."""
    left, baseline, room, lines = label
    return [left, baseline - LABEL, min(room, label_width(plan.scene, region)), lines * LABEL_LINE + 2]


def hits(drawing: Drawing, box: Box) -> int:
    """How many edges run through a box."""
    return sum(meets(line, box) for line in drawing.edges.values())


def set_labels(plan: Plan, drawing: Drawing) -> None:
    """A region's label stands at its top, as far left as no edge runs through it, if need be in several lines; else at its
    bottom, on ground of its own; else beside all edges, on ground that grows there.  Where there is room for its name alone, what
    is said beside it is left out; where there is none for that either, widths are taken as they likely are.  Where even that
    cannot be, it stands where the fewest edges run through it."""
    ghostly = {plan.above(key)[0] for key, value in plan.values.items() if value.get("ghost") and plan.above(key)}
    for region in plan.scene.regions:
        key = region["id"]
        if key in drawing.regions:
            drawing.labels[key] = _label(plan, drawing, region, LABEL if key in ghostly else 3)


def _label(plan: Plan, drawing: Drawing, region: dict[str, Any], beneath: float) -> Label:
    """The label of a region; its ground stands `beneath` the cards by what they say under them, if anything."""
    key, name = region["id"], sans_width(region["label"], LABEL)
    x, y, w, h = drawing.regions[key]
    top, low, whole = y + MARGIN + 3, y + h + beneath, label_width(plan.scene, region)
    rooms = label_rooms(plan.scene, region)
    tight = [(wide * LIKELY, lines) for wide, lines in rooms]
    for far, (wide, lines) in [
        (far, room) for rooms_ in (rooms, [(name, 1)], tight) for far in (0.0, whole) for room in rooms_
    ]:
        for baseline in (top, low):
            high = lines * LABEL_LINE + 2
            taken = _taken(plan, drawing, key, [x - far, baseline - LABEL, w + 2 * far, high])
            for left, room in _gaps(taken, x + SIDE - far, x + w - SIDE + far, wide, x + SIDE):
                need = [left - SIDE, y, left + wide + SIDE, baseline - LABEL + high + 2 if baseline == low else y + h]
                if (baseline == top and not far) or _grow(plan, drawing, key, need):
                    box = drawing.regions[key]
                    return left, baseline, min(room, box[0] + box[2] - SIDE - left), lines
    places = [(left, top, x + w - SIDE - left, 1) for left in (x + SIDE, max(x + SIDE, x + w - SIDE - whole))]
    return min(places, key=lambda label: hits(drawing, label_box(plan, region, label)))


def _taken(plan: Plan, drawing: Drawing, key: str, strip: Box) -> list[tuple[float, float]]:
    """The stretches of a strip across a region where edges run through it, or something stands in it, from left to right."""
    inner = [box for name, box in drawing.regions.items() if plan.parents.get(name) == key]
    boxes = [box for box in [*drawing.nodes.values(), *inner] if overlap(box, strip)]
    out = [(box[0], box[0] + box[2]) for box in boxes]
    top, low, unseen = strip[1], strip[1] + strip[3], set(plan.unseen)
    for name, points in drawing.edges.items():
        if name not in unseen and meets(points, strip):
            line = sampled(points)
            for (a, b), (c, d) in zip(line, line[1:], strict=False):
                if min(b, d) < low and max(b, d) > top:
                    shares = [min(1.0, max(0.0, (side - b) / (d - b))) for side in (top, low)] if b != d else [0.0, 1.0]
                    ends = sorted(a + (c - a) * share for share in shares)
                    out.append((ends[0] - EDGE, ends[1] + EDGE))
    return sorted(out)


def _gaps(taken: list[tuple[float, float]], left: float, right: float, wide: float, first: float) -> list[Point]:
    """Where in a stretch something of this width may begin, the place next to `first` before the others, and the room there."""
    places, free = list[Point](), left
    for begins, ends in [*taken, (right, right)]:
        if min(begins, right) - free >= wide:
            begin = min(max(first, free), min(begins, right) - wide)
            places.append((begin, min(begins, right) - begin))
        free = max(free, ends)
    return sorted(places, key=lambda place: abs(place[0] - first))


def hold_reasons(plan: Plan, drawing: Drawing) -> None:
    """The ground of a region holds what stands under its cards, and its wall does not strike it through."""
    for key, value in plan.values.items():
        if value.get("ghost") and (around := plan.above(key)):
            x, y, w, h = frame(value, drawing.nodes[key], drawing.direction)
            x1, y1, wide, tall = min(reason_boxes(value, (x, y, w, h)), key=lambda place: hits(drawing, list(place)))
            need = [min(x, x1) - 4, min(y, y1), max(x + w, x1 + wide) + 4, max(y + h, y1 + tall) + 4]
            _grow(plan, drawing, around[0], need)


def _grow(plan: Plan, drawing: Drawing, region: str, need: Box) -> bool:
    """Widen a region's ground, and the grounds around it, to hold `need`; False where something foreign is in the way."""
    grown = {}
    for outer in plan.around[region]:
        if outer in drawing.regions:
            grown[outer] = _around(drawing.regions[outer], need)
            x, y, w, h = grown[outer]
            need = [x - EDGE, y - EDGE, x + w + EDGE, y + h + EDGE]
    if not all(_alone(plan, drawing, outer, box) for outer, box in grown.items()):
        return False
    drawing.regions.update(grown)
    return True


def shift(drawing: Drawing) -> None:
    """The top left corner of all that is drawn is the origin."""
    points = [point for line in drawing.edges.values() for point in sampled(line)]
    boxes = [*drawing.nodes.values(), *drawing.regions.values()]
    points += [(x, y) for x, y, _, _ in boxes] + [(x + w, y + h) for x, y, w, h in boxes] or [(0.0, 0.0)]
    left, top, right, bottom = hull(points)
    drawing.size = (right - left, bottom - top)
    for box in boxes:
        box[0], box[1] = box[0] - left, box[1] - top
    drawing.edges = {key: [(x - left, y - top) for x, y in line] for key, line in drawing.edges.items()}
    drawing.labels = {key: (x - left, y - top, room, lines) for key, (x, y, room, lines) in drawing.labels.items()}
