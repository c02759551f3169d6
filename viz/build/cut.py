"""The picture of a cut: where the way back from a target stops, and how.

An explanation becomes plain data (nodes, links, one mark, where it stands on the recorder's lane), and `render/cut.py` draws it.
"""

from __future__ import annotations

from typing import Any

from minitape.why import Explanation
from minitape.why.explanation import number as digits
from minitape.why.explanation import short

# cut of an explanation: (mark that is drawn, its words)
MARKS = {
    "eye": ("eye", "not watched"),
    "scissors": ("scissors", "left the tape"),
    "wall": ("wall", "no derivative passes"),
    "stop": ("stop", "held on purpose"),
    "pause": ("pause", "was paused"),
    "ghost": ("ghost", "not heard"),
    "released": ("released", "let go"),
    "slide": ("slide", "another object now"),
    "none": ("gap", "no path"),
    "number": ("", ""),
}
_BROKEN = {
    "flat",
    "held",
    "before",
    "after",
    "paused",
    "hidden",
    "forgotten",
    "assign",
    "export",
    "scissors",
    "ghost",
    "apart",
}


def cut_of(why: Explanation) -> dict[str, Any]:
    """What to draw for an explanation, as plain data."""
    mark, words = MARKS.get(why.cut, ("", ""))
    nodes: list[dict[str, Any]] = []
    for name, sign, state in why.steps:
        broken = state in _BROKEN or (why.cut == "eye" and state == "unwatched")
        nodes.append({"name": name, "sign": sign, "state": state, "broken": broken})
    where = _where(why, nodes)
    return {
        "title": why.asked,
        "answer": why.answer if why.answer in ("None", "not to be had") else why.answer.removeprefix("a number"),
        "code": "" if why.code == "OK" else why.code,
        "say": why.what,
        "place": "" if why.site is None or why.code == "OK" else _place(why),
        "line": "" if why.site is None or why.code == "OK" else why.site.text,
        "fix": why.fix.text,
        "type": why.fix.code,
        "roads": [_road(why, road) for road in dict.fromkeys(why.roads)],
        "missing": [use.how for use in dict.fromkeys(why.unrecorded)],
        "notes": [note.text for note in why.notes],
        "recorder": why.recorder,
        "forward": why.forward,
        "mark": mark,
        "words": words,
        "where": where,
        "nodes": nodes,
    }  # fmt: skip


def _where(why: Explanation, nodes: list[dict[str, Any]]) -> int:
    """The node whose making is cut: the first broken one from the target's side that is no mere consequence."""
    if why.cut == "eye" or not nodes:
        return 0
    broken = [index for index, one in enumerate(nodes) if one["state"] in _BROKEN]
    return broken[-1] if broken else len(nodes) - 1


def _place(why: Explanation) -> str:
    assert why.site is not None
    label = (
        why.site.label if why.site.label.startswith("cell ") else why.site.label.replace("\\", "/").rpartition("/")[2]
    )
    return f"{label}, line {why.site.line}"


def _road(why: Explanation, road: Any) -> str:
    names = " → ".join([why.steps[0][0] if why.steps else "source", *short(road.ops)])
    count = why.roads.count(road)
    brought = road.brought if road.product is None else road.product
    product = "" if brought is None else f"   {digits(brought)}"
    return f"{names}{product}{f'   ×{count}' if count > 1 else ''}"
