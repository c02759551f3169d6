"""Where on an edge of the graph its number stands, and where scissors would: places are taken once, for both writers.

Numbers that have no room become the shape of their array; `settled` says which, and what each direction is left with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple

from ..layout.chips import chip_height, chip_lines, chip_short, chip_width
from ..layout.curve import Point, along, parsed, sampled, steps
from ..layout.sizes import LABEL, LABEL_LINE, label_width
from ..scene import Scene
from ..style import CUT
from . import state as at
from .cards import STACK
from .ink import Box
from .space import Space, Ways, shared_area

# Where something stands on an edge: in the middle of its first so many px, near the card that gets a gradient, as shares of
# these, the best first; else further on, or beside one of those places, in its own size, so far that the edge still touches it.
REACH = 340.0
CHOICE = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8)
SHARES = (*CHOICE, *sorted((place / 50 for place in range(6, 45)), key=lambda share: abs(share - 0.5)))
ASIDE = [(right * far, down * far) for far in (0.4, 0.52) for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1))]
ASIDE += [(right, down) for right in (-0.33, 0.33) for down in (-0.33, 0.33)]
OFF = 3  # lines at rest that may run under a number before it does so
CRAMPED = 0.003  # of a capsule that may lie on something else: a corner of the air around it

Spot = tuple[float, Point]  # a share of an edge's length, and where the middle of what stands there is


class Spots(NamedTuple):
    """Where on an edge its pin is, where its number stands, and where its scissors would."""

    pin: Point | None
    number: Spot | None
    cut: Spot | None


Placed = tuple[list[Box], dict[str, Spots]]  # what is taken of a picture, and where something stands on which edge


def cramped(scene: Scene) -> set[str]:
    """The edges whose lines of numbers have no room in one of the directions, so that they bear shapes in both."""
    return settled(scene, flows_of(scene))[0]


def settled(scene: Scene, flows: dict[str, dict[int, str]]) -> tuple[set[str], dict[str, Placed]]:
    """The edges that bear shapes, and how each direction is placed.

    A shape takes another place than the numbers would, and then there may be less room for the numbers of a third edge: all are
    placed again until nothing becomes a shape.
    """
    short, placed = set[str](), dict[str, tuple[int, Placed]]()
    while True:
        stale = [way for way in ("LR", "TB") if way in (scene.layout or {}) and placed.get(way, (-1,))[0] != len(short)]
        if not stale:
            return short, {way: found for way, (_, found) in placed.items()}
        found, lain_on = _placed(scene, stale[0], short, flows)
        placed[stale[0]] = len(short), found
        short |= lain_on


def _placed(scene: Scene, way: str, short: set[str], flows: dict[str, dict[int, str]]) -> tuple[Placed, set[str]]:
    """What is taken of a picture, and where what its edges bear stands; and on whose numbers even a shape lies.  Edges whose
    numbers have no room are now `short`.

    A number stands where nothing moves under it later, if there is such a place.
    """
    block, space = (scene.layout or {})[way], space_of(scene, way)
    ways = Ways((key, course_of(d).line, max(flows.get(key, [-1]))) for key, d in block["edges"].items())
    values, drawn = {value["id"]: value for value in scene.values}, drawn_edges(scene, block)
    spots, long, lain_on, pins = dict[str, Spots](), dict[str, Box](), set[str](), dict[str, Point]()
    beside = Space(())
    for link in drawn:
        if link.get("kept"):
            ends = course_of(block["edges"][link["id"]]).ends
            found, _, box = beside.best((x - 5, y - 5, 10, 10) for x, y in ends)
            pins[link["id"]] = ends[found]
            space.take(box)
    for link in sorted(drawn, key=_deep):  # what is small finds a place beside what is large, and not the other way
        key, d = link["id"], block["edges"][link["id"]]
        number = cut = None
        if carried := link.get("carried"):
            shapes = shortened(carried)
            if shapes != carried and key not in short and space.least(_boxes(d, *_room(carried))) > CRAMPED:
                short.add(key)
            w, h = _room(shapes if key in short else carried)
            crossed = partial(_crossed, ways, carried[0]["t"], key)
            found, covered, box = space.best(_boxes(d, w, h), crossed, (len(SHARES), OFF))
            number = _spot(d, found, box)
            if covered > CRAMPED * w * h:
                lain_on |= {other for other, its in long.items() if shared_area(box, its)}
            if shapes != carried and key not in short:
                long[key] = box
        if values[link["b"]].get("ghost") or cut_dates(values[link["a"]]):
            found, _, box = space.best(_boxes(d, 22, 20))
            cut = _spot(d, found, box)
        spots[key] = Spots(pins.get(key), number, cut)
    return (space.taken, spots), lain_on


def _crossed(ways: Ways, since: int, own: str, box: Box, most: float) -> int:
    return ways.through(box, since, own, most)


def _spot(d: str, found: int, box: Box) -> Spot:
    """The share of an edge's length at which an option lies, and the middle of its box."""
    shares, (x, y, w, h) = course_of(d).shares, box
    share = shares[found if found < len(shares) else (found - len(shares)) // len(ASIDE) * 3]
    return share, (x + w / 2, y + h / 2)


def space_of(scene: Scene, way: str) -> Space:
    """What the cards and the names of the regions take."""
    block, stacks = (scene.layout or {})[way], {value["id"] for value in scene.values if value.get("group")}
    more = {key: STACK * (key in stacks) for key in block["nodes"]}
    space = Space((x, y, w + more[key], h + more[key]) for key, (x, y, w, h) in block["nodes"].items())
    for region in regions_of(scene, block):
        _, _, _, _, left, base, room, lines = block["regions"][region["id"]]
        space.take((left, base - LABEL, min(room, label_width(scene, region)), lines * LABEL_LINE + 2))
    return space


def regions_of(scene: Scene, block: dict[str, Any]) -> list[dict[str, Any]]:
    """The regions that have a place, the outer ones first."""
    known = {region["id"]: region for region in scene.regions}
    there = (region for region in scene.regions if region["id"] in block["regions"])
    return sorted(there, key=partial(_depth, known))


def _depth(known: dict[str, dict[str, Any]], region: dict[str, Any]) -> int:
    parent = known.get(region.get("parent", ""), region)
    return 0 if parent is region else 1 + _depth(known, parent)


def drawn_edges(scene: Scene, block: dict[str, Any]) -> list[dict[str, Any]]:
    """The edges of a drawing, always in one order, whatever numbers they bear."""
    there, lines = {value["id"] for value in scene.values}, block["edges"]
    return [link for link in scene.edges if link["id"] in lines and {link["a"], link["b"]} <= there]


def _deep(link: dict[str, Any]) -> int:
    """In how many lines an edge's numbers stand, if in more than one."""
    lines = max((len(chip_lines(fact["text"])) for fact in link.get("carried", [])), default=0)
    return lines if lines > 1 else 0


def shortened(carried: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**fact, "text": chip_short(fact["text"])} for fact in carried]


def _room(carried: list[dict[str, Any]]) -> tuple[float, float]:
    """Width and height of the largest capsule that an edge will bear."""
    return max(chip_width(fact["text"]) for fact in carried), max(chip_height(fact["text"]) for fact in carried)


def _boxes(d: str, wide: float, high: float) -> Iterator[Box]:
    """Where on an edge something may stand, and where beside it (`ASIDE`), but inside of the picture."""
    course = course_of(d)

    def box(place: Point, right: float = 0.0, down: float = 0.0) -> Box:
        x, y = place[0] + right * wide, place[1] + down * high
        return max(x - wide / 2, 0) - 1, max(y - high / 2, 0) - 1, wide + 2, high + 2

    yield from map(box, course.places)
    yield from (box(place, *aside) for place in course.places[::3] for aside in ASIDE)


def flows_of(scene: Scene) -> dict[str, dict[int, str]]:
    """What flows along an edge at which step."""
    flows: dict[str, dict[int, str]] = {}
    for at_, step in enumerate(scene.steps):
        for identity, way in step.get("flow", []):
            flows.setdefault(identity, {})[at_] = way
    return flows


def cut_dates(value: dict[str, Any]) -> list[int]:
    """When what is shown of a value changes, if that is ever `None`; else nothing."""
    states = at.states_of(value)
    return [state["t"] for state in states] if any(state.get("text") == CUT for state in states) else []


@dataclass(slots=True, frozen=True)
class Course:
    """The points of an edge, its length, and the places where something may stand, the best first, and as shares of it."""

    line: list[Point]
    long: float
    shares: list[float]
    places: list[Point]

    @property
    def ends(self) -> list[Point]:
        """Where a pin may be: at the end, or as far before it as pins of other edges with the same end take."""
        return [along(self.line, max(0.0, self.long - 9 - 6 * place))[0] for place in range(8)]


@lru_cache(maxsize=1024)
def course_of(d: str) -> Course:
    """Of a picture that stays while its numbers change a course is worked out once."""
    line = sampled(parsed(d))
    parts = steps(line)
    long = sum(parts)
    first = min(1.0, REACH / long) if long else 1.0
    further = [share for share in SHARES[len(CHOICE) :] if share > max(SHARES) * first]
    shares = [*(share * first for share in SHARES), *sorted(further)]
    return Course(line, long, shares, [along(line, share * long, parts)[0] for share in shares])
