"""The rule of one step as plain data: the terms of any number of its result, which a page adds up.

A rule has `parts`, each with its letters and an expression; a number of the result is the sum of their terms.  `then` is what is
done with that sum (√ of it, for a norm); `join` says "max" or "prod" where terms are not added.  Names in expressions are
those of the row's words: its arguments, `out`, `d` for what arrives, and a letter and a prime for a tangent.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..capture.claims.words import axes_of
from ..capture.records import Op
from ..tell.claim import arguments
from .expression import renamed, tree
from .relation import OUT, Line, Lines, Relation, Tree, letter, names, product, toward
from .table import ROWS, Call, letters, reduced, seen, stretched

Rule = dict[str, Any]
Special = Callable[[Call, str, Mapping[str, str]], Rule]


def value(op: Op, out: int = 0) -> Rule | None:
    """The terms of what an op gives; None where no sum can be told."""
    call = _call(op, out)
    if special := _special(op):
        return special(call, "value", {})
    parts = [toward(relation, OUT, _added(relation), {}) for relation in _relations(op, call) or ()]
    return {"parts": parts} if parts else None


def back(op: Op, position: int, arrived: Collection[str] = ("d",)) -> Rule | None:
    """The terms of what comes back to one input, with `d` for what arrives at the output (`d0`, `d1` … at several)."""
    name, parts = arguments(op)[position], []
    special = _special(op)
    if special and len(op.gives) == 1:
        return special(_call(op, 0), "back", {"d": name})
    changes = ["d"] if len(op.gives) == 1 else [f"d{place}" for place in range(len(op.gives))]
    for place, change in enumerate(changes):
        for relation in _relations(op, _call(op, place)) or () if change in ("d", *arrived) else ():
            if name not in relation.at:
                continue
            partial = relation.partials.get(name)
            if partial is None and relation.value is not None:
                return None
            others = [other for other in relation.operands() if other != name]
            through = product([change, *others], relation.scale) if partial is None else renamed(partial, {"d": change})
            parts.append(toward(relation, name, through, {change: OUT}))
    return {"parts": parts} if parts else None


def push(op: Op, moving: Sequence[int]) -> Rule | None:
    """The terms of a tangent, of the tangents that some inputs have; those are named by the input and a prime."""
    call, given = _call(op, 0), arguments(op)
    movers = [given[position] for position in moving]
    if special := _special(op):
        return special(call, "push", {f"{name}'": name for name in movers}) if movers else None
    parts = []
    for relation in _relations(op, call) or ():
        for name in movers:
            if name not in relation.at:
                continue
            partial = relation.partials.get(name)
            if partial is None and relation.value is not None:
                return None
            moved = [f"{name}'" if other == name else other for other in relation.operands()]
            through = product(moved, relation.scale) if partial is None else renamed(partial, {"d": f"{name}'"})
            parts.append(toward(relation, OUT, through, {f"{name}'": name}))
    return {"parts": parts} if parts else None


def _ours(op: Op) -> bool:
    """Whether the table's row is this op's: a fold, or another framework's op, may bear the name of one, and has no settings."""
    return op.settings is not None


def _special(op: Op) -> Special | None:
    return SPECIAL.get(op.row.name) if _ours(op) else None


def _added(relation: Relation) -> Tree:
    return product(relation.operands(), relation.scale) if relation.value is None else relation.value


def _call(op: Op, out: int) -> Call:
    shapes = {name: value.shape for name, value in zip(arguments(op), op.takes, strict=True)}
    return Call(shapes, [value.shape for value in op.gives], {**(op.settings or {}), "op": op.row.name}, out)


def _relations(op: Op, call: Call) -> list[Relation] | None:
    if op.row.name in ROWS:
        return ROWS[op.row.name](call) if _ours(op) else None
    return _number_by_number(op, call)


def _number_by_number(op: Op, call: Call) -> list[Relation] | None:
    """An op that works number by number: its words are its expression, and those of its derivatives theirs."""
    said = tree(op.row.formula)
    known = {*call.shapes, OUT}
    if said is None or not names(said) <= known or any(len(shape) > len(call.result) for shape in call.shapes.values()):
        return None
    lengths, lines = letters(call.result)
    at: dict[str, Lines] = {name: stretched(lines, shape) for name, shape in call.shapes.items()}
    if any(
        length not in (1, full)
        for shape in call.shapes.values()
        for length, full in zip(shape[::-1], call.result[::-1], strict=False)
    ):
        return None
    partials: dict[str, Tree] = {}
    for name, words in zip(call.shapes, op.row.derivatives, strict=False):
        found = tree(words) if words else None
        if found is not None and names(found) <= {*known, "d"}:
            partials[name] = found
    return [Relation(lengths, {**at, OUT: lines}, value=said, partials=partials)]


# ---- rows whose terms are no product ------------------------------------------------------------------------------------------


def _inner(lines: Lines, axes: Sequence[int]) -> tuple[Lines, dict[int, str]]:
    """The same lines with letters of their own along some axes: all that take part in one number's sum."""
    own = {axis: f"j{axis}" for axis in axes}
    return tuple([letter(own[axis]) if axis in own else line for axis, line in enumerate(lines)]), own


def _soft(call: Call, way: str, tangents: Mapping[str, str]) -> Rule:
    """softmax and log_softmax: each number depends on its whole row."""
    lengths, lines = letters(call.x)
    axes = axes_of(call.settings["axis"], len(call.x))
    row, own = _inner(lines, axes)
    lengths = {**lengths, **{own[axis]: call.x[axis] for axis in axes}}
    logs = call.settings["op"] == "log_softmax"
    change = next(iter(tangents), "d")
    at = {"x": lines, OUT: lines, "x of the row": row, "out of the row": row, "change": lines, "change of the row": row}
    relation = Relation(lengths, at)

    def part(expression: Tree) -> dict[str, Any]:
        # Sums over the row need its letter, what belongs to the number itself must not run over it.
        alone = not any(name.endswith("of the row") for name in names(expression))
        used = replace(relation, lengths={k: n for k, n in lengths.items() if not alone or k not in own.values()})
        return _renamed(
            toward(used, OUT, expression, {}), {"change": change, "change of the row": f"{change} of the row"}
        )

    if way == "value":
        whole = part(["exp", "x of the row"])
        then = ["−", "x", ["log", "sum"]] if logs else ["÷", ["exp", "x"], "sum"]
        return {"parts": [whole], "then": then, "at": _places({"x": lines}, lines)}
    if logs and way == "back":
        return {"parts": [part("change"), part(["−", ["×", ["exp", "out"], "change of the row"]])]}
    if logs:
        return {"parts": [part("change"), part(["−", ["×", ["exp", "out of the row"], "change of the row"]])]}
    others = ["−", ["×", ["×", "change of the row", "out of the row"], "out"]]
    return {"parts": [part(["×", "change", "out"]), part(others)]}


def _cross_entropy(call: Call, way: str, changes: Mapping[str, str]) -> Rule:
    """Cross-entropies of raw scores: each score is measured by its whole row."""
    lengths, lines = letters(call.x)
    axis = int(call.settings.get("axis", -1)) % len(call.x)
    (row, own), out = _inner(lines, (axis,)), (*lines[:axis], *lines[axis + 1 :])
    dense = call.settings["op"] == "softmax_cross_entropy"
    rows = {"logits of the row": row} | ({"labels of the row": row} if dense else {})
    inside = _inside([[own[axis], call.x[axis]]], rows)
    grown: Tree = ["Σ", ["exp", "logits of the row"]]
    chance, depth = ["÷", ["exp", "logits"], grown], ["−", ["log", grown], "logits"]
    arrays = {"d": OUT} | {name: name.removesuffix("'") for name in changes if name != "d"}

    def part(target: str, expression: Tree, at: Lines = lines) -> dict[str, Any]:
        used = lengths if at is lines else {name: length for name, length in lengths.items() if name != f"i{axis}"}
        relation = Relation(used, {"logits": at, "labels": lines, OUT: out})
        return toward(relation, target, expression, arrays) | {"inner": inside}

    target = changes["d"] if way == "back" else OUT
    if dense:
        if way == "value":
            return {"parts": [part(OUT, ["×", "labels", depth])]}
        surplus = ["−", ["×", chance, ["Σ", "labels of the row"]], "labels"]
        return {
            "parts": [
                part(target, ["×", change, depth if "labels" in (change.removesuffix("'"), of) else surplus])
                for change, of in changes.items()
            ]
        }
    right = (*lines[:-1], Line(look=("labels", out), length=call.x[-1]))  # the score of the class that the label names
    if way == "value":
        whole = part(OUT, ["exp", "logits"])
        return {"parts": [whole], "then": ["−", ["log", "sum"], "logits"], "at": _places({"logits": right}, out)}
    (change,) = changes
    return {"parts": [part(target, ["×", change, chance]), part(target, ["−", change], right)]}


def _extreme(call: Call, way: str, tangents: Mapping[str, str]) -> Rule:
    """The largest or smallest: those that are equal to it share what comes back."""
    lengths, lines, out, _ = reduced(call)
    relation = Relation(lengths, {"x": lines, OUT: out, "change": out if way == "back" else lines})
    chosen = ["=", "x", OUT]
    if way == "value":
        return {"parts": [toward(relation, OUT, "x", {})], "join": call.settings["op"].removeprefix("reduce_")}
    if way == "push":
        name = next(iter(tangents))
        part = toward(relation, OUT, "change", {})
        part["at"] |= _places({"x": lines, OUT: out})
        return {"parts": [_renamed({**part, "if": chosen}, {"change": name})], "then": ["÷", "sum", "count"]}
    axes = [axis for axis, line in enumerate(lines) if line not in out]
    row, own = _inner(lines, axes)
    every = {**lengths, **{name: call.x[axis] for axis, name in own.items()}}
    whole = Relation(every, {"x": lines, OUT: out, "x of the row": row})
    part = toward(whole, "x", "x of the row", {})
    part["at"] |= _places({OUT: out})
    part |= {"of": 1.0, "if": ["=", "x of the row", OUT]}
    then = ["if", chosen, ["÷", "d", "sum"], 0.0]
    return {"parts": [part], "then": then, "at": _places({"d": out, "x": lines, OUT: out}, lines)}


def _pooled(call: Call, way: str, changes: Mapping[str, str]) -> Rule:
    """The mean of each window, or its largest number: of several it is the first that takes the derivative."""
    rows, columns = call.settings["window"].size
    n, i, j, a, b, c, e, f = map(letter, "nijabcef")
    out, image = (n, i, j, c), (n, *seen(call.settings["window"]), c)
    lengths = {**dict(zip("nijc", call.result, strict=True)), "a": rows, "b": columns}
    arrays = {"d": OUT} | {name: name.removesuffix("'") for name in changes if name != "d"}
    (change,) = changes or ("x",)
    target = "x" if way == "back" else OUT
    there = n, *seen(call.settings["window"], "e", "f"), c  # the other numbers of the window
    both = [["e", rows], ["f", columns]]

    def part(expression: Tree) -> dict[str, Any]:
        return toward(Relation(lengths, {"x": image, OUT: out}), target, expression, arrays)

    if call.settings["op"] == "avg_pool":
        mean = part(["×", ["÷", 1.0, ["Σ", 1.0]], change])
        return {"parts": [mean | {"inner": _inside(both, {"x of the row": there})}]}
    if way == "value":
        return {"parts": [part("x")], "join": "max"}
    largest = part(change)
    largest["at"] |= _places({"x": image, OUT: out})
    largest["if"] = ["and", ["=", "x", OUT], ["=", ["Σ", ["=", "x of the row", OUT]], 0.0]]
    # Those of the window before it, row by row: none of them is as large.
    before = a * columns + b + e * -columns + f * -1 + -1, rows * columns
    return {"parts": [largest | {"inner": _inside(both, {"x of the row": there, OUT: out}, [before])}]}


def _inside(over: list[list[Any]], at: Mapping[str, Lines], when: Sequence[tuple[Line, int]] = ()) -> dict[str, Any]:
    """Where a sum within a term runs; `by` are the letters of the term that it depends on."""
    lines = [line for place in at.values() for line in place] + [line for line, _ in when]
    own = {name for name, _ in over}
    return {
        "over": over,
        "when": [[line.plain(), length] for line, length in when],
        "at": _places(at),
        "by": sorted({name for line in lines for name, _ in line.counts} - own),
    }


def _through(inside: str, outside: Tree | None, partial: Tree) -> Special:
    """A function of a sum of functions: log Σ exp(x), √ Σ x².  `partial` is what one number does to the result."""

    def rule(call: Call, way: str, tangents: Mapping[str, str]) -> Rule:
        lengths, lines, out, _ = reduced(call)
        relation = Relation(lengths, {"x": lines, OUT: out})
        if way == "value":
            made: Rule = {"parts": [toward(relation, OUT, tree(inside), {})]}
            return {**made, "then": outside} if outside else {**made, "join": "prod"}
        if way == "back":
            return {"parts": [toward(relation, "x", ["×", "d", partial], {"d": OUT})]}
        name = next(iter(tangents))
        return {"parts": [toward(relation, OUT, ["×", name, partial], {name: "x"})]}

    return rule


def _renamed(part: dict[str, Any], words: dict[str, str]) -> dict[str, Any]:
    at = {words.get(name, name): lines for name, lines in part["at"].items()}
    return {**part, "of": renamed(part["of"], words), "at": at}


def _places(at: Mapping[str, Lines], target: Lines = ()) -> dict[str, Any]:
    """Lines as plain data; the letters of `target` are the place of the number itself."""
    own = {name: f"r{axis}" for axis, line in enumerate(target) for name, _ in line.counts}

    def owned(line: Line) -> Line:
        counts = tuple([(own.get(name, name), count) for name, count in line.counts])
        return replace(line, counts=counts, look=line.look and (line.look[0], tuple(map(owned, line.look[1]))))

    return {name: [owned(line).plain() for line in lines] for name, lines in at.items()}


_EXP = ["exp", ["−", "x", OUT]]
SPECIAL: dict[str, Special] = {
    "softmax": _soft, "softmax_along": _soft, "log_softmax": _soft, "softmax_cross_entropy": _cross_entropy,
    "sparse_softmax_cross_entropy": _cross_entropy, "max_pool": _pooled, "avg_pool": _pooled,
    "reduce_max": _extreme, "reduce_min": _extreme,
    "reduce_logsumexp": _through("exp(x)", ["log", "sum"], _EXP),
    "reduce_euclidean_norm": _through("x²", ["sqrt", "sum"], ["÷", "x", OUT]),
    "l2_loss": _through("x²", ["÷", "sum", 2.0], "x"),
}  # fmt: skip

__all__ = ["Line", "back", "push", "value"]
