"""Which ops one call of the program's made: only the last of them gives what the call returns."""

from __future__ import annotations

from collections.abc import Iterable

from ..capture.records import Op, Site
from .spelling import MODULE, home_of
from .turns import loops_around


def calls_of(ops: Iterable[Op]) -> dict[Op, Op]:
    """By op the first op of the call that it is a part of.

    A call has ended when another instruction of its function runs, or when in a loop the same ops come again.
    """
    found: dict[Op, Op] = {}
    running: dict[Site, list[Op]] = {}
    for op in ops:
        site = op.site
        if site is None:
            continue
        for other in [*running]:
            if other is not site and (home_of(other) == home_of(site) or site.function == MODULE):
                found |= _calls(other, running.pop(other))
        running.setdefault(site, []).append(op)
    for site, together in running.items():
        found |= _calls(site, together)
    return found


def _calls(site: Site, ops: list[Op]) -> dict[Op, Op]:
    """Ops of one instruction, one turn after the other."""
    length = _turn([op.row.name for op in ops]) if loops_around(site) else len(ops)
    return {op: ops[at - at % length] for at, op in enumerate(ops)}


def _turn(rows: list[str]) -> int:
    """How many rows there are until they come again, and again to the end.

    >>> _turn(["mean", "−", "mean", "−"]), _turn(["mean", "−", "mean"])
    (2, 3)
    """
    lengths = (length for length in range(1, len(rows) + 1) if len(rows) % length == 0)
    return next(length for length in lengths if rows[length:] == rows[:-length] or length == len(rows))
