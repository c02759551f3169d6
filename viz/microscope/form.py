"""A rule as a formula of heat maps: which arrays stand in it, turned which way, and which signs between them.

A form is a row of tokens, as plain data: a sign, an array, or numbers that are worked out of arrays (`1 − H²`).  It is read off
the rule's letters, so that Xᵀ, Σ and the axis that is summed follow from the same row as the terms.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .relation import Tree, names
from .words import spoken

Token = dict[str, Any]
_TIES = {
    "if": 0, "or": 1, "and": 2, ">": 3, "≥": 3, "<": 3, "≤": 3, "=": 3, "≠": 3, "+": 4, "−": 4, "×": 5, "÷": 5, "mod": 5,
    "^": 7,
}  # fmt: skip
_RAISED = {2.0: "²", 3.0: "³"}
_HEIGHT = 3  # digits of a number that stands in a formula


def spelled(tree: Tree, called: Mapping[str, str], tie: int = 0) -> str:
    """An expression in the signs of the field, with what the arrays are called.

    >>> spelled(["×", "d", ["−", 1.0, ["^", "out", 2.0]]], {"d": "∂L/∂H", "out": "H"})
    '∂L/∂H × (1 − H²)'
    >>> spelled(["log", ["+", "x", 1.0]], {"x": "A @ B"})
    'log((A @ B) + 1)'
    """
    if isinstance(tree, str):
        name = called.get(tree.removesuffix(" of the row"), tree)
        return f"({name})" if tie and re.search(r"[-+−×÷·@ ]", name) else name
    if not isinstance(tree, list):
        return f"{tree:.{_HEIGHT}g}".replace("-", "−")
    what, *parts = tree
    if what == "if":
        test, chosen, other = (spelled(part, called, 1) for part in parts)
        said = f"{chosen} if {test} else {other}"
    elif what == "^" and not isinstance(parts[1], list | str) and parts[1] in _RAISED:
        return spelled(parts[0], called, 8) + _RAISED[parts[1]]
    elif what == "−" and len(parts) == 1:
        said = f"−{spelled(parts[0], called, 6)}"
        return f"({said})" if tie > 4 else said
    elif what in _TIES:
        own = _TIES[what]
        said = f"{spelled(parts[0], called, own)} {what} {spelled(parts[1], called, own + (what in '−÷^'))}"
    elif tree == ["Σ", 1.0]:  # how many there are
        return "n"
    elif what == "sqrt":
        return f"√({spelled(parts[0], called)})"
    else:
        return f"{what}({', '.join(spelled(part, called) for part in parts)})"
    return f"({said})" if _TIES[what] < tie else said


def factors(tree: Tree) -> list[Tree]:
    """What is multiplied in an expression, from left to right."""
    if isinstance(tree, list) and tree[0] == "×":
        return factors(tree[1]) + factors(tree[2])
    return [tree]


def form(
    rule: Mapping[str, Any],
    called: Mapping[str, str],
    planes: Mapping[str, list[int]] | None = None,
    value: bool = False,
) -> list[Token]:
    """The tokens of a rule, each of those that stand in its terms with the number of the `part`.

    `planes` has the two axes in which an array of images lies, by its name in the rule.  Of a `value`, which is the numbers that
    its expression makes of its operands, the operands stand there themselves.
    """
    row: list[Token] = []
    for number, part in enumerate(rule["parts"]):
        tokens = _part(part, rule, called, planes or {}, value)
        if number and tokens[0].get("sign") != "−":
            row.append({"sign": "+"})
        if not any("array" in token for token in tokens):
            row.append({"sign": "…"})
        row += [
            one if "note" in one else {**one, "part": number}
            for token in tokens
            for one in ([{**token, **_called(name, called)} for name in token.get("among", [])] or [token])
        ]
    return row


def done(rule: Mapping[str, Any], called: Mapping[str, str]) -> str:
    """What is done with the sum of a rule, in words; "" where that is the number.

    >>> done({"then": ["÷", "sum", "count"]}, {})
    'Σ ÷ n'
    """
    return spelled(rule["then"], {**called, "sum": "Σ", "count": "n"}) if "then" in rule else ""


def _part(
    part: Mapping[str, Any], rule: Mapping[str, Any], called: Mapping[str, str], planes: Mapping[str, list[int]],
    value: bool,
) -> list[Token]:  # fmt: skip
    tree, minus = part["of"], False
    if isinstance(tree, list) and tree[0] == "−" and len(tree) == 2:
        tree, minus = tree[1], True
    many = factors(tree)
    held = [factor for factor in many if names(factor)]
    if len(held) == 2 and (pair := _product(part, held)):
        rows = [_heat(factor, part, called, planes, turned) for factor, turned in pair]
        middle: list[Token] = [rows[0], {"sign": "@"}, rows[1]]
    else:
        middle = []
        for factor in held:
            middle += [
                *([{"sign": "×"}] if middle else []),
                *_laid(factor, part, called, planes, value and len(many) == 1),
            ]
    before = [spelled(factor, called, 5) for factor in many if not names(factor) and factor != 1.0]
    over = [name for name, length in part["over"] if length > 1]
    # The second half of a window's condition says so.
    first = "if" in part and "inner" in part
    at_sign = any(piece.get("sign") == "@" for piece in middle)
    signs: list[Token] = [{"sign": "−"}] if minus else []
    if over and not at_sign:
        sign = {"max": "max", "min": "min", "prod": "∏"}.get(rule.get("join", ""), "Σ")
        # Of an axis those that lie in a window.
        some = len(held) == 1 and any(set(line[2]) & set(over) for _, _, line in part["let"])
        signs.append({"sign": sign, "note": "" if first or some else _axes(part, over)})
    if "if" in part:
        said = [spelled(part["if"][1] if first else part["if"], called), *([spoken()["first"]] if first else [])]
        signs.append({"sign": "where", "note": ", ".join(said)})
    # Places that an array of indices names: elsewhere nothing comes.
    signs += [
        {"sign": "where", "note": spoken()["at_place"].format(name=called.get(line[3][0], line[3][0]))}
        for line, _ in part["when"]
        if len(line) > 3
    ]
    if before:
        signs.append({"sign": " × ".join(before) + (" ×" if middle else "")})
    lines = [line for name in names(tree) if name in part["at"] for line in part["at"][name]]
    picked = dict.fromkeys(called.get(line[3][0], line[3][0]) for line in lines if len(line) > 3)
    return signs + middle + [{"sign": "at", "note": name} for name in picked]


def _laid(
    tree: Tree, part: Mapping[str, Any], called: Mapping[str, str], planes: Mapping[str, list[int]], value: bool
) -> list[Token]:
    """A factor; a sum, difference or quotient of arrays lies open, and a function of one array stands before it."""
    if value and isinstance(tree, list) and tree[0] in ("+", "−", "÷") and len(tree) == 3 and all(map(names, tree[1:])):
        sides = [_laid(operand, part, called, planes, isinstance(operand, str)) for operand in tree[1:]]
        return [*sides[0], {"sign": tree[0]}, *sides[1]]
    if value and isinstance(tree, list) and len(found := names(tree)) == 1:
        (name,) = found
        sign = spelled(tree, {**called, name.removesuffix(" of the row"): "·"})
        return [{"sign": sign}, _heat(name, part, called, planes, False)]
    return [_heat(tree, part, called, planes, False)]


def _alone(line: list[Any]) -> str | None:
    """The letter of a line that is one by itself."""
    constant, over, counts, *look = line
    return next(iter(counts)) if [constant, over, *look, *counts.values()] == [0, 1, 1] else None


def _own(lines: list[Any]) -> list[str | None]:
    """The letter of each axis, where it is one by itself."""
    return [_alone(line) for line in lines]


def _product(part: Mapping[str, Any], held: list[Tree]) -> list[tuple[Tree, bool]] | None:
    """Two factors as a product of matrices, in the order in which it gives the result, and whether each is turned."""
    over = [name for name, length in part["over"]]
    result = {int(place[1:]): letter for letter, _, line in part["let"] if (place := _alone(line))}
    top = max(
        [int(name[1:]) for _, _, line in part["let"] for name in line[2] if re.fullmatch(r"r\d+", name)], default=-1
    )
    if len(over) != 1 or not {top - 1, top} <= result.keys():
        return None
    rows, columns = result[top - 1], result[top]
    found: dict[str, tuple[Tree, bool]] = {}
    for factor in held:
        mine = names(factor)
        if len(mine) != 1:
            return None
        last = _own(part["at"][next(iter(mine))])[-2:]
        for side, (first, second) in {"left": (rows, over[0]), "right": (over[0], columns)}.items():
            if last in ([first, second], [second, first]):
                found[side] = factor, last == [second, first]
    return [found["left"], found["right"]] if len(found) == 2 else None


def _axes(part: Mapping[str, Any], over: list[str]) -> str:
    """The axes that are summed, in words, of the first array that has them all; else none are told."""
    for name in sorted(part["at"], key=lambda name: (name[0] != "d", name)):
        own = _own(part["at"][name])
        if set(over) <= set(own):
            found = [str(axis) for axis, letter in enumerate(own) if letter in over]
            key = "all" if len(found) == len(own) else "axes" if len(found) > 1 else "axis"
            return spoken()[key].format(axis=", ".join(found))
    return ""


def _called(name: str, called: Mapping[str, str]) -> Token:
    """An array of a rule by its name there and what it is called."""
    return {"array": name, "name": called.get(name.removesuffix(" of the row"), name)}


def _adds_up(tree: Tree) -> bool:
    return isinstance(tree, list) and (tree[0] == "Σ" or any(map(_adds_up, tree[1:])))


def _heat(
    tree: Tree, part: Mapping[str, Any], called: Mapping[str, str], planes: Mapping[str, list[int]], turned: bool
) -> Token:
    """An array as it stands, or the numbers that a factor makes of one or several; else those `among` which it finds them."""
    if isinstance(tree, str):
        token = _called(tree, called)
    else:
        mine = sorted(names(tree), key=lambda name: (-len(part["at"][name]), name))
        first = [letter for letter in _own(part["at"][mine[0]]) if letter]
        plain = len(first) == len(part["at"][mine[0]])
        others = {letter for name in mine[1:] for line in part["at"][name] for letter in line[2]}
        token = {"array": mine[0], "name": spelled(tree, called)}
        if len(mine) == 1 or (
            plain and others <= set(first) and not any(len(line) > 3 for name in mine for line in part["at"][name])
        ):
            token["of"] = tree
            if len(mine) > 1 or _adds_up(tree):
                token["letters"] = first
        else:  # its numbers have no single place, so the arrays stand there themselves
            token["among"] = mine
    base = token["array"].removesuffix(" of the row")
    if turned:
        token["turned"] = True
    if base in planes:
        token["plane"] = planes[base]
    return token
