"""Pictures without steps: forward mode as pairs, a plan's moves, a cut, memory of several runs, two runs side by side, twins.

Each is a scene of its own kind: plain data with a shape, JSON both ways, refused on reading with the path to what is wrong.
"""

from __future__ import annotations

from typing import Any

from .scene import CELL, SHAPE, TERM, Scene
from .schema import check, cleaned, dumps, loads, maybe, wrong

SCHEMA = "viz-figure/1"
_KINDS: Any = CELL["kind"]
_STATE = maybe(CELL["states"][0])  # type: ignore[index]
CURVES = [{
    "name": str, "events": int, "points": [(int, float, float)], "peak": float, "at": int, "end": float,
}]  # fmt: skip
MARK = {"apart", "near", "only"}  # another number; rounding, or another dtype; in one run alone
_SIZES, _ODD = [maybe(float)], [(int, int, int)]  # by turn; and in which turn how many are NaN, how many infinite
LOOP = {  # a loop as tell/loops.py tells it
    "id": str, "label": str, "turns": int, "order": {"mirrored", "nested"}, "carried": [(str, str)], "memory": [[float]],
    "steps": [int],
    "body": [{
        "id": str, "kind": {"value", "input", "variable", "constant"}, "name": str, "sign": str, "shape": str, "takes": [str],
        "readers?": [str], "values?": _SIZES, "gradients?": _SIZES, "shares?": _SIZES,
        "values_odd?": _ODD, "gradients_odd?": _ODD, "shares_odd?": _ODD,
    }],
}  # fmt: skip
SHAPES: dict[str, dict[str, Any]] = {
    "flow": {  # a row per value, a column per accumulator, the outermost first
        "title": str,
        "columns": [{"name": str, "kind": _KINDS}],
        "rows": [{
            "name": str, "sign": str, "order": int, "kind": {*_KINDS, ""}, "state": _STATE, "formula": [TERM],
            "tangents": [{"state": _STATE, "seed": bool, "formula": [TERM]}],
        }],
    },
    "schedule": {  # a column per move that runs something, with the states that are held after it
        "title": str,
        "said": str,
        "steps": int,
        "columns": [{"what": {"advance", "tape", "reverse"}, "step": int, "held": [int], "again": bool}],
    },
    "cut": {  # the path from a source to a target, and the mark where it stops
        "title": str, "answer": str, "code": str, "say": str, "place": str, "line": str, "fix": str, "type": str,
        "paths": [str], "missing": [str], "notes": [str], "recorder": str, "forward": bool,
        "mark": str, "words": str, "where": int, "nodes": [{"name": str, "sign": str, "state": str, "broken": bool}],
    },
    "twins": {  # one program in two frameworks: what each did, a row per aspect
        "names": (str, str), "said": str, "aspects": [{"what": str, "one": str, "other": str, "verdict": str}],
    },
    "curves": {"curves": CURVES, "said?": [str]},  # of each run, (place, level after it, most within it)
    "runs": {  # two runs: where they differ, a row per pair that does, and their graphs with the cards that differ
        "names": (str, str), "said": [str], "more": int, "curves": CURVES,
        "rows": [{"line": str, "name": str, "one": str, "other": str, "far": str, "mark": MARK, "first": bool,
                  # the pair in a sentence, its card in each graph, and whether it is in the table or a step of the page alone
                  "say": str, "cards": (str, str), "brief": bool,
                  "turns": [int]}],  # of each loop of both, the turn that it happened in; −1: in none
        "loops": [(LOOP, LOOP)],  # that both have
        "graphs": [{"scene": SHAPE, "marks": {str: {"value": {"", *MARK}, "gradient": {"", *MARK}, "first": bool}}}],
    },
}  # fmt: skip


class Figure(dict[str, Any]):
    """The facts of one picture, of a kind that `SHAPES` describes.

    >>> figure = viz.Figure("curves", curves=[])
    >>> viz.Figure.from_json(figure.to_json()) == figure
    True
    """

    def __init__(self, kind: str, **facts: Any) -> None:
        super().__init__(facts)
        self.kind = kind

    def to_json(self) -> str:
        """The figure as one line of JSON."""
        return dumps({"schema": SCHEMA, "kind": self.kind, **self})

    @classmethod
    def from_json(cls, text: str) -> Figure:
        """The figure that `to_json` wrote; raises ValueError with the path to what is wrong."""
        data = loads(text, "figure")
        if not isinstance(data, dict):
            raise wrong("figure", "an object", data)
        if data.get("schema") != SCHEMA:
            raise ValueError(f"this reads figures of {SCHEMA!r}, not of {data.get('schema')!r}")
        check(data.get("kind"), set(SHAPES), "figure.kind")
        check(data, {"schema": str, "kind": str, **SHAPES[data["kind"]]}, "figure")
        facts = cleaned({key: fact for key, fact in data.items() if key not in ("schema", "kind")})
        nodes, where = facts.get("nodes"), facts.get("where")
        if where is not None and nodes is not None and not 0 <= where < max(1, len(nodes)):
            raise ValueError(f"figure.where: there is no node {where}")
        for at, row in enumerate(facts["rows"] if data["kind"] == "flow" else []):
            if len(row["tangents"]) != len(facts["columns"]):
                raise ValueError(
                    f"figure.rows[{at}].tangents: {len(row['tangents'])} for {len(facts['columns'])} columns"
                )
        for graph in facts.get("graphs", []):
            Scene.from_dict(graph["scene"])
        for at, pair in enumerate(facts.get("loops", [])):
            _looped(pair, f"figure.loops[{at}]")
        return cls(data["kind"], **facts)


def _looped(pair: Any, path: str) -> None:
    """Hold the two loops of a pair together: the same cards, which know each other, with a size for each turn."""
    names = [[card["id"] for card in loop["body"]] for loop in pair]
    if names[0] != names[1] or not any(card["kind"] == "value" for card in pair[0]["body"]):
        raise ValueError(f"{path}: the two have not the same cards")
    for side, loop in enumerate(pair):
        if not 0 < loop["turns"] <= 1_000_000 or len(loop["steps"]) != loop["turns"]:
            raise ValueError(f"{path}[{side}].steps: there are not {loop['turns']} turns")
        known = [*[value for card in loop["body"] for value in (*card["takes"], *card.get("readers", ()))],
                 *[value for way in loop["carried"] for value in way]]  # fmt: skip
        if unknown := set(known) - set(names[side]):
            raise ValueError(f"{path}[{side}].body: there is no card {min(unknown)!r}")
        for card in loop["body"]:
            for row in ("values", "gradients", "shares"):
                if row in card and len(card[row]) != loop["turns"]:
                    raise ValueError(f"{path}[{side}].body: {row} of {card['id']!r} are not {loop['turns']}")
