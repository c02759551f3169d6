"""A scene as the DOT that Graphviz places: boxes of known size with a port per argument, clusters, edges that go forward.

Ids are our own (n0, e0, r0), so that no name of the learner's can break Graphviz.  Label boxes have the
sizes that we draw with, so the positions do not depend on the fonts of the machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..scene import Scene
from .chips import chip_width
from .sizes import label_width, node

MARGIN = 14  # px from a region's wall to what it holds


@dataclass(slots=True, frozen=True)
class Wish:
    """One way to ask Graphviz: a direction; whether the drawing is mirrored afterwards (Graphviz stacks its clusters as it
    likes, and forward should come first); whether edges are named last to first, which starts its search elsewhere; and
    whether it should hurry."""

    direction: str
    mirrored: bool = False
    backwards: bool = False
    quick: bool = False


@dataclass(slots=True)
class Plan:
    """What is sent to Graphviz, and how to read its answer.

    Some of the edges are `unseen`: they place an answer of a tape behind its target, and no picture draws them.
    """

    scene: Scene
    values: dict[str, dict[str, Any]]
    edges: list[dict[str, Any]]
    arriving: dict[str, list[dict[str, Any]]]
    parents: dict[str, str]
    members: dict[str, list[str]]
    around: dict[str, list[str]]
    sizes: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, scene: Scene) -> Plan:
        """The plan of a scene: edges whose ends are both there, arguments in slot order, regions that hold something."""
        values = {value["id"]: value for value in scene.values}
        edges = [edge for edge in scene.edges if edge["a"] in values and edge["b"] in values and edge["a"] != edge["b"]]
        edges += answers(scene, values, edges)
        arriving: dict[str, list[dict[str, Any]]] = {}
        for edge in sorted(edges, key=lambda edge: edge.get("slot", 0)):
            arriving.setdefault(edge["b"], []).append(edge)
        regions = {region["id"]: region for region in scene.regions}
        parents = {key: region["parent"] for key, region in regions.items() if region.get("parent") in regions}
        members: dict[str, list[str]] = {"": []}
        for key, value in values.items():
            home = value.get("region", "")
            members.setdefault(home if home in regions else "", []).append(key)
        around = {key: _chain(key, parents) for key in regions}
        return cls(scene, values, edges, arriving, parents, members, around)

    def children(self, region: str) -> list[str]:
        """The regions directly inside this one ("": the outermost), in the order of the scene."""
        return [inner["id"] for inner in self.scene.regions if self.parents.get(inner["id"], "") == region]

    @property
    def unseen(self) -> list[str]:
        """The edges that only place what they lead to."""
        return [edge["id"] for edge in self.edges if edge.get("unseen")]

    def size(self, key: str, direction: str) -> tuple[int, int]:
        """Width and height of a value's box, measured once for all tries."""
        known = self.sizes.get((key, direction))
        if known is None:
            known = self.sizes[key, direction] = node(self.values[key], direction)
        return known

    def above(self, key: str) -> list[str]:
        """The regions that a value lies in, innermost first."""
        return self.around.get(self.values[key].get("region", ""), [])


def answers(scene: Scene, values: dict[str, Any], edges: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """An edge from each target of a tape to what the tape answered with, where nothing else leads there.

    A gradient is made by a backward pass that nobody wrote down, so no edge says where it comes from: without this, the
    updates of a training loop would stand in front of the first layer.
    """
    reached = {edge["b"] for edge in edges}
    targets: dict[str, str] = {}  # by the cell in which this question's gradients stand
    out = []
    for at, step in enumerate(scene.steps):
        cells = [focus for focus in step.get("focus", []) if not isinstance(focus, str)]
        if step["kind"] == "seed":
            targets.update({cell: value for value, cell in cells})
        if step["kind"] == "gradients":
            target = next((targets[cell] for _, cell in cells if cell in targets), "")
            for key, value in values.items():
                if target in values and value.get("born") == at and not value.get("op") and key not in reached:
                    out.append({"id": f"{target}>{key}", "a": target, "b": key, "slot": 0, "unseen": True})
    return out


def _chain(region: str, parents: dict[str, str]) -> list[str]:
    chain = [region]
    while (up := parents.get(chain[-1], "")) and up not in chain:
        chain.append(up)
    return chain


def depth(plan: Plan) -> int:
    """How many ops the longest way through the graph has."""
    return max(ranks(plan).values(), default=0)


def ranks(plan: Plan) -> dict[str, int]:
    """For each value the most ops that lie before it."""
    rank: dict[str, int] = {}
    for key in plan.values:
        rank[key] = max([rank[edge["a"]] + 1 for edge in plan.arriving.get(key, []) if edge["a"] in rank] + [0])
    return rank


def offsets(count: int) -> list[float]:
    """Where the arguments of an op meet its disc, from its middle.

    >>> offsets(1), offsets(2), offsets(3)
    ([0.0], [-7.0, 7.0], [-10.0, 0.0, 10.0])
    """
    gap = 14 if count == 2 else 20 / max(1, count - 1)
    return [(slot - (count - 1) / 2) * gap for slot in range(count)]


def spacing(plan: Plan, direction: str) -> tuple[float, float]:
    """How far apart, in px: neighbours in a rank, and ranks."""
    upright = direction == "TB"
    chips = [chip_width(fact["text"]) for edge in plan.edges for fact in edge.get("carried", [])]
    chip = min(max(chips, default=0), 145)
    # a number and a pin must fit on an edge; a small graph has room for more
    between = (44 + (14 if chips else 0) if upright else 40 + chip) + max(0, 3 - depth(plan)) * 20
    return max(26, chip * 0.7) if upright else 26, between


def source(plan: Plan, wish: Wish) -> str:
    """The DOT source of a plan, in ASCII."""
    upright = wish.direction == "TB"
    beside, between = spacing(plan, wish.direction)
    lines = [
        "digraph {",
        f"graph [rankdir={wish.direction} nodesep={beside / 72:.3f} ranksep={between / 72:.3f} newrank=true]",
        "node [shape=plain] edge [arrowhead=none]",
    ]
    if wish.quick:
        lines.append("graph [nslimit=2 nslimit1=2 mclimit=0.5 splines=polyline]")
    number = {key: f"n{at}" for at, key in enumerate(plan.values)}
    lines += _inside(plan, wish, number, "")
    tail, head = ("s", "n") if upright else ("e", "w")
    order = list(enumerate(plan.edges))
    for at, edge in reversed(order) if wish.backwards else order:
        slot = plan.arriving[edge["b"]].index(edge)
        lines.append(f"{number[edge['a']]}:o:{tail} -> {number[edge['b']]}:i{slot}:{head} [id=e{at}]")
    return "\n".join([*lines, "}"])


def _inside(plan: Plan, wish: Wish, number: dict[str, str], region: str) -> Iterator[str]:
    """What lies in a region: its values, and the regions in it."""
    for key in plan.members.get(region, []):
        yield f"{number[key]} [label={_box(plan, wish, key)}]"
    children = plan.children(region)
    for at, child in enumerate(plan.scene.regions):
        if child["id"] in children:
            yield f"subgraph cluster_{at} {{ {_ground(plan, child, wish)}"
            yield from _inside(plan, wish, number, child["id"])
            yield "}"


def _ground(plan: Plan, region: dict[str, Any], wish: Wish) -> str:
    low = wish.mirrored and wish.direction == "LR"
    size = f'fixedsize="true" width="{label_width(plan.scene, region):.0f}" height="14"'
    label = f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="0"><tr><td {size}></td></tr></table>>'
    side = "r" if wish.mirrored and not low else "l"
    return f"label={label} labelloc={'b' if low else 't'} labeljust={side} margin={MARGIN}"


def _box(plan: Plan, wish: Wish, key: str) -> str:
    """A table of the box's exact size: a strip of ports where the disc will be, and the port `o` where edges leave."""
    w, h = plan.size(key, wish.direction)
    count = max(1, len(plan.arriving.get(key, [])))
    ports = [f"i{slot}" for slot in range(count)]
    if wish.mirrored:
        ports.reverse()
    gap = 14 if count == 2 else max(2, 20 // max(1, count - 1)) if count > 1 else 20
    across = h if wish.direction == "LR" else w
    gap = min(gap, max(1, across // count))
    before = (across - gap * count) // 2
    strip = [(None, before), *((port, gap) for port in ports), (None, across - gap * count - before)]
    cell = '<td fixedsize="true" {}width="{}" height="{}"></td>'
    table = '<<table border="0" cellborder="0" cellspacing="0" cellpadding="0">{}</table>>'
    if wish.direction == "LR":
        kept = [stretch for stretch in strip if stretch[1]]
        rows = ["<tr>" + cell.format(f'port="{port}" ' if port else "", w - 4, size) for port, size in kept]
        rows[0] += f'<td fixedsize="true" rowspan="{len(kept)}" port="o" width="4" height="{h}"></td>'
        return table.format("</tr>".join(rows) + "</tr>")
    top = "".join(cell.format(f'port="{port}" ' if port else "", size, h - 4) for port, size in strip if size)
    spread = len([stretch for stretch in strip if stretch[1]])
    low = f'<td fixedsize="true" colspan="{spread}" port="o" width="{w}" height="4"></td>'
    return table.format(f"<tr>{top}</tr><tr>{low}</tr>")
