"""The checks, in the order in which a teacher would ask.

Is the tape used up; can this thing have a slope at all; was it watched, and in time; did the tape hear how the target was made;
does a path lead back, and where is it cut.
"""

from __future__ import annotations

from typing import Any

from .cuts import a_cut
from .explanation import Explanation
from .nothing import no_path
from .numbers import a_number
from .question import Asked
from .refused import no_slope, no_tensor, released
from .watching import never_watched


def checked(recorder: Any, targets: Any, source: Any, tangent: Any, place: str) -> Explanation:
    """The explanation by the first check that finds something."""
    asked = Asked(recorder, targets, source, tangent, place)
    for check in (released, no_tensor, no_slope, a_number, never_watched, a_cut):
        found = check(asked)
        if found is not None:
            return found
    return no_path(asked)
