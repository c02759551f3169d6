"""What an answer leaves out: uses of a source whose numbers left for Python or NumPy, say, on the way to the target."""

from __future__ import annotations

from collections.abc import Sequence

from ..capture.records import LeftOut, Record, Released, Value


def left_out(records: Sequence[Record], at: int) -> dict[Value, LeftOut]:
    """By source what the answer in this place leaves out: a recorder says so as soon as it has answered."""
    found: dict[Value, LeftOut] = {}
    for place in range(at + 1, len(records)):
        record = records[place]
        if isinstance(record, LeftOut):
            found[record.of] = record
        elif not isinstance(record, Released):
            break
    return found
