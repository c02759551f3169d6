"""The dataflow graph as marks, in one direction: grounds, edges, cards, and what stands on the edges.

Every look is asked only at the dates of the facts that it depends on; `state.py` says what holds at a step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from ..layout.chips import chip_deep, chip_height, chip_lines, chip_width
from ..layout.sizes import (
    LABEL,
    LABEL_LINE,
    LINE,
    label_lines,
    sans_width,
)
from ..scene import ORDERS, Scene, of_order
from ..style import words
from . import state as at
from .cards import card, moved, path, pin, rect, text
from .ink import Box
from .sheet import Known, Line, Mark, around, over, resolved, said
from .space import Space
from .spots import Spots, course_of, cut_dates, drawn_edges, flows_of, regions_of, settled, shortened, space_of

WAYS = {"forward": "value"}  # of a step along an edge: its look
for _order in range(1, ORDERS + 1):
    WAYS[of_order("back", _order)] = f"{of_order('gradient', _order)} back"
    WAYS[of_order("tangent", _order)] = of_order("tangent", _order)
OUTLINED = ("recompute", "rebuild", "custom")
RIM = 10  # px around the graph, for halos


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
    space, taken = Space(boxes), len(space_of(scene, way).taken)
    deepest = {key: int(max(layout[each]["regions"][key][-1] for each in ("LR", "TB"))) for key in block["regions"]}
    drawn = [
        ground(scene, region, block["regions"][region["id"]], deepest[region["id"]])
        for region in regions_of(scene, block)
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
    for link in drawn_edges(scene, block):
        if link["id"] in shared.short:
            link = {**link, "carried": shortened(link["carried"])}
        under, over_ = edge(link, values, block["edges"][link["id"]], names, spots[link["id"]], shared)
        lines += under
        above += over_
    return lines, above


class Shared:
    """What both directions have: when steps look at what, which numbers have room on edges, and the timelines."""

    def __init__(self, scene: Scene) -> None:
        self.focus, self.flows = at.focus(scene), flows_of(scene)
        self.short, self.placed = settled(scene, self.flows)
        self.known = Known()


def pointed_at(scene: Scene) -> set[str]:
    """The ids of what the marks of a scene point at: heads of its arrows, and the hatch of a closed region."""
    ways = {way for step in scene.steps for _, way in step.get("flow", [])}
    lids = {"lid"} if {region["kind"] for region in scene.regions} & {"recompute", "rebuild"} else set()
    return {WAYS.get(way, "value").partition(" ")[0] for way in ways} | lids


def _struck(block: dict[str, Any]) -> Iterator[Box]:
    """Where words would be struck through: along the edges, in pieces, and along the walls of regions."""
    for d in block["edges"].values():
        for (a, b), (c, e) in pairwise(course_of(d).line):
            yield min(a, c) - 1, min(b, e) - 1, abs(c - a) + 2, abs(e - b) + 2
    for x, y, w, h, *_ in block["regions"].values():
        yield from ((x - 1, y, 2, h), (x + w - 1, y, 2, h), (x, y - 1, w, 2), (x, y + h - 1, w, 2))


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
    course, known, flows, above = course_of(d), shared.known, shared.flows.get(key, {}), list[Mark]()

    if spots.pin:
        above.append(pin(*spots.pin, f"pin:{key}", link["kept"]))
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
    born, dates = [a.get("born", 0), b.get("born", 0)], cut_dates(a)
    when = [*dates, *(state["t"] for state in at.states_of(b))]
    cut = over([*born, *when], lambda step: at.is_cut(a, b, step)) if dates else False

    def look(step: int) -> str:
        if step in flows:
            return said("flow", WAYS.get(flows[step], "value"))
        live = at.born(a, step) and at.born(b, step)
        return said("edge", live and "live", b.get("ghost") and "ghost", resolved(cut, step) and "beneath")

    return over([*born, *around(flows), *(when if cut else [])], look), cut


def _while(holds: Any, part: str) -> Any:
    """The class of a part that is seen as long as this holds."""
    dates = [date for date, _ in holds] if isinstance(holds, Line) else []
    return over(dates, lambda step: part if resolved(holds, step) else f"{part} off")


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

    deep = max(chip_deep(fact["text"]) for fact in carried)
    about = over(when, lambda step: title(now(step)) if now(step)["text"] else "")
    capsule = Mark("rect", x=left, y=top, width=wide, height=high, cls="capsule", key=f"capsule:{key}")
    return look, [Mark("title", text=about, key=f"chiptitle:{key}"), capsule, *map(line, range(deep))]
