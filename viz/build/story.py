"""The steps of a run, one change each, in the order in which things happened.

Every event is told by the method of its name (`_on_` and the event's kind); an event without one changes nothing in the picture.
"""

from __future__ import annotations

from .cast import Cast
from .code import Program
from .coming import Coming
from .folds import Folds
from .run import Moment, Run
from .tangents import Tangents


class Story(Folds, Coming, Tangents):
    """Builds values, edges and steps from the moments of a run."""

    def __init__(self, run: Run, cast: Cast, program: Program) -> None:
        super().__init__(run, cast, program)
        self._step("start", "Nothing has run yet. Step forward with →, back with ←.", None)
        for tag in cast.cards:
            if tag in run.early and tag not in cast.made and tag not in cast.applications:
                self._value(tag, born=0)
        for moment in cast.moments:
            self._snaps.update(moment.numbers)
            self._told = False
            getattr(self, "_on_" + moment.event.kind.replace("-", "_"), self._ignore)(moment)
            self._weigh(moment)

    def _ignore(self, moment: Moment) -> None:
        """An event that changes nothing in the picture."""
