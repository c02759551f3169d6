"""Works out formulas as they stand on the screen: signs, numbers, names and functions of arrays, read by a grammar of its own.

It knows nothing of the telling: a formula is a text, `known` says which recorded numbers a name stands for.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from minitape import math as special

NUMBER = re.compile(r"\d+(\.\d+)?(e−?\d+)?|∞|nan|True\b|False\b")
OPERATORS = ("==", "≥", "≤", "≠", "÷", "×", "+", "−", "@", "^", "=", ">", "<")
SOFTPLUS = "log(1 + exp("
LEVELS = (("or",), ("and",), ("=", "≠", ">", "<", "≥", "≤"), ("+", "−"), ("×", "÷", "@", "mod", "//"))


class Unread(Exception):
    """A text that the grammar cannot read."""


def _axes(words: list[str]) -> dict[str, Any]:
    """The last words of a function: axes, shape, flags."""
    found: dict[str, Any] = {}
    for word in words:
        head, _, rest = word.partition(" ")
        if head in ("axis", "axes"):
            found["axis"] = tuple(int(one) for one in rest.split())
        elif head == "shape":
            found["shape"] = tuple(int(one) for one in rest.strip("[]").split("×") if one)
        elif head in ("kept", "exclusive", "reverse", "descending", "upper"):
            found[head] = True
        elif head == "by":
            found["by"] = int(rest.replace("−", "-"))
        elif word.endswith((" places", " times")):
            found["times"] = tuple(int(one) for one in head.split("×"))
        else:
            found.setdefault("words", []).append(word)
    return found


def _reduced(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(x: Any, *others: Any, axis: Any = None, kept: bool = False) -> Any:
        if others:
            return function(np.stack(np.broadcast_arrays(x, *others)), axis=0)
        return function(np.asarray(x), axis=axis, keepdims=kept)

    return run


def _share(which: Callable[..., Any]) -> Callable[..., Any]:
    def run(x: Any, axis: Any = None) -> Any:
        chosen = x == which(x, axis=axis, keepdims=True)
        return chosen / chosen.sum(axis=axis, keepdims=True)

    return run


def _others(x: Any, axis: Any = None) -> Any:
    x = np.asarray(x)
    axes = tuple(range(x.ndim)) if axis is None else axis
    out = np.empty(x.shape)
    for place in np.ndindex(x.shape):
        row = tuple(slice(None) if at in axes else place[at] for at in range(x.ndim))
        mask = np.ones(x.shape, bool)
        mask[place] = False
        out[place] = np.prod(x[row][mask[row]])
    return out


def _rests(d: Any, x: Any, axis: Any = None) -> Any:
    """How the products of the others change where x changes by d: a difference of a polynomial, taken far apart."""
    x, d, steps = np.asarray(x), np.asarray(d), np.linspace(-1.0, 1.0, 2 * x.size + 1)
    found = [_others(x + step * d, axis).ravel() for step in steps]
    return np.polynomial.polynomial.polyfit(steps, found, x.size)[1].reshape(x.shape)


def _soft(x: Any, axis: Any = None) -> Any:
    grown = np.exp(x - np.max(x, axis, keepdims=True))
    return grown / grown.sum(axis, keepdims=True)


def _repeat(x: Any, shape: Any, axis: Any = ()) -> Any:
    return np.broadcast_to(np.expand_dims(x, axis) if axis else x, shape)


def _running(x: Any, axis: Any, exclusive: bool = False, reverse: bool = False, *, function: Any = np.cumsum) -> Any:
    (at,) = axis
    x = np.flip(x, at) if reverse else x
    if exclusive:
        x = np.concatenate(
            [np.full_like(np.take(x, [0], at), float(function is np.cumprod)), np.take(x, range(x.shape[at] - 1), at)],
            at,
        )
    made = function(x, axis=at)
    return np.flip(made, at) if reverse else made


def _add_at(x: Any, indices: Any, axis: Any, shape: Any) -> Any:
    out = np.zeros(shape)
    (at,) = axis
    np.add.at(out, (slice(None),) * at + (np.asarray(indices, int),), x)
    return out


def _add_along(x: Any, indices: Any, shape: Any) -> Any:
    out = np.zeros(shape)
    many = indices.ndim == len(shape)
    for place in np.ndindex(indices.shape):
        out[(*(place[:-1] if many else place), int(indices[place]))] += x[place]
    return out


def _take_along(x: Any, indices: Any) -> Any:
    indices = np.asarray(indices)
    many = indices.ndim == x.ndim
    found = [x[(*(place[:-1] if many else place), int(indices[place]))] for place in np.ndindex(indices.shape)]
    return np.reshape(found, indices.shape)


def _placed(x: Any, words: Any, shape: Any) -> Any:
    out = np.zeros(shape)
    out[words] += x
    return out


def _band(x: Any, words: Any) -> Any:
    below, above = [int(word.split()[1].replace("all", "-1")) for word in words]
    row, column = np.indices(np.shape(x)[-2:])
    return np.where(((below < 0) | (row - column <= below)) & ((above < 0) | (column - row <= above)), x, 0.0)


def _different(x: Any) -> list[Any]:
    return [np.array(list(dict.fromkeys(np.round(x, 3).tolist())))]


def _confusion(labels: Any, predictions: Any, weights: Any = 1.0, times: Any = ()) -> Any:
    table = np.zeros(2 * times)
    np.add.at(table, (np.rint(labels).astype(int), np.rint(predictions).astype(int)), weights)
    return table


def _own(name: str) -> Callable[..., Any]:
    def run(*operands: Any) -> Any:
        return getattr(special, name)(*[np.asarray(one, float) for one in operands]).numpy()

    return run


def _gaps(x: Any) -> Any:
    apart = np.asarray(x)[..., None, :] - np.asarray(x)[..., :, None]
    return np.divide(1.0, apart, out=np.zeros_like(apart), where=apart != 0)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(np, name) for name in ("exp", "log", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sign", "floor",
       "ceil", "conj", "real", "imag")},
    "round": np.round, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2, "asinh": np.arcsinh,
    "acosh": np.arccosh, "atanh": np.arctanh, "√": np.sqrt, "σ": lambda x: 1 / (1 + np.exp(-x)), "abs": np.abs,
    **{name: _own(name) for name in ("erf", "erfc", "lgamma", "digamma", "polygamma", "divide_no_nan", "multiply_no_nan", "xdivy",
       "xlogy", "xlog1py")},
    "max": _reduced(np.max), "min": _reduced(np.min), "sum": _reduced(np.sum), "mean": _reduced(np.mean), "prod": _reduced(np.prod),
    "any": _reduced(np.any), "all": _reduced(np.all),
    "argmax": lambda x, axis=(0,), kept=False: np.argmax(x, axis[0], keepdims=kept), "argmin": lambda x, axis=(0,): np.argmin(x, axis[0]),
    "share_of_max": _share(np.max), "share_of_min": _share(np.min), "product_of_others": _others, "others_times_rest": _rests, "repeat": _repeat,
    "symmetric": lambda x: (x + x.T) / 2.0, "lower_half": lambda x: (np.tril(x) + np.tril(x, -1)) / 2.0,
    "below_diagonal": lambda x: np.tril(x, -1), "skew": lambda x: x - np.swapaxes(x, -1, -2), "both_triangles": lambda x: x + np.swapaxes(x, -1, -2),
    "one_over_gaps": _gaps,
    "share": lambda chosen, axis=None: chosen / chosen.sum(axis=axis, keepdims=True),
    "softmax": _soft, "log_softmax": lambda x, axis=(0,): np.log(_soft(x, axis)), "cumsum": _running, "cumprod": lambda *a, **k: _running(*a, **k, function=np.cumprod),
    "reshape": lambda x, shape: np.reshape(x, shape), "transpose": lambda x, axis: np.transpose(x, axis),
    "reverse": lambda x, axis=None: np.flip(x, axis), "roll": lambda x, by, axis: np.roll(x, by, axis[0]),
    "concat": lambda *x, axis: np.concatenate(x, axis[0]), "stack": lambda *x, axis: np.stack(x, axis[0]),
    "tile": lambda x, times: np.tile(x, times), "zeros": lambda shape: np.zeros(shape),
    "band_part": _band, "diag": lambda x: np.einsum("...i,ij->...ij", x, np.eye(np.shape(x)[-1])),
    "diag_part": lambda x: np.einsum("...ii->...i", x),
    "gather": lambda x, indices, axis: np.take(x, np.asarray(indices, int), axis[0]), "add_at": _add_at, "add_along": _add_along,
    "take_along": _take_along, "place": _placed,
    "one_hot": lambda x, times: np.eye(times[0])[np.asarray(x).astype(int)],
    "cholesky": lambda x: np.linalg.cholesky((x + x.T) / 2.0), "inverse": np.linalg.inv, "det": np.linalg.det, "solve": np.linalg.solve, "is_nan": np.isnan, "is_inf": np.isinf,
    "triangular_solve": lambda x, y, upper=False: np.linalg.solve(np.triu(x) if upper else np.tril(x), y),
    "is_finite": np.isfinite, "logical_not": np.logical_not, "logical_xor": np.logical_xor,
    "bincount": lambda x, weights=None, times=(0,): np.bincount(np.rint(np.ravel(x)).astype(int), weights, times[0])[: times[0] or None],
    "confusion_matrix": _confusion, "in_top_k": lambda targets, scores, k: (scores > _take_along(scores, np.rint(targets)[:, None])).sum(-1) < k,
    "histogram_fixed_width": lambda x, limits, parts: np.histogram(np.clip(x, *limits), int(parts), limits)[0],
    "sequence_mask": lambda lengths, width: np.arange(int(width)) < np.rint(lengths)[..., None],
    "invert_permutation": np.argsort, "unravel_index": lambda x, shape: np.stack(np.unravel_index(np.rint(x).astype(int), shape)),
    "unique": _different, "unique_with_counts": _different,
    "where": np.argwhere,
    "argsort": lambda x, descending=False: np.argsort(-x if descending else x, -1, kind="stable"),
    "cast": lambda x, words: x if words[0].startswith(("float", "complex")) else np.trunc(x) if words[0] != "bool" else np.asarray(x) != 0,
    "stop_gradient": lambda x: x,
    "einsum": lambda words, *x: np.einsum(words.replace("→", "->"), *x),
}  # fmt: skip


class Part:
    """A part of a text: what it comes to, and that again when one of the numbers written in it is moved a little.

    What no moved number stands in is worked out once: of a row of numbers each is moved, and the others are as they were.
    """

    def __init__(self, work: Callable[..., Any], *parts: Part, numbers: tuple[int, int] = (0, 0)) -> None:
        self.work, self.parts, self.numbers = work, parts, numbers  # of the numbers the first and the last, from 1 on
        self._plain: list[Any] = []

    def moved(self, number: int, sign: int) -> Any:
        """What it comes to with this number moved up (1) or down (−1), by half of its last digit."""
        if not self.numbers[0] <= number <= self.numbers[1]:
            return self.plain
        return self.work(*[part.moved(number, sign) for part in self.parts])

    @property
    def plain(self) -> Any:
        """What it comes to as it is written."""
        if not self._plain:
            self._plain.append(self.work(*[part.plain for part in self.parts]))
        return self._plain[0]


def fixed(value: Any) -> Part:
    """What no written number stands in."""
    return Part(lambda: value)


class Written(Part):
    """A number as it is written, and by how much it may be off."""

    def __init__(self, value: float, half: float, place: int) -> None:
        super().__init__(lambda: value, numbers=(place, place))
        self.value, self.half = value, half

    def moved(self, number: int, sign: int) -> Any:
        """The same, a little more or less if it is the one."""
        return self.value + self.half * sign if self.numbers[0] == number else self.value


def _as_numbers(x: Any) -> Any:
    return np.asarray(x, float)


class Reader:
    """Reads one text, from left to right."""

    def __init__(self, text: str, known: Mapping[str, Any]) -> None:
        self.text, self.known, self.at, self.numbers, self.rows = text, known, 0, 0, 0
        self.names = sorted(known, key=len, reverse=True)

    def read(self) -> Part:
        """The whole text."""
        value = self.choice()
        if self.rest():
            raise Unread(f"{self.text!r} at {self.rest()!r}")
        return value

    def rest(self) -> str:
        return self.text[self.at :].lstrip()

    def take(self, *words: str) -> str:
        at = self.at
        while self.text[at : at + 1].isspace():
            at += 1
        for word in words if self.text.startswith(words, at) else ():
            end = at + len(word)
            if self.text.startswith(word, at) and not (word.isalpha() and self.text[end : end + 1].isalpha()):
                self.at = end
                return word
        return ""

    def made(self, work: Callable[..., Any], *parts: Part) -> Part:
        """What some work makes of the parts read last; their numbers stand in it."""
        numbers = [one.numbers for one in parts if one.numbers[1]]
        return Part(work, *parts, numbers=(min(numbers)[0], max(numbers)[1]) if numbers else (0, 0))

    def choice(self) -> Part:
        value = self.level(0)
        if self.take("if"):
            test = self.level(0)
            if not self.take("else"):
                raise Unread(self.text)
            return self.made(np.where, test, value, self.choice())
        return value

    def level(self, depth: int) -> Part:
        if depth == len(LEVELS):
            return self.signed()
        value = self.level(depth + 1)
        while sign := self.take(*LEVELS[depth]):
            value = self.made(BETWEEN[sign], value, self.level(depth + 1))
        return value

    def signed(self) -> Part:
        if self.take("−"):
            return self.made(lambda x: -_as_numbers(x), self.signed())
        value = self.atom()
        while True:
            if self.take("²"):
                value = self.made(lambda x: x**2, value)
            elif self.take("³"):
                value = self.made(lambda x: x**3, value)
            elif self.take("ᵀ"):
                value = self.made(lambda x: np.swapaxes(x, -1, -2), value)
            elif self.take("^"):
                value = self.made(lambda x, power: _as_numbers(x) ** power, value, self.signed())
            elif self.text[self.at : self.at + 1] == "[":
                value = self.made(operator.getitem, self.made(np.asarray, value), self.key())
            else:
                return value

    def atom(self) -> Part:
        rest = self.rest()
        name = next(
            (
                one
                for one in self.names
                if rest.startswith(one) and not re.match(r"(?![ᵀ²³])[\w(]", rest[len(one) :] + " ")
            ),
            "",
        )
        if name:
            self.at = len(self.text) - len(rest) + len(name)
            return fixed(self.known[name])
        if self.take("("):
            value = self.choice()
            return self.closed(")", value)
        if self.take("|"):
            return self.closed("|", self.made(np.abs, self.choice()))
        if rest.startswith("["):
            return self.array()
        found = NUMBER.match(rest)
        if found:
            return self.number(found[0])
        if self.take("π"):
            return fixed(math.pi)
        if self.take(SOFTPLUS):  # log(1 + exp(800)) is 800, and exp(800) no number
            return self.closed("))", self.made(lambda x: np.logaddexp(0.0, x), self.choice()))
        called = re.match(r"(\w+|√)\(", rest)
        if called and called[1] in FUNCTIONS:
            self.take(called[0])
            return self.call(called[1])
        raise Unread(f"{self.text!r} at {rest!r}")

    def closed(self, sign: str, value: Part) -> Part:
        if not self.take(sign):
            raise Unread(f"{self.text!r} at {self.rest()!r}, expected {sign}")
        return value

    def number(self, text: str) -> Part:
        self.take(text)
        if text in ("True", "False", "∞", "nan"):
            return fixed({"True": 1.0, "False": 0.0, "∞": math.inf, "nan": math.nan}[text])
        self.numbers += 1
        mantissa, _, power = text.partition("e")
        last = 10.0 ** ((int(power.replace("−", "-")) if power else 0) - len(mantissa.partition(".")[2]))
        # Whole numbers are exact unless they have more digits than are shown; the others are rounded in their last one.
        half = last / 2 if "." in text or power or len(text) >= 5 else 0.0
        if (0 < half < 0.5e-4 or self.rows) and not power:
            half = max(half, 0.5e-4)  # zeros at the end are not written, and in a row of numbers any may be rounded
        return Written(float(text.replace("−", "-")), half, self.numbers)

    def array(self) -> Part:
        self.take("[")
        parts = []
        self.rows += 1
        while not self.take("]"):
            parts.append(self.choice())
            self.take(",")
        self.rows -= 1
        return self.made(lambda *each: np.array(each), *parts)

    def key(self) -> Part:
        end = self.text.index("]", self.at)
        words, self.at = self.text[self.at + 1 : end], end + 1
        return fixed(_key(words))

    def call(self, name: str) -> Part:
        operands: list[Part] = []
        words: list[str] = []
        while not self.take(")"):
            rest = self.rest()
            last = re.match(
                r"(axis|axes|shape|kept|exclusive|reverse|descending|upper|by|(?:u?int|float|complex)\d+|bool|below|above|[\d×]+ (times|places))\b[^,)]*",
                rest,
            )
            known = any(rest.startswith(one) for one in self.names if last and len(one) >= len(last[0]))
            if last and not known:
                words.append(last[0])
                self.take(last[0])
            elif name == "place" and operands:
                self.take("[")
                self.at -= 1
                operands.append(self.key())
            elif rest.startswith('"'):
                text = re.match(r'"([^"]*)"', rest)
                assert text is not None
                self.take(text[0])
                operands.append(fixed(text[1]))
            else:
                operands.append(self.choice())
            self.take(",")
        return self.made(lambda *each: FUNCTIONS[name](*each, **_axes(words)), *operands)


def _key(words: str) -> Any:
    def part(word: str) -> Any:
        word = word.strip().replace("−", "-")
        if word == "new":
            return None
        if word == "...":
            return ...
        if ":" in word:
            return slice(*[int(one) if one else None for one in word.split(":")])
        return int(word)

    return tuple(part(word) for word in words.split(","))


BETWEEN: dict[str, Callable[[Any, Any], Any]] = {
    "+": np.add, "−": lambda a, b: np.subtract(np.asarray(a, float), b), "×": np.multiply, "÷": np.divide, "@": np.matmul,
    "mod": np.mod, "//": np.floor_divide, "=": np.equal, "≠": np.not_equal, ">": np.greater, "<": np.less, "≥": np.greater_equal,
    "≤": np.less_equal, "and": np.logical_and, "or": np.logical_or,
}  # fmt: skip


def read(text: str, known: Mapping[str, Any]) -> Any:
    """What a text comes to, with these numbers for its names."""
    with np.errstate(all="ignore"):
        return Reader(text, known).read().plain


def within(text: str, known: Mapping[str, Any]) -> tuple[Any, Any]:
    """What a text of rounded numbers comes to, and how far that may be off because they are rounded."""
    with np.errstate(all="ignore"):
        reader = Reader(text, known)
        whole = reader.read()
        off = np.zeros(np.shape(whole.plain))
        for number in range(1, reader.numbers + 1):
            moved = [whole.moved(number, sign) for sign in (1, -1)]
            off = off + np.max([np.abs(_as_numbers(one) - whole.plain) for one in moved], axis=0)
        return whole.plain, off
