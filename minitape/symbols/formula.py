"""Formulas read: the notes of a row, in the notation that they are written in, as expressions."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from types import CodeType
from typing import Any

from ..primitive import Primitive
from .expression import PI, Applied, Choice, Fact, Name, Number, Phrase, Power, Symbol, symbol

_PLAIN = (
    ("×", "*"), ("÷", "/"), ("−", "-"), ("²", "**2"), ("³", "**3"), ("^", "**"), ("≥", ">="), ("≤", "<="), ("≠", "!="),
    ("ᵀ", ".T"), (" mod ", " % "), (" and ", " & "), (" or ", " | "), ("√(", "sqrt("), ("σ(", "sigmoid("),
)  # fmt: skip


@functools.cache
def _compiled(formula: str) -> CodeType:
    """The formula in Python's words."""
    plain = re.sub(r"\|([^|]+)\|", r"abs(\1)", formula)
    for ours, theirs in _PLAIN:
        plain = plain.replace(ours, theirs)
    plain = re.sub(r"(?<![=!<>])=(?!=)", "==", plain)
    found = re.fullmatch(r"(.+) if (.+) else (.+)", plain)
    if found:
        plain = f"_choice({found[2]}, {found[1]}, {found[3]})"
    return compile(plain, f"<formula {formula}>", "eval")


class _Word(Name):
    """A word of a formula that is no operand: a function where it is called, else a setting."""

    def __call__(self, *operands: Any) -> Applied:
        return Applied(self.text, [symbol(operand) for operand in operands])


class _Words(dict[str, Any]):
    """What the words of a formula mean."""

    def __missing__(self, name: str) -> _Word:
        return _Word(name)


def read(formula: str, operands: Mapping[str, Symbol]) -> Symbol:
    """The formula, with these in place of its names.

    >>> read("x ÷ (1 + |x|)", {"x": Name("w")})
    w ÷ (1 + |w|)
    """
    words = _Words(operands)
    words["_choice"], words["π"] = lambda *parts: Choice(*map(symbol, parts)), PI
    return symbol(eval(_compiled(formula), {"__builtins__": {}}, words))


@functools.cache
def _short(formula: str, names: tuple[str, ...], plain: bool) -> bool:
    """Whether a formula is one sign deep and may stand inside of others; with `plain` operands, so may a choice of such."""
    whole = read(formula, {name: Name(name) for name in names})
    return all(map(_flat, whole.parts if plain and isinstance(whole, Choice) else [whole]))


def _flat(whole: Symbol) -> bool:
    """Names and numbers, which may be raised to a power, and a sign between them."""
    leaves = [leaf for part in whole.parts for leaf in (part.parts if isinstance(part, Power) else [part])]
    return all(isinstance(leaf, Name | Number) for leaf in leaves)


def expressed(name: str, formula: str, phrase: str, operands: Mapping[str, Symbol], whole: bool) -> Symbol:
    """A row or helper of operands: by its formula, by its phrase, or as a call.  `whole`: it stands for itself alone."""
    if phrase and (whole or not formula):
        return Phrase(name, phrase, operands)
    plain = all(isinstance(operand, Name | Number) for operand in operands.values())
    if formula and (whole or _short(formula, tuple(operands), plain)):
        return read(formula, operands)
    return Applied(name, [operand for operand in operands.values() if not isinstance(operand, Fact)])


def formula(row: Primitive, settings: Mapping[str, Any] | None = None) -> Symbol:
    """What the row computes, in the names of its inputs, with the settings of a call where they are known.

    >>> from minitape.primitive import TABLE
    >>> formula(TABLE["sigmoid"]), formula(TABLE["reduce_sum"]), formula(TABLE["matmul"], {"transpose_b": True})
    (1 ÷ (1 + exp(−x)), the sum of x, x @ yᵀ)
    """
    given: dict[str, Symbol] = {name: Name(name) for name in row.arguments}
    for letter, name in zip("ab", row.arguments, strict=False):
        if (settings or {}).get(f"transpose_{letter}") is True:
            given[name] = given[name].T
    for name, setting in (settings or {}).items():
        if isinstance(setting, int | float) and name not in given:
            given[name] = Number(setting)
    return expressed(row.name, row.notes.formula, row.notes.phrase, given, whole=True)
