"""Which refusals reached the program and were caught there: some the library raises and catches itself."""

from __future__ import annotations

from dataclasses import fields

from ..records import Failed, Record

# What may still happen at the line of a call that is on its way out.
_ON_THE_WAY = {"", "exit", "release", "deleted", "region-close", "error"}


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
