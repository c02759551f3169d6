"""The network simplex: numbers that keep their distances, with the weighted sum of these as small as it can be.

Ranks of values and their places across the ranks are both such a question (Gansner, Koutsofios, North, Vo: "A technique
for drawing directed graphs", 1993).  A spanning tree of distances that are met exactly determines all numbers; as long as
some edge of it would rather be longer, it is exchanged for the edge that stops this growth first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

WORK = 6_000_000  # unknowns times exchanges; after that the best so far is taken

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
    ends = np.array([distance[:2] for distance in distances], dtype=np.int64).reshape(-1, 2)
    rest = np.array([distance[2:] for distance in distances], dtype=np.int64).reshape(-1, 2)
    x = _first(count, distances)
    # An edge of no cost from an extra unknown to each part keeps the tree in one piece.
    starts = _joined(count, ends, x)
    tails = np.concatenate([ends[:, 0], np.full(len(starts), count)])
    heads = np.concatenate([ends[:, 1], starts])
    least = np.concatenate([rest[:, 0], np.zeros(len(starts), dtype=np.int64)])
    cost = np.concatenate([rest[:, 1], np.zeros(len(starts), dtype=np.int64)])
    x = np.append(x, 0)
    tree = _Tree(_tight_tree(x, tails, heads, least), tails.tolist(), heads.tolist())
    supply = np.bincount(tails, cost, count + 1) - np.bincount(heads, cost, count + 1)
    tree.hang(supply)
    for _ in range(max(50, WORK // (count + 1))):
        if not _exchange(x, tree, tails, heads, least):
            break
    x = x[:count]
    return [int(place) for place in x - x.min()]


def _first(count: int, distances: Sequence[Distance]) -> np.ndarray:
    """Every number as small as the distances before it let it be."""
    after: list[list[Distance]] = [[] for _ in range(count)]
    waiting = [0] * count
    for distance in distances:
        after[distance[0]].append(distance)
        waiting[distance[1]] += 1
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
        edge = int(slack.argmin(0))
        outward = bool(reached[tails[edge]])
        x[reached] += slack[edge] if outward else -slack[edge]
        tree[tails[edge]].add(edge)
        tree[heads[edge]].add(edge)
        reached[heads[edge] if outward else tails[edge]] = True
    return tree


class _Tree:
    """A spanning tree, hung from the extra unknown: above each unknown an edge, and what all that hangs below it costs."""

    def __init__(self, beside: list[set[int]], tails: list[int], heads: list[int]) -> None:
        self.beside, self.tails, self.heads = beside, tails, heads
        self.root = len(beside) - 1
        self.up = np.full(len(beside), -1)
        self.out = np.zeros(len(beside))  # 1 where the edge above an unknown leaves it, -1 where it arrives there
        self.below = np.zeros(len(beside))

    def hang(self, supply: np.ndarray) -> None:
        """Every edge as it hangs from the root, and the sums below."""
        order = self._walk(self.root)
        self.below = supply.astype(float)
        for at in reversed(order[1:]):
            self.below[self.parent(at)] += self.below[at]

    def parent(self, at: int) -> int:
        """What an unknown hangs from."""
        edge = int(self.up[at])
        return self.heads[edge] if self.tails[edge] == at else self.tails[edge]

    def branch(self, at: int) -> list[int]:
        """An unknown and all that hangs below it."""
        out, stack = [], [(at, int(self.up[at]))]
        while stack:
            node, above = stack.pop()
            out.append(node)
            for edge in self.beside[node]:
                if edge != above:
                    stack.append((self.heads[edge] if self.tails[edge] == node else self.tails[edge], edge))
        return out

    def exchange(self, at: int, entering: int, inside: np.ndarray) -> None:
        """Cut the edge above `at`; what hung from it hangs from another edge then.  Only the way between the two changes."""
        leaving, moved = int(self.up[at]), float(self.below[at])
        a, b = self.tails[entering], self.heads[entering]
        end, hook = (a, b) if inside[a] else (b, a)
        for start, change in ((self.parent(at), -moved), (hook, moved)):
            node = start
            while node != self.root:
                self.below[node] += change
                node = self.parent(node)
        for edge, act in ((leaving, set.discard), (entering, set.add)):
            act(self.beside[self.tails[edge]], edge)
            act(self.beside[self.heads[edge]], edge)
        node, above, sum_ = end, entering, 0.0  # from the new end to the old one, all hangs the other way round
        while True:
            before, old = int(self.up[node]), float(self.below[node])
            higher = self.parent(node)
            self._set(node, above)
            self.below[node] = moved - sum_
            if node == at:
                return
            node, above, sum_ = higher, before, old

    def _set(self, node: int, edge: int) -> None:
        self.up[node] = edge
        self.out[node] = 1.0 if self.tails[edge] == node else -1.0

    def _walk(self, root: int) -> list[int]:
        order, stack = [], [root]
        while stack:
            at = stack.pop()
            order.append(at)
            for edge in self.beside[at]:
                if edge != self.up[at]:
                    to = self.heads[edge] if self.tails[edge] == at else self.tails[edge]
                    self._set(to, edge)
                    stack.append(to)
        return order


def _exchange(x: np.ndarray, tree: _Tree, tails: np.ndarray, heads: np.ndarray, least: np.ndarray) -> bool:
    """One edge of the tree for another, where that makes the sum smaller or leaves it; False where the tree is the best."""
    gain = tree.below * tree.out  # the cost of all edges that cross the cut, against the tree's edge and along with it
    at = int(gain[:-1].argmin(0))
    if gain[at] >= 0:
        return False
    cut = np.zeros(len(x), dtype=bool)
    cut[tree.branch(at)] = True
    tail_side = cut if tree.out[at] > 0 else ~cut
    across = np.flatnonzero(~tail_side[tails] & tail_side[heads])
    slack = x[heads[across]] - x[tails[across]] - least[across]
    best = int(slack.argmin(0))
    x[~tail_side] += slack[best]
    tree.exchange(at, int(across[best]), cut)
    return True
