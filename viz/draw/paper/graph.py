"""The dataflow graph at one step, on positions that never change: grounds, edges, cards, and what stands on the edges."""

from __future__ import annotations

from typing import Any

from ...layout.curve import Point, along, length, parsed, sampled
from ...layout.sizes import chip_width, columns, sans_width
from ...scene import Scene
from ...style import CHAR, REGIONS
from .. import state as at
from .cards import card, frame
from .ink import Box, Ink, group, tag, wrap
from .marks import arrow, pin

WAYS = {"forward": "value", "back": "gradient", "back2": "gradient2", "tangent": "tangent", "tangent2": "tangent2"}
ROLES = {"tape": "tape", "name": "mute", "recompute": "replay", "rebuild": "replay", "custom": "mute"}
OUTLINED = ("recompute", "rebuild", "custom")
RIM = 10  # px around the graph, for halos


class Space:
    """Where free-standing text may go: what is taken, and which of several places covers the least of it."""

    def __init__(self, taken: list[Box]) -> None:
        self.taken = taken

    def best(self, options: list[Box]) -> tuple[int, float]:
        """The option that covers least (the first of equals), which is taken from now on; and how much it covers."""
        covered = [sum(_shared(one, other) for other in self.taken) for one in options]
        found = min(range(len(options)), key=lambda place: (round(covered[place], 1), place))
        self.taken.append(options[found])
        return found, covered[found]


def _shared(a: Box, b: Box) -> float:
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return max(0.0, w) * max(0.0, h)


def graph(ink: Ink, scene: Scene, step: int, way: str) -> tuple[str, float, float]:
    """The graph at a step in one direction, and its width and height."""
    layout = scene.layout or {}
    block, values = layout[way], {one["id"]: one for one in scene.values}
    focus = at.focus_of(scene.steps[step])
    flows: dict[str, str] = {one[0]: one[1] for one in scene.steps[step].get("flow", [])}
    regions = [one for one in scene.regions if one["id"] in block["regions"]]
    regions.sort(key=lambda one: _depth(scene, one))
    taken: list[Box] = [(x, y, w, h) for x, y, w, h in block["nodes"].values()]
    for one in regions:
        x, _, _, _, base = block["regions"][one["id"]]
        taken.append((x + 8, base - 11, columns(one["label"]) * 6.7 + 70, 15))
    space = Space(taken)
    grounds = [_ground(ink, scene, one, block["regions"][one["id"]], step) for one in regions]
    cards, tags = [], []
    for key, value in values.items():
        if key in block["nodes"]:
            box = block["nodes"][key]
            cards.append(card(ink, value, box, layout["rows"][key], step, focus, way))
            if value.get("ghost"):
                tags.append(_tag(ink, value, frame(value, box, way), step, space))
    lines, above = [], []
    for edge in scene.edges:
        if edge["id"] in block["edges"] and edge["a"] in values and edge["b"] in values:
            points = sampled(parsed(block["edges"][edge["id"]]))
            under, over = _edge(
                ink, edge, values, points, block["edges"][edge["id"]], step, flows.get(edge["id"]), space
            )
            lines.append(under)
            above.append(over)
    tall = max([block["h"], *[y + h for _, y, _, h in space.taken]])
    wide = max([block["w"], *[x + w for x, y, w, h in space.taken[len(taken) :]]])
    names = [_name(ink, scene, one, block["regions"][one["id"]], step) for one in regions]
    body = group(*grounds, *lines, *names, *cards, *tags, *above, transform=f"translate({RIM} {RIM})")
    return body, wide + 2 * RIM, tall + 2 * RIM


def _depth(scene: Scene, region: dict[str, Any]) -> int:
    parent = next((one for one in scene.regions if one["id"] == region.get("parent")), None)
    return 0 if parent is None or parent is region else 1 + _depth(scene, parent)


def _ground(ink: Ink, scene: Scene, region: dict[str, Any], box: list[float], step: int) -> str:
    x, y, w, h, _ = box
    kind, word = region["kind"], at.region_state(scene, region, step)
    faded = 0.6 if kind != "name" and word in ("", "spent") else None
    line = ink.stroke("line") if kind == "name" else {}
    ground = ink.box((x, y, w, h), 10.0, **ink.fill(REGIONS.get(kind, "soft")), **line, opacity=faded)
    if kind in OUTLINED:
        ground = _lid(ink, kind, word, (x, y, w, h))
    return ground


def _name(ink: Ink, scene: Scene, region: dict[str, Any], box: list[float], step: int) -> str:
    """What stands on a region's ground: over the lines, which would strike it through."""
    x, _, w, _, base = box
    word, said_of_it = at.region_state(scene, region, step), at.region_words(scene, region, step)
    role = ROLES.get(region["kind"], region["kind"])
    halo = {**ink.stroke("bg", 3), "stroke_linejoin": "round", "paint_order": "stroke"}
    said = ink.text(x + 10, base, region["label"], 11.5, role, weight=600, sans=True, most=w - 16, **halo)
    wide = sans_width(region["label"], 11.5)
    if not word or wide + sans_width(f" · {said_of_it}", 11.5) + 14 > w:
        return said
    # one text element, so that the word follows the label in whatever font there is
    more = tag("tspan", f" · {said_of_it}", font_weight=400, **ink.fill("tape" if word == "listening" else "mute"))
    return said.replace("</text>", more + "</text>")


def _lid(ink: Ink, kind: str, word: str, box: Box) -> str:
    """The outline of a region: dashed while nobody writes down what runs in it, hatched while it is closed, thick and warm while
    it runs again, thin when that is done."""
    if word in ("replaying", "rebuilding"):
        return ink.box(box, 10.0, **ink.fill("replay-tint"), **ink.stroke("replay", 2.6))
    line = ink.stroke("mute", 1.2) if kind == "custom" else ink.stroke("replay", 1.2)
    dashes = "2 3" if kind == "custom" else None if word == "done" else "6 4"
    plain = ink.box(box, 10.0, **ink.fill("bg"), **line, stroke_dasharray=dashes)
    shade = tag("rect", x=box[0], y=box[1], width=box[2], height=box[3], rx=10.0, fill=f"url(#{ink.prefix}-lid)")
    return plain + (shade if word == "closed" else "")


def _tag(ink: Ink, value: dict[str, Any], box: Box, step: int, space: Space) -> str:
    x, y, w, h = box
    lines = wrap(value["ghost"], max(w + 36, 130), 11)
    lines = lines if len(lines) <= 3 else ["not written down"]
    wide, tall = max(sans_width(one, 11) for one in lines), len(lines) * 13
    options: list[Box] = [(x + w / 2 - wide / 2, top, wide, tall + 2.0) for top in (y + h + 9, y - tall - 9)]
    found, covered = space.best(options)
    if covered > 20 or not at.born(value, step):
        return ""
    top = options[found][1] + 10
    return group(
        *[ink.text(x + w / 2, top + 13 * i, one, 11, "mute", anchor="middle", sans=True) for i, one in enumerate(lines)]
    )


def _edge(
    ink: Ink,
    edge: dict[str, Any],
    values: dict[str, dict[str, Any]],
    line: list[Point],
    d: str,
    step: int,
    way: str | None,
    space: Space,
) -> tuple[str, str]:
    a, b, long, above = values[edge["a"]], values[edge["b"]], length(line), []
    live, ghost, cut = at.born(a, step) and at.born(b, step), b.get("ghost"), at.is_cut(a, b, step)

    def spot(wide: float, high: float) -> tuple[float, Point]:
        shares = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8)
        places = [along(line, share * long)[0] for share in shares]
        found, _ = space.best([(x - wide / 2 - 1, y - high / 2 - 1, wide + 2, high + 2) for x, y in places])
        return shares[found], places[found]

    if edge.get("kept"):
        (x, y), _ = along(line, max(0.0, long - 9))
        if state := at.kept_at(edge, step):
            above.append(pin(ink, x, y, state))
        space.taken.append((x - 5, y - 5, 10, 10))
    if edge.get("carried"):
        widest = max(chip_width(one["text"]) for one in edge["carried"])
        _, (x, y) = spot(widest, 18)
        if now := at.carried_at(edge, step):
            above.append(chip(ink, x, y, now["text"], now["kind"], now["t"] == step))
    if cut or ghost:
        share, (x, y) = spot(22, 20)
    under = ""
    if cut:
        gap = min(26.0, long * 0.6)
        before = max(0.0, long * share - gap / 2)
        under = ink.curve(d, "ink", 1.4, stroke_dasharray=f"{before:.1f} {gap:.1f} {long:.1f}")
        above.append(ink.text(x, y + 7, "✂", 21, anchor="middle"))
    elif way is None:
        under = ink.curve(d, "faint" if live else "line", 1.4, stroke_dasharray="4 4" if ghost else None)
    if way is not None:
        under += _flow(ink, line, d, WAYS.get(way, "value"), way.startswith("back"))
    return under, "".join(above)


def _flow(ink: Ink, line: list[Point], d: str, role: str, back: bool) -> str:
    run = line[::-1] if back else line
    (x, y), long = run[-1], length(run)
    (bx, by), _ = along(run, max(0.0, long - 9))
    step = ((x - bx) ** 2 + (y - by) ** 2) ** 0.5 or 1.0
    head = arrow(ink, x, y, ((x - bx) / step, (y - by) / step), role)
    # the line stops inside its arrowhead: a thick end would stick out beyond the tip
    shown = max(0.0, long - 6)
    if not back:
        return ink.curve(d, role, 2.6, stroke_dasharray=f"{shown:.1f} {long:.1f}") + head
    bars = max(1, round((long - 6) / 10))
    dashes = " ".join(["7 3"] * bars)
    return ink.curve(d, role, 2.6, stroke_dasharray=f"0 6 {dashes}" if bars < 400 else "7 3") + head


def chip(ink: Ink, x: float, y: float, said: str, role: str, fresh: bool) -> str:
    """A number on an edge, in a capsule, which reads on every ground."""
    wide = columns(said) * CHAR + 12
    role = role if role in WAYS.values() else "mute"
    rim = ink.box((x - wide / 2, y - 9, wide, 18), 9.0, **ink.fill("bg"), **ink.stroke(role, 1.8 if fresh else 1.0))
    return rim + ink.text(x, y + 4.3, said, 12.3, role, weight=700 if fresh else None, anchor="middle")
