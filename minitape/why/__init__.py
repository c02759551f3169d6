"""Why a derivative is None, or this number: the question, where the path stops, and what to type next.

The checks come in the order in which a teacher would ask: is the tape used up; can this thing have a slope at all; was it
watched, and in time; did the tape hear how the target was made; does a path lead back, and where is it cut.
"""

from __future__ import annotations

from typing import Any

from ..record.diary import Diary
from .answers import look_at, look_at_tangent
from .cuts import a_cut
from .explanation import Explanation as Explanation
from .nothing import no_path
from .numbers import a_number
from .question import Asked
from .refused import no_slope, no_tensor, released
from .watching import never_watched


def explain(recorder: Any, targets: Any, source: Any, tangent: Any = None, several: bool = False) -> Explanation:
    """The explanation for a tape (or, without a source, for an accumulator): the first check that finds something.

    `several` says that the source is one of a structure of them, so that it goes by its own name.
    """
    asked = Asked(recorder, targets, source, tangent, several)
    for check in (released, no_tensor, no_slope, a_number, never_watched, a_cut):
        found = check(asked)
        if found is not None:
            return found
    return no_path(asked)


Diary.explain, Diary.look_at = staticmethod(explain), staticmethod(look_at)
Diary.look_at_tangent = staticmethod(look_at_tangent)
