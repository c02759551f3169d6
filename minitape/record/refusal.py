"""A refusal says what happened, on which of the learner's lines, and what to type next."""

from __future__ import annotations

from typing import Any, TypeVar

from .events import here
from .provenance import hide_library

Problem = TypeVar("Problem", bound=Exception)


def refusal(kind: type[Problem], text: str, advice: str = "") -> Problem:
    """An exception of this kind: the text, the learner's line (also as `.site`), and the advice under it.

    >>> x = refusal(ValueError, "3 pairs for 2 axes", "Write one pair per axis.")
    >>> print(str(x).replace(str(x.site), "the line"))
    3 pairs for 2 axes
      at the line
      Write one pair per axis.
    """
    site = here()
    problem: Any = kind(f"{text}\n  at {site}" + (f"\n  {advice}" if advice else ""))
    problem.site = site
    hide_library()
    return problem


def needs_function(value: Any, what: str, write: str) -> None:
    """Raise TypeError where something that will be called is no function.

    >>> needs_function(5, "tf.map_fn: fn", "tf.map_fn(lambda x: x * x, xs)")
    Traceback (most recent call last):
    TypeError: tf.map_fn: fn must be a function, got 5...
    """
    if not callable(value):
        raise refusal(TypeError, f"{what} must be a function, got {value!r}", f"Write {write}.")
