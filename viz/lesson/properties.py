"""What learners' code is judged by: never how it is written, only what it does.

A property's `fault` looks at an answer and gives "" where all is well, a sentence that says what is not, and `...` where
there is nothing to judge yet.
"""

from __future__ import annotations

import contextlib
import io
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import minitape as tf
from minitape.record.events import listening
from minitape.testing import numerical_gradient

POINTS = (0.6, 1.3, 1.9)  # away from zero and from each other, and 2 is none of them: there 2·x = x·x
CLOSE = 2e-3  # float32 against a difference, relative

Fault = Any  # str, or ...


class Property(NamedTuple):
    """Something that code can be asked for: `fault(answer)` finds what is wrong, `why` is said when nothing is."""

    why: str
    fault: Callable[[Any], Fault]


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
                    got = _called(answer, list(_SAMPLES.values()), at)
                    if isinstance(got, list | tuple) and len(got) != len(wanted):
                        return f"For {len(wanted)} functions it gives {len(got)} answers."
                else:
                    got = [_called(answer, f, at, *more) for f in _SAMPLES.values()]
                if got is ... or (not isinstance(got, _Trouble) and any(one is ... for one in got)):
                    return ...
                if isinstance(got, _Trouble):
                    return str(got)
                for one, (text, number) in zip(got, wanted, strict=True):
                    what = f"For f(x) = {text} at x = {x}" + (f", order {order}," if more else "")
                    if said := _differs(what, one, number):
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
            got = _called(answer, tf.constant(x))
            if got is ...:
                return ...
            if said := _differs(f"At x = {x}", got, difference(of, x, order)):
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
                got = _called(answer, f, tf.constant(x))
                if got is ... or isinstance(got, _Trouble):
                    return got if got is ... else str(got)
                if isinstance(got, list | tuple) and any(one is ... for one in got):
                    return ...
                if not isinstance(got, list | tuple | tf.Tensor) or any(one is None for one in got):
                    return "It gives None somewhere: is everything that matters inside the block that is asked?"
                if np.shape(got) != (len(x), len(x)):
                    return f"For {len(x)} numbers it gives {np.shape(got)}: the matrix has {len(x)} rows and columns."
                for row, column in np.ndindex(len(x), len(x)):
                    what = f"For f(x) = {text} at {x} entry {row}, {column}"
                    if said := _differs(what, np.asarray(got)[row, column], entry(f, x, row, column)):
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


def entries(count: int) -> Property:
    """Of a tape: it wrote down so many entries.

    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> entries(2).fault(tape)
    'The tape has 1 entry.'
    """

    def fault(tape: Any) -> Fault:
        found = len(tape.entries)
        if not found:
            return ...
        return "" if found == count else f"The tape has {found} entr{'y' if found == 1 else 'ies'}."

    return Property(f"Right: the tape wrote down {count}.", fault)


def lets_go(*arguments: Any) -> Property:
    """Of a function: when it has returned from a call with these arguments, no tape holds anything because of it.

    >>> kept = []
    >>> def leak(x):
    ...     with tf.GradientTape(persistent=True) as tape:
    ...         tape.watch(x)
    ...         y = x * x
    ...     kept.append(tape)
    ...     return tape.gradient(y, x)
    >>> lets_go(tf.constant(3.0)).fault(leak)
    'After the call, tapes still hold 4 bytes more than before.'
    """

    def fault(answer: Any) -> Fault:
        before = tf.ledger.held_for_backward
        got = _called(answer, *arguments)
        if got is ... or isinstance(got, _Trouble):
            return got if got is ... else str(got)
        more = tf.ledger.held_for_backward - before
        return f"After the call, tapes still hold {more} bytes more than before." if more else ""

    return Property("Right: after the call no tape holds anything.", fault)


def prints(*lines: str) -> Property:
    """Of a function without arguments: it prints these lines, in this order.

    >>> prints("one", "two").fault(lambda: print("two"))
    "It prints ['two']."
    """

    def fault(answer: Any) -> Fault:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            got = _called(answer)
        if got is ... or isinstance(got, _Trouble):
            return got if got is ... else str(got)
        found = said.getvalue().splitlines()
        return "" if found == list(lines) else f"It prints {found}."

    return Property(f"Right: {len(lines)} lines in the right order.", fault)


def program(**wanted: float) -> Property:
    """Of a program as text: run with `tf`, it leaves these numbers in these names.  Text with no indentation is no answer.

    >>> program(y=9.0).fault("x = 3.0"), program(y=9.0).fault("if True:\\n  y = 9.0")
    (Ellipsis, '')
    >>> program(y=9.0).fault("if True:\\n  y = None")
    'y is None: the recorder you asked did not see how it was computed.'
    """

    def fault(text: Any) -> Fault:
        lines = textwrap.dedent(text).strip().splitlines()
        if not any(line[:1].isspace() for line in lines):
            return ...
        space: dict[str, Any] = {"tf": tf}
        try:
            exec(compile("\n".join(lines), "<your program>", "exec"), space)
        except SyntaxError as error:
            return f"Python stops at line {error.lineno}: {error.msg}."
        except Exception as error:
            return f"It raises {type(error).__name__}: {error}"
        for name, number in wanted.items():
            if name not in space:
                return f"Nothing is called {name} when it has run."
            if space[name] is None:
                return f"{name} is None: the recorder you asked did not see how it was computed."
            if said := _differs(name, space[name], number, "is"):
                return said.partition(";")[0].rstrip(".") + "."
        return ""

    return Property("Right: " + ", ".join(f"{name} is {number:g}" for name, number in wanted.items()) + ".", fault)


def watches() -> Property:
    """Of a function (tape): it lists the names of the variables that the tape watches; asked of three tapes.

    >>> watches().fault(lambda tape: ["w:0"])
    "Of a tape that read w and b it says ['w:0']."
    """

    def fault(answer: Any) -> Fault:
        w, b = tf.Variable(1.0, name="w"), tf.Variable(2.0, name="b")
        frozen = tf.Variable(3.0, trainable=False, name="frozen")
        for what, accessed, by_hand, wanted in (
            ("that read w and b", True, (), ["w:0", "b:0"]),
            ("that was told to watch b alone", False, (b,), ["b:0"]),
            ("that was told to watch frozen too", True, (frozen,), ["w:0", "b:0", "frozen:0"]),
        ):
            with tf.GradientTape(watch_accessed_variables=accessed) as tape:
                for one in by_hand:
                    tape.watch(one)
                _ = w * b * frozen
            got = _called(answer, tape)
            if got is ... or isinstance(got, _Trouble):
                return got if got is ... else str(got)
            if not isinstance(got, list | tuple) or sorted(map(str, got)) != sorted(wanted):
                return f"Of a tape {what} it says {got}."
        return ""

    return Property("Right: it knows what three different tapes watch.", fault)


def trains(steps: int) -> Property:
    """Of a function (model, x, y): it makes so many training steps, each on a tape of its own, and gives the list of losses.

    >>> trains(2).fault(lambda model, x, y: [1.0, 0.5])
    'It made 0 tapes for 2 steps: every step needs one of its own.'
    """

    def fault(answer: Any) -> Fault:
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.build((None, 2))
        model.set_weights([[[0.5], [-1.0]], [0.25]])
        x, y = tf.constant([[1.0, 2.0], [3.0, -1.0]]), tf.constant([[1.0], [0.0]])
        tapes: list[Any] = []
        with listening(lambda event, _: tapes.append(event) if event.kind == "enter" else None):
            got = _called(answer, model, x, y)
        if got is ... or isinstance(got, _Trouble):
            return got if got is ... else str(got)
        if not isinstance(got, list | tuple) or len(got) != steps:
            return f"It should give a list of {steps} losses; it gives {got!r:.60}."
        if len(tapes) != steps:
            return f"It made {len(tapes)} tapes for {steps} steps: every step needs one of its own."
        losses = [*map(float, got), float(tf.reduce_mean((model(x) - y) ** 2.0))]
        for before, after in zip(losses, losses[1:]):
            if not after < before:
                return f"The loss does not fall: {before:.4g}, and then {after:.4g}."
        return ""

    once = "one step" if steps == 1 else f"{steps} steps on {steps} tapes"
    return Property(f"Right: {once}, and the loss falls.", fault)


class _Trouble(str):
    """A sentence that says why a call gave nothing."""


def _called(answer: Any, *arguments: Any) -> Any:
    if not callable(answer):
        return _Trouble(f"A function was expected here, not {type(answer).__name__}.")
    try:
        return answer(*arguments)
    except Exception as error:
        return _Trouble(f"It raises {type(error).__name__}: {error}")


def _differs(what: str, got: Any, number: float, gives: str = "it gives") -> str:
    if isinstance(got, _Trouble):
        return str(got)
    if got is None:
        return f"{what} {gives} None: no watched path leads there. Is everything that matters inside the block?"
    try:
        found = float(got)
    except (TypeError, ValueError):
        return f"{what} {gives} {type(got).__name__}, not one number."
    if abs(found - number) <= CLOSE * max(1.0, abs(number)):
        return ""
    return f"{what} {gives} {found:.5g}; a central difference gives {number:.5g}."
