"""Which part of a page stands where: beside the code, as a learner works; or the picture first, inside of somebody's article."""

from __future__ import annotations

from ..style import words
from .sheet import Mark


def beside_the_code(
    panel: dict[str, Mark], graph: list[Mark], score: list[Mark], steps: list[Mark], time: list[Mark], legend: Mark
) -> list[Mark]:
    """Code and formula at the left, sentence and graph at the right; under them the buttons, the score or the lanes, memory."""
    left = Mark("div", panel["code"], panel["formula"], cls="left")
    right = Mark("div", panel["words"], *graph, cls="right")
    return [Mark("div", left, right, cls="work"), Mark("div", *steps, *score, *time, cls="below"), legend]


def picture_first(
    panel: dict[str, Mark],
    graph: list[Mark],
    score: list[Mark],
    steps: list[Mark],
    time: list[Mark],
    legend: Mark,
    opened: bool,
    more: str = "",
) -> list[Mark]:
    """Graph or score, buttons, sentence and formula, seen at once; all else under them, closed unless `opened`, called `more`."""
    first = Mark("div", *graph, *score, Mark("div", *steps, cls="steps"), panel["words"], panel["formula"], cls="right")
    left, below = Mark("div", panel["code"], cls="left"), Mark("div", *time, cls="below")
    rest = Mark(
        "details",
        Mark("summary", text=more or words("step.more")),
        left,
        below,
        legend,
        cls="more",
        open="" if opened else None,
    )
    return [Mark("div", first, rest, cls="work")]
