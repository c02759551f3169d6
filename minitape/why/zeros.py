"""Which op made a gradient zero: the first in the backward pass that let nothing through."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ..record.diary import Diary
from .history import Edge


def zero(value: Any) -> bool:
    """Whether remembered numbers are all zero.

    >>> zero([0.0, [0.0]]), zero(0.5), zero([])
    (True, False, False)
    """
    if isinstance(value, list):
        return bool(value) and all(zero(part) for part in value)
    return isinstance(value, int | float | complex) and value == 0


def held(diary: Diary, path: list[Edge], ops: Collection[str]) -> Edge | None:
    """The first step from the target back at which the cotangent became zero, if it is one of these ops; else None."""
    for edge in path:
        if edge.application is None:
            continue
        use = edge.application.tick, edge.position
        came = diary.factors.get(use, diary.parts.get(use))
        if edge.application.op in ops and not edge.position:
            if zero(came):
                return edge
        elif zero(came):
            return None
    return None
