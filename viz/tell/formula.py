"""Formulas with their numbers: what a row of the derivative table says, filled in."""

from __future__ import annotations

import ast
import functools
import math
import operator as arithmetic
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..capture.numbers import Snapshot, exactly, number, spelled
from .spelling import parsed

Term = list[str]  # [symbol, number, kind, value id]
_WORD = r"[^\W\dᵀ][^\Wᵀ²³]*"  # a raised sign, which is no letter of a name
_TOKEN = re.compile(rf'"[^"]*"|{_WORD}')
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
    finer: str = ""  # in more digits

    @property
    def text(self) -> str:
        """What stands under the symbol: a number, a short row of numbers; of a larger array its name once more."""
        return self.finer or brief(self.snap) or self.symbol


FEW, LONG = 6, 40  # numbers of an array that a formula shows, in so many characters
CROWDED = 130  # characters of arrays in arrays that nobody reads: the names say more


def brief(snap: Snapshot) -> str:
    """A number or a short row of numbers; "" for what is neither."""
    if snap.data is None:
        return "" if _NO_NUMBER.search(snap.text) else snap.text
    said = few(snap)
    return said if len(said) <= LONG else ""


def few(snap: Snapshot) -> str:
    """The numbers of an array that has few; "" for any other."""
    data = snap.data or {}
    return spelled(snap) if "numbers" in data and math.prod(data["shape"]) <= FEW else ""


def finer(made: Snapshot, of: Sequence[Snapshot]) -> str:
    """What is a little more or less than what it was made of, in as many digits as that takes; "" where the usual ones do.

    >>> finer(Snapshot(None, None, 1.50001), [Snapshot(None, None, 1.5)]), finer(Snapshot(None, None, 2.0), [])
    ('1.50001', '')
    >>> row, before = [Snapshot("(2,)", {"shape": [2], "numbers": [one, -1.2]}) for one in (0.50001, 0.5)]
    >>> finer(row, [before])
    '[0.50001, −1.2]'
    """
    said, exact = brief(made), exactly(made)
    if not said or exact is None or not np.isfinite(exact).all():
        return ""
    for other in of:
        before = exactly(other)
        if before is not None and brief(other) == said and not np.array_equal(before, exact):
            for digits in (5, 6, 7, 8, 9):
                told, told_before = [_in_digits(one.tolist(), digits) for one in (exact, before)]
                if told != told_before:
                    return told
    return ""


def _in_digits(numbers: Any, digits: int) -> str:
    if isinstance(numbers, list):
        return f"[{', '.join([_in_digits(one, digits) for one in numbers])}]"
    return f"{numbers:.{digits}g}".replace("-", "−")


_NO_NUMBER = re.compile(r"[×\[( ]|^\?$|^$")  # the shape of an array that has no real numbers; a value that is not known


def operator(sign: str, below: str | None = None) -> Term:
    """A sign between operands, the same in both rows unless another one stands below."""
    return [sign, sign if below is None else below, "op", ""]


MINUS = ("−", "-")  # of a number, and of a name as the program has it: -b


def signed(said: str) -> str:
    """What is told behind a sign: a number that has one of its own stands in brackets.

    >>> f"1 + {signed('−2')}", f"1 + {signed('2')}", f"1 + {signed('[−2, 3]')}"
    ('1 + (−2)', '1 + 2', '1 + [−2, 3]')
    """
    return f"({said})" if said.startswith(MINUS) and len(said) > 1 else said


def _apart(columns: list[Term]) -> list[Term]:
    """The columns without two signs beside each other, in the row of symbols and in that of numbers."""
    before = ["", ""]
    for column in columns:
        for row in (0, 1):
            if before[row].endswith(_BARE):
                column[row] = signed(column[row])
            before[row] = column[row] or before[row]
    return columns


def terms(text: str, operands: Mapping[str, Operand]) -> list[Term]:
    """A formula as columns: symbol above, number below.  A phrase, “in quotation marks”, is one column.

    >>> x = Operand("x", Snapshot("3", None, 3.0), "value", "v0")
    >>> terms("−2 × cos(x)", {"x": x})
    [['−', '−', 'op', ''], ['2', '2', 'op', ''], ['×', '×', 'op', ''], ['cos(x)', 'cos(3)', 'value', 'v0']]
    >>> terms("y ^ 2", {"y": Operand("y", Snapshot("−3", None, -3.0), "value", "v1")})[0]
    ['y', '(−3)', 'value', 'v1']
    >>> terms("“the windows of x”", {"x": x})
    [['the windows of x', 'the windows of 3', 'value', 'v0']]
    """
    columns: list[Term] = []
    phrase = text.startswith("“")
    parts = [text.strip("“”")] if phrase else _parts(text)
    alone = len(parts) == 1
    for bare, after in zip(parts, [*parts[1:], ""], strict=True):
        name = bare.removesuffix("ᵀ")
        first = next((operands[name] for name in names(bare) if name in operands), None)
        if first is None:
            columns.append(operator(bare))
            continue
        if name in operands:
            above, below = [_turned(shown, bare[len(name) :], alone) for shown in (first.symbol, first.text)]
        else:
            above = _filled(bare, {key: operand.symbol for key, operand in operands.items()}, not phrase)
            below = _filled(bare, {key: operand.text for key, operand in operands.items()}, not phrase)
            below = below if len(below) <= CROWDED else above
        if after == "^":  # (−2) ^ 2 is 4, and −2 ^ 2 would be read as −4
            above, below = [f"({said})" if said.startswith(MINUS) or "/" in said else said for said in (above, below)]
        columns.append([above, below, first.kind, first.value])
    return columns


def _turned(said: str, sign: str, alone: bool) -> str:
    whole = sign and ("/" in said or said.startswith(MINUS))
    return f"({said}){sign}" if whole else said if alone and not sign else bracketed(said) + sign


def equation(left: Term, text: str, operands: Mapping[str, Operand], sign: Term | None = None) -> list[Term]:
    """Left = text, with a row of numbers below where there are any, and the results of its parts; nothing without a formula.

    >>> x = Operand("x", Snapshot("3", None, 3.0), "value", "v0")
    >>> made = equation(["y", "−1.98", "value", "v1"], "2 × cos(x)", {"x": x})
    >>> " ".join(one[0] for one in made), " ".join(one[1] for one in made)
    ('y = 2 × cos(x)    ', '−1.98 = 2 × cos(3) = 2 × (−0.99)')
    >>> made = equation(["g", "4", "gradient", "v1"], "x if x > 0 else 0", {"x": x}, operator("+=", "= 1 +"))
    >>> " ".join(one[1] for one in made)  # and not (1 + 3) if …
    '4 = 1 + (3 if 3 > 0 else 0)'
    """
    if not text or any(operands[name].snap.text == "?" for name in names(text) if name in operands):
        return []
    operands = _told_apart(text, operands)
    right = terms(text, operands)
    own = _plain(left[0]) == _plain(" ".join([term[0] for term in right]))  # its name is the formula itself
    if own and sign is None and left[1] != left[0]:
        return _apart([*right, operator("", "="), ["", *left[1:]]])
    if sign is None and left[0] == " ".join([term[0] for term in right]):  # to the letter: it is not said to be itself
        return _apart(right)
    if sign and " if " in text and len(right) == 1:  # or it would be read as (what was there + this) if c else 0
        right = [[f"({right[0][0]})", f"({right[0][1]})", *right[0][2:]]]
    columns = [left, sign or operator("="), *right]
    if all(below == above for above, below, *_ in columns):
        return _apart([[above, "", kind, value] for above, _, kind, value in columns])
    more = worked_out(text, operands)
    if sign and sign[1].endswith("+"):
        signed = columns[2][1] == "−"  # what is added has a sign of its own
        below = sign[1].removesuffix(" +") if signed else sign[1]
        columns[1] = [sign[0], below, *sign[2:]]
        more = [["", below, "op", ""], *more[1:]] if more else []
    return _apart(columns + more)


def _told_apart(text: str, operands: Mapping[str, Operand]) -> Mapping[str, Operand]:
    """Two numbers in as many digits as their sum or difference takes: 2.000006 − 2 is 6e−6, and 2 − 2 is not.

    >>> x, y = [Operand(name, Snapshot(None, None, value), "value") for name, value in (("x", 2.000006), ("y", 2.0))]
    >>> _told_apart("x − y", {"x": x, "y": y})["x"].text, _told_apart("x + y", {"x": x, "y": y})["x"].text
    ('2.000006', '2.00001')
    """
    words = text.split(" ")
    pair = [operands[name] for name in (words[0], words[-1]) if name in operands]
    values = [operand.snap.value for operand in pair if operand.snap.value is not None]
    if len(words) != 3 or words[1] not in ("+", "−") or len(values) != 2 or not all(map(math.isfinite, values)):
        return operands
    if not _cancel(values[0], values[1] if words[1] == "+" else -values[1]):
        return operands
    first, second = [
        operand._replace(snap=Snapshot(_all_digits(value), None, value))
        for operand, value in zip(pair, values, strict=True)
    ]
    return {**operands, words[0]: first, words[2]: second}


def told_parts(parts: Sequence[Snapshot]) -> list[str]:
    """The parts of a sum, single numbers in as many digits as their sum takes.

    >>> told_parts([Snapshot("2", None, 2.000006), Snapshot("−2", None, -2.0)]), told_parts([Snapshot("1", None, 1.0)])
    (['2.000006', '−2'], ['1'])
    """
    values = [part.value for part in parts if part.value is not None]
    if len(values) == len(parts) and all(map(math.isfinite, values)) and _cancel(*values):
        return [*map(_all_digits, values)]
    return [*map(spelled, parts)]


def _cancel(*values: float) -> bool:
    """Whether so much of these numbers goes when they are added that what is rounded away of each counts."""
    exact, said = sum(values), sum(float(number(value).replace("−", "-")) for value in values)
    return exact != 0 and abs(said - exact) > FAR * abs(exact)


def _all_digits(value: float) -> str:
    return f"{value:.9g}".replace("-", "−")


FAR = 0.05  # of a result: what was rounded away of the numbers under a formula may be so much of it


def _plain(text: str) -> str:
    return re.sub(r"[ ()]", "", text).replace("·", "×")


def worked_out(text: str, operands: Mapping[str, Operand]) -> list[Term]:
    """The results of a formula's parts, for the row of numbers alone; nothing if no part has to be computed."""
    parts = _parts(text) if not text.startswith("“") else []
    found = ["" if part in _BARE or part in operands else _number(part, operands) for part in parts]
    if len(parts) < 2 or not any(worked and names(part) for worked, part in zip(found, parts, strict=True)):
        return []
    columns = [operator("", "=")]
    for part, number_ in zip(parts, found, strict=True):
        if part in operands:
            columns.append(["", operands[part].text, operands[part].kind, operands[part].value])
        elif part in _BARE:
            columns.append(operator("", part))
        elif not number_:
            return []
        else:
            columns.append(
                ["", number_, next((operands[name].kind for name in names(part) if name in operands), "op"), ""]
            )
    return columns


_BARE = ("+", "−", "×", "÷", "@")


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


def names(text: str) -> list[str]:
    """The words of a formula that may be names: not those in quotation marks, and none that is called."""
    return [found[0] for found in _TOKEN.finditer(text) if _is_name(found, text)]


def _is_name(found: re.Match[str], text: str) -> bool:
    return found[0][0] != '"' and not text[found.end() :].startswith("(")


def _filled(text: str, words: Mapping[str, str], brackets: bool) -> str:
    """The text with these words for its names; with `brackets`, one that is more than a name stands in them beside a sign."""

    def word(found: re.Match[str]) -> str:
        if found[0] not in words or not _is_name(found, text):
            return found[0]
        said, after = words[found[0]], text[found.end() :]
        alone = text[: found.start()].endswith(("(", ", ")) and after.startswith((")", ","))
        tight = after.startswith(("²", "³", "^", "ᵀ", "["))
        whole = bracketed(said)
        loose = said.startswith(MINUS) or "e" in said[1:] and said[0].isdigit()
        if tight and (loose or "/" in said) or loose and text[: found.start()].endswith("−"):
            whole = f"({said})"
        elif text[: found.start()].rstrip().endswith(_BARE):
            whole = signed(whole)
        return said if alone or not brackets else whole

    return _TOKEN.sub(word, text)


_EXPONENT = re.compile(r"(?<![\w.])[\d.]+e$")  # of 7.5e−5, as against a name that ends so: rate−x


def bracketed(symbol: str) -> str:
    """A name in brackets, if it is a piece of a formula itself and would be read as that.

    >>> bracketed("h·h"), bracketed("∂L/∂(h·h)"), bracketed("f(a·b)"), bracketed("−2")
    ('(h·h)', '∂L/∂(h·h)', 'f(a·b)', '−2')
    >>> bracketed("rate−x"), bracketed("−7.5e−5")
    ('(rate−x)', '−7.5e−5')
    """
    depth = 0
    for place, sign in enumerate(symbol):
        depth += (sign in "([") - (sign in ")]")
        joins = sign in "+-−×*÷·^@ =<>" and (place or sign not in "−-")
        if depth == 0 and joins and not _EXPONENT.search(symbol[:place]):
            return f"({symbol})"
    return symbol


LONGEST = 300  # letters of a part that is worked out
_BETWEEN: dict[type[ast.AST], Any] = {
    ast.Add: arithmetic.add, ast.Sub: arithmetic.sub, ast.Mult: arithmetic.mul, ast.Div: arithmetic.truediv,
    ast.Pow: arithmetic.pow, ast.Gt: arithmetic.gt, ast.GtE: arithmetic.ge, ast.Lt: arithmetic.lt, ast.LtE: arithmetic.le,
    ast.Eq: arithmetic.eq, ast.NotEq: arithmetic.ne,
}  # fmt: skip


@functools.lru_cache(maxsize=4096)
def compiled(text: str) -> ast.expr | None:
    """A part as an expression; None for what is none."""
    plain = re.sub(r"\|([^|]+)\|", r"abs(\1)", text)
    for ours, theirs in _SIGNS:
        plain = plain.replace(ours, theirs)
    return parsed(plain) if len(plain) <= LONGEST else None


def _worked_out(node: ast.expr | None, space: Mapping[str, Any]) -> Any:
    """The number of an expression: names, numbers, sums, products, powers, comparisons, choices, functions of `_SPACE`.

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
        case ast.Compare(left=left, ops=ops, comparators=rest) if all(type(op) in _BETWEEN for op in ops):
            values = [_worked_out(side, space) for side in (left, *rest)]
            return all(bool(_BETWEEN[type(op)](a, b)) for op, a, b in zip(ops, values, values[1:], strict=False))
        case ast.BoolOp(op=op, values=parts):
            found = [bool(_worked_out(part, space)) for part in parts]
            return all(found) if isinstance(op, ast.And) else any(found)
        case ast.IfExp(test=test, body=body, orelse=other):
            return _worked_out(body if _worked_out(test, space) else other, space)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if callable(_SPACE.get(name)):
            return float(_SPACE[name](*[_worked_out(argument, space) for argument in args]))
    raise KeyError("no formula")


def _number(text: str, operands: Mapping[str, Operand]) -> str:
    """The number of a part, or "" where it has no single one."""
    numbers = {name: operands[name].snap.value for name in names(text) if name in operands}
    if None in numbers.values():
        return ""
    try:
        with np.errstate(all="ignore"):
            return number(_worked_out(compiled(text), numbers))
    except (KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError, RecursionError):
        return ""
