"""The network simplex: numbers that keep their distances, with the weighted sum of these as small as it can be.

Ranks of values and their places across the ranks are both such a question (Gansner, Koutsofios, North, Vo: "A technique
for drawing directed graphs", 1993).  A spanning tree of distances that are met exactly determines all numbers; as long as
some edge of it would rather be longer, it is exchanged for the edge that stops this growth first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

WORK = 6_000_000  # unknowns times exchanges: beyond, the best so far has to do

Distance = tuple[int, int, int, int]  # a, b, the least that b may be beyond a, and what each unit of it costs


def solve(count: int, distances: Sequence[Distance]) -> list[int]:
    """The least-cost numbers for `count` unknowns, from 0 on; raises ValueError where the distances go in a circle.

    >>> solve(3, [(0, 1, 2, 1), (1, 2, 3, 1), (0, 2, 1, 1)])
    [0, 2, 5]
    >>> solve(4, [(0, 3, 5, 1), (1, 2, 1, 1), (2, 3, 1, 1)])  # a short branch stays close to what it leads to
    [0, 3, 4, 5]
    """
    if not count:
        return []
    ends = np.array([one[:2] for one in distances], dtype=np.int64).reshape(-1, 2)
    rest = np.array([one[2:] for one in distances], dtype=np.int64).reshape(-1, 2)
    x = _first(count, distances)
    starts = _joined(
        count, ends, x
    )  # an edge of no cost from an extra unknown to each part keeps the tree in one piece
    tails = np.concatenate([ends[:, 0], np.full(len(starts), count)])
    heads = np.concatenate([ends[:, 1], starts])
    least = np.concatenate([rest[:, 0], np.zeros(len(starts), dtype=np.int64)])
    cost = np.concatenate([rest[:, 1], np.zeros(len(starts), dtype=np.int64)])
    x = np.append(x, 0)
    tree = _tight_tree(x, tails, heads, least)
    supply = np.bincount(tails, cost, count + 1) - np.bincount(heads, cost, count + 1)
    for _ in range(max(50, WORK // (count + 1))):
        if not _exchange(x, tree, tails, heads, least, supply):
            break
    x = x[:count]
    return [int(one) for one in x - x.min()]


def _first(count: int, distances: Sequence[Distance]) -> np.ndarray:
    """Every number as small as the distances before it let it be."""
    after: list[list[Distance]] = [[] for _ in range(count)]
    waiting = [0] * count
    for one in distances:
        after[one[0]].append(one)
        waiting[one[1]] += 1
    x, ready = np.zeros(count, dtype=np.int64), [at for at in range(count) if not waiting[at]]
    for at in ready:  # it grows while it is walked
        for _, to, least, _ in after[at]:
            x[to] = max(x[to], x[at] + least)
            waiting[to] -= 1
            if not waiting[to]:
                ready.append(to)
    if len(ready) < count:
        raise ValueError("the distances go in a circle")
    return x


def _joined(count: int, ends: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The smallest unknown of each part that hangs together."""
    part = list(range(count))

    def top(at: int) -> int:
        while part[at] != at:
            part[at] = part[part[at]]
            at = part[at]
        return at

    for a, b in ends.tolist():
        part[top(a)] = top(b)
    least: dict[int, int] = {}
    for at in range(count):
        home = top(at)
        if home not in least or x[at] < x[least[home]]:
            least[home] = at
    return np.array(list(least.values()), dtype=np.int64)


def _tight_tree(x: np.ndarray, tails: np.ndarray, heads: np.ndarray, least: np.ndarray) -> list[set[int]]:
    """For each unknown the edges of a spanning tree whose distances are met exactly; `x` is shifted until there is one."""
    tree: list[set[int]] = [set() for _ in x]
    reached = np.zeros(len(x), dtype=bool)
    reached[-1] = True
    far = np.iinfo(np.int64).max
    while not reached.all():
        slack = np.where(reached[tails] ^ reached[heads], x[heads] - x[tails] - least, far)
        edge = int(slack.argmin())
        outward = bool(reached[tails[edge]])
        x[reached] += slack[edge] if outward else -slack[edge]
        tree[tails[edge]].add(edge)
        tree[heads[edge]].add(edge)
        reached[heads[edge] if outward else tails[edge]] = True
    return tree


def _exchange(
    x: np.ndarray, tree: list[set[int]], tails: np.ndarray, heads: np.ndarray, least: np.ndarray, supply: np.ndarray
) -> bool:
    """One edge of the tree for another, where that makes the sum smaller or leaves it; False where the tree is the best."""
    ends_a, ends_b = tails.tolist(), heads.tolist()
    order, up, size = _walk(tree, ends_a, ends_b)
    total = np.concatenate([[0.0], np.cumsum(supply[order])])
    begin = np.arange(1, len(order))
    below = np.array(order[1:])
    edges = np.array([up[at] for at in order[1:]])
    flow = total[begin + np.array([size[at] for at in order[1:]])] - total[begin]
    gain = np.where(tails[edges] == below, flow, -flow)  # what all edges that cross here cost, against it and with it
    worst = int(gain.argmin())
    if gain[worst] >= 0:
        return False
    leaving, at = int(edges[worst]), order[worst + 1]
    cut = np.zeros(len(x), dtype=bool)
    cut[order[worst + 1 : worst + 1 + size[at]]] = True
    tail_side = cut if ends_a[leaving] == at else ~cut
    slack = np.where(~tail_side[tails] & tail_side[heads], x[heads] - x[tails] - least, np.iinfo(np.int64).max)
    entering = int(slack.argmin())
    x[~tail_side] += slack[entering]
    for edge, change in ((leaving, set.discard), (entering, set.add)):
        change(tree[ends_a[edge]], edge)
        change(tree[ends_b[edge]], edge)
    return True


def _walk(tree: list[set[int]], tails: list[int], heads: list[int]) -> tuple[list[int], list[int], list[int]]:
    """The tree from its root, depth first: the order, the edge that leads up from each, and how many lie below it."""
    root = len(tree) - 1
    up, order, stack = [-1] * len(tree), [], [root]
    while stack:
        at = stack.pop()
        order.append(at)
        for edge in tree[at]:
            if edge != up[at]:
                to = heads[edge] if tails[edge] == at else tails[edge]
                up[to] = edge
                stack.append(to)
    size = [1] * len(tree)
    for at in reversed(order[1:]):
        edge = up[at]
        size[heads[edge] if tails[edge] == at else tails[edge]] += size[at]
    return order, up, size
