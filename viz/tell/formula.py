"""Formulas with their numbers: what a row of the derivative table says, filled in."""

from __future__ import annotations

import ast
import functools
import math
import operator as arithmetic
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..capture.numbers import Snapshot, number, spelled
from ..capture.records import Op

Term = list[str]  # [symbol, number, kind, value id]
_WORD = re.compile(r"[^\W\dᵀ][^\Wᵀ²³]*")  # a sign raised is no letter
_NUMPY = ("exp", "log", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sqrt", "sign", "floor")
_SPACE: dict[str, Any] = {
    **{name: getattr(np, name) for name in _NUMPY},
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "pi": math.pi, "min": min, "max": max, "abs": abs,
}  # fmt: skip


class Operand(NamedTuple):
    """What stands for a name in a formula."""

    symbol: str
    snap: Snapshot
    kind: str
    value: str = ""

    @property
    def text(self) -> str:
        """The number under the symbol."""
        return brief(self.snap)


def brief(snap: Snapshot) -> str:
    """A number, a short row of numbers, or a shape."""
    if snap.data and "numbers" in snap.data and snap.data["shape"] in ([1], [2], [3]):
        return spelled(snap)
    return snap.text


def operator(sign: str) -> Term:
    """A sign between operands, the same in both rows."""
    return [sign, sign, "op", ""]


def terms(text: str, operands: Mapping[str, Operand]) -> list[Term]:
    """A formula as columns: symbol above, number below.  A phrase, “in quotation marks”, is one column and not computed.

    >>> x = Operand("x", Snapshot("3", None, 3.0), "value", "v0")
    >>> terms("−2 × cos(x)", {"x": x})
    [['−', '−', 'op', ''], ['2', '2', 'op', ''], ['×', '×', 'op', ''], ['cos(x)', '−0.99', 'value', 'v0']]
    >>> terms("“x, for each”", {"x": x})
    [['x, for each', '3, for each', 'value', 'v0']]
    """
    columns: list[Term] = []
    phrase = text.startswith("“")
    for bare in [text.strip("“”")] if phrase else _parts(text):
        name = bare.removesuffix("ᵀ")
        first = next((operands[one] for one in _WORD.findall(bare) if one in operands), None)
        if first is None:
            columns.append(operator(bare))
        elif name in operands:
            columns.append([first.symbol + bare[len(name) :], first.text, first.kind, first.value])
        else:
            found = "" if phrase else _number(bare, operands)
            above, below = ({key: getattr(one, what) for key, one in operands.items()} for what in ("symbol", "text"))
            columns.append([_filled(bare, above, not phrase), found or _filled(bare, below), first.kind, first.value])
    return columns


_SIGNS = (
    ("×", "*"), ("÷", "/"), ("−", "-"), ("²", "**2"), ("³", "**3"), ("^", "**"), ("≥", ">="), ("≤", "<="), ("≠", "!="),
    (" = ", " == "), ("√(", "sqrt("), ("σ(", "sigmoid("), ("π", "pi"),
)  # fmt: skip


def _parts(text: str) -> list[str]:
    """A formula's words, between the spaces that stand outside of brackets; one that chooses is a single word."""
    words, depth, bars, word = [], 0, False, ""
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        bars ^= letter == "|"
        if letter == " " and not depth and not bars:
            words.append(word)
            word = ""
        else:
            word += letter
    words.append(word)
    if "if" in words:
        return [text]
    if words[0].startswith("−") and len(words[0]) > 1:
        words[:1] = ["−", words[0][1:]]
    return words


def _filled(text: str, words: Mapping[str, str], brackets: bool = False) -> str:
    """The text with these words for its names; with `brackets`, a sum or product stands in them beside a sign."""

    def word(found: re.Match[str]) -> str:
        said = words.get(found[0], found[0])
        alone = text[: found.start()].endswith("(") and text[found.end() :].startswith((")", ","))
        bare = brackets and not alone and not said.startswith("(") and re.search(r"[-+−×÷·*@]", said[1:])
        return f"({said})" if bare and found[0] in words else said

    return _WORD.sub(word, text)


LONGEST = 300  # letters of a part that is worked out
_BETWEEN: dict[type[ast.AST], Any] = {
    ast.Add: arithmetic.add, ast.Sub: arithmetic.sub, ast.Mult: arithmetic.mul, ast.Div: arithmetic.truediv,
    ast.Pow: arithmetic.pow, ast.Gt: arithmetic.gt, ast.GtE: arithmetic.ge, ast.Lt: arithmetic.lt, ast.LtE: arithmetic.le,
    ast.Eq: arithmetic.eq, ast.NotEq: arithmetic.ne,
}  # fmt: skip


@functools.lru_cache(maxsize=4096)
def compiled(text: str) -> ast.expr | None:
    """A part as an expression; None for what is none."""
    plain = re.sub(r"\|([^|]+)\|", r"abs(\1)", text)
    for ours, theirs in _SIGNS:
        plain = plain.replace(ours, theirs)
    try:
        return ast.parse(plain, mode="eval").body if len(plain) <= LONGEST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _worked_out(node: ast.expr | None, space: Mapping[str, Any]) -> Any:
    """The number of an expression: names, numbers, sums, products, powers, comparisons, choices, functions of `_SPACE`.

    Nothing else is understood: a row's words may come from anybody's stream, so that they are never handed to Python.
    """
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.Name(id=name):
            return space[name] if name in space else _SPACE[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_worked_out(operand, space)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BETWEEN:
            return _BETWEEN[type(op)](_worked_out(left, space), _worked_out(right, space))
        case ast.Compare(left=left, ops=ops, comparators=rest) if all(type(op) in _BETWEEN for op in ops):
            values = [_worked_out(one, space) for one in (left, *rest)]
            return all(bool(_BETWEEN[type(op)](a, b)) for op, a, b in zip(ops, values, values[1:], strict=False))
        case ast.BoolOp(op=op, values=parts):
            found = [bool(_worked_out(one, space)) for one in parts]
            return all(found) if isinstance(op, ast.And) else any(found)
        case ast.IfExp(test=test, body=body, orelse=other):
            return _worked_out(body if _worked_out(test, space) else other, space)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if callable(_SPACE.get(name)):
            return float(_SPACE[name](*[_worked_out(one, space) for one in args]))
    raise KeyError("no formula")


def _number(text: str, operands: Mapping[str, Operand]) -> str:
    """The number of a part, or "" where it has no single one."""
    numbers = {name: operands[name].snap.value for name in _WORD.findall(text) if name in operands}
    if None in numbers.values():
        return ""
    try:
        with np.errstate(all="ignore"):
            return number(_worked_out(compiled(text), numbers))
    except (KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError, RecursionError):
        return ""


def arguments(op: Op) -> list[str]:
    """The names under which a row's formula speaks of its inputs, one per input; those that it has no name for are numbered."""
    named = [] if op.row.variadic else list(op.row.arguments[: len(op.takes)])
    return named + [f"value{place}" for place in range(len(named), len(op.takes))]


def formula_words(op: Op) -> str:
    """What the row computes, with the settings of this call; for a row of many inputs, their list."""
    return f"{op.row.name}( {' , '.join(arguments(op))} )" if op.row.variadic else op.row.formula


def derivative_words(op: Op, position: int) -> str:
    """What the row's rule makes of `d`, which arrives, for one input; of a whole call, that it goes through it."""
    words, place = op.row.derivatives, 0 if op.row.variadic else position
    return (words[place] if place < len(words) else "") or f"“d, through {op.row.name}”"
