"""A row's words as an expression that a page can work out: nested lists of signs, names and numbers."""

from __future__ import annotations

import ast
import functools

from ..tell.formula import compiled
from .relation import Tree

SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "−", ast.Mult: "×", ast.Div: "÷", ast.Pow: "^", ast.Mod: "mod", ast.Gt: ">", ast.GtE: "≥",
    ast.Lt: "<", ast.LtE: "≤", ast.Eq: "=", ast.NotEq: "≠", ast.And: "and", ast.Or: "or",
}  # fmt: skip
# What a page can work out (static/sums.js has the same list, and a test compares them).
FUNCTIONS = frozenset({
    "exp", "log", "log1p", "expm1", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "asin", "acos", "atan", "atan2", "sqrt",
    "sign", "floor", "sigmoid", "min", "max", "abs",
})  # fmt: skip


@functools.lru_cache(maxsize=4096)
def tree(text: str) -> Tree:
    """The expression of a formula, or None for what is none: a phrase, a product of matrices, an unknown function.

    >>> tree("d × (1 − out²)")
    ['×', 'd', ['−', 1.0, ['^', 'out', 2.0]]]
    >>> tree("“the sum of x”") is None, tree("x @ y") is None
    (True, True)
    """
    parsed = None if "“" in text else compiled(text)
    try:
        return None if parsed is None else _tree(parsed)
    except KeyError:
        return None


def _tree(node: ast.expr) -> Tree:
    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            return float(value)
        case ast.Name(id=name):
            return 3.141592653589793 if name == "pi" else name
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ["−", _tree(operand)]
        case ast.BinOp(left=left, op=op, right=right):
            return [SIGNS[type(op)], _tree(left), _tree(right)]
        case ast.BoolOp(op=op, values=parts):
            return functools.reduce(lambda left, other: [SIGNS[type(op)], left, other], map(_tree, parts))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return [SIGNS[type(op)], _tree(left), _tree(right)]
        case ast.IfExp(test=test, body=body, orelse=other):
            return ["if", _tree(test), _tree(body), _tree(other)]
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            return [name, *map(_tree, args)]
    raise KeyError(ast.dump(node))


def renamed(expression: Tree, words: dict[str, str]) -> Tree:
    """The expression with other names."""
    if isinstance(expression, str):
        return words.get(expression, expression)
    if not isinstance(expression, list):
        return expression
    return [expression[0], *[renamed(part, words) for part in expression[1:]]]
