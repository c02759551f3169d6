"""Which op made a gradient zero, or not finite: the first in the backward pass that let nothing, or no number, through."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

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


def finite(value: Any) -> bool:
    """Whether remembered numbers are all finite; of a large array, whose numbers are not remembered, it counts as true.

    >>> finite([0.0, float("inf")]), finite(0.5), finite(None)
    (False, True, True)
    """
    return not isinstance(value, list | int | float | complex | np.generic) or bool(np.isfinite(value).all())


def not_finite(diary: Diary, paths: Iterable[list[Edge]]) -> Edge | None:
    """The first step of the backward pass that made a number which is not finite of one that was; None where there is none."""
    steps = {
        (edge.application.tick, edge.position): edge for path in paths for edge in path if edge.application is not None
    }
    for use in sorted(steps, reverse=True):
        before, after = diary.slopes.get(use, (None, None))
        if not finite(after):
            return steps[use] if finite(before) else None
    return None
