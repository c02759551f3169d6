"""The shape of a schedule: which steps stand in which regions.

A schedule is a tree: an int is a step, a list a sequence, a `Segment` a region around a sequence.  Segments in segments express
every checkpointing strategy, the binomial one too: what a region keeps is a snapshot, and its rerun goes on from there.
"""

from __future__ import annotations

import bisect
import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

Node = Any  # int | list[Node] | Segment


class Segment(NamedTuple):
    """A region around a sequence of nodes."""

    inner: list[Node]


def first(node: Node) -> int:
    """The first step in a node."""
    while not isinstance(node, int):
        node = node.inner[0] if isinstance(node, Segment) else node[0]
    return node


def size(node: Node) -> int:
    """How many steps a node has."""
    if isinstance(node, int):
        return 1
    return sum(map(size, node.inner if isinstance(node, Segment) else node))


def runs(node: Node) -> int:
    """Step evaluations in all: a region runs once unseen, and then its inside is reversed."""
    if isinstance(node, int):
        return 1
    if isinstance(node, Segment):
        return size(node.inner) + runs(node.inner)
    return sum(map(runs, node))


def peak(node: Node, sizes: Sequence[int]) -> int:
    """The most bytes that tapes keep while a node is run and reversed."""
    return _held(node, sizes)[0]


def _held(node: Node, sizes: Sequence[int]) -> tuple[int, int]:
    """The most at one time, and what is kept when all of it has run; what a region begins with counts once, inside or out."""
    if isinstance(node, int):
        return sizes[node], sizes[node]
    most = held = 0
    for part in node.inner if isinstance(node, Segment) else node:
        inside, kept = _held(part, sizes)
        most, held = max(most, held + inside), held + kept
    return most, sizes[first(node)] if isinstance(node, Segment) else held


# ---- the strategies -----------------------------------------------------------------------------------------------------------


def uniform(n: int, segments: int, keep_last: bool = False) -> list[Node]:
    """Segments of equal length, the last as long or shorter; `keep_last` leaves that one open."""
    length = -(-n // segments)
    parts = [list(range(start, min(start + length, n))) for start in range(0, n, length)]
    return [Segment(part) if part is not parts[-1] or not keep_last else part for part in parts]


def halving(low: int, high: int) -> list[Node]:
    """Halves in halves; neither the whole nor a single step is wrapped, since that would save nothing."""
    if high - low == 1:
        return [low]
    middle = (low + high + 1) // 2
    return [_wrapped(halving(low, middle)), _wrapped(halving(middle, high))]


def _wrapped(nodes: list[Node]) -> Node:
    return nodes[0] if len(nodes) == 1 and isinstance(nodes[0], int) else Segment(nodes)


def extra_runs(n: int, slots: int) -> int:
    """Fewest runs beyond the n of the first sweep, with this many stored states, the input among them.

    r n - C(c + r, c + 1), with r the least number for which C(c + r, c) >= n (Griewank and Walther 2000).

    >>> extra_runs(100, 8)
    245
    """
    times = next(r for r in range(n + 1) if math.comb(slots + r, slots) >= n)
    return times * n - math.comb(slots + times, slots + 1)


def revolve(low: int, high: int, slots: int) -> list[Node]:
    """The binomial optimum for equal steps: go on to a split, keep the state there, reverse the right part, then the left.

    Here the left part is a region: it holds the state at its beginning, and its replay has that slot for itself again.
    """
    nodes: list[Node] = []
    while high - low > 1:
        split = _split(high - low, slots)
        nodes.append(Segment(revolve(low, low + split, slots)))
        low, slots = low + split, slots - 1
    return [*nodes, low]


@functools.lru_cache(maxsize=100_000)
def _split(n: int, slots: int) -> int:
    if slots == 1:
        return n - 1
    return min(range(1, n), key=lambda m: m + extra_runs(m, slots) + extra_runs(n - m, slots - 1))


TABLE = 10_000_000  # the most numbers in the table of `cheapest`: 80 MB while it works


def grain(sizes: Sequence[int], budget: int) -> int:
    """The unit of bytes in which `cheapest` works: the largest that divides all sizes, or what its table has room for.

    >>> grain([4096] * 200, 65536), grain([4096, 4097] * 100, 100_000)
    (4096, 400)
    """
    budget, exact = min(budget, sum(sizes)), max(1, math.gcd(*sizes))
    room = max(64, TABLE // len(sizes) ** 2)
    return exact if budget // exact <= room else -(-budget // room)


def cheapest(costs: Sequence[float], sizes: Sequence[int], budget: int) -> list[Node]:
    """The cheapest tree whose tapes never keep more than the budget, for steps of unequal cost and size.

    A dynamic programme over (first step, last step, bytes left), each sub-chain reversed with its beginning held throughout.
    With equal bytes that is the optimum of all schedules; with unequal ones, of those that free no state before its region ends.
    Bytes are counted in units of `grain`: exact where the unit divides all sizes.  Else sizes are rounded up, and of the trees
    for a few more units the last whose true bytes fit is taken.  Raises ValueError where none does.
    """
    n, unit = len(costs), grain(sizes, budget)
    units = [-(-size // unit) for size in sizes]
    levels = min(budget // unit, sum(units))
    if any([size % unit for size in sizes]):
        levels += levels // 4
    ahead = np.concatenate([[0.0], np.cumsum(costs)])
    # least[low, high, left]: the least cost of running steps again.  The half with high <= low is never touched.
    least = np.empty((n, n + 1, levels + 1))

    def choices(low: int, high: int, room: int) -> np.ndarray:
        """The cost, for 0 to `room` units, by where the first region ends; in the first row the first step stays open."""
        found = np.full((high - low, room + 1), np.inf)
        held = units[low]
        if held <= room:
            after = least[low + 1 : high, high, : room + 1 - held]
            found[0, held:] = after[0]
            np.add(after, least[low, low + 1 : high, held : room + 1], out=found[1:, held:])
            found[1:, held:] += (ahead[low + 1 : high] - ahead[low])[:, None]
        return found

    for low in reversed(range(n)):
        enough = 0
        for high in range(low + 1, n + 1):
            enough = min(enough + units[high - 1], levels + 1)  # with so much nothing needs to run again
            least[low, high, enough:] = 0.0
            if high - low == 1:
                least[low, high, :enough] = np.inf
            elif enough:
                least[low, high, :enough] = choices(low, high, enough - 1).min(0)

    def build(low: int, high: int, left: int) -> list[Node]:
        nodes: list[Node] = []
        while high - low > 1:
            end = low + int(choices(low, high, left)[:, left].argmin(0))
            nodes.append(low if end == low else Segment(build(low, end, left)))
            low, left = max(end, low + 1), left - units[low]
        return [*nodes, low]

    fits = [left for left in range(levels + 1) if np.isfinite(least[0, n, left])]
    good = bisect.bisect_right(fits, budget, key=lambda left: peak(build(0, n, left), sizes)) if fits else 0
    if not good:
        rounded = f", counted in units of {unit}" if unit > 1 else ""
        raise ValueError(
            f"{n} steps do not fit into {budget} bytes{rounded}, however often they run again: give them more."
        )
    return build(0, n, fits[good - 1])
