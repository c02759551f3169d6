"""Long runs, folded, so that every picture stays small enough to be read.

Folding happens before anything is told, on the records themselves.  First rounds: of many recorders that come one after
the other on the same line (a training loop) the first and the last are told, and those between are one step.  Then blocks: ops
that follow each other in one layer, region or line, or that repeat (iterations of a loop), become one op with the inputs that
come from outside and the results that are used outside; the shares that come back through them become one share.
What is opened by name is cut more finely.  Bytes are not folded: a step keeps the most that was held within it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import fields
from itertools import groupby, islice
from typing import Any, NamedTuple

from ..capture.records import Applied, Made, Op, Record, Recorder, Row, Value, changed
from .calls import large_calls
from .pieces import SLACK, Cut, Piece, apart, called_layers, in_turns, named, path_of
from .rounds import without_middle
from .told import BackThrough, FewerAnswers, merged

VALUES, BLOCKS, MANY, LEAVES = 80, 16, 32, 60
OF_ONE = 8  # weights of a block that have cards where all blocks together have few: as many as an attention has
LAYERS = 60  # values of a few rounds of a loop that are too many to be read where a program calls layers
ALIKE = 12  # results of one instruction that are more than a picture has cards for
SIGN = 14  # letters of a layer's name that its disc has room for


class Block(NamedTuple):
    """Ops that are told as one op."""

    id: str
    label: str
    kind: str  # layer | region | repeat | ops
    parent: str
    ops: list[Op]

    @property
    def takes(self) -> list[Value]:
        """What its ops take from elsewhere, each once."""
        inside = {value for op in self.ops for value in op.gives}
        return list(dict.fromkeys(value for op in self.ops for value in op.takes if value not in inside))

    @property
    def sign(self) -> str:
        """What its disc shows: a layer's name, how often it repeats, or ⋯ for other ops in a row."""
        if self.kind == "layer" and len(self.label) <= SIGN:
            return self.label
        return "×" + self.label.rpartition(" ×")[2] if " ×" in self.label else "⋯"


class Folding:
    """The records of a run as they are told, and the groups that stand for what is not."""

    def __init__(self, records: list[Record], open_: Iterable[str] = ()) -> None:
        self.records = records
        self.blocks: list[Block] = []
        self.block_of: dict[Op, Block] = {}  # by folded op
        self.covered: dict[Record, list[Record]] = {}  # by told record, all that it stands for
        self.behind: dict[Value, Value] = {}  # by result that has no card of its own, the one that stands for it
        self.open = set(open_)
        self._shares: BackThrough | None = None  # what has come back through a block so far
        if _many(records):
            self.records, self.covered = without_middle(self.records, self.open)
        layers = self.records is not records and any(map(path_of, _ops(self.records)))
        if _many(self.records, LAYERS if layers else VALUES):
            self.records = self._in_blocks(self.records)

    def around(self, op: str) -> str:
        """The fold that an op, by its id, is told in; "" where it is told by itself."""
        return next(
            (block.id for block in self.blocks if len(block.ops) > 1 and any(it.id == op for it in block.ops)), ""
        )

    def inside(self, op: Op) -> list[Op]:
        """The ops that are told as this one: itself, or those of a fold."""
        block = self.block_of.get(op)
        return [op] if block is None else block.ops

    def maker(self, op: Op, value: Value) -> Op:
        """Of what is told as one op, the op that gave a value."""
        return next((inner for inner in self.inside(op) if value in inner.gives), op)

    def layer_of(self, op: Op) -> str:
        """The layer that a folded op stands for, whole; "" for any other."""
        block = self.block_of.get(op)
        return block.label if block is not None and block.kind == "layer" else ""

    # ---- blocks -------------------------------------------------------------------------------------------------------

    def _in_blocks(self, records: list[Record]) -> list[Record]:
        ops = _ops(records)
        self._called, self._calls = called_layers(ops), dict[Op, Op]()
        self._asked, self._asks_before = _asked(records)
        self._rounds_before = _rounds_before(records) if self.covered else {}
        self.blocks = self._cut(ops)
        self._home = {value: block for block in self.blocks for op in block.ops for value in op.gives}
        self._of = {op: block for block in self.blocks for op in block.ops}
        entries: list[Any] = [record for record in records if record.kind == "entry"]
        self._of |= {entry.op: self._home[entry.op.gives[0]] for entry in entries if entry.op.gives[0] in self._home}
        self._uses = self._used(ops)
        self.behind = self._alike()
        self._room = max(2, LEAVES // max(1, len(self.blocks)))
        used = [block.takes for block in self.blocks]
        leaves = list(map(self._leaves, self.blocks, used))
        most = max(self._room, OF_ONE) if sum(map(len, leaves)) <= LEAVES else self._room
        whole = zip(self.blocks, used, leaves, strict=True)
        self._folded = {block.id: self._as_one(block, takes, some[:most]) for block, takes, some in whole}
        self._drawn = {value for op in self._folded.values() for value in (*op.takes, *op.gives)}
        self._drawn.update(_without_gradient(records)[:LEAVES])  # None means that it was not seen before
        out: list[Record] = []
        waiting: list[Record] = []
        rounds, self.covered = self.covered, {}

        def tell(told: Record, before: Record | None = None) -> None:
            """Tell a record that stands for all that wait, with the bytes and numbers of all of them."""
            out.append(changed(told, **merged(waiting, before), kept=()))
            self.covered[out[-1]] = [inner for record in waiting for inner in rounds.get(record, [record])]
            waiting.clear()

        for record in records:
            told = self._fold(record)
            if told and told[0].kind == "back-through":  # the shares of a block: they came before this record
                tell(told.pop(0), out[-1] if out else None)
            waiting.append(record)
            if told:
                tell(told[0])
        if waiting:
            tell(Record())
        return out

    def _cut(self, ops: list[Op], parent: str = "") -> list[Block]:
        most = max(1, -(-len(ops) // BLOCKS))
        split, calls = apart(ops, most), large_calls(ops, SLACK * most)
        self._calls |= calls
        for way in (Cut(self._called, 9, True), *(Cut(self._called, depth) for depth in (3, 2, 1, 0))):
            cut, whole = way.pieces(ops, most, most > 1, split, calls), True
            if len(cut) > MANY and way.depth:  # the finest division into layers and regions that stays small
                cut = in_turns(cut)
            if len(cut) == 1:  # one layer, which is opened
                cut, whole = Cut(self._called, 9).pieces(ops, most, most > 1, split), False
                if len(cut) == 1:
                    cut = way.pieces(ops, most, False, split)
            if len(cut) <= MANY:
                break
        blocks: list[Block] = []
        pieces = [part for whole_piece in cut for part in self._told_in_time(whole_piece)]
        labels = [named(piece, way.depth, self._called, whole) for piece in pieces]
        rounds = [self._rounds_before.get(piece[0][0], 0) for piece in pieces]
        every = zip(pieces, labels, _counted(labels, rounds), strict=True)
        for number, (piece, (label, kind), counted) in enumerate(every):
            inside = [op for part in piece for op in part]
            identity = f"{parent}.{number + 1}" if parent else f"fold {number + 1}"
            if not self.open.isdisjoint((identity, label, counted)) and len(inside) > 1:
                blocks += self._cut(inside, identity)
            else:
                blocks.append(Block(identity, counted, kind, parent, inside))
        return blocks

    def _told_in_time(self, piece: Piece) -> list[Piece]:
        """A piece, parted where one of its values is asked about, or handed out, before the rest of it runs."""
        if not any(value in self._asked for part in piece for op in part for value in op.gives):
            return [piece]
        parted: dict[int, Piece] = {}
        for part in piece:
            for asks, ops in groupby(part, key=self._asks_before.__getitem__):
                parted.setdefault(asks, []).append(list(ops))
        return list(parted.values())

    def _used(self, ops: list[Op]) -> dict[Value, set[str]]:
        """By value the blocks that use it, but for its own; the backward pass does not count, since it uses them all."""
        uses: dict[Value, set[str]] = {}
        for op in ops:
            block = self._of[op]
            for value in op.takes:
                home = self._home.get(value)
                if home is None or (home is not block and op.context.phase in ("forward", home.ops[0].context.phase)):
                    uses.setdefault(value, set()).add(block.id)
        return uses

    def _outside(self, value: Value, block: Block) -> bool:
        """Whether a value is seen outside of the block that made it, or a recorder is asked about it or hands it out.

        Of a call that is a block what it returns is seen, by its names, whether or not an op uses it.
        """
        return value not in self.behind and (
            value in self._uses
            or value in self._asked
            or value in block.ops[-1].gives
            or (bool(value.name) and block.ops[0] in self._calls)
        )

    def _alike(self) -> dict[Value, Value]:
        """Of many results of one instruction that are used together, a list of losses, the last of each block stands for it."""
        made: dict[Any, dict[str, list[Value]]] = {}  # by instruction and block
        for block in self.blocks:
            for op in block.ops:
                for place, value in enumerate(op.gives):
                    if value in self._uses and value not in self._asked:
                        key = op.site, op.row.name, place, value.shape
                        made.setdefault(key, {}).setdefault(block.id, []).append(value)
        return {
            value: values[-1]
            for blocks in made.values()
            if sum(map(len, blocks.values())) > ALIKE
            for values in blocks.values()
            for value in values[:-1]
            if self._uses[value] <= self._uses[values[-1]]
        }

    def _seen(self, value: Value) -> Value:
        """A value itself, or the face of the block that it is folded into."""
        block = self._home.get(value)
        if block is None or self._outside(value, block):
            return value
        return self.behind.get(value, block.ops[-1].gives[-1])

    def _shown(self, leaf: Value) -> bool:
        """Whether what no op made is worth a card among folds: a variable, or what several of them take."""
        return leaf.variable or len(self._uses[leaf]) > 1

    def _leaves(self, block: Block, used: list[Value]) -> list[Value]:
        """What a block takes and no op made, as far as it is worth a card."""
        leaves = [value for value in used if value not in self._home]
        every = len(block.ops) == 1 and block.kind != "layer" and len(leaves) <= self._room
        return leaves if every else [value for value in leaves if self._shown(value)]

    def _as_one(self, block: Block, used: list[Value], leaves: list[Value]) -> Op:
        takes = tuple(dict.fromkeys(self._seen(value) for value in used if value in self._home or value in leaves))
        gives = tuple([value for op in block.ops for value in op.gives if self._outside(value, block)])
        last = block.ops[-1]
        if len(block.ops) == 1 and takes == tuple(dict.fromkeys(last.takes)):
            return last
        arguments = tuple([f"x{place}" for place in range(len(takes))])
        row = Row(block.id, block.label, block.sign, f"“{', '.join(arguments) or '·'}”", arguments=arguments)
        place_of = {value: at for at, value in enumerate(takes)}
        kept: dict[Recorder, set[int]] = {}
        for op in block.ops:
            for by, places in op.saved:
                held = kept.setdefault(by, set())
                for place in places:
                    if place >= 0 and op.takes[place] in place_of:
                        held.add(place_of[op.takes[place]])
        saved = [(by, tuple(sorted(held))) for by, held in kept.items()]
        taken = tuple(dict.fromkeys(by for op in block.ops for by in op.taken))
        refused = tuple([(by, why) for by, why in last.refused if by not in taken])
        folded = changed(
            last, row=row, takes=takes, gives=gives, saved=tuple(saved), taken=taken, refused=refused,
            own_rule=False, region="", settings=None,
        )  # fmt: skip
        self.block_of[folded] = block
        return folded

    # ---- one record ---------------------------------------------------------------------------------------------------

    def _fold(self, record: Any) -> list[Record]:
        """What is told of a record: nothing, itself, or a block that it ends."""
        match record.kind:
            case "op":
                block = self._of.get(record.op)
                if block is None or block.ops[-1] is not record.op:
                    return []
                return [changed(record, op=self._folded[block.id])]
            case "contribution" | "total" | "at-door":
                return self._share(record)
            case "watch":
                return [record] if record.explicit or record.value in self._drawn else []
            case "again" | "entry" | "region-open" | "region-replay" | "region-rule" | "region-close" | "region-done":
                return []
            case "made" | "assign" if record.value not in self._drawn:
                return []
            case "gradient":
                return [self._for_what_is_drawn(record)]
            case "gradients":
                return [*self._flushed(), self._for_what_is_drawn(record)]
            case "seed":
                return [*self._flushed(), record]
            case "tangent":
                block = self._block_of(record.op)
                if block is not None:
                    return [changed(record, op=self._folded[block.id])] if self._outside(record.of, block) else []
                if record.context.phase in ("recompute", "rebuild"):  # of an op that runs again
                    return []
        return [record]

    def _block_of(self, op: Op | None) -> Block | None:
        return None if op is None else self._of.get(op)

    def _for_what_is_drawn(self, record: Any) -> Record:
        """A question, or its answer, without the sources that are not drawn."""
        told: Record = record
        kept = [place for place, value in enumerate(record.sources) if value in self._drawn]
        if len(kept) == len(record.sources) or not kept:
            return told
        sources, more = tuple([record.sources[place] for place in kept]), len(record.sources) - len(kept)
        if record.kind == "gradient":
            return changed(told, sources=sources)
        answers = tuple([record.answers[place] for place in kept])
        facts = {field.name: getattr(record, field.name) for field in fields(record)}
        return FewerAnswers(**facts | {"sources": sources, "answers": answers, "more": more})

    def _share(self, record: Any) -> list[Record]:
        """Shares through the same block are gathered until another block's turn comes."""
        block = self._block_of(record.context.cause)
        if block is None:
            return []
        op, out = self._folded[block.id], list[Record]()
        if self._shares is None or self._shares.op is not op:
            out, common = self._flushed(), {"site": record.site, "context": record.context}
            self._shares = BackThrough(recorder=record.recorder, op=op, arrived={}, counts={}, **common)
        if record.kind == "total":
            self._shares.arrived[record.into] = record.total
        elif record.kind == "contribution":
            self._shares.counts[record.into] = self._shares.counts.get(record.into, 0) + 1
            self._shares.arrived[record.into] = record.part
        return out

    def _flushed(self) -> list[Record]:
        told, self._shares = self._shares, None
        if told is None:
            return []
        arrived = {value: part for value, part in told.arrived.items() if value in told.op.takes}
        told.more, told.arrived = sum(self.behind.get(value) in arrived for value in told.arrived), arrived
        return [told] if arrived else []


def _counted(labels: list[tuple[str, str]], rounds: list[int]) -> list[str]:
    """What pieces are called, and of several with one name in one round which of them each is; not of layers, which may be
    called often.

    >>> _counted([("lines 3–8", "ops"), ("gru", "layer"), ("lines 3–8", "ops"), ("gru", "layer")], [0, 0, 0, 0])
    ['lines 3–8 (1 of 2)', 'gru', 'lines 3–8 (2 of 2)', 'gru']
    >>> _counted([("lines 3–8", "ops"), ("lines 3–8", "ops")], [0, 1])
    ['lines 3–8', 'lines 3–8']
    """
    which = list(zip(labels, rounds, strict=True))
    alike, met, counted = Counter(which), Counter[tuple[tuple[str, str], int]](), []
    for both in which:
        met[both] += 1
        label, kind = both[0]
        several = alike[both] > 1 and kind != "layer" and " ×" not in label
        counted.append(f"{label} ({met[both]} of {alike[both]})" if several else label)
    return counted


def _asked(records: list[Record]) -> tuple[set[Value], dict[Op, int]]:
    """What tapes and accumulators were asked about, or answered to a line with names for it; how often before each op."""
    asked, asks, before = set[Value](), 0, dict[Op, int]()
    record: Any
    for record in records:
        if record.kind == "gradient":
            asked.update(record.targets)
        elif record.kind == "look-up":
            asked.add(record.of)
        elif record.kind == "op":
            before[record.op] = asks
        elif record.kind == "gradients" and record.site is not None and record.site.names:
            asked.update(record.answers)
        asks += record.kind in ("gradient", "look-up")
    return asked, before


def _rounds_before(records: list[Record]) -> dict[Op, int]:
    """By op, how often rounds that are not told came before it."""
    rounds, before = 0, dict[Op, int]()
    for record in records:
        rounds += record.kind == "rounds"
        if isinstance(record, Applied):
            before[record.op] = rounds
    return before


def _without_gradient(records: list[Record]) -> list[Value]:
    asked: list[Any] = [record for record in records if record.kind == "gradients"]
    pairs = [pair for record in asked for pair in zip(record.sources, record.answers, strict=True)]
    return list(dict.fromkeys(value for value, answer in pairs if answer is None))


def _many(records: list[Record], values: int = VALUES) -> bool:
    counted = (
        record
        for record in records
        if isinstance(record, Applied) and seen(record.op) or isinstance(record, Made) and not record.implicit
    )
    return next(islice(counted, values, None), None) is not None


def _ops(records: list[Record]) -> list[Op]:
    return [record.op for record in records if isinstance(record, Applied) and seen(record.op)]


def seen(op: Op) -> bool:
    """Whether an op is told by itself: one of the program's own, or one that another recorder wrote down than caused it."""
    context, taken = op.context, op.taken
    return context.phase == "forward" or bool(taken) and any(recorder is not context.actor for recorder in taken)
