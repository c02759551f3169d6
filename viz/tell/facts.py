"""What a scene is made of while it is told: steps, and the facts that they date: cards with their cells, edges, pins.

Every change goes through a few small methods here; the rooms that tell records (recorders, ops, backward, tangents …) use only
these.  A *value* is the stream's, a *card* is what the scene says of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ..capture.numbers import Snapshot, spelled
from ..capture.records import Op, Record, Recorder, Site, Value
from ..layout.chips import chip_fits
from ..scene import of_order
from ..style import OWN_RULE
from .also import by_their_lines
from .beside import Beside
from .claim import arguments, formula_words
from .formula import Operand, Term, equation, few, terms
from .holders import Holders
from .names import Names
from .program import Program
from .spelling import dotted, enclosed
from .told import Region
from .words import Words, listed

ANSWERED = 3  # results or gradients that one sentence tells: three lines


def most_of(count: int, most: int) -> int:
    """Of how many things a sentence speaks that has room for `most`: "one more" is no shorter than the one.

    >>> most_of(4, 3), most_of(5, 3)
    (4, 3)
    """
    return most if count > most + 1 else count


class Facts:
    """The parts of a scene while it is being told; `now` is the number of the step at hand."""

    def __init__(self, names: Names, program: Program, words: Words) -> None:
        self.names = names
        self.program = program
        self.words = words
        self.beside = Beside(program, self._in_words)
        self.cards: dict[Value, dict[str, Any]] = {}
        self.edges: dict[str, dict[str, Any]] = {}
        self.steps: list[dict[str, Any]] = []
        self.stretches: list[dict[str, Any]] = []  # the program's own names on the time axis
        self.groups: list[dict[str, Any]] = []
        self.regions: dict[Region, dict[str, Any]] = {}
        self.recorder_states: dict[Recorder, list[dict[str, Any]]] = {}
        self.known_by: dict[Value, list[Recorder]] = {}
        self._snaps: dict[Value, Snapshot] = {}
        self._finer: dict[Value, str] = {}  # what needs more digits than usual
        self._cells: dict[tuple[Value, str], dict[str, Any]] = {}
        self._of_cell: dict[str, list[dict[str, Any]]] = {}  # by cell id: the cells of all cards that have it
        self._shares: dict[str, list[dict[str, Any]]] = {}  # by cell id: what edges show of that question
        self._then: dict[tuple[Op, Value], Snapshot] = {}  # what a variable held when an op took it
        self._held: dict[tuple[Value, str], Snapshot] = {}  # what a cell holds, of which it shows a few digits
        self._questions: dict[tuple[Any, ...], str] = {}  # (tape, targets): the id of the cells of that question
        self._asked: dict[Recorder, tuple[str, str, str]] = {}  # tape at work: cell id, the target's name, kind of cell
        # Those whose names are too long, in the order of their questions.
        self._long_targets: dict[tuple[Value, ...], int] = {}
        self._made_by: dict[Value, int] = {}  # the step whose op made a value
        self._explained = -1  # the step whose op has been told as a share or a sum on the way back
        self._rows: dict[Recorder, int | None] = {}
        self._targets: dict[Recorder, tuple[Value, ...]] = {}
        self._looked_up: list[Value | None] = []  # tangents that were asked for together
        self._parts: set[Op] | None = None  # of calls in the program's own rules, worked out when the first is met
        # By op after which calls return: what they give, in which region, to which line under which name.
        self._returning: dict[Op, list[tuple[Value, Region | None, tuple[Site, str]]]] = {}
        self._pending: dict[tuple[Recorder, Value], dict[str, Any]] = {}
        # What a value held of gradients before shares reached the door of a region, which hands on their sum.
        self._before_door: dict[tuple[Recorder, Value], Snapshot | None] = {}
        self._added_at_door: set[tuple[Recorder, Value]] = (
            set()
        )  # what was told there to be added to what had come before
        self._pins: dict[Recorder, list[dict[str, Any]]] = {}
        self._pins_of: dict[str, list[dict[str, Any]]] = {}  # by op, where its source says when each lets go
        self._operands = partial(by_their_lines, self.by_row, names.also) if names.also else self.by_row
        self.told = False  # whether the record at hand belongs to the last step
        self._high = 0
        self._gone: list[Value] = []
        self._moved: list[tuple[Value, str]] = []
        self._holders = Holders(names.stream.holders, names.cards, names.replays)

    # ---- steps --------------------------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """The number of the step being told."""
        return len(self.steps) - 1

    def _step(self, kind: str, say: str, site: Site | None) -> dict[str, Any]:
        step: dict[str, Any] = {"kind": kind, "say": say}
        place = self.program.place(site)
        if place is not None:
            step["place"] = place
        step["memory"] = (
            dict(self.steps[-1]["memory"]) if self.steps else self.names.stream.by_holder(self.names.stream.before)
        )
        self.steps.append(step)
        self.told = True
        return step

    def _caused(self, step: dict[str, Any], op: Op | None) -> None:
        """Name the line whose entry is being reversed."""
        place = None if op is None else self.program.place(op.site)
        if place is not None:
            step["cause"] = place

    def _weigh(self, record: Record) -> None:
        """Charge the bytes after this record to its step; without a step of its own, to the next one."""
        step = self.steps[-1]
        self._high = max(self._high, record.high)
        self._gone.extend(record.gone)
        self._moved.extend(record.moved)
        if not self.told:
            return
        if record.memory:
            step["memory"] = self.names.stream.by_holder(record.memory)
        most, total = max(self._high, step.pop("high", 0)), sum(step["memory"].values())
        if most > total:
            step["high"] = most
        for value in self._holders.moved(self._moved):
            if value in self.cards:
                self._holders.write(value, self.cards[value], self.now)
        for op in record.let_go:
            for pin in self._pins_of.pop(op.id, ()):
                pin.setdefault("to", self.now)
        for value in self._gone:
            if value in self.cards and self.now > 0:
                self._leaves(self.cards[value], self._holders.by(value))
        self._high, self._gone, self._moved = 0, [], []

    def _leaves(self, card: dict[str, Any], still: str) -> None:
        """A value's last handle is gone, or that of a rerun; and its bytes, unless somebody still holds them."""
        if "gone" not in card and not still:
            card["gone"] = self.now
            if card["kind"] == "variable" and card.get("held"):
                card["held"][-1].setdefault("to", self.now)
        if card.get("again") and "to" not in card["again"][-1] and self.now > card["again"][-1]["from"]:
            card["again"][-1]["to"] = self.now

    def _add(self, step: dict[str, Any], key: str, *items: Any) -> None:
        held = step.setdefault(key, [])
        held.extend(item for item in items if item not in held)

    def _mark(self, step: dict[str, Any], recorder: Recorder | None, mark: str) -> None:
        if recorder in self.names.recorder_ids:
            self._add(step, "marks", [self.names.recorder_ids[recorder], mark])

    def _focus(self, step: dict[str, Any], value: Value, cell: str = "") -> None:
        """Draw the eye to a card, or to one of its cells."""
        identity = self._card(value)["id"]
        self._add(step, "focus", [identity, cell] if cell else identity)

    def _told_results(self, step: dict[str, Any], told: Sequence[Value], count: int) -> str:
        """What an op gave: of `count` values these are told, and these alone the eye is drawn to."""
        step["focus"] = [self._card(value)["id"] for value in told]
        said = ", ".join(self.words("result", name=self.name(value), what=self._spelled(value)) for value in told)
        return said if len(told) == count else self.words("results.more", said=said, count=count - len(told))

    # ---- words --------------------------------------------------------------------------------------------------------

    def _id(self, recorder: Recorder) -> str:
        return self.names.recorder_ids[recorder]

    def _who(self, recorder: Recorder | None) -> str:
        return self.names.recorder_names[recorder] if recorder in self.names.recorder_names else self.words("somebody")

    def _kind(self, base: str, recorder: Recorder) -> str:
        return of_order(base, self.names.order.get(recorder, 1))

    def _spelled(self, value: Value) -> str:
        snap = self._seen(value)
        return self._finer.get(value) or (self.words("unknown") if snap is None else spelled(snap))

    def _in_words(self, value: Value) -> tuple[str, str]:
        """A value in words, and shorter."""
        return self._spelled(value), self.snap(value).text

    def snap(self, value: Value) -> Snapshot:
        """The numbers of a value at this moment."""
        return self._seen(value) or Snapshot("?")

    def _seen(self, value: Value) -> Snapshot | None:
        """What a value is now; before any record says so, what it was when the run first met it."""
        return self._snaps.get(value, value.early)

    def gradient(self, recorder: Recorder, value: Value, snap: Snapshot) -> Operand:
        """A tape's gradient of a value, as formulas have it."""
        target = self._asked[recorder][1] if recorder in self._asked else "?"
        symbol = f"∂{enclosed(target)}/∂{enclosed(self.name(value))}"
        return Operand(symbol, snap, self._kind("gradient", recorder), self._id_of(value))

    def tangent(self, recorder: Recorder, value: Value, snap: Snapshot) -> Operand:
        """An accumulator's tangent of a value, as formulas have it."""
        symbol = dotted(self.name(value), self.names.rank.get(recorder, 1))
        return Operand(symbol, snap, self._kind("tangent", recorder), self._id_of(value))

    def _id_of(self, value: Value) -> str:
        return str(self.cards[value]["id"]) if value in self.cards else ""

    def name(self, value: Value) -> str:
        """What the picture calls a value; a tangent without a card is called by what it is the tangent of."""
        if value in self.names.names:
            return self.names.names[value]
        if value in self.names.tangents:
            recorder, of = self.names.tangents[value]
            return self.words("a_tangent", who=self._who(recorder), of=self.name(of))
        return self.words("a_gradient" if value in self.names.gradients else "a_value")

    def operand(self, value: Value) -> Operand:
        """A value as formulas have it."""
        kind = self.cards[value]["cells"][0]["kind"] if value in self.cards else "value"
        return Operand(self.name(value), self.snap(value), kind, self._id_of(value), self._finer.get(value, ""))

    def by_row(self, op: Op, known: Op | None = None) -> dict[str, Operand]:
        """The operands under the names of the table's row; a variable as it was when the op, or the one it is known by, ran."""
        return {
            name: self.operand(value)._replace(snap=self.taken(known or op, value))
            for name, value in zip(arguments(op), op.takes, strict=True)
        }

    def taken(self, op: Op, value: Value) -> Snapshot:
        """What an op took: a variable as it was when the op ran, or when that ran which a backward pass goes back through."""
        return self._then.get((op, value)) or self.snap(value)

    def _note_variables(self, op: Op, known: Op | None = None) -> None:
        """Remember what an op takes of variables, which may hold something else when a backward pass comes to it.

        An op of a backward pass takes what was kept, and one that runs again what its region was given.
        """
        cause = op.context.cause
        for value in op.takes:
            if value.variable:
                self._then[known or op, value] = self.snap(value) if cause is None else self.taken(cause, value)

    def _written(self, op: Op) -> str:
        return " ".join(term[0] for term in terms(formula_words(op), self._operands(op)))

    def _equation(self, op: Op, out: Value) -> list[Term]:
        """What an op gives, and what it is made of."""
        left, operands = self.operand(out), self._operands(op)
        symbol, text = left.symbol, left.text
        if op.own_rule:  # it gives all of its results at once
            given = [self.operand(value) for value in op.gives]
            symbol = ", ".join([each.symbol for each in given])
            text = ", ".join([each.text for each in given])
        return equation([symbol, text, left.kind, left.value], formula_words(op), operands)

    def _recorders_of(self, value: Value) -> str:
        return listed(list(dict.fromkeys(map(self._who, self.known_by.get(value, []))))) or self.words("nobody")

    # ---- values, cells, edges, pins ---------------------------------------------------------------------------------------

    def work_of(self, value: Value) -> tuple[Recorder | None, str]:
        """The recorder in whose work a value arose, and whether that was a backward pass or a tangent; (None, "") for neither."""
        made = self.names.made.get(value)
        op = self.names.ops.get(value) or self.names.hidden.get(value)
        if made is not None and made.site is not None and made.site.name:
            return None, ""  # a seed that the program made and named
        if op is not None:
            kind = {"forward": "", "jvp": "tangent"}.get(op.context.phase, "gradient")
            return op.context.actor if op.context.actor in self.names.order else None, kind
        if value in self.names.tangents:
            return self.names.tangents[value][0], "tangent"
        recorder = self.names.gradients.get(value)
        # An answer that the program goes on with is the program's own again; a seed belongs to the backward pass.
        return (None, "") if recorder is None or value in self.names.answered else (recorder, "gradient")

    def _card(self, value: Value, born: int | None = None, site: Site | None = None) -> dict[str, Any]:
        """The card of a value, made when it is first told of."""
        if value in self.cards:
            return self.cards[value]
        op = self.names.ops.get(value)
        actor, work = self.work_of(value)
        if value in self.names.hidden:
            actor, work = None, ""  # a factor from a rule, shown as a plain number
        kind = "variable" if value.variable else work or ("constant" if value in self.names.made else "value")
        name = self.name(value)
        card: dict[str, Any] = {
            "id": f"v{len(self.cards)}", "name": name, "kind": kind,
            "order": 0 if actor is None else self.names.order[actor], "dtype": value.dtype, "shape": list(value.shape),
            "bytes": value.bytes,
        }  # fmt: skip
        if op is not None:
            card["op"], card["sign"] = op.row.name, op.row.sign
            if op in self.names.replays.own_rules:
                card["custom"], card["sign"] = True, OWN_RULE
        place = self.program.place(site)
        if place is not None:
            card["place"] = place
        card["born"] = self.now if born is None else born
        card["cells"] = []
        self.cards[value] = card
        self._holders.write(value, card, card["born"])
        self._made_by[value] = card["born"]
        role = self._kind(work, actor) if actor is not None else "value"
        snap = self._seen(value)
        label = "" if snap is not None and snap.text == name else name  # a number is its own name
        self._set(value, "v", label, role, snap, t=card["born"])
        return card

    def _set(
        self, value: Value, cell: str, label: str, kind: str, snap: Snapshot | str | None, *, by: Recorder | None = None,
        why: str = "", t: int | None = None,
    ) -> None:  # fmt: skip
        """Date a new content of a cell."""
        card = self._card(value)
        found = self._cells.get((value, cell))
        if found is None:
            found = {"id": cell, "label": label, "kind": kind, "states": []}
            if by is not None:
                found["by"] = self._id(by)
            self._cells[value, cell] = found
            self._of_cell.setdefault(cell, []).append(found)
            card["cells"].append(found)
        if snap is not None:
            self._held[value, cell] = Snapshot(snap) if isinstance(snap, str) else snap
        state: dict[str, Any] = {"t": self.now if t is None else t}
        if isinstance(snap, str):
            state["text"] = snap
        elif snap is not None:
            state["text"] = snap.text
            if snap.data is not None:
                state["data"] = snap.data
        if why:
            state["why"] = why
        if found["states"] and found["states"][-1]["t"] == state["t"]:
            found["states"].pop()
        if "text" in state:
            found["states"].append(state)

    def _holds(self, value: Value, cell: str) -> Snapshot | None:
        """What a gradient or tangent cell holds now, with its numbers; None for an empty slot."""
        found = self._cells.get((value, cell))
        return (
            self._held[value, cell] if found is not None and found["states"] and found["states"][-1]["text"] else None
        )

    def moved_unseen(self, op: Op, recorder: Recorder, moving: Sequence[int]) -> bool:
        """Whether an operand has a tangent that is folded away, so that nobody can say what those that are seen make."""
        return any(
            (recorder, value) in self.names.carried and op.row.differentiable(at)
            for at, value in enumerate(op.takes) if at not in moving
        )  # fmt: skip

    def arrived(self, recorder: Recorder, value: Value) -> Snapshot | None:
        """What has come back to a value so far, for the question that a tape is answering."""
        return self._holds(value, self._asked[recorder][0]) if recorder in self._asked else None

    def _never(self, value: Value, actor: Recorder) -> None:
        """The accumulators that do not see a recorder's own work: a cell that will stay empty, and says so."""
        if actor not in self.names.recorders:
            return
        for recorder in self.names.recorders[self.names.recorders.index(actor) :]:
            if recorder.kind == "accumulator":
                kind = self._kind("tangent", recorder)
                self._set(value, f"t:{self._id(recorder)}", self._who(recorder), kind, "∅", by=recorder)

    def _edge(self, a: Value, b: Value, slot: int) -> dict[str, Any]:
        maker, reader = self._card(a)["id"], self._card(b)["id"]
        identity = f"{maker}>{reader}:{slot}"
        return self.edges.setdefault(identity, {"id": identity, "a": maker, "b": reader, "slot": slot})

    def _pin(self, recorder: Recorder, *held: dict[str, Any], op: Op | None = None) -> dict[str, Any]:
        """A pin on cards or edges: a recorder keeps what they show for an op, until it lets go."""
        pin = {"by": self._id(recorder), "from": self.now}
        if op is not None:
            self._pins_of.setdefault(op.id, []).append(pin)
        self._pins.setdefault(recorder, []).append(pin)
        for place in held:
            place.setdefault("kept", []).append(pin)
        return pin

    def _carry(self, edge: dict[str, Any], recorder: Recorder, snap: Snapshot | str, step: dict[str, Any]) -> None:
        """A gradient came back along an edge, and is shown there as numbers if they are few."""
        cell, _, kind = self._asked[recorder]
        text = snap if isinstance(snap, str) else snap.text
        told = "" if isinstance(snap, str) else few(snap)
        if told and chip_fits(told):
            text = told
        share = {"t": self.now, "by": self._id(recorder), "kind": kind, "text": text}
        edge.setdefault("carried", []).append(share)
        self._shares.setdefault(cell, []).append(share)
        self._add(step, "flow", [edge["id"], "back" + kind.removeprefix("gradient")])

    def _state(self, recorder: Recorder, state: str) -> None:
        """What a recorder does from this step on."""
        states = self.recorder_states.setdefault(recorder, [])
        if states and states[-1]["t"] == self.now:
            states.pop()
        states.append({"t": self.now, "state": state})

    def _free(self, recorder: Recorder, step: dict[str, Any]) -> None:
        self._mark(step, recorder, "free")
        for pin in self._pins.get(recorder, []):
            pin.setdefault("to", self.now)

    def _over(self, region: Region) -> None:
        """A region has given back what it was asked for."""
