"""Properties of functions that differentiate: each is held to differences, which know nothing about tapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import minitape as tf
from minitape.testing import numerical_gradient

from .judge import Fault, Property, Trouble, called, differs

POINTS = (0.6, 1.3, 1.9)  # away from zero and from each other, and 2 is none of them: there 2·x = x·x


def difference(f: Callable[[Any], Any], x: float, order: int = 1) -> float:
    """The derivative of this order by central differences: slow, a little rough, and it knows nothing about tapes.

    >>> round(difference(lambda x: x * x * x, 1.5, order=2), 6)
    9.0
    """
    if order == 0:
        return float(f(tf.constant(x, tf.float64)))
    below = f if order == 1 else lambda at: tf.constant(difference(f, float(at), order - 1), tf.float64)
    return float(numerical_gradient(below, [x])[0])


def slopes(orders: Sequence[int] = (1,), several: bool = False) -> Property:
    """Of a function (f, x): it gives the derivative of any f; with other `orders`, of (f, x, n): the n-th derivative.

    With `several` it takes a list of functions and gives a list.  Compared with differences, for three f at three points.

    >>> slopes().fault(lambda f, x: ...), slopes().fault(lambda f, x: 2.0 * x)
    (Ellipsis, 'For f(x) = x * sin(x) at x = 0.6 it gives 1.2; a central difference gives 1.0598.')
    """

    def fault(answer: Any) -> Fault:
        for x in POINTS:
            for order in orders:
                at = tf.constant(x)
                more = () if tuple(orders) == (1,) else (order,)
                wanted = [(text, difference(f, x, order)) for text, f in _SAMPLES.items()]
                if several:
                    got = called(answer, list(_SAMPLES.values()), at)
                    if isinstance(got, list | tuple) and len(got) != len(wanted):
                        return f"For {len(wanted)} functions it gives {len(got)} answers."
                else:
                    got = [called(answer, f, at, *more) for f in _SAMPLES.values()]
                if got is ... or (not isinstance(got, Trouble) and any(one is ... for one in got)):
                    return ...
                if isinstance(got, Trouble):
                    return str(got)
                for one, (text, number) in zip(got, wanted, strict=True):
                    what = f"For f(x) = {text} at x = {x}" + (f", order {order}," if more else "")
                    if said := differs(what, one, number):
                        return said
        return ""

    return Property("Right: it agrees with a central difference, for three functions at three points.", fault)


_SAMPLES: dict[str, Callable[[Any], Any]] = {
    "x * sin(x)": lambda x: x * tf.sin(x),
    "x * x * x": lambda x: x * x * x,
    "exp(x)": lambda x: tf.exp(x),
}


def derivative(of: Callable[[Any], Any], order: int = 1) -> Property:
    """Of a function (x): it gives the derivative of `of` there, whatever way it goes.

    >>> derivative(lambda x: x * x).fault(lambda x: 2.0 * x)
    ''
    """

    def fault(answer: Any) -> Fault:
        for x in POINTS:
            got = called(answer, tf.constant(x))
            if got is ...:
                return ...
            if said := differs(f"At x = {x}", got, difference(of, x, order)):
                return said
        return ""

    return Property("Right: it agrees with a central difference at three points.", fault)


def hessian() -> Property:
    """Of a function (f, x): the matrix of second derivatives of any f at a vector x, as a tensor or a list of columns.

    >>> hessian().fault(lambda f, x: [[0.0, 0.0], [0.0, 0.0]]).split(";")[0]
    'For f(x) = x[0] * x[0] * x[1] at [3.0, 2.0] entry 0, 0 it gives 0'
    """
    return _matrix("Right: it agrees with small steps to all sides, and it is symmetric.", _OF_VECTORS, _curvature)


def jacobian() -> Property:
    """Of a function (f, x): the matrix of derivatives of any f from vectors to vectors, as a tensor or a list of rows.

    >>> jacobian().fault(lambda f, x: [[3.0, 0.0], [0.0, 2.0]]).split(";")[0]
    'For f(x) = x * x * sum(x) at [3.0, 2.0] entry 0, 0 it gives 3'
    """
    return _matrix("Right: each entry agrees with small steps to both sides.", _TO_VECTORS, _slope)


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
) -> Property:
    """Of a function (f, x): a square matrix for each of the samples, at vectors of two lengths, entry by entry."""

    def fault(answer: Any) -> Fault:
        for text, f in samples.items():
            for x in ([3.0, 2.0], [0.6, 1.3, 1.9]):
                got = called(answer, f, tf.constant(x))
                if got is ... or isinstance(got, Trouble):
                    return got if got is ... else str(got)
                if isinstance(got, list | tuple) and any(one is ... for one in got):
                    return ...
                if not isinstance(got, list | tuple | tf.Tensor) or any(one is None for one in got):
                    return "It gives None somewhere: is everything that matters inside the block that is asked?"
                if np.shape(got) != (len(x), len(x)):
                    return f"For {len(x)} numbers it gives {np.shape(got)}: the matrix has {len(x)} rows and columns."
                for row, column in np.ndindex(len(x), len(x)):
                    what = f"For f(x) = {text} at {x} entry {row}, {column}"
                    if said := differs(what, np.asarray(got)[row, column], entry(f, x, row, column)):
                        return said
        return ""

    return Property(why, fault)


def _slope(f: Callable[[Any], Any], x: Sequence[float], row: int, column: int, step: float = 1e-4) -> float:
    """A derivative of one output by one input, by a step to both sides."""
    along = step * np.eye(len(x))[column]
    above, below = [float(f(tf.constant(np.asarray(x) + one))[row]) for one in (along, -along)]
    return (above - below) / (2.0 * step)


def _curvature(f: Callable[[Any], Any], x: Sequence[float], row: int, column: int, step: float = 1e-4) -> float:
    """A second derivative by four steps, to both sides along both axes."""
    one, other = step * np.eye(len(x))[row], step * np.eye(len(x))[column]
    near = [f(tf.constant(np.asarray(x) + a * one + b * other)) for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1))]
    pp, pm, mp, mm = map(float, near)
    return (pp - pm - mp + mm) / (4.0 * step * step)
