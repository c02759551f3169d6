"""Formulas with their numbers: what a row of the derivative table says, filled in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from minitape.symbols import Name, Phrase, Symbol, Turned, derivative, formula, many
from minitape.trace import Application

from .numbers import Snapshot, number, spelled

Term = list[str]  # [symbol, number, kind, value id]


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


def terms(formula: Symbol, operands: Mapping[str, Operand]) -> list[Term]:
    """A formula as columns: symbol above, number below.  A phrase is one column, said and not computed.

    >>> x = Operand("x", Snapshot("3", None, 3.0), "value", "v0")
    >>> terms(read("2 × cos(x)", {"x": Name("x")}), {"x": x})
    [['2', '2', 'op', ''], ['×', '×', 'op', ''], ['cos(x)', '−0.99', 'value', 'v0']]
    """
    columns: list[Term] = []
    above = {name: one.symbol for name, one in operands.items()}
    below = {name: one.text for name, one in operands.items()}
    for part, rank in formula.columns():
        if isinstance(part, str):
            columns.append(operator(part))
            continue
        first = next((operands[name] for name in part.names() if name in operands), None)
        if first is None:
            columns.append(operator(part.inside(rank, above)))
        elif isinstance(part, Name) or isinstance(part, Turned) and isinstance(part.parts[0], Name):
            columns.append([part.inside(rank, above), first.text, first.kind, first.value])
        else:
            found = _number(part, operands)
            columns.append([part.inside(rank, above), found or part.inside(rank, below), first.kind, first.value])
    return columns


def _number(part: Symbol, operands: Mapping[str, Operand]) -> str:
    """The number of a part, or "" where it has no single one."""
    numbers = {name: operands[name].snap.value for name in part.names() if name in operands}
    if None in numbers.values():
        return ""
    try:
        with np.errstate(all="ignore"):
            return number(part.value(numbers))
    except (LookupError, TypeError, ZeroDivisionError, OverflowError):
        return ""


def arguments(application: Application) -> list[str]:
    """The names under which a row's formula speaks of its inputs, one per input."""
    primitive = application.primitive
    return many(len(application.inputs)) if primitive.variadic else list(primitive.arguments)


def formula_words(application: Application) -> Symbol:
    """What the row computes, with the settings of this call."""
    return formula(application.primitive, application.params, len(application.inputs))


def derivative_words(application: Application, position: int) -> Symbol:
    """What the row's rule makes of `d`, which arrives, for one input; of a whole call, that it goes through it."""
    row = application.primitive
    found = derivative(row, position, application.params)
    return Phrase(row.name, f"d, through {row.name}", {"d": Name("d")}) if found is None else found
