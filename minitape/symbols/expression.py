"""Expressions: grown by arithmetic, written as mathematics writes them, and computed on numbers."""

from __future__ import annotations

import builtins
import functools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..primitive import TABLE

# How tightly a text holds together: what holds less tightly than its surroundings demand stands in brackets.
CHOICE, OR, AND, COMPARISON, SUM, PRODUCT, POWER, ATOM = range(8)
Texts = Mapping[str, str]


class Unwritable(TypeError):
    """A rule asks for the number of a symbol: it leaves the table, and would lose the derivatives of its derivative."""


class Symbol:
    """An expression, grown by arithmetic."""

    rank = ATOM
    parts: tuple[Symbol, ...] = ()
    shape = dtype = ndim = _tag = property(lambda self: Fact("fact"))  # known to every rule, and never written
    T = property(lambda self: Turned(self))

    __array_ufunc__ = None  # NumPy's functions are not of the table
    __hash__ = object.__hash__

    def text(self, names: Texts) -> str:
        """As mathematics writes it, with these texts for names."""
        raise NotImplementedError

    def value(self, numbers: Mapping[str, Any]) -> Any:
        """Its number or array, from those of its names; raises LookupError where it is no formula, or a name is unknown."""
        raise NotImplementedError

    def inside(self, rank: int, names: Texts) -> str:
        """The text, in brackets where the surroundings hold more tightly."""
        text = self.text(names)
        return f"({text})" if self.rank < rank else text

    def columns(self) -> Iterator[tuple[str | Symbol, int]]:
        """The signs and operands of its outermost sums and products, in order, with the rank that each must have."""
        yield self, CHOICE

    def names(self) -> list[str]:
        """The names in it, in order."""
        return [name for part in self.parts for name in part.names()]

    def under(self, condition: str, holds: bool) -> Symbol:
        """What is left where a condition is known to hold, or not to."""
        return self

    def __str__(self) -> str:
        return self.text({})

    __repr__ = __str__

    def __add__(self, other: Any) -> Symbol:
        return plus(self, symbol(other))

    def __radd__(self, other: Any) -> Symbol:
        return plus(symbol(other), self)

    def __sub__(self, other: Any) -> Symbol:
        return plus(self, minus(symbol(other)))

    def __rsub__(self, other: Any) -> Symbol:
        return plus(symbol(other), minus(self))

    def __neg__(self) -> Symbol:
        return minus(self)

    def __mul__(self, other: Any) -> Symbol:
        return times(self, symbol(other))

    def __rmul__(self, other: Any) -> Symbol:
        return times(symbol(other), self)

    def __truediv__(self, other: Any) -> Symbol:
        return over(self, symbol(other))

    def __rtruediv__(self, other: Any) -> Symbol:
        return over(symbol(other), self)

    def __pow__(self, other: Any) -> Symbol:
        return power(self, symbol(other))

    def __matmul__(self, other: Any) -> Symbol:
        return Infix("@", self, symbol(other))

    def __floordiv__(self, other: Any) -> Symbol:
        return Infix("//", self, symbol(other))

    def __mod__(self, other: Any) -> Symbol:
        return Infix("mod", self, symbol(other))

    def __and__(self, other: Any) -> Symbol:
        return Infix("and", self, symbol(other))

    def __or__(self, other: Any) -> Symbol:
        return Infix("or", self, symbol(other))

    def __gt__(self, other: Any) -> Symbol:
        return Infix(">", self, symbol(other))

    def __ge__(self, other: Any) -> Symbol:
        return Infix("≥", self, symbol(other))

    def __lt__(self, other: Any) -> Symbol:
        return Infix("<", self, symbol(other))

    def __le__(self, other: Any) -> Symbol:
        return Infix("≤", self, symbol(other))

    def __eq__(self, other: Any) -> Any:
        return Infix("=", self, symbol(other))

    def __ne__(self, other: Any) -> Any:
        return Infix("≠", self, symbol(other))

    def __bool__(self) -> bool:
        raise Unwritable(f"it asks whether {self} holds: choose with tf.where(condition, a, b)")

    def __float__(self) -> float:
        raise Unwritable(f"it asks for the number of {self}: say it with the table's own ops")


class Name(Symbol):
    """An input, the output, a change or a setting."""

    def __init__(self, name: str) -> None:
        self.name = name

    def text(self, names: Texts) -> str:
        return names.get(self.name, self.name)

    def value(self, numbers: Mapping[str, Any]) -> Any:
        return numbers[self.name]

    def names(self) -> list[str]:
        return [self.name]


class Fact(Name):
    """A shape, a dtype or a setting: whatever is done with it is no part of the mathematics; unknown, it counts as False."""

    def __bool__(self) -> bool:
        return False

    def __len__(self) -> int:
        return 1

    def __index__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __getitem__(self, key: Any) -> Fact:
        return self

    def __call__(self, *given: Any, **named: Any) -> Fact:
        return self

    def __getattr__(self, name: str) -> Fact:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __eq__(self, other: Any) -> Any:
        return False

    def __ne__(self, other: Any) -> Any:
        return True

    __hash__ = object.__hash__


class Number(Symbol):
    """A number, or one with a name (π)."""

    def __init__(self, number: Any, text: str = "") -> None:
        self.number, self.said = number, text

    def text(self, names: Texts) -> str:
        if self.said or isinstance(self.number, bool):
            return self.said or str(self.number)
        if isinstance(self.number, builtins.complex):
            return "i" if self.number == 1j else str(self.number)
        return f"{self.number:.5g}".replace("-", "−")

    def value(self, numbers: Mapping[str, Any]) -> Any:
        return self.number


class Sum(Symbol):
    """Terms, each added or subtracted."""

    rank = SUM

    def __init__(self, terms: Sequence[tuple[bool, Symbol]]) -> None:
        self.terms = tuple(terms)  # (whether it is subtracted, the term)
        self.parts = tuple(term for _, term in terms)

    def text(self, names: Texts) -> str:
        (negative, first), *others = self.terms
        start = ("−" if negative else "") + first.inside(SUM + 1, names)
        return start + "".join(f" {'−' if less else '+'} {term.inside(SUM + 1, names)}" for less, term in others)

    def value(self, numbers: Mapping[str, Any]) -> Any:
        parts = [-term.value(numbers) if less else term.value(numbers) for less, term in self.terms]
        return functools.reduce(lambda total, part: total + part, parts)

    def columns(self) -> Iterator[tuple[str | Symbol, int]]:
        for position, (negative, term) in enumerate(self.terms):
            if position or negative:
                yield "−" if negative else "+", SUM
            if isinstance(term, Product | Infix):
                yield from term.columns()
            else:
                yield term, PRODUCT


class Product(Symbol):
    """Factors, each multiplied or divided by, with one sign for all."""

    rank = PRODUCT

    def __init__(self, negative: bool, factors: Sequence[tuple[str, Symbol]]) -> None:
        self.negative, self.factors = negative, tuple(factors)
        self.parts = tuple(factor for _, factor in factors)

    def text(self, names: Texts) -> str:
        (_, first), *others = self.factors
        start = ("−" if self.negative else "") + first.inside(PRODUCT, names)
        return start + "".join(f" {sign} {factor.inside(PRODUCT + 1, names)}" for sign, factor in others)

    def value(self, numbers: Mapping[str, Any]) -> Any:
        (_, first), *others = self.factors
        answer = -first.value(numbers) if self.negative else first.value(numbers)
        for sign, factor in others:
            answer = answer * factor.value(numbers) if sign == "×" else answer / factor.value(numbers)
        return answer

    def columns(self) -> Iterator[tuple[str | Symbol, int]]:
        if self.negative:
            yield "−", PRODUCT
        for position, (sign, factor) in enumerate(self.factors):
            if position:
                yield sign, PRODUCT
            yield factor, PRODUCT + 1

    def under(self, condition: str, holds: bool) -> Symbol:
        return Product(self.negative, [(sign, factor.under(condition, holds)) for sign, factor in self.factors])


class Power(Symbol):
    """A base and its exponent."""

    rank = POWER

    def __init__(self, base: Symbol, exponent: Symbol) -> None:
        self.parts = self.base, self.exponent = base, exponent

    def text(self, names: Texts) -> str:
        base = self.base.inside(POWER + 1, names)
        raised = {2: "²", 3: "³"}.get(self.exponent.number) if isinstance(self.exponent, Number) else None
        return base + (raised or f"^{self.exponent.inside(POWER + 1, names)}")

    def value(self, numbers: Mapping[str, Any]) -> Any:
        return self.base.value(numbers) ** self.exponent.value(numbers)

    def columns(self) -> Iterator[tuple[str | Symbol, int]]:
        if isinstance(self.exponent, Name):
            yield from ((self.base, POWER + 1), ("^", POWER), (self.exponent, POWER + 1))
        else:
            yield self, CHOICE


_INFIX: dict[str, tuple[int, Callable[[Any, Any], Any]]] = {
    "@": (PRODUCT, np.matmul), "//": (PRODUCT, np.floor_divide), "mod": (PRODUCT, np.mod),
    ">": (COMPARISON, np.greater), "≥": (COMPARISON, np.greater_equal), "<": (COMPARISON, np.less),
    "≤": (COMPARISON, np.less_equal), "=": (COMPARISON, np.equal), "≠": (COMPARISON, np.not_equal),
    "and": (AND, np.logical_and), "or": (OR, np.logical_or),
}  # fmt: skip


class Infix(Symbol):
    """Two operands and a sign between them."""

    def __init__(self, sign: str, left: Symbol, right: Symbol) -> None:
        self.sign, self.parts = sign, (left, right)
        self.rank = _INFIX[sign][0]

    def text(self, names: Texts) -> str:
        left, right = self.parts
        # A chain of products of matrices needs no brackets, whichever is computed first.
        tight = self.rank if isinstance(right, Infix) and right.sign == self.sign == "@" else self.rank + 1
        return f"{left.inside(self.rank, names)} {self.sign} {right.inside(tight, names)}"

    def value(self, numbers: Mapping[str, Any]) -> Any:
        left, right = self.parts
        return _INFIX[self.sign][1](left.value(numbers), right.value(numbers))

    def columns(self) -> Iterator[tuple[str | Symbol, int]]:
        left, right = self.parts
        for part in (left, self.sign, right):
            if isinstance(part, Infix) and part.sign == self.sign == "@":
                yield from part.columns()
            else:
                yield part, self.rank + 1


class Choice(Symbol):
    """One of two, by a condition."""

    rank = CHOICE

    def __init__(self, condition: Symbol, yes: Symbol, no: Symbol) -> None:
        self.parts = (condition, yes, no)

    def text(self, names: Texts) -> str:
        condition, yes, no = (part.inside(CHOICE + 1, names) for part in self.parts)
        return f"{yes} if {condition} else {no}"

    def value(self, numbers: Mapping[str, Any]) -> Any:
        return np.where(*(part.value(numbers) for part in self.parts))

    def under(self, condition: str, holds: bool) -> Symbol:
        return (self.parts[1] if holds else self.parts[2]) if str(self.parts[0]) == condition else self


class Turned(Symbol):
    """A matrix with rows for columns."""

    def __init__(self, matrix: Symbol) -> None:
        self.parts = (matrix,)

    def text(self, names: Texts) -> str:
        return self.parts[0].inside(ATOM, names) + "ᵀ"

    def value(self, numbers: Mapping[str, Any]) -> Any:
        return np.swapaxes(self.parts[0].value(numbers), -1, -2)


class Applied(Symbol):
    """A function of operands, written as a call."""

    def __init__(self, name: str, operands: Sequence[Symbol]) -> None:
        self.name, self.parts = name, tuple(operands)

    def text(self, names: Texts) -> str:
        operands = ", ".join(
            Applied.text(one, names) if isinstance(one, Phrase) else one.text(names) for one in self.parts
        )
        return f"|{operands}|" if self.name == "abs" else f"{_SHORT.get(self.name, self.name)}({operands})"

    def value(self, numbers: Mapping[str, Any]) -> Any:
        row = TABLE.get(_LONG.get(self.name, self.name))
        if row is None or row.kind not in ("elementwise", "flat") or len(row.arguments) != len(self.parts):
            raise LookupError(f"{self.name} is no function of numbers")
        with np.errstate(all="ignore"):
            return row.bare(*[np.asarray(part.value(numbers)) for part in self.parts])

    def under(self, condition: str, holds: bool) -> Symbol:
        return Applied(self.name, [part.under(condition, holds) for part in self.parts])


_SHORT = {"sqrt": "√", "sigmoid": "σ"}
_LONG = {"max": "maximum", "min": "minimum"}


class Phrase(Applied):
    """Plain words around operands: they are said, and never computed with."""

    def __init__(self, name: str, words: str, operands: Mapping[str, Symbol]) -> None:
        super().__init__(name, [one for one in operands.values() if not isinstance(one, Fact)])
        self.words, self.operands = words, operands

    def text(self, names: Texts) -> str:
        return _WORD.sub(
            lambda found: self.operands[found[0]].text(names) if found[0] in self.operands else found[0], self.words
        )

    def inside(self, rank: int, names: Texts) -> str:
        """Beside a sign it stands as a call."""
        return super().text(names) if rank else self.text(names)

    def value(self, numbers: Mapping[str, Any]) -> Any:
        raise LookupError("a phrase is no formula")

    def under(self, condition: str, holds: bool) -> Symbol:
        return self


_WORD = re.compile(r"[^\W\dᵀ][^\Wᵀ]*")


PI = Number(math.pi, "π")


# ---- arithmetic: one sign, no brackets without need, equal neighbours as a power ------------------------------------------


def symbol(value: Any) -> Symbol:
    """A number as a symbol."""
    if isinstance(value, Symbol):
        return value
    if isinstance(value, int | float | builtins.complex):
        return Number(value)
    raise Unwritable(f"it brings in {value!r}: say it with the table's own ops")


def plus(a: Symbol, b: Symbol) -> Symbol:
    """a + b."""
    if _is(a, 0) or _is(b, 0):
        return b if _is(a, 0) else a
    if (folded := _folded(a, b, lambda x, y: x + y)) is not None:
        return folded
    return Sum([*_terms(a), *_terms(b)])


def minus(a: Symbol) -> Symbol:
    """−a."""
    if isinstance(a, Number) and not a.said:
        return Number(-a.number)
    if isinstance(a, Product):
        return _product(not a.negative, a.factors)
    return Product(True, [("×", a)])


def times(a: Symbol, b: Symbol) -> Symbol:
    """a × b."""
    if _is(a, 0) or _is(b, 0):
        return Number(0)
    if _is(a, 1) or _is(b, 1):
        return b if _is(a, 1) else a
    if (folded := _folded(a, b, lambda x, y: x * y)) is not None:
        return folded
    (left, before), (right, after) = _factors(a), _factors(b)
    return _product(left != right, [*before, *after])


def over(a: Symbol, b: Symbol) -> Symbol:
    """a ÷ b."""
    if _is(a, 0) or _is(b, 1):
        return a
    if (folded := _folded(a, b, lambda x, y: x / y)) is not None:
        return folded
    negative, factors = _factors(a)
    less = isinstance(b, Product) and b.negative
    return _product(negative != less, [*factors, ("÷", minus(b) if less else b)])


def power(base: Symbol, exponent: Symbol) -> Symbol:
    """base ^ exponent."""
    return base if _is(exponent, 1) else Power(base, exponent)


def _is(a: Symbol, number: int) -> bool:
    return isinstance(a, Number) and not a.said and a.number == number


def _folded(a: Symbol, b: Symbol, op: Callable[[Any, Any], Any]) -> Number | None:
    if isinstance(a, Number) and isinstance(b, Number) and not a.said and not b.said:
        return Number(op(a.number, b.number))
    return None


def _terms(a: Symbol) -> Sequence[tuple[bool, Symbol]]:
    if isinstance(a, Sum):
        return a.terms
    if isinstance(a, Product) and a.negative:
        return [(True, minus(a))]
    if isinstance(a, Number) and not isinstance(a.number, builtins.complex) and a.number < 0:
        return [(True, Number(-a.number))]
    return [(False, a)]


def _factors(a: Symbol) -> tuple[bool, Sequence[tuple[str, Symbol]]]:
    if isinstance(a, Product):
        return a.negative, a.factors
    if isinstance(a, Number) and not isinstance(a.number, builtins.complex) and a.number < 0:
        return True, [("×", Number(-a.number))]
    return False, [("×", a)]


def _product(negative: bool, factors: Sequence[tuple[str, Symbol]]) -> Symbol:
    held: list[tuple[str, Symbol]] = []
    for sign, factor in factors:
        base, count = _whole(factor)
        if held and held[-1][0] == sign and not isinstance(factor, Number):
            before, times_before = _whole(held[-1][1])
            if str(before) == str(base):
                held[-1] = (sign, Power(base, Number(count + times_before)))
                continue
        held.append((sign, factor))
    return held[0][1] if len(held) == 1 and not negative else Product(negative, held)


def _whole(factor: Symbol) -> tuple[Symbol, int]:
    """A power as its base and whole exponent."""
    if isinstance(factor, Power) and isinstance(factor.exponent, Number) and isinstance(factor.exponent.number, int):
        return factor.base, factor.exponent.number
    return factor, 1
