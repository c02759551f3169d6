"""The trail (`record/trail.py`) read as plain records: applications, exports, values made, variables assigned."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, NamedTuple

from ..record import trail
from ..record.diary import Question
from ..record.events import state
from ..record.provenance import Site


class PastApplication(NamedTuple):
    """One application, as far as the trail remembers it."""

    tick: int
    primitive: Any
    inputs: tuple[Any, ...]
    outputs: tuple[Any, ...]
    code: Any
    lasti: int
    context: Any
    verdicts: tuple[tuple[Any, str], ...]

    @property
    def site(self) -> Site:
        """Where."""
        return Site(self.code, self.lasti)

    @property
    def op(self) -> str:
        """The op's name."""
        return self.primitive.name

    def verdict(self, label: Any) -> str | None:
        """ "" if the recorder wrote it down, a reason if it did not, None if it was not shown this."""
        return next((reason for recorder, reason in self.verdicts if recorder is label), None)


class Export(NamedTuple):
    """A value's numbers left for Python or NumPy: which value, how, and where."""

    tick: int
    tag: Any
    how: str
    site: Site


class Made(NamedTuple):
    """A value that the program made of plain numbers: a constant, say, or a new variable."""

    tick: int
    tag: Any
    site: Site


class Assigned(NamedTuple):
    """A variable that was given a new value: from a tensor (`source`) or from plain numbers (None)."""

    tick: int
    tag: Any
    source: Any
    how: str
    site: Site


GRADIENT = trail.Call("gradient", "call", "∂", "a gradient", frozenset())


def _of_answers(question: Question) -> Iterator[PastApplication]:
    """A backward pass that nobody saw, as one application for each answer: from the targets and the source to the answer."""
    tick, _, code, lasti = question.asked
    context = question.context.at_work("gradient", None, question.label)
    for source, (answer, _) in zip(question.sources, question.answers, strict=True):
        if answer is not None:
            yield PastApplication(tick, GRADIENT, (*question.targets, source), (answer,), code, lasti, context, ())


def applications(since: int = 0) -> list[PastApplication]:
    """The applications after this tick that are still remembered, oldest first."""
    found: list[PastApplication] = []
    for application in list(trail.applications):
        if tick_of(application) < since:
            continue
        if type(application) is tuple:
            found.append(PastApplication(*application))
        elif type(application) is Question:
            found += _of_answers(application)
        else:
            found.append(as_past(application))
    return found


def tick_of(remembered: Any) -> int:
    """When something that the trail remembers came about."""
    if type(remembered) is tuple:
        return remembered[0]
    return remembered.moment.tick if type(remembered) is Question else remembered.tick


def forgot(since: int = 0) -> bool:
    """Whether an application after this tick may have been forgotten."""
    if len(trail.applications) < trail.REMEMBERED:
        return False
    return since < tick_of(trail.applications[0])


_fields = attrgetter(*PastApplication._fields)


def as_past(application: Any) -> PastApplication:
    """What is remembered of an application."""
    return PastApplication(*_fields(application))


def exports(since: int = 0) -> list[Export]:
    """The exports after this tick, oldest first."""
    found = []
    for tick, tag, how, code, lasti in reversed(list(trail.exports)):
        if tick < since:
            break
        found.append(Export(tick, tag, how, Site(code, lasti)))
    return found[::-1]


def exported_between(since: int, until: int) -> bool:
    """Whether anything left after the one tick and before the other."""
    if not trail.exports or trail.exports[-1][0] <= since:  # nearly always so, and asked at every gradient
        return False
    return any(since < export[0] < until for export in list(trail.exports))


def assigned_between(since: int, until: int) -> bool:
    """Whether a variable was made from a tensor after the one tick and before the other."""
    if not trail.assignments or trail.assignments[-1][0] <= since:
        return False
    return any(
        since < assignment[0] < until and assignment[3] == "tf.Variable" for assignment in list(trail.assignments)
    )


def elsewhere(since: int) -> bool:
    """Whether an op ran after this tick where the recorders of this thread do not look."""
    return trail.overlooked[0] > since or in_another_thread(since)


def in_another_thread(since: int) -> bool:
    """Whether an op ran after this tick in a thread that is not this one."""
    return state.others_until > since and any(
        application.context.thread != state.thread for application in applications(since)
    )


def creations(since: int = 0) -> dict[Any, Made]:
    """The values made from nothing after this tick, by tag."""
    return {
        tag: Made(tick, tag, Site(code, lasti)) for tick, tag, code, lasti in list(trail.creations) if tick >= since
    }


def assignments(since: int = 0) -> list[Assigned]:
    """The assignments after this tick, oldest first."""
    found = []
    for tick, tag, source, how, code, lasti in reversed(list(trail.assignments)):
        if tick < since:
            break
        found.append(Assigned(tick, tag, source, how, Site(code, lasti)))
    return found[::-1]
