"""The loop lens of a page: a sheet for each loop, whose steps are turns, and the buttons that choose among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..scene import Scene
from ..style import words
from .cards import path
from .ink import clean, printable
from .loop import WIDE, loop, sentence
from .sheet import PREFIX, Mark, Page, over


def sheets(scene: Scene, prefix: str) -> list[dict[str, Any]]:
    """What `static/lens.js` needs of every loop: its marks as they are in the last turn, and what each turn back changes."""
    return [sheet(told, scene.holders, prefix) for told in scene.loops]


def sheet(
    told: dict[str, Any], holders: list[dict[str, Any]], prefix: str, against: dict[str, Any] | None = None,
    names: Sequence[str] = (), below: tuple[Mark, float] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """A loop's sheet; over it another run's where there is one to hold it `against`, and `below` both what belongs under them."""
    turns = told["turns"]
    out = Page(turns, prefix)
    drawing, high = loop(told, holders, against)
    if below is not None:
        drawing = Mark("g", drawing, Mark("g", below[0], transform=f"translate(0 {high:.0f})"))
        high += below[1]
    every = range(turns)
    say = Mark(
        "p",
        cls="say",
        key="say",
        html=over(every, lambda turn: f"<span>{clean(printable(sentence(told, turn, against, names)))}</span>"),
    )
    box = {"viewbox": f"0 0 {WIDE:g} {high:.0f}", "role": "img", "aria_label": words("loop.label", code=told["label"])}
    picture = Mark("div", Mark("svg", drawing, cls="looppicture", **box), cls="loopbox", tabindex="0", role="slider",
                   aria_label=words("loop.axis"), aria_valuemin=0, aria_valuemax=turns - 1,
                   aria_valuenow=over(every, lambda turn: turn), key="slider")  # fmt: skip
    share = over(every, lambda turn: f"--turn:{turn / (turns - 1):.5f}")
    opens = Mark(
        "button",
        type="button",
        cls=f"word {PREFIX}enter",
        data_act="enter",
        text=words("loop.enter"),
        title=words("loop.enter_title"),
    )
    head = Mark("div", say, *([opens] if against is None else _key(names)), cls="lenshead")
    body = out.write(Mark("div", head, picture, cls="loop", style=share, key="turn"))
    label = "" if against else told["label"]  # no turn of two runs can be opened
    return {"html": body, **out.table(), "say": out.number("say"), "at": told["steps"], "label": label}


def _names(labels: list[str]) -> list[str]:
    """Each loop's code; of loops of the same line the second has a 2 behind it, and so on."""
    before = [labels[:at].count(label) for at, label in enumerate(labels)]
    return [f"{label} ({count + 1})" if count else label for label, count in zip(labels, before, strict=True)]


def _key(names: Sequence[str]) -> list[Mark]:
    """Which run stands as bars, and which as a dashed line."""
    drawn = (path("M1 13V4H7V13ZM9 13V7H15V13ZM17 13V10H22V13Z", "bars value"), path("M0 8H22", "against"))
    size: dict[str, Any] = {"width": 22, "height": 16, "viewbox": "0 0 22 16", "aria_hidden": "true"}
    return [
        Mark("span", Mark("svg", icon, cls="icon", **size), Mark("span", text=name), cls="item")
        for icon, name in zip(drawn, names, strict=True)
    ]


def place(loops: list[dict[str, Any]]) -> list[Mark]:
    """Where the lens stands, empty until it is opened, and a button for each loop where there are several."""
    if not loops:
        return []
    choices = [
        Mark("button", type="button", cls="word", text=name, data_loop=str(at), aria_pressed=str(at == 0).lower())
        for at, name in enumerate(_names([told["label"] for told in loops]))
    ] if len(loops) > 1 else []  # fmt: skip
    bar = [Mark("div", *choices, cls="loops", role="group", aria_label=words("loop.choose"))] if choices else []
    return [Mark("div", *bar, Mark("div", cls="lens", data_lens=""), cls="loopview for-loop")]
