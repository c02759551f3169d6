"""What a page's microscope is given of a run: the arrays, each once, and by step the rule that ran on which of them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from ..scene import Scene
from ..tell.formula import Operand
from ..tell.looks import Look
from ..tell.scenes import faults_are_errors
from . import rule as rules
from .form import done, form
from .relation import names

ROOM = 1_000_000  # bytes of arrays that a page carries: of a long run those of the first steps stay out


class _Arrays:
    """Arrays by what they hold: a value that is read twice goes once."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.room = ROOM
        self._met: dict[tuple[int, str], int] = {}

    def number(self, seen: Operand) -> int | None:
        """The number of an array in the page; None for one whose numbers are not to be had."""
        key = id(seen.snap), seen.symbol
        if key in self._met:
            return self._met[key]
        whole, snap = seen.snap.whole, seen.snap
        if whole is None and snap.value is None:
            return None
        told: dict[str, Any] = {"name": seen.symbol, "kind": seen.kind, "of": seen.value}
        if whole is None:
            told |= {"shape": [], "dtype": "f8", "number": str(snap.value).replace("inf", "Infinity")}
        elif len(whole.data) > self.room:
            return None
        else:
            self.room -= len(whole.data)
            told |= {"shape": list(whole.shape), "dtype": whole.dtype, "data": b64encode(whole.data).decode("ascii")}
        self._met[key] = len(self.told)
        self.told.append(told)
        return self._met[key]


def specimen(scene: Scene) -> dict[str, Any]:
    """The arrays and rules of a scene's steps, as plain data; the latest steps first where a page has not room for all.

    >>> with viz.record() as run:
    ...     y = tf.constant([1.0, 2.0]) * 3.0
    >>> made = specimen(run.scene)
    >>> [one["op"] for one in made["steps"].values()], [one["name"] for one in made["arrays"]]
    (['multiply'], ['y', 'v₁', '3'])
    """
    arrays, steps, looks = _Arrays(), {}, scene.looks
    if not shows(scene):
        return {"arrays": [], "steps": {}, "asked": {}, "moves": {}, "dark": []}
    for step in sorted(looks.at, reverse=True):
        try:
            told = _step(looks.at[step], arrays)
        except Exception:
            if faults_are_errors():
                raise
            told = None  # the microscope has nothing there; the step has its sentence and its picture
        if told is not None:
            steps[str(step)] = told
    asked = _pairs({str(step): seeds for step, seeds in looks.seeds.items()}, arrays)
    moves = _pairs({value.id: seeds for value, seeds in looks.moves.items()}, arrays)
    # What a page cannot compute anew: ops without a rule, and of those with several results all but the first.
    dark: list[list[list[str]]] = []
    for takes, gives, _, step in looks.uses:
        whole = "rule" in steps.get(str(step), {})
        if hidden := gives[1:] if whole else gives:
            dark += [pair] if (pair := [sorted({*takes}), sorted({*hidden})]) not in dark else []
    in_order = dict(sorted(steps.items(), key=lambda step: int(step[0])))
    return {"arrays": arrays.told, "steps": in_order, "asked": asked, "moves": moves, "dark": dark}


def _pairs(told: dict[str, list[tuple[Operand, Operand]]], arrays: _Arrays) -> dict[str, list[list[int | None]]]:
    """The numbers of arrays that belong together, where all of them are to be had."""
    found = {key: [[arrays.number(seen) for seen in pair] for pair in pairs] for key, pairs in told.items()}
    return {key: pairs for key, pairs in found.items() if not any(None in pair for pair in pairs)}


def shows(scene: Scene) -> bool:
    """Whether a run has an array to look at: a number alone stands in the formula."""
    return scene.looks is not None and any(map(_worth, scene.looks.at.values()))


def _worth(look: Look) -> bool:
    return any(seen.snap.whole is not None for seen in (look.result, *look.reads.values()))


def _step(look: Look, arrays: _Arrays) -> dict[str, Any] | None:
    result = arrays.number(look.result)
    if result is None:
        return None
    rule = rule_of(look)
    used = needed(rule) if rule else {name for name in look.reads if look.way == "value" or name == "d"}
    reads = {name: arrays.number(look.reads[name]) for name in look.reads if name in used}
    told: dict[str, Any] = {"way": look.way, "op": look.op.row.name, "sign": look.op.row.sign, "result": result}
    if rule is not None and None not in reads.values() and used <= reads.keys():
        told["rule"] = rule
    told["reads"] = {name: number for name, number in reads.items() if number is not None}
    for name, seen in (("before", look.before), ("total", look.total)):
        if seen is not None and (number := arrays.number(seen)) is not None:
            told[name] = number
    if look.of is not None and (number := arrays.number(look.of)) is not None:
        told["of"] = number
    if look.way == "back":
        told["asked"] = look.asked
        told |= {"share": True} if look.share else {}
    if (plane := _planes(look).get({0: "x", 1: "y"}.get(look.position, "") if look.way == "back" else "out")) and len(
        look.result.snap.whole.shape if look.result.snap.whole else ()
    ) > 2:
        told["plane"] = plane
    told["taken"] = [recorder.id for recorder in look.op.taken]
    if look.by is not None:
        told["by"] = look.by.id
    called = {name: look.reads[name].symbol for name in told["reads"]}
    if "rule" in told:
        row, then = form(told["rule"], called, _planes(look), look.way == "value"), done(told["rule"], called)
        told |= {"row": row, **({"then": then} if then else {})}
    else:
        row = [token for name in called for token in ({"sign": ","}, {"array": name, "name": called[name]})]
        told["row"] = row[1:]
    return told


def _planes(look: Look) -> dict[str, list[int]]:
    """The two axes in which an array of images, or of filters, lies flat."""
    name = look.op.row.name
    if look.op.settings is None or "window" not in look.op.settings:
        return {}
    image, filter_ = [1, 2], [0, 1]
    y = filter_ if name in ("conv2d", "conv2d_image") else image
    x, out = image, filter_ if name == "conv2d_filter" else image
    return {"x": x, "y": y, "out": out, "d": out, "x'": x, "y'": y}


def rule_of(look: Look) -> dict[str, Any] | None:
    """The rule that ran, in its direction; None where no sum can be told."""
    if look.op.own_rule:
        return None
    if look.way == "value":
        return rules.value(look.op)
    if look.way == "back":
        return rules.back(look.op, look.position, look.reads)
    return rules.push(look.op, look.moving)


def needed(rule: dict[str, Any]) -> set[str]:
    """The arrays that a rule reads, by their names in it; those of a whole row are the same arrays."""
    found: set[str] = set()
    lines = [line for at in rule.get("at", {}).values() for line in at]
    for part in rule["parts"]:
        inner = part.get("inner", {"at": {}})
        found |= names(part["of"]) | names(part.get("if")) | inner["at"].keys()
        lines += [line for of in (part, inner) for at in of["at"].values() for line in at]
        lines += [line[2] for line in part["let"]] + [line[0] for line in part["when"]]
    found |= {line[3][0] for line in lines if len(line) > 3}
    found |= names(rule.get("then")) - {"sum", "count"}
    return {name.removesuffix(" of the row") for name in found}
