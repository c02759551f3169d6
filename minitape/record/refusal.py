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
