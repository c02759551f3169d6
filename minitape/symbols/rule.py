"""Rules run on symbols."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any

from ..notes import WRITTEN
from ..primitive import Primitive
from .expression import PI, Applied, Fact, Name, Number, Phrase, Symbol, symbol
from .formula import expressed, read


def _row(row: Primitive, operands: Sequence[Any], settings: Mapping[str, Any]) -> Any:
    """What a rule gets for a row of the table."""
    given = [symbol(operand) for operand in operands]
    for position, letter in enumerate("ab"):
        if settings.get(f"transpose_{letter}") is True:  # a matrix product transposes its operands itself
            given[position] = given[position].T
    if row.variadic:
        return Applied(row.name, given)
    if row.outputs > 1:
        return tuple([Applied(f"{row.name}{i}", given) for i in range(row.outputs)])
    known, notes = dict(zip(row.arguments, given, strict=True)), row.notes
    if row.kind in ("elementwise", "flat"):  # written as its formula, also where a phrase is noted
        return expressed(row.name, notes.formula, "", known, whole=False)
    if notes.phrase:  # it may name settings, which a rule may have changed
        known |= {
            name: value for name, value in settings.items() if isinstance(value, Symbol) and not isinstance(value, Fact)
        }
    return expressed(row.name, notes.formula, notes.phrase, known, whole=False)


def _helper(function: FunctionType, operands: Sequence[Any], settings: Mapping[str, Any]) -> Symbol:
    """What a rule gets for a function that is no row: not what it computes, but how it is written."""
    code, name = function.__code__, function.__name__.strip("_")
    known = dict(zip(code.co_varnames[: code.co_argcount], operands, strict=False)) | dict(settings)
    notes = WRITTEN.get(function)
    if notes is None:
        flat = [part for value in known.values() for part in (value if isinstance(value, tuple) else (value,))]
        symbols = [leaf for leaf in flat if isinstance(leaf, Symbol) and not isinstance(leaf, Fact)]
        return Applied(name, symbols) if symbols else Fact(name)
    given = {key: symbol(value) for key, value in known.items() if isinstance(value, Symbol | int | float)}
    if notes.phrase:
        return Phrase(name, notes.phrase, given)
    return read(notes.formula(**known) if callable(notes.formula) else notes.formula, given)


class _Math:
    """Python's `math` for rules: constants, and functions of constants."""

    pi, e = PI, Number(math.e, "e")

    def sqrt(self, x: Any) -> Symbol:
        return Applied("sqrt", [symbol(x)])

    def __getattr__(self, name: str) -> Any:
        return lambda *numbers: getattr(math, name)(*[_plain(number) for number in numbers])


_MATH = _Math()


def _plain(x: Any) -> Any:
    """A fact as it is, a number as a float; raises Unwritable for any other symbol, which has no number."""
    return x if isinstance(x, Fact) else float(x)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def run(rule: Any, change: Any, known: Mapping[str, Any]) -> Any:
    """The rule's answer to symbols: the rule's own instructions, with symbols for all that they name."""
    words: dict[str, Any] = {"float": _plain, "int": _plain}
    for name in _names(rule.__code__):
        found = rule.__globals__.get(name)
        if hasattr(found, "cache_info"):  # a cached function
            found = found.__wrapped__
        if isinstance(found, Primitive):
            words[name] = lambda *operands, _row_=found, **settings: _row(_row_, operands, settings)
        elif isinstance(found, FunctionType):
            words[name] = lambda *operands, _function_=found, **settings: _helper(_function_, operands, settings)
        elif found is math:
            words[name] = _MATH
        elif found is not None:
            words[name] = found
    same = FunctionType(rule.__code__, words, rule.__name__, rule.__defaults__, rule.__closure__)
    same.__kwdefaults__ = rule.__kwdefaults__
    return same(change, **known)


def derivative(row: Primitive, position: int, settings: Mapping[str, Any] | None = None) -> Symbol | None:
    """What comes back to one input, or goes on from it, with `d` (of several outputs d0, d1 ...) for the change.

    The settings of a call decide where a rule has a choice; without them it goes the usual way.  None where the row has no
    rule for this input.  Raises Unwritable for a rule that leaves the table.

    >>> from minitape.primitive import TABLE
    >>> derivative(TABLE["matmul"], 0), derivative(TABLE["matmul"], 0, {"transpose_a": True, "transpose_b": False})
    (d @ yᵀ, y @ dᵀ)
    """
    rules = row.vjp_rules(position)
    if not rules or position in row.inert:
        return None
    rule, known = rules[0].rule, {}
    code = rule.__code__
    for name in code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]:
        if row.place(name) is not None:
            known[name] = Name(name)
        else:
            known[name] = (settings or {}).get(name, Fact(name))
    change: Any = Name("d") if row.outputs in (0, 1) else tuple(Name(f"d{i}") for i in range(row.outputs))
    answer = symbol(run(rule, change, known))
    return Phrase("part", "its own of x", {"x": answer}) if row.variadic else answer
