"""Which part of a page stands where: beside the code, as a learner works; or the picture first, inside of somebody's article."""

from __future__ import annotations

from ..style import words
from .sheet import Mark


def beside_the_code(
    panel: dict[str, Mark], graph: list[Mark], score: list[Mark], steps: list[Mark], time: list[Mark], legend: Mark,
    knobs: Mark | None = None,
) -> list[Mark]:  # fmt: skip
    """Code and formula at the left, sentence and graph at the right; under the graph, or in a low window under the code, knobs;
    under them all the buttons, the score or the lanes, memory."""
    left = Mark("div", panel["code"], panel["formula"], cls="left")
    right = Mark("div", panel["words"], *graph, cls="right")
    work = Mark("div", left, right, *([knobs] if knobs else []), cls="work")
    return [work, Mark("div", *steps, *score, *time, cls="below"), legend]


def picture_first(
    panel: dict[str, Mark], graph: list[Mark], score: list[Mark], steps: list[Mark], time: list[Mark], legend: Mark,
    knobs: Mark | None = None, more: str = "",
) -> list[Mark]:  # fmt: skip
    """Graph or score, knobs, buttons, sentence and formula, seen at once; all else under them, closed unless there are knobs,
    called `more`."""
    first = [
        *graph,
        *([knobs] if knobs else []),
        *score,
        Mark("div", *steps, cls="steps"),
        panel["words"],
        panel["formula"],
    ]
    left, below = Mark("div", panel["code"], cls="left"), Mark("div", *time, cls="below")
    head = Mark("summary", text=more or words("step.more"))
    rest = Mark("details", head, left, below, legend, cls="more", open="" if knobs else None)
    return [Mark("div", Mark("div", *first, cls="right"), rest, cls="work")]
