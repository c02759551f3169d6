"""Rules run on symbols: the text of a derivative is made from the rule itself, so that the two cannot differ.

    >>> from minitape.primitive import TABLE
    >>> print(derivative(TABLE["tanh"], 0), "|", derivative(TABLE["divide"], 1), "|", derivative(TABLE["reduce_mean"], 0))
    d × (1 − out²) | −d × x ÷ y² | d ÷ count, for each

A rule is a function, and a function does not ask what it is given: here it is given expressions, with `d` for the change that
comes through.  Whatever of the table it names answers with a larger expression, by the formulas of the rows' notes.  An
expression is written in the notation of the notes; a phrase ("the sum of d") is plain words, and is marked as one.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..primitive import Primitive
from .expression import Name, Number, Phrase, Symbol, Unwritable
from .formula import formula, read
from .rule import derivative


class Texts(NamedTuple):
    """The texts about a row: formulas, and phrases in “quotation marks”."""

    formula: str
    derivatives: tuple[str, ...]  # by each input, "" where there is none


def texts(row: Primitive, settings: Mapping[str, Any] | None = None) -> Texts:
    """The row's formula and derivatives as texts, with the settings of a call where they are known.

    >>> from minitape.primitive import TABLE
    >>> texts(TABLE["divide"])
    Texts(formula='x ÷ y', derivatives=('d ÷ y', '−d × x ÷ y²'))
    >>> texts(TABLE["reduce_sum"])
    Texts(formula='“the sum of x”', derivatives=('“d, for each”',))
    """
    # Only numbers decide between the ways of a rule; all other settings appear by name.
    known = tuple([(name, value) for name, value in (settings or {}).items() if isinstance(value, bool | int | float)])
    return _texts(row, known) if row.listed else _texts.__wrapped__(row, known)  # a row of a single call is not cached


@functools.lru_cache(maxsize=1024)
def _texts(row: Primitive, known: tuple[tuple[str, Any], ...]) -> Texts:
    settings = dict(known)
    found = [derivative(row, position, settings) for position in range(len(row.arguments))]
    derivatives = tuple(map(_text, found)) if any(text is not None for text in found) else ()
    return Texts(_text(formula(row, settings)), derivatives)


def _text(found: Symbol | None) -> str:
    return "" if found is None else f"“{found}”" if isinstance(found, Phrase) else str(found)


__all__ = ["Name", "Number", "Phrase", "Symbol", "Texts", "Unwritable", "derivative", "formula", "read", "texts"]
