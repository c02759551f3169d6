"""Formulas with their numbers: what a row of the derivative table says, filled in."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from minitape.symbols import texts
from minitape.trace import Application

from .numbers import Snapshot, number, spelled

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


@functools.lru_cache(maxsize=4096)
def _compiled(text: str) -> Any:
    plain = re.sub(r"\|([^|]+)\|", r"abs(\1)", text)
    for ours, theirs in _SIGNS:
        plain = plain.replace(ours, theirs)
    return compile(plain, "<formula>", "eval")


def _number(text: str, operands: Mapping[str, Operand]) -> str:
    """The number of a part, or "" where it has no single one.

    The words come from the rows of the derivative table, never from a learner.
    """
    numbers = {name: operands[name].snap.value for name in _WORD.findall(text) if name in operands}
    if None in numbers.values():
        return ""
    try:
        with np.errstate(all="ignore"):
            return number(eval(_compiled(text), {"__builtins__": {}}, {**_SPACE, **numbers}))
    except (NameError, SyntaxError, TypeError, ZeroDivisionError, OverflowError):
        return ""


def arguments(application: Application) -> list[str]:
    """The names under which a row's formula speaks of its inputs, one per input."""
    primitive = application.primitive
    if primitive.variadic:
        return [f"value{i}" for i in range(len(application.inputs))]
    return list(primitive.arguments)


def formula_words(application: Application) -> str:
    """What the row computes, with the settings of this call; for a row of many inputs, their list."""
    if application.primitive.variadic:
        return f"{application.op}( {' , '.join(arguments(application))} )"
    return texts(application.primitive, application.params).formula


def derivative_words(application: Application, position: int) -> str:
    """What the row's rule makes of `d`, which arrives, for one input; of a whole call, that it goes through it."""
    row = application.primitive
    found = texts(row, application.params).derivatives
    return (found[0 if row.variadic else position] if found else "") or f"“d, through {row.name}”"
