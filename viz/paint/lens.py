"""The loop lens of a page: a sheet for each loop, whose steps are turns, and the buttons that choose among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..layout.sizes import short
from ..scene import Scene
from ..style import words
from .cards import icon, item, path
from .ink import clean
from .loop import WIDE, axis, body, own_turns, sentence_of_both, sentences
from .sheet import PREFIX, Known, Mark, Page, over


def sheets(scene: Scene, prefix: str) -> list[dict[str, Any]]:
    """What `static/lens.js` needs of every loop: its marks as they are in the last turn, and what each turn back changes."""
    return [sheet(told, scene.holders, prefix) for told in scene.loops]


ROOMS = ((WIDE, WIDE), (760, 760.0), (0, 560.0))  # px from which a drawing serves, and how wide it is


class Two(NamedTuple):
    """What the sheet of a loop has where another run is laid over it."""

    against: dict[str, Any]  # the other run's loop
    names: Sequence[str]  # of the two runs
    below: tuple[Mark, float]  # what stands under both, and how high it is
    opens: Sequence[tuple[int, int]]  # by turn, the nearest in which something differs, and the step that tells it


def sheet(told: dict[str, Any], holders: list[dict[str, Any]], prefix: str, two: Two | None = None) -> dict[str, Any]:
    """A loop's sheet; another run's is laid over it where there are `two`."""
    turns, against, names = told["turns"], two and two.against, two.names if two else ()
    out = Page(turns, prefix)
    every, known = range(turns), Known()
    said = [sentence_of_both(told, turn, against, names) for turn in every] if against else sentences(told)
    say = Mark("p", cls="say", key="say", html=over(every, lambda turn: f"<span>{clean(said[turn])}</span>"))
    slider: dict[str, Any] = {
        "tabindex": "0", "role": "slider", "aria_label": words("loop.axis"), "aria_valuemin": 0, "aria_valuemax": turns - 1,
        "aria_valuenow": turns - 1, "data_room": "loop",
    }  # fmt: skip
    plans = [
        (least, Mark("div", *_pictures(told, holders, wide, two, known), cls="loopbox", **slider))
        for least, wide in (ROOMS if two is None else ROOMS[:1])
    ]
    picture = out.planned("loop", plans) if len(plans) > 1 else plans[0][1]
    at, button = told["steps"], [_button("loop", words("loop.enter"))]
    if two is not None:
        at = [step for _, step in two.opens] or [0] * turns
        named = over(every, lambda turn: words("differ.enter", turn=two.opens[turn][0])) if two.opens else ""
        button = [*_key(names), *([_button("differ", named)] if named else [])]
    head = Mark("div", say, *button, cls="lenshead")
    written = out.write(Mark("div", head, picture, cls="loop"))
    label = told["label"] if two is None or two.opens else ""  # otherwise no turn of it can be opened
    begins = turns - 1 if against is None else min(map(own_turns, (told, against))) - 1
    return {"html": written, **out.table(), "say": out.number("say"), "at": at, "label": label, "begins": begins}


def _pictures(
    told: dict[str, Any], holders: list[dict[str, Any]], wide: float, two: Two | None, known: Known
) -> list[Mark]:
    """What is drawn once, and under it the turns and memory, which stay in view: so wide, and no narrower in a window."""
    against, names = two and two.against, two.names if two else ()
    drawing, high = body(told, against, wide=wide, names=names, known=known)
    below, low = axis(told, holders, against, wide=wide)
    if two is not None:
        drawing = Mark("g", drawing, Mark("g", two.below[0], transform=f"translate(0 {high + 12:.0f})"))
        high += two.below[1] + 12
    said = words("loop.label", code=told["label"])
    least = f"min-width:{wide:g}px"
    return [
        Mark("svg", drawn, cls=cls, viewbox=f"0 0 {wide:g} {tall:.0f}", role="img", aria_label=label, style=least)
        for drawn, cls, tall, label in (
            (drawing, "looppicture", high, said),
            (below, f"looppicture {PREFIX}loopaxis", low, words("time.bytes")),
        )
    ]


def _button(part: str, named: Any) -> Mark:
    """The button that opens a turn."""
    how = {"type": "button", "data_act": "enter", "title": words(f"{part}.enter_title"), "key": "enter"}
    return Mark("button", cls=f"word {PREFIX}enter", text=named, **how)


LETTERS = 44  # of a loop's code on its button


def _names(labels: list[str]) -> list[tuple[str, str]]:
    """What stands on each loop's button, and what it says of itself: the beginning of its code; where several loops have the same
    line, that stands on the first of them alone, with a 1 behind it, and the others have their number.

    >>> _names(["while x:", "for i in a:", "for i in a:"])
    [('while x:', 'while x:'), ('for i in a: 1', 'for i in a: 1'), ('2', 'for i in a: 2')]
    """
    out = []
    for at, label in enumerate(labels):
        number = labels[:at].count(label) + 1
        several = f" {number}" if labels.count(label) > 1 else ""
        out.append((str(number) if number > 1 else short(label, LETTERS) + several, label + several))
    return out


def _key(names: Sequence[str]) -> list[Mark]:
    """Which run stands as bars, and which as a dashed line."""
    drawn = (path("M1 13V4H7V13ZM9 13V7H15V13ZM17 13V10H22V13Z", "bars value"), path("M0 8H22", "against"))
    return [item(icon(mark), name) for mark, name in zip(drawn, names, strict=True)]


def place(loops: list[dict[str, Any]]) -> list[Mark]:
    """Where the lens stands, empty until it is opened, and a button for each loop where there are several."""
    if not loops:
        return []
    labels = [told["label"] for told in loops]
    choices = [
        Mark(
            "button", type="button", cls="word", text=name, title=label, aria_label=said, data_loop=str(at),
            aria_pressed=str(at == 0).lower(),
        )
        for at, (label, (name, said)) in enumerate(zip(labels, _names(labels), strict=True))
    ] if len(loops) > 1 else []  # fmt: skip
    bar = [Mark("div", *choices, cls="loops", role="group", aria_label=words("loop.choose"))] if choices else []
    return [Mark("div", *bar, Mark("div", cls="lens", data_lens=""), cls="loopview for-loop")]
