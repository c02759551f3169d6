"""The dataflow graph as marks, in one direction: grounds, edges, cards, and what stands on the edges.

Every look is asked only at the dates of the facts that it depends on; `state.py` says what holds at a step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any, NamedTuple

from ..layout.curve import Point, along, parsed, sampled, steps
from ..layout.sizes import (
    LABEL,
    LABEL_LINE,
    LINE,
    chip_height,
    chip_lines,
    chip_short,
    chip_width,
    label_lines,
    label_width,
    sans_width,
)
from ..scene import ORDERS, Scene, of_order
from ..style import CUT, words
from . import state as at
from .cards import STACK, card, moved, path, pin, rect, text
from .ink import Box
from .sheet import Known, Line, Mark, around, over, resolved, said
from .space import Space, Ways, shared_area

WAYS = {"forward": "value"}  # of a step along an edge: its look
for _order in range(1, ORDERS + 1):
    WAYS[of_order("back", _order)] = f"{of_order('gradient', _order)} back"
    WAYS[of_order("tangent", _order)] = of_order("tangent", _order)
OUTLINED = ("recompute", "rebuild", "custom")
RIM = 10  # px around the graph, for halos

# Where something stands on an edge: in the middle of its first so many px, near the card that gets a gradient, as shares of
# these, the best first; else further on, or beside one of those places, in its own size, so far that the edge still touches it.
REACH = 340.0
CHOICE = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8)
SHARES = (*CHOICE, *sorted((place / 50 for place in range(6, 45)), key=lambda share: abs(share - 0.5)))
ASIDE = [(right * far, down * far) for far in (0.4, 0.52) for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1))]
ASIDE += [(right, down) for right in (-0.33, 0.33) for down in (-0.33, 0.33)]
OFF = 3  # lines at rest that may run under a number before it does so


Spot = tuple[float, Point]  # a share of an edge's length, and where the middle of what stands there is


class Spots(NamedTuple):
    """Where on an edge its number stands, and where its scissors would."""

    number: Spot | None
    cut: Spot | None


Placed = tuple[list[Box], dict[str, Spots]]  # what is taken of a picture, and where something stands on which edge


@dataclass(slots=True, frozen=True)
class Drawing:
    """Marks, and the room that they need."""

    mark: Mark
    w: float
    h: float


def graph(scene: Scene, way: str, shared: Shared | None = None) -> Drawing:
    """The graph in one direction, "LR" or "TB"; `shared` is what the other has as well, where that was drawn before."""
    layout, shared = scene.layout or {}, shared or Shared(scene)
    block, (boxes, spots) = layout[way], shared.placed[way]
    # numbers on edges take their places before the reasons beneath ghosts, which may stay away
    space, taken = Space(boxes), len(_space(scene, way).taken)
    deepest = {key: int(max(layout[each]["regions"][key][-1] for each in ("LR", "TB"))) for key in block["regions"]}
    drawn = [
        ground(scene, region, block["regions"][region["id"]], deepest[region["id"]])
        for region in _regions(scene, block)
    ]
    lines, above = _edges(scene, block, spots, shared)
    struck = list(_struck(block))
    for box in struck if any(value.get("ghost") for value in scene.values) else ():
        space.take(box)
    cards = []
    for value in scene.values:
        if box := block["nodes"].get(value["id"]):
            rows = layout["rows"].get(value["id"]) or [0] * len(value["cells"])
            cards.append(card(value, box, rows, way, shared.focus, space, shared.known))
    w = max([block["w"], *[x + w for x, _, w, _ in (*space.taken[taken:], *struck)]]) + 2 * RIM
    h = max([block["h"], *[y + h for _, y, _, h in (*space.taken, *struck)]]) + 2 * RIM
    dots = [Mark("circle", r=4.5, cls="dot", data_dot="") for _ in range(4)]
    parts = [*(place for place, _ in drawn), *lines, *(name for _, name in drawn), *cards, *dots, *above]
    return Drawing(Mark("g", *parts, transform=moved(RIM, RIM)), w, h)


def _edges(
    scene: Scene, block: dict[str, Any], spots: dict[str, Spots], shared: Shared
) -> tuple[list[Mark], list[Mark]]:
    """All edges: their lines; and what stands above the cards."""
    values, lines, above = {value["id"]: value for value in scene.values}, list[Mark](), list[Mark]()
    names = {who["id"]: who["name"] for who in scene.recorders}
    for link in _drawn(scene, block):
        if link["id"] in shared.short:
            link = {**link, "carried": _shortened(link["carried"])}
        under, over_ = edge(link, values, block["edges"][link["id"]], names, spots[link["id"]], shared)
        lines += under
        above += over_
    return lines, above


def _drawn(scene: Scene, block: dict[str, Any]) -> list[dict[str, Any]]:
    """The edges of a drawing: what is small finds a place beside what is large, and not the other way."""
    there, lines = {value["id"] for value in scene.values}, block["edges"]
    return sorted((link for link in scene.edges if link["id"] in lines and {link["a"], link["b"]} <= there), key=_deep)


class Shared:
    """What both directions have: when steps look at what, which numbers have room on edges, and the timelines."""

    def __init__(self, scene: Scene) -> None:
        self.focus, self.flows = at.focus(scene), _flows(scene)
        self.short, self.placed = _settled(scene, self.flows)
        self.known = Known()


def _flows(scene: Scene) -> dict[str, dict[int, str]]:
    """What flows along an edge at which step."""
    flows: dict[str, dict[int, str]] = {}
    for at_, step in enumerate(scene.steps):
        for identity, way in step.get("flow", []):
            flows.setdefault(identity, {})[at_] = way
    return flows


def pointed_at(scene: Scene) -> set[str]:
    """The ids of what the marks of a scene point at: heads of its arrows, and the hatch of a closed region."""
    ways = {way for step in scene.steps for _, way in step.get("flow", [])}
    lids = {"lid"} if {region["kind"] for region in scene.regions} & {"recompute", "rebuild"} else set()
    return {WAYS.get(way, "value").partition(" ")[0] for way in ways} | lids


def _regions(scene: Scene, block: dict[str, Any]) -> list[dict[str, Any]]:
    """The regions that have a place, the outer ones first."""
    known = {region["id"]: region for region in scene.regions}

    def depth(region: dict[str, Any]) -> int:
        parent = known.get(region.get("parent", ""), region)
        return 0 if parent is region else 1 + depth(parent)

    return sorted((region for region in scene.regions if region["id"] in block["regions"]), key=depth)


CRAMPED = 0.003  # of a capsule that may lie on something else: a corner of the air around it


def _space(scene: Scene, way: str) -> Space:
    """What the cards and the names of the regions take."""
    block, stacks = (scene.layout or {})[way], {value["id"] for value in scene.values if value.get("group")}
    more = {key: STACK * (key in stacks) for key in block["nodes"]}
    space = Space((x, y, w + more[key], h + more[key]) for key, (x, y, w, h) in block["nodes"].items())
    for region in _regions(scene, block):
        _, _, _, _, left, base, room, lines = block["regions"][region["id"]]
        space.take((left, base - LABEL, min(room, label_width(scene, region)), lines * LABEL_LINE + 2))
    return space


def _struck(block: dict[str, Any]) -> Iterator[Box]:
    """Where words would be struck through: along the edges, in pieces, and along the walls of regions."""
    for d in block["edges"].values():
        for (a, b), (c, e) in pairwise(_course(d).line):
            yield min(a, c) - 1, min(b, e) - 1, abs(c - a) + 2, abs(e - b) + 2
    for x, y, w, h, *_ in block["regions"].values():
        yield from ((x - 1, y, 2, h), (x + w - 1, y, 2, h), (x, y - 1, w, 2), (x, y + h - 1, w, 2))


def _deep(link: dict[str, Any]) -> int:
    """In how many lines an edge's numbers stand, if in more than one."""
    lines = max((len(chip_lines(fact["text"])) for fact in link.get("carried", [])), default=0)
    return lines if lines > 1 else 0


def _shortened(carried: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**fact, "text": chip_short(fact["text"])} for fact in carried]


def _room(carried: list[dict[str, Any]]) -> tuple[float, float]:
    """Width and height of the largest capsule that an edge will bear."""
    return max(chip_width(fact["text"]) for fact in carried), max(chip_height(fact["text"]) for fact in carried)


def _boxes(d: str, wide: float, high: float) -> Iterator[Box]:
    """Where on an edge something may stand, and where beside it (`ASIDE`), but inside of the picture."""
    course = _course(d)

    def box(place: Point, right: float = 0.0, down: float = 0.0) -> Box:
        x, y = place[0] + right * wide, place[1] + down * high
        return max(x - wide / 2, 0) - 1, max(y - high / 2, 0) - 1, wide + 2, high + 2

    places = [course.at(share) for share in course.shares]
    yield from map(box, places)
    yield from (box(place, *aside) for place in places[::3] for aside in ASIDE)


def cramped(scene: Scene) -> set[str]:
    """The edges whose lines of numbers have no room in one of the directions, so that they bear shapes in both."""
    return _settled(scene, _flows(scene))[0]


def _settled(scene: Scene, flows: dict[str, dict[int, str]]) -> tuple[set[str], dict[str, Placed]]:
    """These edges, and how each direction is placed.

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
    block, space = (scene.layout or {})[way], _space(scene, way)
    ways = Ways((key, _course(d).line, max(flows.get(key, [-1]))) for key, d in block["edges"].items())
    values, drawn = {value["id"]: value for value in scene.values}, _drawn(scene, block)
    for x, y in [_course(block["edges"][link["id"]]).end for link in drawn if link.get("kept")]:
        space.take((x - 5, y - 5, 10, 10))
    spots, long, lain_on = dict[str, Spots](), dict[str, Box](), set[str]()
    for link in drawn:
        key, d = link["id"], block["edges"][link["id"]]
        number = cut = None
        if carried := link.get("carried"):
            shapes = _shortened(carried)
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
        if values[link["b"]].get("ghost") or _cut_dates(values[link["a"]]):
            found, _, box = space.best(_boxes(d, 22, 20))
            cut = _spot(d, found, box)
        spots[key] = Spots(number, cut)
    return (space.taken, spots), lain_on


def _crossed(ways: Ways, since: int, own: str, box: Box, most: float) -> int:
    return ways.through(box, since, own, most)


def _spot(d: str, found: int, box: Box) -> Spot:
    """The share of an edge's length at which an option lies, and the middle of its box."""
    shares, (x, y, w, h) = _course(d).shares, box
    share = shares[found if found < len(shares) else (found - len(shares)) // len(ASIDE) * 3]
    return share, (x + w / 2, y + h / 2)


def ground(scene: Scene, region: dict[str, Any], box: list[float], deepest: int) -> tuple[Mark, Mark]:
    """A region's ground, and its name, in as many lines as it has in one of the directions.

    The outline of what runs again is dashed while nobody writes down what runs in it, hatched while it is closed, thick and warm
    while it runs, thin when that is done.
    """
    x, y, w, h, left, base, room, lines = box
    kind, key = region["kind"], region["id"]
    owner = next((who for who in scene.recorders if who["id"] == region.get("recorder")), {})
    when = [state["t"] for state in region.get("states") or owner.get("states") or []]

    def look(step: int) -> str:
        word = at.region_state(scene, region, step)
        faded = kind != "name" and kind not in OUTLINED and word in ("", "spent")
        running = word in ("replaying", "rebuilding")
        return said("ground", kind, faded and "faded", word == "done" and "done", running and "running")

    def beside(step: int, line: int) -> str:
        told = label_lines(region["label"], at.region_words(scene, region, step), room)
        return told[line] if line < min(len(told), lines) else ""

    parts = [rect(x, y, w, h, cls=over(when, look), key=f"ground:{key}")]
    if kind in ("recompute", "rebuild"):
        lid = over(when, lambda step: "lid" if at.region_state(scene, region, step) == "closed" else "lid off")
        parts.append(rect(x, y, w, h, cls=lid, key=f"lid:{key}"))
    wide = sans_width(region["label"], LABEL)
    named = text(left + 2, base, region["label"], f"rlabel {kind}", most=room, wide=wide)
    word = over(when, lambda step: said("rword", at.region_state(scene, region, step)))
    # one text element a line, so that what is said follows the label in whatever font there is
    under = [text(left + 2, base + LABEL_LINE * line, "", f"rlabel {kind}") for line in range(1, deepest)]
    for line, shown in enumerate([named, *under]):
        shown.kids.append(
            Mark("tspan", cls=word, text=over(when, partial(beside, line=line)), key=f"rword:{key}" + ":" * line)
        )
    return Mark("g", *parts), Mark("g", named, *under) if under else named


def edge(
    link: dict[str, Any],
    values: dict[str, Any],
    d: str,
    names: dict[str, str],
    spots: Spots,
    shared: Shared,
) -> tuple[list[Mark], list[Mark]]:
    """An edge: the line itself; and what stands above the cards, a pin, a number, scissors."""
    a, b, key = values[link["a"]], values[link["b"]], link["id"]
    course, known, flows, above = _course(d), shared.known, shared.flows.get(key, {}), list[Mark]()

    if link.get("kept"):
        above.append(pin(*course.end, f"pin:{key}", link["kept"]))
    if spots.number:

        def title(fact: dict[str, Any]) -> str:
            return words("card.through", number=fact["text"], name=a["name"], by=names.get(fact["by"], fact["by"]))

        above.append(chip(link, spots.number[1], title, known))
    look, cut = known.once(f"edge:{key}", lambda: _look(a, b, flows))
    under = [path(d, look, key=f"edge:{key}")]
    if cut and spots.cut:
        share, (x, y) = spots.cut
        gap = min(26.0, course.long * 0.6)
        dash = f"{max(0.0, course.long * share - gap / 2):.1f} {gap:.1f} {course.long:.1f}"
        under.append(path(d, _while(cut, "cutline"), key=f"cutline:{key}", stroke_dasharray=dash))
        above.append(text(x, y + 7, "✂", _while(cut, "scissors"), key=f"scissors:{key}"))
    return under, above


def _look(a: dict[str, Any], b: dict[str, Any], flows: dict[int, str]) -> tuple[Any, Any]:
    """What an edge is when: what flows along it, while something does; and whether the backward pass is cut there."""
    born, cut_dates = [a.get("born", 0), b.get("born", 0)], _cut_dates(a)
    when = [*cut_dates, *(state["t"] for state in at.states_of(b))]
    cut = over([*born, *when], lambda step: at.is_cut(a, b, step)) if cut_dates else False

    def look(step: int) -> str:
        if step in flows:
            return said("flow", WAYS.get(flows[step], "value"))
        live = at.born(a, step) and at.born(b, step)
        return said("edge", live and "live", b.get("ghost") and "ghost", resolved(cut, step) and "beneath")

    return over([*born, *around(flows), *(when if cut else [])], look), cut


def _cut_dates(value: dict[str, Any]) -> list[int]:
    """When what is shown of a value changes, if that is ever `None`; else nothing."""
    states = at.states_of(value)
    return [state["t"] for state in states] if any(state.get("text") == CUT for state in states) else []


def _while(holds: Any, part: str) -> Any:
    """The class of a part that is seen as long as this holds."""
    dates = [date for date, _ in holds] if isinstance(holds, Line) else []
    return over(dates, lambda step: part if resolved(holds, step) else f"{part} off")


@dataclass(slots=True, frozen=True)
class Course:
    """The points of an edge, its length, and as shares of it the places where something may stand, the best first."""

    line: list[Point]
    parts: list[float]
    long: float
    shares: list[float]

    @property
    def end(self) -> Point:
        """Where a pin stands."""
        return along(self.line, max(0.0, self.long - 9))[0]

    def at(self, share: float) -> Point:
        """The point after a share of its length."""
        return along(self.line, share * self.long, self.parts)[0]


@lru_cache(maxsize=1024)
def _course(d: str) -> Course:
    """Of a picture that stays while its numbers change a course is worked out once."""
    line = sampled(parsed(d))
    parts = steps(line)
    long = sum(parts)
    first = min(1.0, REACH / long) if long else 1.0
    further = [share for share in SHARES[len(CHOICE) :] if share > max(SHARES) * first]
    return Course(line, parts, long, [*(share * first for share in SHARES), *sorted(further)])


def chip(link: dict[str, Any], place: tuple[float, float], title: Any, known: Known) -> Mark:
    """A number on an edge, or a few, in a capsule, which reads on every ground."""
    key = link["id"]
    look, parts = known.once(f"chip:{key}", lambda: _capsule(link, title))
    return Mark("g", *parts, cls=look, key=f"chip:{key}", transform=moved(*map(round, place)))


def _capsule(link: dict[str, Any], title: Any) -> tuple[Any, list[Mark]]:
    """What it looks like when, and what is in it, around its middle."""
    key, carried, when = link["id"], link["carried"], around(at.dates_carried(link))

    def now(step: int) -> dict[str, Any]:
        return at.carried_at(link, step) or {"text": "", "kind": "off", "t": -1, "by": ""}

    wide = over(when, lambda step: float(chip_width(now(step)["text"])))
    left = over(when, lambda step: -chip_width(now(step)["text"]) / 2)
    look = over(when, lambda step: said("chip", now(step)["kind"], now(step)["t"] == step and "fresh"))
    high = over(when, lambda step: float(chip_height(now(step)["text"])))
    top = over(when, lambda step: -chip_height(now(step)["text"]) / 2)

    def line(place: int) -> Mark:
        def said_(step: int) -> str:
            told = chip_lines(now(step)["text"])
            return told[place] if place < len(told) else ""

        def down(step: int) -> float:
            return 4.3 + (place - (len(chip_lines(now(step)["text"])) - 1) / 2) * LINE

        name = f"chiptext:{key}" if place == 0 else f"chiptext {place}:{key}"
        return Mark("text", x=0.0, y=over(when, down), text=over(when, said_), cls="chiptext", key=name)

    deep = max(len(chip_lines(fact["text"])) for fact in carried)
    about = over(when, lambda step: title(now(step)) if now(step)["text"] else "")
    capsule = Mark("rect", x=left, y=top, width=wide, height=high, cls="capsule", key=f"capsule:{key}")
    return look, [Mark("title", text=about, key=f"chiptitle:{key}"), capsule, *map(line, range(deep))]
