"""The picture of a cut: where the backward pass from a target stops, and how.

An explanation is plain data already (`capture`); here it gets the nodes of a path and the mark that stops it, and `paint/cut.py`
draws it.
"""

from __future__ import annotations

from typing import Any

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
# States of a path's step where it is cut.
_BROKEN = frozenset({
    "flat", "held", "before", "after", "paused", "hidden", "forgotten", "assign", "export", "scissors", "ghost", "apart",
})  # fmt: skip


def cut_of(answer: dict[str, Any]) -> dict[str, Any]:
    """What to draw for an explanation, as plain data."""
    cut, steps = answer["cut"], answer["steps"]
    mark, words = MARKS.get(cut, ("", ""))
    nodes = [
        {"name": name, "sign": sign, "state": state,
         "broken": state in _BROKEN or (cut == "eye" and state == "unwatched")}
        for name, sign, state in steps
    ]  # fmt: skip
    told = {key: fact for key, fact in answer.items() if key not in ("cut", "steps")}
    return {**told, "mark": mark, "words": words, "where": _where(cut, nodes), "nodes": nodes}


def _where(cut: str, nodes: list[dict[str, Any]]) -> int:
    """The node at which the path is cut: of the broken ones the last, since those before it only follow from it."""
    if cut == "eye" or not nodes:
        return 0
    broken = [place for place, node in enumerate(nodes) if node["state"] in _BROKEN]
    return broken[-1] if broken else len(nodes) - 1
