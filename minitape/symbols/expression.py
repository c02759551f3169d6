"""Expressions: grown by arithmetic, and written as mathematics writes them."""

from __future__ import annotations

import builtins
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeGuard

# How tightly a text holds together: what holds less tightly than its surroundings demand stands in brackets.
CHOICE, OR, AND, COMPARISON, SUM, PRODUCT, POWER, ATOM = range(8)


class Unwritable(TypeError):
    """A rule asks for the number of a symbol: it leaves the table, and would lose the derivatives of its derivative."""


class Symbol:
    """An expression: its text, how tightly that holds together, and what it is made of."""

    shape = dtype = ndim = tag = property(lambda self: Fact("fact"))  # known to every rule, and never written
    T = property(lambda self: Symbol(self.inside(ATOM) + "ᵀ", ATOM, [self]))

    __array_ufunc__ = None  # NumPy's functions are not of the table
    __hash__ = object.__hash__

    def __init__(self, text: str, rank: int = ATOM, parts: Sequence[Symbol] = ()) -> None:
        self.text, self.rank, self.parts = text, rank, tuple(parts)

    def inside(self, rank: int) -> str:
        """The text, in brackets where the surroundings hold more tightly."""
        return f"({self.text})" if self.rank < rank else self.text

    def under(self, condition: str, holds: bool) -> Symbol:
        """What is left where a condition is known to hold, or not to."""
        return self

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    # fmt: off
    def __add__(self, other: Any) -> Symbol: return plus(self, symbol(other))
    def __radd__(self, other: Any) -> Symbol: return plus(symbol(other), self)
    def __sub__(self, other: Any) -> Symbol: return plus(self, minus(symbol(other)))
    def __rsub__(self, other: Any) -> Symbol: return plus(symbol(other), minus(self))
    def __neg__(self) -> Symbol: return minus(self)
    def __mul__(self, other: Any) -> Symbol: return times(self, symbol(other))
    def __rmul__(self, other: Any) -> Symbol: return times(symbol(other), self)
    def __truediv__(self, other: Any) -> Symbol: return over(self, symbol(other))
    def __rtruediv__(self, other: Any) -> Symbol: return over(symbol(other), self)
    def __pow__(self, other: Any) -> Symbol: return power(self, symbol(other))
    def __matmul__(self, other: Any) -> Symbol: return infix("@", self, symbol(other))
    def __floordiv__(self, other: Any) -> Symbol: return infix("//", self, symbol(other))
    def __mod__(self, other: Any) -> Symbol: return infix("mod", self, symbol(other))
    def __and__(self, other: Any) -> Symbol: return infix("and", self, symbol(other))
    def __or__(self, other: Any) -> Symbol: return infix("or", self, symbol(other))
    def __gt__(self, other: Any) -> Symbol: return infix(">", self, symbol(other))
    def __ge__(self, other: Any) -> Symbol: return infix("≥", self, symbol(other))
    def __lt__(self, other: Any) -> Symbol: return infix("<", self, symbol(other))
    def __le__(self, other: Any) -> Symbol: return infix("≤", self, symbol(other))
    def __eq__(self, other: Any) -> Any: return infix("=", self, symbol(other))
    def __ne__(self, other: Any) -> Any: return infix("≠", self, symbol(other))
    # fmt: on

    def __bool__(self) -> bool:
        raise Unwritable(f"it asks whether {self} holds: choose with tf.where(condition, a, b)")

    def __float__(self) -> float:
        raise Unwritable(f"it asks for the number of {self}: say it with the table's own ops")


class Name(Symbol):
    """An input, the output or a change."""


class Fact(Name):
    """A shape, a dtype or a setting: whatever is done with it is no part of the mathematics; unknown, it counts as False."""

    __hash__ = object.__hash__

    # fmt: off
    def __bool__(self) -> bool: return False
    def __len__(self) -> int: return 1
    def __index__(self) -> int: return 0
    def __iter__(self) -> Iterator[Any]: return iter(())
    def __getitem__(self, key: Any) -> Fact: return self
    def __call__(self, *given: Any, **named: Any) -> Fact: return self
    def __eq__(self, other: Any) -> Any: return False
    def __ne__(self, other: Any) -> Any: return True
    # fmt: on

    def __getattr__(self, name: str) -> Fact:
        if name.startswith("__"):
            raise AttributeError(name)
        return self


class Number(Symbol):
    """A number; one with a name of its own (π) is never combined with others."""

    def __init__(self, number: Any, name: str = "") -> None:
        self.number, self.name = number, name
        text = f"{number:.5g}" if isinstance(number, int | float) else "i" if number == 1j else str(number)
        super().__init__(name or text.replace("-", "−"))


class Sum(Symbol):
    """Terms, each added or subtracted."""

    def __init__(self, terms: Sequence[tuple[str, Symbol]]) -> None:
        self.terms = tuple(terms)  # (+ or −, the term)
        text = "".join([f" {sign} {term.inside(SUM + 1)}" for sign, term in terms])
        super().__init__(text[3:] if terms[0][0] == "+" else f"−{text[3:]}", SUM, [term for _, term in terms])


class Product(Symbol):
    """Factors, each multiplied or divided by, with one sign for all."""

    def __init__(self, negative: bool, factors: Sequence[tuple[str, Symbol]]) -> None:
        self.negative, self.factors = negative, tuple(factors)  # (× or ÷, the factor)
        (_, first), *others = factors
        start = ("−" if negative else "") + first.inside(PRODUCT)
        text = start + "".join(f" {sign} {factor.inside(PRODUCT + 1)}" for sign, factor in others)
        super().__init__(text, PRODUCT, [factor for _, factor in factors])

    def under(self, condition: str, holds: bool) -> Symbol:
        return Product(self.negative, [(sign, factor.under(condition, holds)) for sign, factor in self.factors])


class Power(Symbol):
    """A base and its exponent."""

    def __init__(self, base: Symbol, exponent: Symbol) -> None:
        self.base, self.exponent = base, exponent
        raised = {2: "²", 3: "³"}.get(exponent.number) if isinstance(exponent, Number) else None
        sign = " ^ " if isinstance(exponent, Name) else "^"
        super().__init__(
            base.inside(POWER + 1) + (raised or sign + exponent.inside(POWER + 1)), POWER, [base, exponent]
        )  # fmt: skip


class Choice(Symbol):
    """One of two, by a condition; inside of each the condition is settled."""

    def __init__(self, condition: Symbol, yes: Symbol, no: Symbol) -> None:
        known = condition.text
        self.condition, self.yes, self.no = condition, yes.under(known, True), no.under(known, False)
        parts = (self.yes, condition, self.no)
        super().__init__("{} if {} else {}".format(*[part.inside(CHOICE + 1) for part in parts]), CHOICE, parts)

    def under(self, condition: str, holds: bool) -> Symbol:
        return (self.yes if holds else self.no) if self.condition.text == condition else self


class Applied(Symbol):
    """A function of operands, written as a call."""

    def __init__(self, name: str, operands: Sequence[Symbol]) -> None:
        self.name = name
        listed = ", ".join(
            [operand.inside(SUM) if isinstance(operand, Phrase) else operand.text for operand in operands]
        )
        text = f"|{listed}|" if name == "abs" else f"{_SHORT.get(name, name)}({listed})"
        super().__init__(text, ATOM, operands)

    def under(self, condition: str, holds: bool) -> Symbol:
        return Applied(self.name, [part.under(condition, holds) for part in self.parts])


_SHORT = {"sqrt": "√", "sigmoid": "σ"}
_WORD = re.compile(r"[^\W\dᵀ][^\Wᵀ²³]*")


class Phrase(Applied):
    """Plain words around operands; inside of another expression it is written as a call."""

    def __init__(self, name: str, words: str, operands: Mapping[str, Symbol]) -> None:
        super().__init__(name, [operand for operand in operands.values() if not isinstance(operand, Fact)])
        self.called = self.text
        text = _WORD.sub(lambda found: operands[found[0]].text if found[0] in operands else found[0], words)
        self.text = text.replace("ᵀᵀ", "")

    def inside(self, rank: int) -> str:
        """The phrase where it stands alone (rank 0), else the call."""
        return self.called if rank else self.text

    def under(self, condition: str, holds: bool) -> Symbol:
        return self


PI = Number(math.pi, "π")
_RANKS = {
    **dict.fromkeys(("@", "//", "mod"), PRODUCT), **dict.fromkeys((">", "≥", "<", "≤", "=", "≠"), COMPARISON),
    "and": AND, "or": OR,
}  # fmt: skip


# ---- arithmetic: one sign, no brackets without need, equal neighbours as a power ------------------------------------


def symbol(value: Any) -> Symbol:
    """A number as a symbol."""
    if isinstance(value, Symbol):
        return value
    if isinstance(value, int | float | builtins.complex):
        return Number(value)
    raise Unwritable(f"it brings in {value!r}: say it with the table's own ops")


def infix(sign: str, left: Symbol, right: Symbol) -> Symbol:
    """Two operands and a sign between them; a chain of products of matrices needs no brackets."""
    rank = _RANKS[sign]
    tight = rank if sign == "@" and f" {sign} " in right.text and right.rank == rank else rank + 1
    return Symbol(f"{left.inside(rank)} {sign} {right.inside(tight)}", rank, [left, right])


def plus(a: Symbol, b: Symbol) -> Symbol:
    """a + b."""
    if _is(a, 0) or _is(b, 0):
        return b if _is(a, 0) else a
    return Number(a.number + b.number) if _plain(a) and _plain(b) else Sum([*_terms(a), *_terms(b)])


def minus(a: Symbol) -> Symbol:
    """−a."""
    if _plain(a):
        return Number(-a.number)
    return _product(not a.negative, a.factors) if isinstance(a, Product) else Product(True, [("×", a)])


def times(a: Symbol, b: Symbol) -> Symbol:
    """a × b."""
    if _is(a, 0) or _is(b, 0):
        return Number(0)
    if _is(a, 1) or _is(b, 1):
        return b if _is(a, 1) else a
    (left, before), (right, after) = _factors(a), _factors(b)
    return Number(a.number * b.number) if _plain(a) and _plain(b) else _product(left != right, [*before, *after])


def over(a: Symbol, b: Symbol) -> Symbol:
    """a ÷ b."""
    if _is(a, 0) or _is(b, 1):
        return a
    if _plain(a) and _plain(b):
        return Number(a.number / b.number)
    negative, factors = _factors(a)
    less = isinstance(b, Product) and b.negative
    return _product(negative != less, [*factors, ("÷", minus(b) if less else b)])


def power(base: Symbol, exponent: Symbol) -> Symbol:
    """base ^ exponent."""
    return base if _is(exponent, 1) else Power(base, exponent)


def _plain(a: Symbol) -> TypeGuard[Number]:
    return isinstance(a, Number) and not a.name


def _is(a: Symbol, number: int) -> bool:
    return _plain(a) and bool(a.number == number)


def _negative(a: Symbol) -> bool:
    return isinstance(a, Number) and isinstance(a.number, int | float) and a.number < 0


def _terms(a: Symbol) -> Sequence[tuple[str, Symbol]]:
    if isinstance(a, Sum):
        return a.terms
    return [("−", minus(a))] if _negative(a) or isinstance(a, Product) and a.negative else [("+", a)]


def _factors(a: Symbol) -> tuple[bool, Sequence[tuple[str, Symbol]]]:
    if isinstance(a, Product):
        return a.negative, a.factors
    return (True, [("×", minus(a))]) if _negative(a) else (False, [("×", a)])


def _product(negative: bool, factors: Sequence[tuple[str, Symbol]]) -> Symbol:
    held: list[tuple[str, Symbol]] = []
    for sign, factor in factors:
        (base, count), (before, times_before) = _whole(factor), _whole(held[-1][1] if held else factor)
        if held and held[-1][0] == sign and before.text == base.text and not isinstance(factor, Number):
            held[-1] = (sign, Power(base, Number(count + times_before)))
        else:
            held.append((sign, factor))
    return held[0][1] if len(held) == 1 and not negative else Product(negative, held)


def _whole(factor: Symbol) -> tuple[Symbol, int]:
    """A power as its base and whole exponent."""
    if isinstance(factor, Power) and isinstance(factor.exponent, Number) and isinstance(factor.exponent.number, int):
        return factor.base, factor.exponent.number
    return factor, 1
