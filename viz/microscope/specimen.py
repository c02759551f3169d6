"""What a page's microscope is given of a run: the arrays, each once, and by step the rule that ran on which of them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from ..scene import Scene
from ..tell.looks import Look, Seen
from . import rule as rules
from .relation import names

ROOM = 1_000_000  # bytes of arrays that a page carries: of a long run those of the first steps stay out


class _Arrays:
    """Arrays by what they hold: a value that is read twice goes once."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.room = ROOM
        self._met: dict[tuple[int, str], int] = {}

    def number(self, seen: Seen) -> int | None:
        """The number of an array in the page; None for one whose numbers are not to be had."""
        key = id(seen.snap), seen.name
        if key in self._met:
            return self._met[key]
        whole, snap = seen.snap.whole, seen.snap
        if whole is None and snap.value is None:
            return None
        told: dict[str, Any] = {"name": seen.name, "kind": seen.kind, "of": seen.of}
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

    >>> import minitape as tf, viz
    >>> with viz.record() as run:
    ...     y = tf.constant([1.0, 2.0]) * 3.0
    >>> made = specimen(run.scene)
    >>> [one["op"] for one in made["steps"].values()], [one["name"] for one in made["arrays"]]
    (['multiply'], ['y', 'v₁', '3'])
    """
    arrays, steps = _Arrays(), {}
    for step in sorted(scene.looks, reverse=True):
        look = scene.looks[step]
        told = _step(look, arrays) if _worth(look) else None
        if told is not None:
            steps[str(step)] = told
    return {"arrays": arrays.told, "steps": dict(sorted(steps.items(), key=lambda one: int(one[0])))}


def _worth(look: Look) -> bool:
    """Whether there is an array to look at: a number alone stands in the formula."""
    return any(one.snap.whole is not None for one in (look.result, *look.reads.values()))


def _step(look: Look, arrays: _Arrays) -> dict[str, Any] | None:
    result = arrays.number(look.result)
    if result is None:
        return None
    rule = rule_of(look)
    used = needed(rule) if rule else {one for one in look.reads if look.way == "value" or one == "d"}
    reads = {name: arrays.number(look.reads[name]) for name in look.reads if name in used}
    told: dict[str, Any] = {"way": look.way, "op": look.op.row.name, "sign": look.op.row.sign, "result": result}
    if rule is not None and None not in reads.values() and used <= reads.keys():
        told["rule"] = rule
    told["reads"] = {name: number for name, number in reads.items() if number is not None}
    for name, seen in (("before", look.before), ("total", look.total)):
        if seen is not None and (number := arrays.number(seen)) is not None:
            told[name] = number
    return told


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
    for part in rule["parts"]:
        found |= names(part["of"]) | names(part.get("if"))
        lines = (
            [line for at in part["at"].values() for line in at]
            + [one[2] for one in part["let"]]
            + [one[0] for one in part["when"]]
        )
        found |= {line[3][0] for line in lines if len(line) > 3}
    found |= names(rule.get("then")) - {"sum", "count"}
    return {one.removesuffix(" of the row") for one in found}
