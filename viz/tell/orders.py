"""Of what order each recorder is: a tape around a tape is of the second."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..capture.records import Recorder


def orders_of(recorders: Iterable[Recorder], records: Iterable[Any]) -> tuple[dict[Recorder, int], dict[Recorder, int]]:
    """The order of each recorder, and the same counting accumulators alone.

    It is 1 for a recorder of the program's ops, and one more for each recorder whose work it wrote down.
    """
    taken: dict[Recorder, set[Recorder]] = {recorder: set() for recorder in recorders}
    for record in records:
        op: Any = getattr(record, "op", None) if record.kind in ("op", "entry") else None
        if op is not None and op.context.actor is not None:
            for recorder in op.taken:
                if recorder is not op.context.actor:
                    taken.setdefault(recorder, set()).add(op.context.actor)

    return {recorder: _most(taken, recorder) for recorder in recorders}, {
        recorder: _most(taken, recorder, "accumulator") for recorder in recorders
    }


def _most(
    taken: dict[Recorder, set[Recorder]], recorder: Recorder, kind: str = "", above: tuple[Recorder, ...] = ()
) -> int:
    """The most recorders, all or those of a kind, on a way from this one inwards, itself included."""
    inner = [actor for actor in taken.get(recorder, ()) if actor not in above and actor is not recorder]
    own = kind in ("", recorder.kind)
    return own + max((_most(taken, actor, kind, (*above, recorder)) for actor in inner), default=0)
