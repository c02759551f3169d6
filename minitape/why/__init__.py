"""Why a derivative is None, or this number: the question, where the path stops, and what to type next."""

from __future__ import annotations

from typing import Any

from ..record.diary import Diary
from .answers import look_at, look_at_tangent


def explain(recorder: Any, targets: Any, source: Any, tangent: Any = None, place: str = "") -> Any:
    """The explanation for a tape, or, without a source, for an accumulator.

    `place` is where the source lies in a structure of them, "[0]", so that it goes by a name of its own.
    """
    from .checks import checked  # loaded when somebody asks

    return checked(recorder, targets, source, tangent, place)


def advice(what: str) -> str:
    """What to change where a plain number was given as the target or the source of a gradient."""
    from .plain import advice  # loaded when a question is refused

    return advice(what)


Diary.explain, Diary.look_at = staticmethod(explain), staticmethod(look_at)
Diary.look_at_tangent, Diary.advice = staticmethod(look_at_tangent), staticmethod(advice)
