"""Rounds of a loop: of many recorders that come one after the other on the same line the first and the last are told, and those
that are asked for; all others are one step.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ..capture.records import Record, Site, Value
from .told import Rounds, merged

LEAST = 2  # rounds that are always told

# What a record says of a recorder.
STATES = {"enter": "listening", "resume": "listening", "pause": "paused", "exit": "stopped", "release": "spent"}

ALL = "rounds"  # opens them all; "round 7" opens one, counted from 0


def begins_of(records: list[Record]) -> list[int]:
    """Where each round begins; fewer than three where no loop makes a recorder a turn."""
    begins: dict[Site | None, list[int]] = {}
    for at, record in enumerate(records):
        if record.kind == "enter":
            begins.setdefault(record.site, []).append(at)
    return max(begins.values(), key=len, default=[])


def without_middle(records: list[Record], open_: Collection[str]) -> tuple[list[Record], dict[Record, list[Record]]]:
    """The records, with rounds that are not opened as one record for each stretch of them; and what those stand for."""
    covered: dict[Record, list[Record]] = {}
    starts = begins_of(records)
    if len(starts) <= LEAST or any(name.split()[0] == ALL for name in open_ if name):
        return records, covered
    last = len(starts) - 1
    told = {0, last, *(int(name[6:]) for name in open_ if name.startswith("round ") and name[6:].isdecimal())}
    out = records[: starts[0]]
    at = 0
    while at < last:
        end = at + 1
        while at not in told and end not in told:
            end += 1
        middle: list[Any] = records[starts[at] : starts[end]]
        if at in told:
            out += middle
        else:
            out.append(_as_one(middle, at, end - at, _recorders(out, records[starts[end] :])))
            covered[out[-1]] = middle
        at = end
    return out + records[starts[last] :], covered


def _recorders(*stretches: list[Any]) -> set[Any]:
    """Those that begin or stop listening, or let go of what they keep."""
    return {record.recorder for part in stretches for record in part if record.kind in STATES}


def _as_one(middle: list[Any], first: int, count: int, others: set[Any]) -> Rounds:
    """Rounds as one record; of `others`, who are told beside it, some may begin in it, or end."""
    assigned = dict.fromkeys(
        record.value for record in middle if record.kind == "assign" and record.value in record.numbers
    )
    states = {record.recorder: STATES[record.kind] for record in middle if record.kind in STATES}
    made = [value for record in middle for value in _gives(record)]
    return Rounds(
        site=middle[0].site, context=middle[0].context, first=first, count=count, values=(*assigned, *made),
        ops=sum(record.kind == "op" for record in middle),
        states=tuple([(who, state) for who, state in states.items() if who in others]), **merged(middle),
    )  # fmt: skip


def _gives(record: Any) -> tuple[Value, ...]:
    """What comes to be with a record: it may be used when the rounds are over."""
    return (record.value,) if record.kind == "made" else record.op.gives if record.kind == "op" else ()
