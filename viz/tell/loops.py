"""Loops of the learner's, found in what ran: the same ops at the same places, three times in a row or more.

A loop is told once, and its turn is an axis of its own: how large each value of the body is in every turn, and its gradient; what
each turn adds to the gradient of what all turns use; what is carried from one turn to the next; who held how many bytes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise, takewhile
from typing import Any

import numpy as np

from ..capture.numbers import Snapshot, shape_text
from ..capture.records import Applied, Asked, Contributed, Op, Record, Seeded, Site, Summed, Value
from .turns import Turns, line_of, row_of, sum_of, turns_of

LOOPS = 12  # loops that are told of a run: in a long run ops repeat three times by chance, too
CARDS = 18  # ops of a body that have a card each; of a longer body each line has one
COLUMNS = 640  # moments of memory that are kept


class Loops:
    """Reads the records of a run once, and tells its loops as plain data.

    A loop has `id`, `label` (its line), `turns`, `order` (mirrored: the way back runs through the same turns once all are done;
    nested: it lies within each turn), `body`, `carried` (from a card to one of the next turn) and `memory` (where on the axis,
    bytes by holder).  A card of the body has `id`, `kind` (value, input, variable, constant), `name`, `sign`, `shape`, who it
    `takes` from or its `readers`, and by turn how large its `values`, `gradients` or `shares` (what a turn adds) are, null where
    that is unknown; `values_odd` and the others have [turn, how many of its numbers are NaN, how many infinite].
    """

    def __init__(self, records: list[Record]) -> None:
        self.records = records
        self._applied: list[tuple[int, Op]] = []
        self._calls: dict[str, Value] = {}  # around ops that are told already: what they give
        made: set[Value] = set()
        for at, record in enumerate(records):
            if isinstance(record, Applied) and record.op.context.phase == "forward" and record.op.site is not None:
                op = record.op
                if made.issuperset(op.gives) and not any([value.variable for value in op.gives]):
                    if op.gives:
                        self._calls[op.id] = op.gives[0]
                else:
                    self._applied.append((at, op))
                made.update(op.gives)
        ops = [op for _, op in self._applied]
        self.turns = _largest(turns_of([(op.site.id if op.site else "", op.row.name) for op in ops]))
        if not self.turns:
            return
        self._first: dict[Value, tuple[int, Snapshot]] = {}  # from which record on a value is known, and what it was
        self._then: dict[Value, list[tuple[int, Snapshot]]] = {}  # of one that changes, all that it was
        self._gradient: dict[Value, tuple[Any, Snapshot]] = {}
        self._shares: dict[Value, list[tuple[str, Snapshot]]] = {}
        self._causes: list[tuple[int, str]] = []
        self._held = np.array([sum(record.memory) for record in records], np.int64)
        self._read()

    def _read(self) -> None:
        asks: dict[Any, tuple[Any, int]] = {}
        first, then = self._first, self._then
        for at, record in enumerate(self.records):
            for value, snap in record.numbers.items():
                if value not in first:
                    first[value] = at, snap
                else:
                    then.setdefault(value, [first[value]]).append((at, snap))
            if isinstance(record, Asked):
                recorder = record.recorder
                asks[recorder] = recorder, asks.get(recorder, (recorder, 0))[1] + 1
            elif isinstance(record, (Contributed, Summed, Seeded)):
                came = record.total if isinstance(record, Summed) else record.part
                if came not in first:
                    continue
                _, part = then[came][-1] if came in then else first[came]
                into, ask = record.into, asks.get(record.recorder, (record.recorder, 0))
                if into not in self._gradient or self._gradient[into][0] == ask:
                    self._gradient[into] = ask, part
                cause = record.context.cause
                if isinstance(record, Contributed) and cause is not None:
                    self._causes.append((at, cause.id))
                    self._shares.setdefault(into, []).append((cause.id, part))

    def told(self, names: Mapping[Value, str]) -> list[dict[str, Any]]:
        """All of them, the outermost first; `names` are what the run calls its variables."""
        self._names = names
        return [self._tell(self.name(at), turns) for at, turns in enumerate(self.turns)]

    @staticmethod
    def name(at: int) -> str:
        """The id of a loop by its place."""
        return f"loop{at}"

    def first_ops(self, at: int) -> list[Op]:
        """The op with which each turn of a loop begins."""
        return [self.ops_in(at, turn)[0] for turn in range(self.turns[at].times)]

    def ops_in(self, at: int, turn: int) -> list[Op]:
        """The ops of one turn of a loop."""
        first, length, _ = self.turns[at]
        return [op for _, op in self._applied[first + turn * length : first + (turn + 1) * length]]

    # ---- one loop -----------------------------------------------------------------------------------------------------

    def _tell(self, identity: str, turns: Turns) -> dict[str, Any]:
        rows = [
            self._applied[turns.first + turn * turns.length : turns.first + (turn + 1) * turns.length]
            for turn in range(turns.times)
        ]
        ops = [[op for _, op in row] for row in rows]
        starts = [row[0][0] for row in rows]
        ends = [*(start - 1 for start in starts[1:]), rows[-1][-1][0]]
        cards = _cards(ops[0])
        home = {place: at for at, card in enumerate(cards) for place in card}
        turn_of = {op.id: turn for turn, row in enumerate(ops) for op in row}
        made_in = {value: turn for turn, row in enumerate(ops) for op in row for value in op.gives}
        turn_of |= {call: made_in[value] for call, value in self._calls.items() if value in made_in}
        body = [self._card(f"b{at}", ops, card) for at, card in enumerate(cards)]
        carried = self._join(ops, home, body)
        mirrored = any(
            at > rows[-1][-1][0] and turn_of.get(cause, turns.times) < turns.times - 1 for at, cause in self._causes
        )
        last = ends[-1]
        if not mirrored:  # a turn ends where the next one begins; the last ends where other ops begin
            ends[-1] = next((at - 1 for at, _ in self._applied[turns.end : turns.end + 1]), len(self.records) - 1)
        used = self._used(ops, home, turn_of, ends, cards)
        return {
            "id": identity, "label": line_of(ops[0], turns.times), "turns": turns.times,
            "order": "mirrored" if mirrored else "nested", "body": [*body, *used], "carried": carried,
            "memory": self._memory(starts, last, turn_of, mirrored),
        }  # fmt: skip

    def _card(self, identity: str, ops: list[list[Op]], places: list[int]) -> dict[str, Any]:
        last = places[-1]
        values = [row[last].gives[-1] for row in ops]
        shapes = {value.shape for value in values}
        name, sign = _named(ops[0], last)
        if items := _list_of(values):
            name, sign = items, ops[0][last].row.sign
        card = {
            "id": identity, "kind": "value", "name": name, "sign": sign,
            "shape": shape_text(values[0].shape) if len(shapes) == 1 else "",
            "takes": [],
        }  # fmt: skip
        return card | self._sizes(values)

    def _sizes(self, values: Sequence[Value]) -> dict[str, Any]:
        """By turn, how large a value is, and its gradient."""
        gradients = [self._gradient[value][1] if value in self._gradient else None for value in values]
        return row_of("values", [self._when(value) for value in values]) | row_of("gradients", gradients)

    def _when(self, value: Value, until: int | None = None) -> Snapshot | None:
        """What a value was: the last before a record, or the first that is known."""
        first = self._first.get(value)
        if first is None:
            return value.early
        if until is None:
            return first[1]
        then = self._then.get(value, [first])
        place = bisect_right(then, until, key=lambda state: state[0])
        return then[place - 1][1] if place else value.early or first[1]

    def _join(self, ops: list[list[Op]], home: dict[int, int], body: list[dict[str, Any]]) -> list[list[str]]:
        """Who reads whom: within a turn into each card's `takes`, from one turn to the next as what is carried."""
        made = [{value: place for place, op in enumerate(row) for value in op.gives} for row in ops[:2]]
        carried: list[list[str]] = []
        for place, op in enumerate(ops[1]):
            card = body[home[place]]
            for value in op.takes:
                source = made[1].get(value)
                if source is not None and home[source] != home[place] and body[home[source]]["id"] not in card["takes"]:
                    card["takes"].append(body[home[source]]["id"])
                source = made[0].get(value)
                pair = [body[home[source]]["id"], card["id"]] if source is not None else []
                if pair and pair not in carried:
                    carried.append(pair)
        return carried

    def _used(
        self, ops: list[list[Op]], home: dict[int, int], turn_of: dict[str, int], ends: list[int],
        cards: list[list[int]],
    ) -> list[dict[str, Any]]:  # fmt: skip
        """What comes from outside: the same in every turn, or another in each."""
        inside = {value for row in ops for op in row for value in op.gives}
        found: dict[tuple[Value, ...], dict[str, Any]] = {}
        for place in range(len(cards) and len(ops[0])):
            for slot in range(min(len(row[place].takes) for row in ops)):
                values = tuple([row[place].takes[slot] for row in ops])
                if any(value in inside for value in values):
                    continue
                same, called = len(set(values)) == 1, _operand(ops[0], place, slot)
                if not values[0].variable and not values[0].shape and not called:
                    continue  # a number that stands in the line
                card = found.get(values)
                if card is None:
                    card = found[values] = self._outside(
                        f"u{len(found)}", values, same, turn_of, ends, called, f"→ {_named(ops[0], place)[0]}"
                    )
                reader = f"b{home[place]}"
                if reader not in card["readers"]:
                    card["readers"].append(reader)
        return list(found.values())

    def _outside(
        self, identity: str, values: tuple[Value, ...], same: bool, turn_of: dict[str, int], ends: list[int],
        called: str, otherwise: str,
    ) -> dict[str, Any]:  # fmt: skip
        first = values[0]
        given = (self._names.get(first) if first.variable else "") or first.label or first.name
        name = (given or called if same else called or given) or otherwise
        kind = ("variable" if first.variable else "constant") if same else "input"
        card = {
            "id": identity, "kind": kind, "name": name, "sign": "", "shape": shape_text(first.shape), "takes": [],
            "readers": [],
        }  # fmt: skip
        if not same:
            return card | self._sizes(values)
        if first in self._then:  # it changes
            card |= row_of("values", [self._when(first, end) for end in ends])
        shares: list[list[Snapshot]] = [[] for _ in values]
        for cause, part in self._shares.get(first, ()):
            if cause in turn_of:
                shares[turn_of[cause]].append(part)
        return card | row_of("shares", [sum_of(share) if share else None for share in shares])

    def _memory(self, starts: list[int], last: int, turn_of: dict[str, int], mirrored: bool) -> list[list[float]]:
        """[where on the axis of turns, bytes by holder …], the most of each moment; a mirrored axis has the turns twice.

        What comes after the last turn is no part of the loop: after the way back through it, or from where it goes on otherwise
        than the turn before.
        """
        count = len(starts)
        cells = 2 * count + 1 if mirrored else count
        wide = -(-cells // COLUMNS)  # cells that share a column
        if mirrored:
            end = max([last, *(at for at, cause in self._causes if cause in turn_of)])
        else:
            turns = zip(self.records[starts[-2] : starts[-1]], self.records[starts[-1] :], strict=False)
            alike = takewhile(lambda pair: pair[0].kind == pair[1].kind, turns)
            end = max(last, starts[-1] - 1 + sum(1 for _ in alike))
        places = [at for at in range(starts[0], end + 1) if self.records[at].memory]
        cell = np.searchsorted(starts, places, "right") - 1
        if mirrored:
            reached = np.zeros(len(self.records), np.int64)  # the cell that the way back is in from a record on
            reached[last + 1 :] = count
            for at, cause in self._causes:
                if at > last and cause in turn_of:
                    reached[at] = max(count, 2 * count - turn_of[cause])
            cell = np.maximum(cell, np.maximum.accumulate(reached)[places])
        column = cell - cell % wide
        begins = [*np.flatnonzero(np.diff(column, prepend=-1)).tolist(), len(places)]
        most = max(1, COLUMNS // cells)
        out: list[list[float]] = []
        for begin, end in pairwise(begins):
            parts = min(most, end - begin)
            for part in range(parts):
                first, after = (begin + (end - begin) * (part + at) // parts for at in (0, 1))
                some = places[first:after]
                best = max(some, key=self._held.__getitem__)
                out.append([round(int(column[begin]) + part / parts, 4), *self.records[best].memory])
        return out


def _largest(turns: list[Turns]) -> list[Turns]:
    """The loops in which most of the ops are, in their order."""
    kept = set(sorted(turns, key=lambda turn: -turn.length * turn.times)[:LOOPS])
    return [turn for turn in turns if turn in kept]


def _named(turn: list[Op], place: int) -> tuple[str, str]:
    """What an op of a turn is called on its card, and its sign beside a name of the learner's.

    Several ops come of one call (a layer, a loss): the last of them gives what the line names, the others are named by their
    layer and their sign.
    """
    op = turn[place]
    site = op.site or Site("")
    if any(later.site is not None and later.site.id == site.id for later in turn[place + 1 :]):
        return f"{op.context.layer}: {op.row.sign}" if op.context.layer else op.row.sign, ""
    name = site.name or (site.text if 0 < len(site.text) <= 18 else "") or op.row.sign
    return name, op.row.sign if site.name else ""


def _list_of(values: Sequence[Value]) -> str:
    """What a loop's results are called where each turn puts its own into a list of the learner's."""
    lists = {value.name.rpartition("[")[0] for value in values}
    return f"{lists.pop()}[…]" if len(lists) == 1 and all(value.name.endswith("]") for value in values) else ""


def _operand(turn: list[Op], place: int, slot: int) -> str:
    """What the line calls an operand, where it is a plain name.

    Of the several ops of one call (a layer, a loss) the first takes its only argument; who takes which of more, the line does
    not say.
    """
    site = turn[place].site
    if site is None or slot >= len(site.operands):
        return ""
    places = [at for at, op in enumerate(turn) if op.site is not None and op.site.id == site.id]
    return site.operands[slot] if places == [place] or (place == places[0] and len(site.operands) == 1) else ""


def _cards(ops: list[Op]) -> list[list[int]]:
    """Which ops of a turn a card stands for: each its own; of many those of a line together."""
    if len(ops) <= CARDS:
        return [[place] for place in range(len(ops))]
    cards: list[list[int]] = []
    for place, op in enumerate(ops):
        line = op.site.line if op.site is not None else 0
        before = ops[place - 1].site if place else None
        if cards and before is not None and before.line == line:
            cards[-1].append(place)
        else:
            cards.append([place])
    return cards
