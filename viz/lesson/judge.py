"""How learners' code is judged: by what it does, never by how it is written.

A property's `fault` looks at an answer and gives "" where all is well, a sentence that says what is not, and `...` where
there is nothing to judge yet.  It never raises, whatever the learner's code does (`called`).
"""

from __future__ import annotations

import dis
import functools
import linecache
import os
import traceback
from collections.abc import Callable, Mapping
from types import CodeType, MappingProxyType
from typing import Any, Concatenate, NamedTuple, ParamSpec

import numpy as np

from .subject import tf

CLOSE = 2e-3  # float32 against a difference, relative
_HERE = tuple(os.path.dirname(os.path.abspath(module)) for module in (__file__, tf.__file__ or ""))

Fault = Any  # str, or ...
Known = Mapping[str, Any] | Callable[[], Mapping[str, Any]]  # wrong answers that have a name, or how to work them out


class Property(NamedTuple):
    """Something that code must do: `look` finds what is wrong with an answer, `why` is printed when nothing is."""

    why: str
    look: Callable[[Any], Fault]

    def fault(self, answer: Any) -> Fault:
        """What is wrong with an answer: a sentence, "" for nothing, `...` where there is nothing to judge yet."""
        try:
            return ... if answer is ... else self.look(answer)
        except Unjudged as why:
            return why.fault


class Unjudged(Exception):
    """A call gave nothing that could be judged: `fault` is a sentence that says why, or `...`."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


Settings = ParamSpec("Settings")


def judging(why: str) -> Callable[[Callable[Concatenate[Any, Settings], Fault]], Callable[Settings, Property]]:
    """Decorator for a function that finds the fault of an answer: called with its other arguments, it then makes a property.

    >>> @judging("Right.")
    ... def longer(answer, least):
    ...     return "" if len(answer) > least else f"It has {len(answer)} letters."
    >>> longer(3).fault("abc"), longer(2).fault("abc")
    ('It has 3 letters.', '')
    """

    def maker(look: Callable[Concatenate[Any, Settings], Fault]) -> Callable[Settings, Property]:
        @functools.wraps(look)
        def made(*settings: Settings.args, **named: Settings.kwargs) -> Property:
            return Property(why, lambda answer: look(answer, *settings, **named))

        return made

    return maker


def all_of(*wanted: Property) -> Property:
    """All of these, in this order; the first that finds something wrong says so."""

    def fault(answer: Any) -> Fault:
        return next((found for property_ in wanted if (found := property_.fault(answer))), "")

    return Property(wanted[0].why, fault)


def blank(got: Any) -> bool:
    """Whether something still holds the dots that a learner is to replace."""
    if got is ...:
        return True
    if isinstance(got, dict):
        got = list(got.values())
    return isinstance(got, list | tuple) and any(blank(part) for part in got)


def empty(answer: Any) -> bool:
    """Whether a function or class has no body yet but `...`.

    >>> def f(x): ...
    >>> empty(f), empty(lambda x: x), empty(lambda x: 5)
    (True, False, False)
    """
    if isinstance(answer, type):
        return answer.__bases__ == (object,) and not any(callable(member) for member in vars(answer).values())
    code = getattr(answer, "__code__", None)
    return code is not None and _instructions(code) == _instructions(_nothing.__code__)


def _nothing() -> None: ...


def _instructions(code: CodeType) -> list[tuple[str, str]]:
    """What a function does, in the words of the Python that runs; a line of `pass` leaves one that does nothing."""
    return [(each.opname, each.argrepr) for each in dis.get_instructions(code) if each.opname != "NOP"]


def called(answer: Any, *arguments: Any) -> Any:
    """What the learner's function answers; raises Unjudged where it is not written yet, or what trouble it ran into."""
    if not callable(answer):
        raise Unjudged(f"A function was expected here, not {type(answer).__name__}.")
    try:
        got = answer(*arguments)
    except (Exception, SystemExit) as error:
        raise Unjudged(... if "ellipsis" in _said(error).lower() else f"It raises {_told(error)}") from None
    if blank(got):
        raise Unjudged(...)
    return got


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""


def _told(error: BaseException) -> str:
    """An error in one line, with the learner's own line."""
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(_HERE)]
    line = f" (line {own[-1].lineno}: {own[-1].line})" if own and own[-1].line else ""
    return f"{type(error).__name__}: {_said(error).partition(chr(10))[0]}{line}"


def array(got: Any) -> Any:
    """Numbers as an array of floats, or None for what is no numbers."""
    try:
        return np.asarray([array(part) for part in got] if isinstance(got, list | tuple) else peek(got), float)
    except Exception:
        return None


def peek(value: Any) -> Any:
    """The numbers of a tensor or variable, read without a note that they left for Python, which `why` would find."""
    if isinstance(value, tf.Variable):
        return value.numpy()
    return value.array if isinstance(value, tf.Tensor) else value


def aloud(expression: str, **names: Any) -> Any:
    """Compute an expression as if a learner had written it, so that explanations name x and y, and no file of ours.

    >>> aloud("tf.constant(number)", number=3.0)
    <tf.Tensor: shape=(), dtype=float32, numpy=3.0>
    """
    line = f"x = {expression}"
    file = f"<the check: {line}>"
    linecache.cache.setdefault(file, (len(line), None, [line], file))
    space = {"tf": tf, **names}
    exec(compile(line, file, "exec"), space)
    return space["x"]


def placed(value: Any) -> Any:
    """A tensor that recorders know as x."""
    return aloud(f"tf.constant({value!r})")


def differs(
    what: str, got: Any, wanted: Any, gives: str = "it gives", *, by: str = "a central difference gives",
    known: Known = MappingProxyType({}), upstream: float = 1.0,
) -> str:  # fmt: skip
    """A sentence that says how an answer differs from the numbers that were wanted, and by which mistake; "" if it does not.

    >>> differs("At 2", -4.0, 4.0)
    'At 2 it gives -4; a central difference gives 4. The sign is turned around.'
    >>> differs("At 2", 0.5145, 2.5725, upstream=5.0).partition(". ")[2]
    'What came back from above, 5, is missing in it.'
    """
    if got is None:
        return f"{what} {gives} None: no watched path leads there. Is everything that matters inside the block?"
    found, right = array(got), np.asarray(wanted, float)
    if found is None or (found.ndim and not right.ndim):
        return f"{what} {gives} {type(got).__name__}, not {'one number' if not right.ndim else 'numbers'}."
    if found.shape == right.shape and _close(found, right):
        return ""
    said = f"{what} {gives} {_shown(found)}; {by} {_shown(right)}."
    return f"{said} {related(found, right, known() if callable(known) else known, upstream)}".rstrip()


_FACTORS = {2.0: "twice as much", 0.5: "half of it", 3.0: "three times as much", 1 / 3: "a third of it"}


def related(found: Any, right: Any, known: Mapping[str, Any], upstream: float = 1.0) -> str:
    """The mistake that turns the right answer into this one, in words; "" if none is known."""
    for name, value in known.items():
        other = array(value)
        if other is not None and other.shape == found.shape and _close(found, other):
            return f"That is {name}."
    if found.shape != right.shape:
        return _reshaped(found, right)
    if not np.isfinite(found).all() or not np.any(right):
        return ""
    if _close(found, -right):
        return "The sign is turned around."
    if upstream != 1.0 and _close(found * upstream, right):
        return f"What came back from above, {upstream:g}, is missing in it."
    if upstream != 1.0 and _close(found, right * upstream):
        return f"What came back from above, {upstream:g}, is in it twice."
    if right.ndim == 2 and right.shape[0] == right.shape[1] and _close(found, right.T):
        return "That is the transpose: rows and columns have changed places."
    if right.ndim == 1 and len(right) > 1 and _close(found, right[::-1]):
        return "The right numbers, in the wrong order."
    for factor, words in _FACTORS.items():
        if _close(found, right * factor):
            return f"That is {words}."
        if _close(found, -right * factor):
            return f"That is {words}, and the sign is turned around."
    return ""


def _reshaped(found: Any, right: Any) -> str:
    if right.ndim and found.ndim == 0 and _close(found, right.sum()):
        return "That is the sum of what was wanted."
    if right.ndim == 2 and found.shape == right.shape[:1]:
        if _close(found, right.sum(axis=0)):
            return "That is the sum of its rows: a seed of ones."
        if _close(found, np.diag(right)):
            return "That is its diagonal alone."
    return ""


def _close(found: Any, right: Any) -> bool:
    with np.errstate(all="ignore"):
        return bool(np.all(np.abs(found - right) <= CLOSE * np.maximum(1.0, np.abs(right))))


def _shown(numbers: Any) -> str:
    if numbers.ndim == 0:
        return f"{float(numbers):.5g}"
    text = np.array2string(numbers, precision=4, separator=", ", threshold=12).replace("\n", "")
    return " ".join(text.replace("[ ", "[").split())
