"""What learners' code is judged by: never how it is written, only what it does.

A property's `fault` looks at an answer and gives "" where all is well, a sentence that says what is not, and `...` where
there is nothing to judge yet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

CLOSE = 2e-3  # float32 against a difference, relative

Fault = Any  # str, or ...


class Property(NamedTuple):
    """Something that code can be asked for: `fault(answer)` finds what is wrong, `why` is said when nothing is."""

    why: str
    fault: Callable[[Any], Fault]


class Trouble(str):
    """A sentence that says why a call gave nothing."""


def called(answer: Any, *arguments: Any) -> Any:
    """What the learner's function answers, `...` where it is not written yet, or the trouble that it ran into."""
    if not callable(answer):
        return Trouble(f"A function was expected here, not {type(answer).__name__}.")
    try:
        return answer(*arguments)
    except Exception as error:
        return Trouble(f"It raises {type(error).__name__}: {error}")


def differs(what: str, got: Any, number: float, gives: str = "it gives") -> str:
    """A sentence that says how an answer differs from the number that was wanted; "" where it does not."""
    if isinstance(got, Trouble):
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
