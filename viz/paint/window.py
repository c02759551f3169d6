"""The window through which a page's graph is seen: the box that scrolls, buttons for larger and smaller, a small picture of all.
What they do is the camera's (`static/camera.js`); which of the two directions is shown, the box says.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from ..scene import Scene
from ..style import ICONS, words
from . import panels
from .aloud import walked
from .cards import icon as small
from .graph import Drawing, Shared
from .named import named
from .sheet import PREFIX, Mark, Page

ROOM = (860, 500)  # px that a window often has: the direction that reads better there stands in the document
WINDOWS = tuple(product((330, 480, 600, 860, 1060), (210, 330, 500, 660)))  # px, that there are
LEGIBLE = 0.92  # of its own size at which all words of a drawing can be read
LARGEST = 1.5  # times its own size that a drawing is shown by itself


def icon(name: str) -> Mark:
    """One of the icons of `style.toml`."""
    return small(Mark("path", d=ICONS[name]), wide=20, high=20)


def button(name: str, *more: Mark, **attrs: Any) -> Mark:
    """A button that is an icon; its title, `controls.name` in words, is its name for those who hear it as well."""
    cls, title = f"ctl {PREFIX}{name}", words(f"controls.{name}")
    return Mark("button", icon(name), *more, type="button", cls=cls, title=title, data_act=name, **attrs)


def window(out: Page, scene: Scene, shared: Shared | None = None, short: bool = False) -> Mark:
    """The graph, in both directions where the layout has both: the box says which.  `short`, of one that no window shows whole,
    has the direction that comes out larger in most."""
    if not scene.layout:
        return out.part("graph", panels.table(scene))
    shared = shared or Shared(scene)
    drawings = {way: walked(scene, way, shared) for way in ("LR", "TB") if way in scene.layout}
    seen = chosen(list(drawings.values()))
    if short and all(_size(drawing, WINDOWS[-1]) < LEGIBLE for drawing in seen):
        seen = seen[:1]
    first = next(way for way, drawing in drawings.items() if drawing is seen[0])
    out.part(f"graph {first}", seen[0].mark)
    return shelf(out, seen, ".mt-card.on, .mt-ring:not(.off)", named=named(scene))


def chosen(drawings: list[Drawing]) -> list[Drawing]:
    """Of several arrangements those that come out largest in some window, that of most windows first."""
    drawings = sorted(drawings, key=lambda drawing: -_size(drawing, ROOM))
    needed = {max(range(len(drawings)), key=lambda at: _size(drawings[at], room)) for room in WINDOWS}
    return [drawing for at, drawing in enumerate(drawings) if at in needed]


def shelf(out: Page, drawings: list[Drawing], follow: str, named: Any = None) -> Mark:
    """A picture in its box, which keeps in view what `follow` finds and says where the cards lie that are `named` besides; of
    several arrangements the box chooses."""
    plans = [((round(drawing.w), round(drawing.h)), _seen(drawing, follow)) for drawing in drawings]
    hands = button("larger"), button("smaller"), button("fit", aria_pressed="false")
    tools = Mark("div", *hands, cls="tools", role="group", aria_label=words("controls.size"))
    return Mark("div", out.planned("graph", plans), tools, cls="room", key="shelf", data_room="graph", data_named=named)


def _size(drawing: Drawing, room: tuple[int, int]) -> float:
    return min(room[0] / drawing.w, room[1] / drawing.h, LARGEST)


def _seen(drawing: Drawing, follow: str) -> Mark:
    w, h = round(drawing.w), round(drawing.h)
    view, size = f"0 0 {w} {h}", f"--w:{w};--h:{h}"
    picture = Mark("svg", drawing.mark, cls="picture", key="graph", style=size, role="none", viewbox=view)
    box = Mark("div", picture, cls="graph", tabindex="-1", data_follow=follow)
    whole = Mark(
        "svg",
        *(Mark("path", cls=drawn) for drawn in ("plan", "here", "sight")),  # by a player
        cls="map", key="map", style=f"aspect-ratio:{w}/{h}", fixed="none", aria_hidden="true", hidden="", viewbox=view,
    )  # fmt: skip
    # the pattern of what says where a card lies that is not in view
    sign = Mark("button", type="button", cls="sign", title=words("controls.away"), hidden="")
    return Mark("div", box, whole, Mark("div", sign, cls="signs"), cls="window")
