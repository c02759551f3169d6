"""Rules run on symbols: the text of a derivative is made from the rule itself, so that the two cannot differ.

    >>> from minitape.primitive import TABLE
    >>> print(derivative(TABLE["tanh"], 0), "|", derivative(TABLE["divide"], 1), "|", derivative(TABLE["reduce_mean"], 0))
    d × (1 − out²) | −d × x ÷ y² | d ÷ count, for each

A rule is a function, and a function does not ask what it is given: here it is given expressions, with `d` for the change that
comes through.  Whatever of the table it names answers with a larger expression, by the formulas of the rows' notes.  An
expression can be written, and computed on numbers; a phrase ("the sum of d") can only be written, and says so.
"""

from .expression import Name, Number, Phrase, Symbol, Turned, Unwritable
from .formula import formula, many, read
from .rule import derivative

__all__ = ["Name", "Number", "Phrase", "Symbol", "Turned", "Unwritable", "derivative", "formula", "many", "read"]
