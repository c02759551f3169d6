"""Which ops one call of the program's made: only the last of them gives what the call returns; and when a call has returned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from ..capture.records import Op, Site, Value
from .spelling import MODULE, home_of
from .turns import loops_around

Loop = tuple[str, int, str]  # the file's id, the line's number and text


def calls_of(ops: Iterable[Op]) -> dict[Op, Op]:
    """By op the first op of the call that it is a part of.

    A call has ended when another instruction of its function runs, or, where a loop has no other, when the same ops come again.
    """
    ops = list(ops)
    found: dict[Op, Op] = {}
    running: dict[Site, list[Op]] = {}
    alone = _alone_in_loops(ops)
    for op in ops:
        site = op.site
        if site is None:
            continue
        for other in [*running]:
            if other is not site and (home_of(other) == home_of(site) or site.function == MODULE):
                found |= _calls(running.pop(other), other in alone)
        running.setdefault(site, []).append(op)
    for site, together in running.items():
        found |= _calls(together, site in alone)
    return found


def large_calls(ops: list[Op], more: float) -> dict[Op, Op]:
    """By op the first one of its call, of the calls with more than so many ops: nobody sees into a function of the library.

    Where a call is all that a loop runs its turns are not told apart, and it is none of these.
    """
    found: dict[Op, Op] = {}
    for site, run in groupby(ops, key=attrgetter("site")):
        together = list(run)
        if len(together) <= more or site is None or site.form != "call" or together[0].context.phase != "forward":
            continue
        if site not in _alone_in_loops(ops):
            found |= dict.fromkeys(together, together[0])
    return found


def _alone_in_loops(ops: list[Op]) -> set[Site]:
    """The instructions that are all that a loop runs: where one of its turns ends is not seen from the others."""
    loops: dict[Site, list[Loop]] = {op.site: loops_around(op.site) for op in ops if op.site is not None}
    inside = Counter(loop for around in loops.values() for loop in around)  # how many instructions a loop has
    return {site for site, around in loops.items() if around and inside[around[0]] == 1}


def _calls(ops: list[Op], turns: bool) -> dict[Op, Op]:
    """Ops of one instruction; with `turns`, one turn after the other."""
    length = _turn([op.row.name for op in ops]) if turns else len(ops)
    return {op: ops[at - at % length] for at, op in enumerate(ops)}


def _turn(rows: list[str]) -> int:
    """How many rows there are until they come again, and again to the end.

    >>> _turn(["mean", "−", "mean", "−"]), _turn(["mean", "−", "mean"])
    (2, 3)
    """
    lengths = (length for length in range(1, len(rows) + 1) if len(rows) % length == 0)
    return next(length for length in lengths if rows[length:] == rows[:-length] or length == len(rows))


class Returns:
    """Which op is told last of a call of the program's that gives a line several values, or of a loop that is a function.

    A loop is known by its own name and the turns that it lies in: "while#1", "while#1[0]/while#2".
    """

    def __init__(self, told: Iterable[tuple[Op, Iterable[Op]]]) -> None:
        self._last: dict[str, Op] = {}
        self._depths: dict[object, int] = {}  # by function of the program: how many loops it runs in
        self._calls: dict[
            tuple[Value, Site], list[Op]
        ] = {}  # by what a call gives a line: the op that is told last of it
        running: dict[Site, tuple[set[str], list[Op]]] = {}  # the names that it has given so far
        for shown, ops in told:
            for op in ops:
                turns = op.context.loop.split("/") if op.context.loop else []
                self._last.update((_loop(turns[:depth]), shown) for depth in range(1, len(turns) + 1))
                if op.site is None:
                    continue
                home = home_of(op.site)
                self._depths[home] = min(self._depths.get(home, len(turns)), len(turns))
                for other in [other for other in running if other is not op.site and home_of(other) == home]:
                    del running[other]  # the function that called has gone on
                for value in op.gives:
                    for site, name in value.given_to:
                        names, last = running.get(site, (set[str](), []))
                        if name in names or "[" in name:  # another turn, another item
                            names, last = set(), []
                        names.add(name)
                        last[:] = [shown]
                        running[site] = names, last
                        self._calls[value, site] = last

    def returns(self, shown: Op, op: Op, value: Value, site: Site) -> Op:
        """The op that is told last of a call at this place, which gives a value that an op made, told as `shown`."""
        turns = op.context.loop.split("/") if op.context.loop else []
        depth = self._depths.get(home_of(site), max(0, len(turns) - 1))
        if depth < len(turns):
            return self._last[_loop(turns[: depth + 1])]
        return self._calls.get((value, site), [shown])[0]


def _loop(turns: list[str]) -> str:
    """A loop without the number of its own turn.

    >>> _loop(["while#1[0]", "while#2[3]"])
    'while#1[0]/while#2'
    """
    return "/".join([*turns[:-1], turns[-1].partition("[")[0]])
