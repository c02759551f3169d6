"""Folded runs: many ops as one step, their backward pass as one step, many rounds of a loop as one step."""

from __future__ import annotations

import re

from ..capture.numbers import Snapshot, number
from ..capture.records import Applied
from .facts import ANSWERED, most_of
from .folding import Block
from .pieces import BACK
from .regions import Regions
from .rounds import ALL
from .told import BackThrough, Rounds
from .words import listed

FACES = 2  # results that the sentence of a fold tells: the last ones
WORDS = re.compile(rf"{BACK}|lines? \d")  # with which the label of a fold begins, if not with a name of the program's


class Folds(Regions):
    """Tells of what is folded."""

    def _on_op(self, record: Applied) -> None:
        super()._on_op(record)
        op = record.op
        block = self.names.folding.block_of.get(op)
        faces = [value for value in op.gives if value in self.cards]
        if block is None or not faces:
            return
        step = self.steps[-1]
        step["kind"] = "fold"
        step.pop("formula", None)
        behind = sum(value in self.names.folding.behind for inner in block.ops for value in inner.gives)
        made = self._told_results(step, faces[-most_of(len(faces), FACES) :], len(faces) + behind)
        tapes = [recorder for recorder in self.known_by.get(faces[-1], []) if recorder.kind == "tape"]
        wrote = " " + self.words("fold.wrote", who=listed([self._who(tape) for tape in tapes])) if tapes else ""
        label = block.label[0].upper() + block.label[1:] if WORDS.match(block.label) else block.label
        step["say"] = self.words("fold", label=label, ops=self._ops(block), made=made) + wrote
        self.groups.append({
            "id": block.id, "label": block.label, "kind": block.kind, "parent": block.parent or None,
            "face": self.cards[faces[-1]]["id"], "values": sum(len(inner.gives) for inner in block.ops),
            "from": self.now, "to": self.now + 1,
        })  # fmt: skip
        for value in faces:
            self.cards[value]["group"] = block.id

    def _on_back_through(self, record: BackThrough) -> None:
        """The shares of a whole block, which came back one after the other."""
        recorder, op = record.recorder, record.op
        out = next((value for value in op.gives if value in self.cards), None)
        if recorder not in self._asked or out is None:
            return
        cell = self._asked[recorder][0]
        step = self._step("contribution", "", record.site)
        self._caused(step, op)
        said = []
        for value, part in record.arrived.items():
            if value not in self.cards:
                continue
            share = self._part(self._holds(value, cell), self.snap(part), record.counts.get(value, 1))
            self._carry(self._edge(value, out, op.takes.index(value)), recorder, share, step)
            self._put_gradient(recorder, value, self.snap(part))
            self._focus(step, value, cell)
            said.append(self.words("fold.of", name=self.name(value), what=self._spelled(part)))
        self._mark(step, recorder, self._kind("back", recorder))
        block = self.names.folding.block_of.get(op)
        label = self.name(out) if block is None else block.label
        again = label.startswith(BACK)  # through what a backward pass did
        label = label.removeprefix(BACK)
        what = label if block is None else self.words("fold.many", label=label, ops=self._ops(block))
        step["say"] = self.words(
            "fold.back.again" if again else "fold.back", what=what, said=self._most(said, ", ", record.more)
        )

    def _most(self, said: list[str], between: str, besides: int = 0) -> str:
        """As many parts as a sentence has room for in a low window, and how many more there are."""
        told = said[: most_of(len(said), ANSWERED + 1)]
        text, more = between.join(told), len(said) - len(told) + besides
        return self.words("results.more", said=text, count=more) if more else text

    def _ops(self, block: Block) -> str:
        return self.words("ops.one") if len(block.ops) == 1 else self.words("ops.many", count=len(block.ops))

    def _part(self, before: Snapshot | None, after: Snapshot, count: int) -> Snapshot | str:
        """What a block added to a gradient: the difference, or how many shares it was where that is no single number."""
        if before is None:
            return after
        if before.value is None or after.value is None:
            return self.words("fold.share") if count == 1 else self.words("fold.shares", count=count)
        return number(after.value - before.value)

    def _on_rounds(self, record: Rounds) -> None:
        """Rounds of a loop that are not opened: only what comes out of them is told."""
        step = self._step("fold", "", record.site)
        said = []
        for value in [value for value in record.values if value in self.names.cards]:
            self._card(value, born=0 if value.variable else None)
            self._set(value, "v", self.name(value), "value", self.snap(value))
            self._focus(step, value, "v")
            name, what = self.name(value), self._spelled(value)
            changed = value.variable  # else it came to be in these rounds
            said.append(self.words("rounds.now" if changed else "result", name=name, what=what))
        for recorder, state in record.states:
            if state == "spent":
                self._free(recorder, step)
            self._state(recorder, state)
        rest = self._most(said, "; ") or self.words("rounds.nothing")
        single, before = record.count == 1, sum(group["id"].split()[0] == ALL for group in self.groups)
        step["say"] = self.words("rounds.one" if single else "rounds", count=record.count, ops=record.ops, rest=rest)
        label = self.words(f"rounds.label{'.one' * single}", first=record.first + 1, last=record.first + record.count)
        self.groups.append({
            "id": f"{ALL} {before + 1}" if before else ALL, "label": label, "kind": "repeat", "parent": None,
            "values": record.ops, "from": self.now, "to": self.now + 1,
        })  # fmt: skip
