"""Properties of functions that differentiate: each is compared with differences, which know nothing about tapes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from .judge import Fault, Known, Property, Unjudged, array, called, differs, peek, placed, related
from .overhear import Heard, overhearing, reason, said_by
from .subject import tf

POINTS = (0.6, 1.3, 1.9)  # away from zero and from each other, and 2 is none of them: there 2·x = x·x


def difference(f: Callable[[Any], Any], x: float, order: int = 1, step: float = 2e-3) -> float:
    """The derivative of this order by central differences: slow, a little rough, and it knows nothing about tapes.

    >>> round(difference(lambda x: x * x * x, 1.5, order=2), 6)
    9.0
    """
    if order == 0:
        return float(peek(f(tf.constant(x, tf.float64))))
    # To both sides once and twice as far, weighed so that what is wrong with either cancels.
    near, far = (
        difference(f, x + k * step, order - 1, step) - difference(f, x - k * step, order - 1, step) for k in (1, 2)
    )
    return (8.0 * near - far) / (12.0 * step)


def slopes(orders: Sequence[int] = (1,), several: bool = False, asks: str = "") -> Property:
    """Of a function (f, x): it gives the derivative of any f; with other `orders`, of (f, x, n): the n-th derivative.

    With `several` it takes a list of functions and gives a list.  Compared with differences, for three f at three points.
    `asks` names who is to be asked for it: "tape", "accumulator", or "nobody".

    >>> slopes().fault(lambda f, x: ...), slopes().fault(lambda f, x: 2.0 * x)
    (Ellipsis, 'For f(x) = x * sin(x) at x = 0.6 it gives 1.2; a central difference gives 1.0598.')
    """

    def fault(answer: Any) -> Fault:
        for x in POINTS:
            for order in orders:
                said = _tried(answer, x, order, tuple(orders) != (1,), several, asks)
                if said:
                    return said
        return ""

    return Property("Right: it agrees with a central difference, for three functions at three points.", fault)


def _tried(answer: Any, x: float, order: int, ordered: bool, several: bool, asks: str) -> Fault:
    """One point, one order, all sample functions."""
    more = (order,) if ordered else ()
    answers = _answers(answer, placed(x), more, several)
    for (got, heard), (text, f) in zip(answers, _SAMPLES.items(), strict=True):
        what = f"For f(x) = {text} at x = {x}" + (f", order {order}," if more else "")
        if said := judged(
            what, got, difference(f, x, order), heard, asks, known=functools.partial(_others, f, x, order)
        ):
            return said
    return ""


def _answers(answer: Any, at: Any, more: tuple[int, ...], several: bool) -> Iterator[tuple[Any, list[Heard]]]:
    """What it gives for each sample function, and what recorders were asked for that."""
    if several:
        with overhearing() as heard:
            got = called(answer, list(_SAMPLES.values()), at)
        if not isinstance(got, list | tuple) or len(got) != len(_SAMPLES):
            how = f"{len(got)} answers" if isinstance(got, list | tuple) else f"{type(got).__name__}, not a list"
            raise Unjudged(f"For {len(_SAMPLES)} functions it gives {how}.")
        yield from [(slope, heard) for slope in got]
    else:
        for f in _SAMPLES.values():
            with overhearing() as heard:
                got = called(answer, f, at, *more)
            yield got, heard


def _others(f: Callable[[Any], Any], x: float, order: int) -> dict[str, float]:
    """What people take for a derivative of this order."""
    names = ("the value of f itself", "the first derivative", "the second derivative", "the third derivative")
    around = [n for n in (order - 1, order - 2, order + 1) if 0 <= n <= 3]
    return {names[n]: difference(f, x, n) for n in around}


def judged(
    what: str, got: Any, wanted: Any, heard: list[Heard], asks: str = "", *, known: Known = MappingProxyType({}),
    upstream: float = 1.0,
) -> str:  # fmt: skip
    """What is wrong with an answer that should be this derivative, told with what the recorders know about it."""
    if got is None:
        return f"{what} it gives None: {reason(heard)}"
    if said := differs(what, got, wanted, known=known, upstream=upstream):
        return said
    if asks == "nobody" and heard:
        return f"{what} it is right, but a {heard[0].kind} was asked. This one should know nothing about tapes."
    if asks and asks != "nobody" and not said_by(asks, heard, got):
        others = ", ".join(sorted({f"a {question.kind}" for question in heard}))
        return f"{what} it is right, but no {asks} said so{f', {others} did' if others else ''}: ask the {asks}."
    return ""


_SAMPLES: dict[str, Callable[[Any], Any]] = {
    "x * sin(x)": lambda x: x * tf.sin(x),
    "x * x * x": lambda x: x * x * x,
    "exp(x)": lambda x: tf.exp(x),
}


def derivative(
    of: Callable[[Any], Any], order: int = 1, asks: str = "", tapes: int = 0, upstream: float = 1.0
) -> Property:
    """Of a function (x): it gives the derivative of `of` there.

    `asks` names who is to be asked for it, `tapes` how many tapes there may be at most, `upstream` what comes back from above.

    >>> derivative(lambda x: x * x).fault(lambda x: 2.0 * x)
    ''
    >>> derivative(lambda x: x * x, asks="tape").fault(lambda x: 2.0 * x)
    'At x = 0.6 it is right, but no tape said so: ask the tape.'
    """

    def fault(answer: Any) -> Fault:
        for x in POINTS:
            with overhearing() as heard:
                got = called(answer, placed(x))
            known = functools.partial(_others, of, x, order)
            if said := judged(
                f"At x = {x}", got, difference(of, x, order), heard, asks, known=known, upstream=upstream
            ):
                return said
            used = len({id(question.recorder) for question in heard if question.kind == "tape"})
            if tapes and used > tapes:
                return f"That is right, with {used} tapes. Here it should be {tapes}."
        return ""

    return Property("Right: it agrees with a central difference at three points.", fault)


def hessian(asks: str = "") -> Property:
    """Of a function (f, x): the matrix of second derivatives of any f at a vector x, as a tensor or a list of columns.

    >>> hessian().fault(lambda f, x: [[0.0, 0.0], [0.0, 0.0]]).split(";")[0]
    'For f(x) = x[0] * x[0] * x[1] at [3.0, 2.0] entry 0, 0 it gives 0'
    """
    return _matrix(
        "Right: it agrees with small steps to all sides, and it is symmetric.", _OF_VECTORS, _curvature, asks
    )


def jacobian(asks: str = "") -> Property:
    """Of a function (f, x): the matrix of derivatives of any f from vectors to vectors, as a tensor or a list of rows.

    >>> jacobian().fault(lambda f, x: [[3.0, 0.0], [0.0, 2.0]]).split(";")[0]
    'For f(x) = x * x * sum(x) at [3.0, 2.0] entry 0, 0 it gives 3'
    """
    return _matrix("Right: each entry agrees with small steps to both sides.", _TO_VECTORS, _slope, asks)


_OF_VECTORS: dict[str, Callable[[Any], Any]] = {
    "x[0] * x[0] * x[1]": lambda x: x[0] * x[0] * x[1],
    "sum(sin(x) * x[0])": lambda x: tf.reduce_sum(tf.sin(x) * x[0]),
}
_TO_VECTORS: dict[str, Callable[[Any], Any]] = {
    "x * x * sum(x)": lambda x: x * x * tf.reduce_sum(x),
    "sin(x) * x[0]": lambda x: tf.sin(x) * x[0],
}


def _matrix(
    why: str,
    samples: dict[str, Callable[[Any], Any]],
    entry: Callable[[Callable[[Any], Any], Sequence[float], int, int], float],
    asks: str = "",
) -> Property:
    """Of a function (f, x): a square matrix for each of the samples, at vectors of two lengths."""

    def fault(answer: Any) -> Fault:
        for text, f in samples.items():
            for x in ([3.0, 2.0], [0.6, 1.3, 1.9]):
                with overhearing() as heard:
                    got = called(answer, f, placed(x))
                if got is None or (isinstance(got, list | tuple) and any(part is None for part in got)):
                    return f"It gives None somewhere: {reason(heard)}"
                found, n = array(got), len(x)
                if found is None:
                    return f"It gives {type(got).__name__}, not a matrix of numbers."
                right = np.array([[entry(f, x, row, column) for column in range(n)] for row in range(n)])
                if found.shape != (n, n):
                    mistake = related(found, right, {}) or f"The matrix has {n} rows and {n} columns."
                    return f"For {n} numbers it gives {found.shape}: {mistake}"
                if not differs("", found, right):
                    continue
                row, column = next(at for at in np.ndindex(n, n) if differs("", found[at], right[at]))
                what = f"For f(x) = {text} at {x} entry {row}, {column}"
                return f"{differs(what, found[row, column], right[row, column])} {related(found, right, {})}".rstrip()
            if asks and not any(question.kind == asks for question in heard):
                return f"That is right, but no {asks} was asked for it."
        return ""

    return Property(why, fault)


def _slope(f: Callable[[Any], Any], x: Sequence[float], row: int, column: int, step: float = 1e-4) -> float:
    """A derivative of one output by one input, by a step to both sides."""
    along = step * np.eye(len(x))[column]
    above, below = [float(array(f(tf.constant(np.asarray(x) + move)))[row]) for move in (along, -along)]
    return (above - below) / (2.0 * step)


def _curvature(f: Callable[[Any], Any], x: Sequence[float], row: int, column: int, step: float = 1e-4) -> float:
    """A second derivative by four steps, to both sides along both axes."""
    along, across = step * np.eye(len(x))[row], step * np.eye(len(x))[column]
    near = [f(tf.constant(np.asarray(x) + a * along + b * across)) for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1))]
    pp, pm, mp, mm = [float(array(at_corner)) for at_corner in near]
    return (pp - pm - mp + mm) / (4.0 * step * step)
