"""The way into a turn of a loop: the rounds and folds that it lies in, opened, so that its first op is told by itself."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from ..capture.records import Record
from ..scene import turn_of
from .folding import Folding
from .loops import Loops
from .rounds import begins_of


def opened(records: list[Record], told: list[Record], open_: Iterable[str]) -> list[str]:
    """The names of what is to be open, a turn as the names of all that it lies in; `told` are the records that are folded."""
    out: list[str] = []
    for name in open_:
        place = turn_of(name)
        out += [name] if place is None else _way(Loops(records), told, *place)
    return out


def _way(loops: Loops, told: list[Record], loop: int, turn: int) -> list[str]:
    if loop >= len(loops.turns) or turn >= loops.turns[loop].times:
        return []
    ops = {op.id for op in loops.ops_in(loop, turn)}
    places = [at for at, record in enumerate(told) if record.kind == "op" and record.op.id in ops]  # type: ignore[attr-defined]
    starts, way = begins_of(told), list[str]()
    if places:
        first, last = (bisect_right(starts, place) - 1 for place in (places[0], places[-1]))
        way = [f"round {at}" for at in range(max(first, 0), last + 1)]
    begin = loops.ops_in(loop, turn)[0].id
    while (fold := Folding(told, way).around(begin)) and fold not in way:
        way.append(fold)
    return way
