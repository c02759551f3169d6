"""The shape of a schedule: which steps stand in which regions.

A schedule is a tree: an int is a step, a list a sequence, a `Wrapped` a region around a sequence.  Regions in regions say all
that checkpointing strategies differ in, also the binomial one: what a region holds is a snapshot, and a replay goes on from it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

Node = Any  # int | list[Node] | Wrapped


class Wrapped(NamedTuple):
    """A region around a sequence of nodes."""

    inner: list[Node]


def first(node: Node) -> int:
    """The first step in a node."""
    while not isinstance(node, int):
        node = node.inner[0] if isinstance(node, Wrapped) else node[0]
    return node


def size(node: Node) -> int:
    """How many steps a node has."""
    if isinstance(node, int):
        return 1
    return sum(map(size, node.inner if isinstance(node, Wrapped) else node))


def runs(node: Node) -> int:
    """Step evaluations in all: a region runs once unseen, and then its inside is reversed."""
    if isinstance(node, int):
        return 1
    if isinstance(node, Wrapped):
        return size(node.inner) + runs(node.inner)
    return sum(map(runs, node))


# ---- the strategies -----------------------------------------------------------------------------------------------------------


def uniform(n: int, segments: int, keep_last: bool = False) -> list[Node]:
    """Segments of equal length, the last as long or shorter; `keep_last` leaves that one open."""
    length = -(-n // segments)
    parts = [list(range(start, min(start + length, n))) for start in range(0, n, length)]
    return [Wrapped(part) if part is not parts[-1] or not keep_last else part for part in parts]


def halving(low: int, high: int) -> list[Node]:
    """Halves in halves; neither the whole nor a single step is wrapped, since that would save nothing."""
    if high - low == 1:
        return [low]
    middle = (low + high + 1) // 2
    return [_wrapped(halving(low, middle)), _wrapped(halving(middle, high))]


def _wrapped(nodes: list[Node]) -> Node:
    return nodes[0] if len(nodes) == 1 and isinstance(nodes[0], int) else Wrapped(nodes)


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
        nodes.append(Wrapped(revolve(low, low + split, slots)))
        low, slots = low + split, slots - 1
    return [*nodes, low]


@functools.lru_cache(maxsize=100_000)
def _split(n: int, slots: int) -> int:
    if slots == 1:
        return n - 1
    return min(range(1, n), key=lambda m: m + extra_runs(m, slots) + extra_runs(n - m, slots - 1))


def cheapest(costs: Sequence[float], state_bytes: Sequence[int], tape_bytes: Sequence[int], budget: int) -> list[Node]:
    """The cheapest tree whose tapes never keep more than the budget, for steps of unequal cost and size.

    A dynamic programme over (first step, last step, bytes left), each sub-chain reversed with its beginning held throughout.
    With equal bytes that is the optimum of all schedules; with unequal ones, of those that free no state before its region ends.
    Raises ValueError where nothing fits.
    """
    n = len(costs)
    grain = (
        max(1, -(-budget // 48)) if n > 24 else 1
    )  # coarser bytes for long chains: rounded up, so never beyond the budget
    states, tapes = ([-(-one // grain) for one in sizes] for sizes in (state_bytes, tape_bytes))
    ahead = [0.0]
    for cost in costs:
        ahead.append(ahead[-1] + cost)
    known: dict[tuple[int, int, int], tuple[float, int]] = {}

    def best(low: int, high: int, left: int) -> tuple[float, int]:
        """The least cost of running again, and where the first region ends; at its beginning for an open step instead."""
        if high - low == 1:
            return (0.0 if tapes[low] <= left else math.inf), low
        if left < min(states[low], tapes[low]):
            return math.inf, low
        key = low, high, left
        if key not in known:
            found = best(low + 1, high, left - tapes[low])[0], low
            for end in range(low + 1, high):
                cost = ahead[end] - ahead[low]
                if cost < found[0]:
                    cost += best(end, high, left - states[low])[0]
                if cost < found[0]:
                    cost += best(low, end, left)[0]
                if cost < found[0]:
                    found = cost, end
            known[key] = found
        return known[key]

    def build(low: int, high: int, left: int) -> list[Node]:
        nodes: list[Node] = []
        while high - low > 1:
            end = best(low, high, left)[1]
            if end == low:
                nodes.append(low)
                low, left = low + 1, left - tapes[low]
            else:
                nodes.append(Wrapped(build(low, end, left)))
                low, left = end, left - states[low]
        return [*nodes, low]

    whole = budget // grain
    if math.isinf(best(0, n, whole)[0]):
        raise ValueError(f"{n} steps do not fit into {budget} bytes, however often they run again: give them more.")
    return build(0, n, whole)
