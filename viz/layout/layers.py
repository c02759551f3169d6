"""A plan in layers: each value at a rank, each long edge a chain of waypoints, and in each rank an order with few crossings.

Regions stay in one piece: in every rank that a region spans, what belongs to it stands together, and regions side by side
keep the order of the scene, so that forward comes before the backward pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from .dotfile import Plan
from .simplex import solve

SWEEPS, PATIENCE = 12, 3  # at most; and after how many rounds without a better order to stop
# in crossings: an edge that passes from one side of a foreign region to the other; one that leads from one side of the
# drawing to the other
SPLIT, REACH = 4.0, 0.05


@dataclass(slots=True, eq=False)
class Item:
    """What stands in a rank: a value; a waypoint of an edge; or, for a region, the mark that it is there (`of`)."""

    rank: int
    home: str
    value: str = ""
    edge: int = -1
    of: str = ""
    number: int = -1  # among all items


Part: TypeAlias = "Item | tuple[str, list[Part]]"  # of a rank: an item, or a region and what is in it there


@dataclass(slots=True)
class Segment:
    """A piece of an edge from one rank to the next; `slot` is where among the arguments it arrives, from -0.4 to 0.4."""

    edge: int
    a: Item
    b: Item
    slot: float = 0.0


@dataclass(slots=True)
class Gap:
    """Between two ranks, by the numbers of items: where pieces of edges begin and end; the marks of regions that both ranks
    have, and which pieces have no part in each."""

    a: np.ndarray
    b: np.ndarray
    slot: np.ndarray
    marks: tuple[np.ndarray, np.ndarray]
    foreign: np.ndarray


@dataclass(slots=True)
class Layers:
    """The plan's items by rank, in order, and the pieces of its edges."""

    plan: Plan
    ranks: list[list[Item]]
    segments: list[Segment]
    chains: list[list[Item]]  # for each edge its items, from its value to the one that uses it
    spans: dict[str, tuple[int, int]]
    between: list[list[Segment]] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    stands: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)  # per rank: values, regions beside them
    place: np.ndarray = field(default_factory=lambda: np.zeros(0))  # of each item in its rank
    # What it costs, in crossings, that a value stands after a region beside it: reading order wants it before.
    after: float = 0.1

    @classmethod
    def of(cls, plan: Plan) -> Layers:
        """The layers of a plan, in the order of the scene."""
        rank = ranked(plan)
        items = {key: Item(rank[key], (plan.above(key) or [""])[0], value=key) for key in plan.values}
        rows: list[list[Item]] = [[] for _ in range(max(rank.values()) + 1)]
        spans: dict[str, tuple[int, int]] = {}
        for key, item in items.items():
            rows[item.rank].append(item)
            for region in plan.above(key):
                low, high = spans.get(region, (item.rank, item.rank))
                spans[region] = (min(low, item.rank), max(high, item.rank))
        for region, (low, high) in spans.items():
            for at in range(low, high + 1):
                rows[at].append(Item(at, region, of=region))
        chains, segments = [], []
        for at, edge in enumerate(plan.edges):
            a, b = items[edge["a"]], items[edge["b"]]
            common = next((region for region in plan.above(edge["a"]) if region in plan.above(edge["b"])), "")
            chain = [a, *(Item(r, common, edge=at) for r in range(a.rank + 1, b.rank)), b]
            for item in chain[1:-1]:
                rows[item.rank].append(item)
            slots = plan.arriving[edge["b"]]
            slot = 0.8 * (slots.index(edge) + 0.5) / len(slots) - 0.4
            chains.append(chain)
            segments += [
                Segment(at, upper, lower, slot if lower is b else 0.0) for upper, lower in zip(chain, chain[1:])
            ]
        layers = cls(plan, rows, segments, chains, spans, [[] for _ in rows])
        for segment in segments:
            layers.between[segment.a.rank].append(segment)
        for number, item in enumerate(item for row in rows for item in row):
            item.number = number
        layers.gaps = [_gap_of(layers, at) for at in range(len(rows) - 1)]
        layers.stands = [_stands(layers, row) for row in rows]
        return layers

    def put(self, rank: int, row: list[Item]) -> None:
        """Order a rank anew."""
        self.ranks[rank] = row
        self.place[[item.number for item in row]] = np.arange(len(row))

    def nested(self, rank: int, region: str = "") -> list[Part]:
        """A rank as a tree: the items directly in this region, and (child, what is in it) for each region inside it."""
        around = self.plan.around
        row = [item for item in self.ranks[rank] if not region or region in around.get(item.home, [])]
        out: list[Part] = []
        done = set()
        for item in row:
            if item.home == region:
                if item.of != region or not region:
                    out.append(item)
                continue
            child = self._child(item.home, region)
            if child not in done:
                done.add(child)
                out.append((child, self.nested(rank, child)))
        return out

    def _child(self, home: str, region: str) -> str:
        chain = self.plan.around[home]
        return chain[chain.index(region) - 1] if region else chain[-1]

    def flat(self, tree: list[Part], rank: int) -> list[Item]:
        """A tree as a row again, each region's mark before what is in it."""
        out: list[Item] = []
        for part in tree:
            if isinstance(part, Item):
                out.append(part)
            else:
                out.append(next(item for item in self.ranks[rank] if item.of == part[0]))
                out += self.flat(part[1], rank)
        return out


def ranked(plan: Plan) -> dict[str, int]:
    """A rank for each value, after those of its arguments, with edges as short as can be."""
    keys = {key: at for at, key in enumerate(plan.values)}
    distances = {(keys[edge["a"]], keys[edge["b"]]) for edge in plan.edges}
    return dict(zip(plan.values, solve(len(keys), [(a, b, 1, 1) for a, b in sorted(distances)])))


def ordered(first: Layers, backwards: bool = False, after: float = 0.1) -> Layers:
    """The layers in an order with few crossings, found from the order of the scene, or from its reverse."""
    place = np.zeros(sum(map(len, first.ranks)))
    layers = replace(first, ranks=[list(row) for row in first.ranks], after=after, place=place)
    for at, row in enumerate(layers.ranks):
        outer_first = sorted(row, key=lambda item: len(layers.plan.around.get(item.home, [])))
        layers.put(at, _tidy(layers, at, row[::-1] if backwards else outer_first))
    best, least = [list(row) for row in layers.ranks], cost(layers)
    last = 0
    for sweep in range(SWEEPS):
        if sweep - last > PATIENCE:
            break
        _sweep(layers, down=sweep % 2 == 0)
        _swap(layers)
        now = cost(layers)
        if now < least:
            best, least, last = [list(row) for row in layers.ranks], now, sweep
    layers.ranks = best
    return layers


def _tidy(layers: Layers, rank: int, row: list[Item], key: dict[int, float] | None = None) -> list[Item]:
    """A row sorted by `key` within each region, regions in one piece and side by side in the order of the scene."""
    layers.ranks[rank] = row
    where = key or {id(item): float(at) for at, item in enumerate(row)}
    scene = {known["id"]: at for at, known in enumerate(layers.plan.scene.regions)}

    def place(part: Part) -> float:
        if isinstance(part, Item):
            return where[id(part)]
        inside = [place(inner) for inner in part[1]]
        return sum(inside) / len(inside) if inside else where[id(next(it for it in row if it.of == part[0]))]

    def sort(tree: list[Part]) -> list[Part]:
        parts = [part if isinstance(part, Item) else (part[0], sort(part[1])) for part in tree]
        parts.sort(key=place)
        regions = iter(sorted((part for part in parts if not isinstance(part, Item)), key=lambda part: scene[part[0]]))
        return [part if isinstance(part, Item) else next(regions) for part in parts]

    return layers.flat(sort(layers.nested(rank)), rank)


def _sweep(layers: Layers, down: bool) -> None:
    """Sort each rank by the mean place of its neighbours in the rank before."""
    count = len(layers.ranks)
    for at in range(1, count) if down else range(count - 2, -1, -1):
        before = {id(item): float(place) for place, item in enumerate(layers.ranks[at - 1 if down else at + 1])}
        pulls: dict[int, list[float]] = {}
        for segment in layers.between[at - 1 if down else at]:
            if down:
                pulls.setdefault(id(segment.b), []).append(before[id(segment.a)])
            else:
                pulls.setdefault(id(segment.a), []).append(before[id(segment.b)] + segment.slot)
        row = layers.ranks[at]
        stretch = max(1, len(before)) / max(1, len(row))
        key = {id(item): place * stretch for place, item in enumerate(row)}
        key.update({item: sum(places) / len(places) for item, places in pulls.items()})
        layers.put(at, _tidy(layers, at, row, key))


def _swap(layers: Layers) -> None:
    """Let neighbours change places as long as that helps; regions keep their places."""
    for at in range(len(layers.ranks)):
        for _ in range(4):
            if not _swapped(layers, at):
                break


def _swapped(layers: Layers, rank: int) -> bool:
    """Put the first exchange of neighbours that helps into a rank; False where there is none."""
    now, kept = _near(layers, rank), layers.ranks[rank]
    for row in _neighbours(layers, rank):
        layers.put(rank, row)
        if _near(layers, rank) < now - 1e-9:
            return True
    layers.put(rank, kept)
    return False


def _neighbours(layers: Layers, rank: int) -> Iterator[list[Item]]:
    """The rows that come of one exchange of neighbours within one region."""
    whole = layers.nested(rank)

    def walk(tree: list[Part]) -> Iterator[None]:
        for at in range(len(tree) - 1):
            if isinstance(tree[at], Item) or isinstance(tree[at + 1], Item):
                tree[at], tree[at + 1] = tree[at + 1], tree[at]
                yield
                tree[at], tree[at + 1] = tree[at + 1], tree[at]
        for part in tree:
            if not isinstance(part, Item):
                yield from walk(part[1])

    for _ in walk(whole):
        yield layers.flat(whole, rank)


def cost(layers: Layers) -> float:
    """Crossings, edges that split a foreign region, and a little for how far edges reach across."""
    ranks = range(len(layers.ranks))
    return sum(_gap(layers, at) for at in ranks[:-1]) + layers.after * sum(_after(layers, at) for at in ranks)


def _near(layers: Layers, rank: int) -> float:
    beside = sum(_gap(layers, at) for at in (rank - 1, rank) if 0 <= at < len(layers.ranks) - 1)
    return beside + layers.after * _after(layers, rank)


def _after(layers: Layers, rank: int) -> int:
    """How many values stand after a region that lies in the same one as they."""
    values, marks = layers.stands[rank]
    return int(np.count_nonzero(layers.place[marks] < layers.place[values]))


def _stands(layers: Layers, row: list[Item]) -> tuple[np.ndarray, np.ndarray]:
    """The values of a rank, each with each region that lies in the same one as it."""
    parents, marks = layers.plan.parents, [item for item in row if item.of]
    pairs = [
        (item.number, mark.number)
        for item in row
        if item.value
        for mark in marks
        if parents.get(mark.of, "") == item.home
    ]
    values, beside = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return values, beside


def _gap_of(layers: Layers, at: int) -> Gap:
    segments, around = layers.between[at], layers.plan.around
    lower = {item.of: item for item in layers.ranks[at + 1] if item.of}
    marks = [(item, lower[item.of]) for item in layers.ranks[at] if item.of in lower]
    foreign = [
        [not any(mark.of in around.get(end.home, []) for end in (segment.a, segment.b)) for segment in segments]
        for mark, _ in marks
    ]
    return Gap(
        np.array([segment.a.number for segment in segments], dtype=np.int64),
        np.array([segment.b.number for segment in segments], dtype=np.int64),
        np.array([segment.slot for segment in segments]),
        (
            np.array([mark.number for mark, _ in marks], dtype=np.int64),
            np.array([below.number for _, below in marks], dtype=np.int64),
        ),
        np.array(foreign, dtype=bool).reshape(len(marks), len(segments)),
    )


def _gap(layers: Layers, at: int) -> float:
    """Crossings; pieces of edges that pass a region that neither of their ends is in, from one side of it to the other; reach."""
    gap, place = layers.gaps[at], layers.place
    if not len(gap.a):
        return 0.0
    p, below = place[gap.a], place[gap.b]
    q = below + gap.slot
    crossed = float(np.count_nonzero((p[:, None] < p) & (q[:, None] > q)))
    reach = float(np.abs(p / len(layers.ranks[at]) - q / len(layers.ranks[at + 1])).sum())
    upper, lower = (place[marks][:, None] for marks in gap.marks)
    splits = int(np.count_nonzero(((p < upper) != (below < lower)) & gap.foreign))
    return crossed + SPLIT * splits + REACH * reach
