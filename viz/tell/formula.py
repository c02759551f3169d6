"""Formulas with their numbers: the words of a row of the derivative table, filled in."""

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
_WORD = re.compile(r"[A-Za-z_]\w*")
_SPACE: dict[str, Any] = {
    **{name: getattr(np, name) for name in ("exp", "log", "sin", "cos", "sinh", "cosh", "sqrt", "sign", "floor")},
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "pi": math.pi, "min": min, "max": max,
}  # fmt: skip
_BETWEEN: dict[type[ast.AST], Any] = {
    ast.Add: arithmetic.add, ast.Sub: arithmetic.sub, ast.Mult: arithmetic.mul, ast.Div: arithmetic.truediv,
    ast.Pow: arithmetic.pow, ast.Gt: arithmetic.gt, ast.GtE: arithmetic.ge, ast.Lt: arithmetic.lt, ast.LtE: arithmetic.le,
}  # fmt: skip
_PRETTY = (("**2", "²"), ("**3", "³"), ("sqrt(", "√("), ("sigmoid(", "σ("), ("**", "^"), ("*", "·"), ("-", "−"))


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


def terms(words: str, operands: Mapping[str, Operand]) -> list[Term]:
    """The words of a formula as columns: symbol above, number below.

    >>> x = Operand("x", Snapshot("3", None, 3.0), "value", "v0")
    >>> terms("2 × cos(x)", {"x": x})
    [['2', '2', 'op', ''], ['×', '×', 'op', ''], ['cos(x)', '−0.99', 'value', 'v0']]
    """
    columns: list[Term] = []
    for word in _words(words):
        names = [one for one in _WORD.findall(word.removesuffix("ᵀ")) if one in operands]
        if not names:
            columns.append(operator(_pretty(word)))
        elif word in operands:
            one = operands[word]
            columns.append([one.symbol, one.text, one.kind, one.value])
        elif word.removesuffix("ᵀ") in operands:
            one = operands[word.removesuffix("ᵀ")]
            columns.append([one.symbol + "ᵀ", one.text, one.kind, one.value])
        else:
            first = operands[names[0]]
            symbol = _WORD.sub(lambda m: operands[m[0]].symbol if m[0] in operands else m[0], word)
            columns.append([_pretty(symbol), _evaluate(word, operands), first.kind, first.value])
    return columns


def _words(text: str) -> list[str]:
    """Split at spaces that stand outside of brackets."""
    words, depth, word = [], 0, ""
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == " " and not depth:
            words.append(word)
            word = ""
        else:
            word += letter
    return [one for one in [*words, word] if one]


def _pretty(word: str) -> str:
    for plain, pretty in _PRETTY:
        word = word.replace(plain, pretty)
    return word


LONGEST = 300  # letters of a word that is worked out


@functools.lru_cache(maxsize=4096)
def _compiled(word: str) -> ast.expr | None:
    """A word as an expression; None for what is none."""
    try:
        return ast.parse(word, mode="eval").body if len(word) <= LONGEST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _worked_out(node: ast.expr | None, space: Mapping[str, float]) -> Any:
    """The number of an expression: names, numbers, sums, products, powers, comparisons and the functions of `_SPACE`.

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
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _BETWEEN:
            return bool(_BETWEEN[type(op)](_worked_out(left, space), _worked_out(right, space)))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if callable(_SPACE.get(name)):
            return float(_SPACE[name](*[_worked_out(one, space) for one in args]))
    raise KeyError("no formula")


def _evaluate(word: str, operands: Mapping[str, Operand]) -> str:
    """The number of a compound word, or the word with its numbers put in where there is no single number."""
    names = [one for one in _WORD.findall(word) if one in operands]
    values = {one: operands[one].snap.value for one in names}
    space = {one: value for one, value in values.items() if value is not None}
    if len(space) == len(values):
        try:
            with np.errstate(all="ignore"):
                found = _worked_out(_compiled(word), space)
            return number(found)
        except (KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError, RecursionError):
            pass
    return _pretty(_WORD.sub(lambda m: operands[m[0]].text if m[0] in operands else m[0], word))


def arguments(op: Op) -> list[str]:
    """The names under which a row's formula speaks of its inputs, one per input; those that it has no name for are numbered."""
    named = [] if op.row.variadic else list(op.row.arguments[: len(op.takes)])
    return named + [f"value{place}" for place in range(len(named), len(op.takes))]


def formula_words(op: Op) -> str:
    """The row's formula; for a row of many inputs, their list."""
    return f"{op.row.name}( {' , '.join(arguments(op))} )" if op.row.variadic else op.row.formula


def derivative_words(op: Op, position: int) -> str:
    """The row's derivative by one input, with `d` for what arrives."""
    words = op.row.derivatives
    if not words:
        return "d"
    return words[0] if op.row.variadic or position >= len(words) else words[position]
