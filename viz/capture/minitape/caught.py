"""Which errors the program caught: refusals that reached it, some of which the library catches itself, and Python's own."""

from __future__ import annotations

from dataclasses import fields
from sys import exc_info
from types import TracebackType

from minitape.record.events import Event
from minitape.record.provenance import Site, is_library

from ...schema import clean
from ..records import Failed, Record

# What may still happen at the line of a call that is on its way out.
_ON_THE_WAY = {"", "exit", "release", "deleted", "region-close", "error"}


class Handled:
    """Errors of Python's own, noticed when something happens while the program is dealing with one.

    Nobody says when Python raises one, and to watch for it would cost every line; an `except` in which nothing happens goes
    unseen.  A refusal has been told already, by who raised it.
    """

    def __init__(self) -> None:
        self._key = f"met by recorder {id(self)}"  # each error remembers who has met it: ids come again
        self._refused = ("", "")  # the kind and the message of the last refusal
        self.missed()

    def missed(self) -> None:
        """Leave out the error that is being dealt with around the block: it is not part of the run."""
        problem = exc_info()[1]
        if problem is not None:
            vars(problem)[self._key] = None

    def met(self, problem: BaseException, event: Event) -> Event | None:
        """The error as an event before this one; None where it is known, on its way out, or the library's to deal with."""
        if event.kind == "refused":
            self._refused = event.facts["error"], event.facts["message"]
        if event.kind.replace(" ", "-") in {*_ON_THE_WAY, "refused"} or self._key in vars(problem):
            return None
        trace = problem.__traceback__
        name, message = clean(type(problem).__name__), clean(str(problem))
        by_program = trace is not None and not is_library[trace.tb_frame.f_code.co_filename]
        site = raised_at(trace) if by_program and isinstance(problem, Exception) else None
        vars(problem)[self._key] = None
        if site is None or self._refused == (type(problem).__name__, str(problem)):
            return None
        found = Event("refused", event.tick, site, event.context, {"error": name, "message": message})
        vars(problem)[self._key] = found
        return found

    def ended_by(self, problem: BaseException | None) -> Event | None:
        """The event of the error that ends the block after all: what looked like an `except` was a `finally`."""
        found: Event | None = None if problem is None else vars(problem).get(self._key)
        return found


def raised_at(trace: TracebackType | None) -> Site | None:
    """The innermost line of the program's own on the way of an error."""
    found = None
    while trace is not None:
        if not is_library[trace.tb_frame.f_code.co_filename]:
            found = Site(trace.tb_frame.f_code, trace.tb_lasti)
        trace = trace.tb_next
    return found


def told_as_caught(records: list[Record], ending: str) -> None:
    """Mark the errors that the program caught; those that it never met, and the one that ended the run, are told no more.

    A call that goes on after an error has caught that itself: what happens next happens at the same instruction of the program.
    Of errors of one instruction, one after the other, the last is told.
    """
    goes_on: Record | None = None  # what happens next
    for at in range(len(records) - 1, -1, -1):
        record = records[at]
        if isinstance(record, Failed):
            record.caught = record.message != ending if goes_on is None else goes_on.site is not record.site
            if record.caught:
                goes_on = record
            else:
                records[at] = Record(**{field.name: getattr(record, field.name) for field in fields(Record)})
        elif record.kind not in _ON_THE_WAY:
            goes_on = record
