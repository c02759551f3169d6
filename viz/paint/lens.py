"""The loop lens of a page: a sheet for each loop, whose steps are turns, and the buttons that choose among them."""

from __future__ import annotations

from typing import Any

from ..scene import Scene
from ..style import words
from .ink import clean, printable
from .loop import WIDE, loop, sentence
from .sheet import PREFIX, Mark, Page, over


def sheets(scene: Scene, prefix: str) -> list[dict[str, Any]]:
    """What `static/lens.js` needs of every loop: its marks as they are in the last turn, and what each turn back changes."""
    return [_sheet(scene, told, prefix) for told in scene.loops]


def _sheet(scene: Scene, told: dict[str, Any], prefix: str) -> dict[str, Any]:
    turns = told["turns"]
    out = Page(turns, prefix)
    drawing, high = loop(told, scene.holders)
    every = range(turns)
    say = Mark(
        "p",
        cls="say",
        key="say",
        html=over(every, lambda turn: f"<span>{clean(printable(sentence(told, turn)))}</span>"),
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
    head = Mark("div", say, opens, cls="lenshead")
    body = out.write(Mark("div", head, picture, cls="loop", style=share, key="turn"))
    return {"html": body, **out.table(), "say": out.number("say"), "at": told["steps"], "label": told["label"]}


def place(scene: Scene) -> list[Mark]:
    """Where the lens stands, empty until it is opened, and a button for each loop where there are several."""
    loops = scene.loops
    if not loops:
        return []
    choices = [
        Mark("button", type="button", cls="word", text=told["label"], data_loop=str(at), aria_pressed=str(at == 0).lower())
        for at, told in enumerate(loops)
    ] if len(loops) > 1 else []  # fmt: skip
    bar = [Mark("div", *choices, cls="loops", role="group", aria_label=words("loop.choose"))] if choices else []
    return [Mark("div", *bar, Mark("div", cls="lens", data_lens=""), cls="for-loop")]
