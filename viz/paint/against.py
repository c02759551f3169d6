"""Two runs as one page: its steps are the pairs that differ, its picture both graphs, and its lens the loops of both.

Both graphs stand as they are at their end; what a step changes is which pair is told, and around which cards a frame stands.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

from ..layout.sizes import frame, sans_width
from ..scene import Scene
from ..style import words
from . import compare, lens, twoloops, window
from .cards import icon, item, moved, text
from .differ import icons, marks_on, used
from .find import columns, findable, together
from .frame import IDS, framed, microscope, steps_of
from .graph import RIM, Drawing
from .loopgrid import WIDE as LOOP
from .order import beside_the_code, picture_first
from .panels import sentence
from .runs import NOTHING, Facts, brief, graph_words
from .sheet import Mark, Page, over, resolved
from .svg import GraphRoom

TITLE, GAP = 30.0, 34.0  # px: a run's name over its graph, and the room between two graphs
VIEWS = ("graph", "loop")


def story(facts: Facts) -> Scene:
    """The steps of a comparison: what is said of the whole, then each pair that differs."""
    first, *rest = facts["said"]
    steps = [first, *(row["say"] for row in facts["rows"])]
    return Scene(
        title=words("differ.against", one=facts["names"][0], other=facts["names"][1]), lead=" ".join(rest),
        steps=[{"kind": "start", "say": say, "memory": {}} for say in steps],
    )  # fmt: skip


def sheet(facts: Facts, view: str = "graph", level: int = 3, page: bool = False, embed: bool = False) -> dict[str, Any]:
    """Everything that a player needs to go through a comparison, as `frame.sheet` has it for a run."""
    scene = story(facts)
    out = Page(len(scene.steps), IDS)
    panel = {"words": sentence(scene), "code": _pairs(facts), "formula": Mark("div")}
    drawn = Mark("div", html=compare.picture(facts["curves"], "page"))
    memory = Mark("details", Mark("summary", text=words("differ.memory")), drawn, cls="drawn")
    room: Any = partial(picture_first, more=words("differ.embedded")) if embed else beside_the_code
    inside = room(panel, [microscope(), *_graphs(out, facts)], [], steps_of(scene), [memory], _legend(facts))
    body = out.write(
        framed(scene, inside, view, level, page, embed, loops=[told for told, _ in facts["loops"]], views=VIEWS)
    )
    holders = facts["graphs"][0]["scene"].get("holders", []) if facts["graphs"] else []
    lenses: list[dict[str, Any]] = []
    for told, other in map(twoloops.level, facts["loops"]):
        under = twoloops.curves_of([told, other], LOOP, moves=True)
        two = lens.Two(other, facts["names"], under, _opens(facts, len(lenses), told["turns"]))
        lenses.append(lens.sheet(told, holders, IDS, two))
    return {
        "html": body, **out.table(), "find": columns(findable(scene)), "together": together(scene), "folds": [],
        "say": out.number("say"), **({"loops": lenses} if lenses else {}),
    }  # fmt: skip


def _opens(facts: Facts, loop: int, turns: int) -> list[tuple[int, int]]:
    """By turn, the nearest one in which a pair differs that has a step, and that step; none where none does."""
    first: dict[int, int] = {}
    for at, row in enumerate(facts["rows"], 1):
        if row["turns"][loop] >= 0:
            first.setdefault(row["turns"][loop], at)
    nearest = [min(first, key=lambda place: abs(place - turn)) for turn in range(turns)] if first else []
    return [(turn, first[turn]) for turn in nearest]


# ---- the pairs ----------------------------------------------------------------------------------------------------------------


def _pairs(facts: Facts) -> Mark:
    """All pairs as a list, each of which leads to its step."""
    rows = []
    for at, row in enumerate(facts["rows"], 1):
        line = words("differ.line", line=row["line"]) if row["line"] else ""
        numbers = [
            Mark("span", Mark("i", text=name), Mark("b", text=row[side]), cls="side")
            for name, side in zip(facts["names"], ("one", "other"), strict=True)
            if row[side] != NOTHING
        ]
        head = [_icon(icons()[row["mark"]]), Mark("span", text=line, cls="pairline"), Mark("b", text=row["name"])]
        parts = [*head, Mark("span", text=row["far"], cls="far"), *numbers]
        cls = _during([at], "pair now", "pair")
        rows.append(Mark("button", *parts, type="button", cls=cls, key=f"pair:{at}", data_go=str(at)))
    left = facts["more"] - len(facts["rows"]) + len(brief(facts))
    more = [Mark("p", cls="remark", text=words("differ.more", count=left))] if left else []
    how = {"role": "group", "aria_label": words("differ.pairs"), "tabindex": "-1", "data_follow": ".mt-pair.now"}
    return Mark("div", *rows, *more, cls="code mt-pairs", **how)


def _icon(mark: Mark) -> Mark:
    return icon(mark, high=22, corner="-11 -11")


def _legend(facts: Facts) -> Mark:
    """The marks that stand on cards here, each with its words."""
    marks = [mark for graph in facts["graphs"] for mark in graph["marks"].values()]
    items = [item(_icon(drawn), words(f"differ.mark_{name}")) for name, drawn in used(marks)]
    return Mark("div", *items, Mark("span", cls="keys", text=words("differ.keys")), cls="legend")


# ---- both graphs --------------------------------------------------------------------------------------------------------------


def _graphs(out: Page, facts: Facts) -> list[Mark]:
    """Both graphs as one picture: going to the right they stand under each other, going down beside each other, so that the two
    cards of a pair are near."""
    rooms = [GraphRoom(Scene.from_dict(run["scene"])) for run in facts["graphs"]]
    if not all(room.placed for room in rooms):
        note = Mark("p", cls="remark", text=words("differ.no_graph"))
        return [Mark("div", note, cls="graph mt-flat", tabindex="-1", data_follow=".none")]
    drawings = [
        _both(facts, rooms, way) for way in ("LR", "TB") if all(way in (room.scene.layout or {}) for room in rooms)
    ]
    return [window.shelf(out, window.chosen(drawings), ".mt-pairhere:not(.off)")]


def _both(facts: Facts, rooms: list[GraphRoom], way: str) -> Drawing:
    kids, x, y, wide, high = [], 0.0, 0.0, 0.0, 0.0
    for at, room in enumerate(rooms):
        drawing, name = room.of(way), facts["names"][at]
        marks = marks_on(room.scene, way, facts["graphs"][at]["marks"])
        end = len(room.scene.steps)  # a step after the last, where nothing is new any more
        title = text(RIM, 20, name, "loophead")
        body = Mark(
            "g", ended(drawing.mark, end), *marks, *_here(facts, room.scene, way, at), transform=moved(0, TITLE)
        )
        label = {"role": "img", "aria_label": graph_words(facts, at)}
        kids.append(Mark("g", title, body, transform=moved(x, y), **label))
        w, h = max(drawing.w, sans_width(name, 14) + 2 * RIM), drawing.h + TITLE
        wide, high = max(wide, x + w), max(high, y + h)
        x, y = (x + w + GAP, 0.0) if way == "TB" else (0.0, y + h + GAP)
    return Drawing(Mark("g", *kids), wide, high)


def ended(mark: Mark, step: int) -> Mark:
    """A drawing as it stands at a step, with nothing that a player would find in it."""
    attrs = {name: resolved(value, step) for name, value in mark.attrs.items() if not name.startswith("data")}
    return Mark(mark.tag, *[ended(kid, step) for kid in mark.kids], **attrs)


def _here(facts: Facts, scene: Scene, way: str, side: int) -> list[Mark]:
    """A frame around the card of the pair that is told; where it is out of view, its run's name says which way it lies."""
    out, boxes = [], (scene.layout or {})[way]["nodes"]
    cards = {value["id"]: value for value in scene.values}
    told: dict[str, list[int]] = {}
    for at, row in enumerate(facts["rows"], 1):
        told.setdefault(row["cards"][side], []).append(at)
        if at == 1:  # the whole is told at its first difference
            told[row["cards"][side]].append(0)
    for card, steps in told.items():
        if card not in cards or card not in boxes:
            continue
        x, y, w, h = frame(cards[card], boxes[card], way)
        cls = _during(steps, "pairhere", "pairhere off")
        box = {"x": x + RIM - 11, "y": y + RIM - 11, "width": w + 22, "height": h + 22}
        name = Mark("title", text=facts["names"][side], cls="name")
        out.append(Mark("rect", name, **box, cls=cls, key=f"here {side}:{card}"))
    return out


def _during(steps: Collection[int], then: str, else_: str) -> Any:
    """A class that a mark has at some steps, and the one that it has at all others."""
    return over([date for at in steps for date in (at, at + 1)], lambda step: then if step in steps else else_)
