"""A run as one sheet: every part of a page as marks, written as they stand at the last step, and the table of what changes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from typing import Any

from ..scene import Scene
from ..style import KEYS, PALETTE, words
from . import lens, panels, time
from .aloud import walked
from .cards import icon as small
from .cards import item
from .find import columns, findable, together
from .graph import Shared, pointed_at
from .gutter import line_rows, recorder_rows
from .inspect import has_arrays
from .legend import legend
from .order import beside_the_code, picture_first
from .plan import MOST
from .score import SMALL, Score
from .sheet import PREFIX, Mark, Page
from .svg import defs
from .window import button, icon, window

VIEWS = ("graph", "score", "loop")
IDS = "mtID"  # ids begin with it, until a player makes them its own
# px of the time axis: from which width on a plan serves, and what it is planned for
ROOMS = ((700, 780), (470, 500), (0, 380))
SPEEDS = (0.5, 1, 2, 4)
KEY_OF = {"M": "scope", "L": "loop", "F": "fold", "Shift F": "fold", "P": "predict"}  # keys of what not every page has
PANELS = {"words": panels.sentence, "code": panels.code, "formula": panels.formula}


def sheet(
    scene: Scene,
    view: str = "graph",
    level: int = 3,
    page: bool = False,
    out: Page | None = None,
    below: Mark | None = None,
    embed: bool = False,
    short: bool = False,
) -> dict[str, Any]:
    """Everything that a player needs to step through a scene, as plain data: its `html`, and the table (see `static/apply.js`).

    `out` is what it is written on, if not a page of its own; `below` has the knobs; `embed` has the picture stand first;
    `short` is for one of many: of a graph that no window shows whole it has one direction.

    >>> scene = Scene(title="one", steps=[{"kind": "start", "say": "Nothing has run yet.", "memory": {}}])
    >>> sorted(sheet(scene))
    ['back', 'find', 'folds', 'html', 'rooms', 'say', 'steps', 'together']
    """
    if not scene.steps:
        scene = Scene.from_dict({**scene.to_dict(), "steps": [{"kind": "start", "say": words("step.nothing")}]})
    out = out or Page(len(scene.steps), IDS)
    panel = {name: out.part(name, make(scene)) for name, make in PANELS.items()}
    shared = Shared(scene) if scene.layout else None
    graph_ = [microscope(), window(out, scene, shared, short), *_notes(scene)]
    score = _score(out, scene)
    if page and not short and view != "score":  # nobody sees it before a player turns to it
        out.apart = score[0]
    room = picture_first if embed else beside_the_code
    inside = room(panel, graph_, score, steps_of(scene), _time(out, scene), _legend(scene, shared), below)
    asks = any("ask" in step for step in scene.steps)
    unfolds = not page or short or bool(scene.groups)  # a kernel knows more than a page
    tools = {"predict": asks, "scope": has_arrays(scene), "fold": unfolds}
    has = {name for name, there in tools.items() if there}
    body = out.write(
        framed(scene, inside, view, level, page, embed, loops=scene.loops, has=has, pointed=pointed_at(scene))
    )
    folds = [[group["id"], group["from"], group["to"]] for group in scene.groups]
    return {
        "html": body,
        **out.table(),
        "find": columns(findable(scene)),
        "together": together(scene),
        "folds": folds,
        "say": out.number("say"),
        **({"loops": lens.sheets(scene, IDS)} if scene.loops else {}),
        **({"score": out.beside} if out.beside else {}),
    }


def check(theme: str, view: str, otherwise: str) -> None:
    """Raises ValueError for a theme or a view that does not exist; `otherwise` says what "" takes."""
    if theme not in ("", *PALETTE):
        raise ValueError(f"no theme is called {theme!r}: light, dark, or '' for what {otherwise}")
    if view not in VIEWS:
        raise ValueError(f"no view is called {view!r}: {' or '.join(VIEWS)}")


def framed(
    scene: Scene, inside: list[Mark], view: str, level: int, page: bool, embed: bool, *,
    loops: list[dict[str, Any]], views: tuple[str, ...] = VIEWS, has: Collection[str] = (), pointed: set[str] | None = None,
) -> Mark:  # fmt: skip
    """What stands around the parts of a page: title and options above them, the lens of `loops`, search, inspector and help;
    `has` are the tools that not every page has something for, `pointed` the ids of what marks point at, if not of all of it."""
    known = {pointer.attrs["id"]: pointer for pointer in defs()}
    known = {name: known[name] for name in known if pointed is None or name in {"hatch", *pointed}}
    urls = "".join(f"--url-{name}:url(#{IDS}-{name});" for name in known)
    known.pop("hatch")  # memory has its own: its picture is stretched
    shared = Mark("defs", *known.values())
    pointers = Mark("svg", shared, cls="aloud", aria_hidden="true")
    offered = [name for name in views if name != "loop" or loops]
    has = {*has, *offered}
    return Mark(
        "div", pointers, _head(scene, level, offered, has), *lens.place(loops), *inside, _search(bool(loops)), _inspector(),
        _help(has),
        cls="frame", data_view=view, style=f"--columns:{panels.needed(scene)};{urls}", data_page="" if page else None,
        data_embed="" if embed else None,
    )  # fmt: skip


def microscope() -> Mark:
    """Where the microscope stands, when it is opened."""
    return Mark("div", cls="microscope", role="region", aria_label=words("controls.scope"), hidden="")


def steps_of(scene: Scene) -> list[Mark]:
    """What leads from step to step."""
    return [_controls(scene), _scrub(scene)]


def _head(scene: Scene, level: int, offered: list[str], has: Collection[str]) -> Mark:
    def word(name: str, act: str, label: str = "", **more: Any) -> Mark:
        title = words(f"controls.{label or name}_title")
        return Mark("button", type="button", cls=f"word {PREFIX}{name}", title=title, data_act=act, **more)

    views = [
        word(f"view {PREFIX}to-{name}", name, name, text=words(f"controls.{name}"), aria_pressed="false")
        for name in offered
    ]
    fold = word("fold", "fold", hidden="")
    fold.kids = [Mark("span", text=words(f"controls.{name}"), cls=name) for name in ("unfold", "fold")]
    hidden = "" if len(views) < 2 else None
    choice: dict[str, Any] = {"role": "group", "aria_label": words("controls.view"), "hidden": hidden}
    tools = {
        "predict": word("predict", "predict", text=words("controls.predict"), aria_pressed="true"),
        "fold": fold,
        "scope": word("scope", "scope", text=words("controls.scope"), aria_pressed="false", hidden=""),
    }
    always = (("inspect", "inspect"), ("find", "find"), ("theme", "theme"), ("helper", "help"))
    options = [
        Mark("div", *views, cls="views", **choice),
        *(tool for name, tool in tools.items() if name in has),
        *(word(name, act, text=words(f"controls.{name}")) for name, act in always),
    ]
    title = Mark(f"h{level}", cls="title", text=scene.title or words("step.run"))
    lead = [Mark("p", cls="lead", text=scene.lead)] if scene.lead else []
    return Mark("div", title, Mark("div", *options, cls="options"), *lead, cls="head")


def _controls(scene: Scene) -> Mark:
    play = button("play", icon("pause"), data_off=words("controls.play"), data_on=words("controls.pause"))
    last = len(scene.steps) - 1
    count = Mark("span", Mark("q", text=last, data_n=""), Mark("span", text=f" / {last}"), cls="count")
    speeds = [
        Mark("option", value=f"{speed:g}", text=f"{speed:g}×", selected="" if speed == 1 else None) for speed in SPEEDS
    ]
    speed = Mark("select", *speeds, cls="speed", aria_label=words("controls.speed"), title=words("controls.speed"))
    parts = [button("first"), button("back"), play, button("next"), button("last"), count, speed]
    name = words("step.step", step=0)
    return Mark("div", *parts, cls="controls", role="group", aria_label=words("controls.steps"), data_step_name=name)


def _scrub(scene: Scene) -> Mark:
    last = len(scene.steps) - 1
    return Mark("input", cls="scrub", type="range", max=last, value=last, aria_label=words("controls.scrub"))


def _notes(scene: Scene) -> list[Mark]:
    return [Mark("p", cls="remark", text=note) for note in scene.notes] if scene.layout else []


def _axes(scene: Scene) -> list[tuple[int, time.Axis]]:
    planned = [room for _, room in ROOMS]
    return [(least, time.Axis(scene, room, planned, fluid=True)) for least, room in ROOMS]


def _room(out: Page, name: str, plans: list[tuple[int, Mark]], cls: str = "time") -> Mark:
    """A picture of time in its box, at the places of each room."""
    return Mark("div", out.planned(name, plans), cls=cls, data_room=name)


def _strip(axis: time.Axis, marks: list[Mark], h: float, label: str, cls: str, least: float = time.SMALL) -> Mark:
    size: dict[str, Any] = {"width": "100%", "height": float(h), "role": "img", "aria_label": label, "data_zero": ""}
    if axis.pitches[0] < time.FULL:
        size |= {"style": f"--size:{axis.size(least):.2g}", "data_sized": ""}
    # An image is one thing to those who hear it, and its label says which.
    drawn = Mark("g", *marks, aria_hidden="true")
    return Mark("div", Mark("svg", drawn, cls=cls, **size), cls="axis", data_axis="")


def _time(out: Page, scene: Scene) -> list[Mark]:
    """Lanes with the learner's names over them; memory with the step numbers under it."""
    axes, rows = _axes(scene), []

    def lanes(axis: time.Axis) -> Mark:
        named, high = time.brackets(scene, axis)
        marks, tall = time.lanes(scene, axis)
        body = Mark("svg", *marks, x=0, y=float(high), width="100%", height=float(tall))
        over = [time.veil(scene, axis, high, tall), time.cursor(scene, axis, 0, high + tall)]
        return _strip(axis, [*named, body, *over], high + tall, words("time.lanes"), "strip lanes")

    def memory(axis: time.Axis) -> Mark:
        marks, tall = time.memory(scene, axis)
        body = Mark("svg", *marks, x=0, y=time.ABOVE, width="100%", height=float(tall))
        over = [time.veil(scene, axis, 0, time.ABOVE + tall), time.cursor(scene, axis, 0, time.ABOVE + tall)]
        held = time.held(scene, axis, y=float(time.ABOVE))
        parts = [Mark("defs", time.hatch(axis)), body, *over, held, *time.ticks(scene, axis, time.ABOVE + tall + 13)]
        return _strip(axis, parts, time.ABOVE + tall + time.TICKS, words("time.bytes"), "strip memory")

    if scene.recorders:
        high = time.brackets(scene, axes[0][1])[1]
        names = Mark("div", *time.lane_rows(scene), cls="gutter for-graph", style=f"padding-top:{high:g}px")
        rows += [names, _room(out, "lanes", [(least, lanes(axis)) for least, axis in axes], "time for-graph")]
    names = Mark("div", *time.hold_rows(scene), cls=f"gutter {PREFIX}memory")
    return [*rows, names, _room(out, "memory", [(least, memory(axis)) for least, axis in axes])]


def _score(out: Page, scene: Scene) -> list[Mark]:
    if len(scene.values) > MOST:
        said = words("score.many", count=len(scene.values), most=MOST)
        return [Mark("div", Mark("p", cls="remark", text=said), cls="score for-score")]
    score, axes = Score(scene), _axes(scene)

    def plan(name: str, marks: Any, h: float, label: str, small: float = time.SMALL) -> Mark:
        cls = f"sheetmusic {name}"
        drawn = [(least, _strip(axis, marks(axis), h, words(label), cls, small)) for least, axis in axes]
        if name == "strings":
            out.part("strings", drawn[0][1].kids[0])
        return _room(out, name, drawn)

    boxes = []
    if scene.recorders:
        names = Mark("div", *[row for row, _ in recorder_rows(score)], cls="names", style=f"height:{score.high:g}px")
        boxes.append(Mark("div", names, plan("staves", score.staves_in, score.high, "score.staves"), cls="staves"))
    names = out.part("names", named(score))
    how = {"tabindex": "-1", "role": "group", "aria_label": words("score.strings"), "data_follow": ".mt-linerow.fresh"}
    boxes.append(
        Mark("div", names, plan("strings", score.strings_in, score.all, "score.strings", SMALL), cls="strings", **how)
    )
    return [Mark("div", *boxes, cls="score for-score")]


def parts_of(scene: Scene) -> Callable[[str], Mark]:
    """Gives a part of a page by itself, under the name that the page gave it (`Page.part`), where its picture is widest.

    What several parts have as well is worked out once."""
    shared, score = cache(lambda: Shared(scene)), cache(lambda: Score(scene))

    def part(name: str) -> Mark:
        kind, _, way = name.partition(" ")
        if kind in PANELS:
            return PANELS[kind](scene)
        if kind == "graph":
            return walked(scene, way, shared()).mark if way else panels.table(scene)
        if kind == "names":
            return named(score())
        axis = _axes(scene)[0][1]
        return _strip(axis, score().strings_in(axis), score().all, words("score.strings"), "sheetmusic strings").kids[0]

    return part


def named(score: Score) -> Mark:
    """The names and numbers of a score's rows."""
    return Mark("div", *[row for row, _, _ in line_rows(score)], cls="names", style=f"height:{score.all:g}px")


def _legend(scene: Scene, shared: Shared | None) -> Mark:
    """The marks of both views; those that one of them alone uses stand first."""
    told = {
        view: legend(scene, parts, shared.short if shared else None)
        for view, parts in (("graph", ("graph", "lanes", "memory")), ("score", ("score", "memory")))
    }
    as_drawn = {
        view: [(item.said, "".join(map(Page(1).write, item.icon))) for item in items] for view, items in told.items()
    }
    both = set(as_drawn["graph"]) & set(as_drawn["score"])
    items = []
    for view, some in (("graph", "graph"), ("score", "score"), ("", "score")):
        for (drawing, said, wide), drawn in zip(told[some], as_drawn[some], strict=True):
            if (drawn in both) == (view == ""):
                long = not view and said == told["score"][-1].said and scene.holders
                cls = f"item for-{view}" if view else f"item {PREFIX}long" if long else "item"
                items.append(item(small(*drawing, wide=wide), said, cls))
    return Mark("div", *items, Mark("span", cls="keys", text=words("legend.keys")), cls="legend")


def _inspector() -> Mark:
    close = Mark("button", type="button", cls="word", text=words("help.close"), data_act="inspect")
    head = Mark("div", Mark("b", text=words("inspect.title")), close, cls="sheethead")
    how = {"aria_live": "polite", "data_line": words("inspect.steps_of_line")}
    none = Mark("div", Mark("p", text=words("inspect.none")), cls="told", **how)
    return Mark("div", head, none, cls="inspector", role="region", aria_label=words("inspect.title"), hidden="")


def _search(turns: bool) -> Mark:
    box = Mark(
        "input", cls="query", type="search", autocomplete="off", spellcheck="false", aria_label=words("find.label"),
        placeholder=words("find.where"),
    )  # fmt: skip
    step = Mark("i", html=panels.slotted("step.step", "step").strip())
    hit = Mark("li", Mark("b"), Mark("span"), step, cls="hit", role="option", aria_selected="false")
    says = [
        Mark("span", html=panels.slotted(f"find.{key}").strip(), data_say=key, hidden="")
        for key in ("hint", "nothing", "more")
    ]
    return Mark(
        "div", box, Mark("ul", cls="hits", role="listbox", aria_label=words("find.found")), Mark("template", hit),
        Mark("p", *says, cls="none", role="status"),
        cls="search", data_turn=words("find.turn", turn=0) if turns else None, role="search", hidden="",
    )  # fmt: skip


def _help(has: Collection[str]) -> Mark:
    rows = [
        Mark("div", Mark("kbd", text=keys, cls="kbd"), Mark("span", text=told), cls="key")
        for keys, told in KEYS.items()
        if KEY_OF.get(keys, "graph") in has
    ]
    close = Mark("button", type="button", cls=f"word {PREFIX}close", text=words("help.close"), data_act="close")
    head = Mark("div", Mark("b", text=words("help.title")), close, cls="sheethead")
    sheet = Mark("div", head, *rows, Mark("p", cls="hint", text=words("help.hint")), cls="sheetbox")
    return Mark("div", sheet, cls="help", role="dialog", aria_label=words("help.title"), hidden="")
