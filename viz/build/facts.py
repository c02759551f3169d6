"""What a story is made of: steps, and the facts that they date: values with their cells, edges, pins.

Every change goes through a few small methods here; the rooms that tell events (coming, ops, way_back, tangents) use only these.
"""

from __future__ import annotations

from typing import Any

from minitape.record.events import Label
from minitape.record.ledger import HOLDERS, Buffer
from minitape.record.provenance import Site
from minitape.tensor import Tag
from minitape.trace import Application

from ..style import OWN_RULE
from .again import Region
from .cast import Cast
from .code import Program
from .formula import Operand, arguments, formula_words, terms
from .held import Held
from .numbers import Snapshot, spelled
from .run import Moment, Run


class Facts:
    """The parts of a scene while it is being told; `now` is the number of the step at hand."""

    def __init__(self, run: Run, cast: Cast, program: Program) -> None:
        self.cast = cast
        self.program = program
        self.values: dict[Tag, dict[str, Any]] = {}
        self.edges: dict[str, dict[str, Any]] = {}
        self.steps: list[dict[str, Any]] = []
        self.recorder_states: dict[Label, list[dict[str, Any]]] = {}
        self.known_by: dict[Tag, list[Label]] = {}
        self._snaps: dict[Tag, Snapshot] = dict(run.early)
        self._cells: dict[tuple[Tag, str], dict[str, Any]] = {}
        self._exact: dict[tuple[Tag, str], float | None] = {}  # what a cell holds, of which it shows a few digits
        self._calls: dict[tuple[Any, ...], str] = {}  # (tape, targets): the id of the cells of that question
        self._call: dict[Label, tuple[str, str, str]] = {}  # tape at work: cell id, the target's name, kind of cell
        self._made_by: dict[Tag, int] = {}  # the step whose op made a value
        self._rows: dict[Label, int | None] = {}
        self._targets: dict[Label, tuple[Tag, ...]] = {}
        self.names: list[dict[str, Any]] = []
        self.regions: dict[Region, dict[str, Any]] = {}
        self._given: dict[tuple[Any, ...], dict[str, str]] = {}  # by line: the names that it gave, with their values
        self._pending: dict[Label, dict[str, Any]] = {}
        self._pins: list[tuple[Label, dict[str, Any]]] = []
        self._told = False  # whether the moment at hand belongs to the last step
        self._high = 0
        self._gone: list[Tag] = []
        self._moved: list[tuple[Buffer, int]] = []
        self._held = Held(run, cast.cards, cast.again.first)

    # ---- steps --------------------------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """The number of the step being told."""
        return len(self.steps) - 1

    def _step(self, kind: str, say: str, site: Site | None) -> dict[str, Any]:
        step: dict[str, Any] = {"kind": kind, "say": say}
        place = self.program.place(site) if site is not None else None
        if place is not None:
            step["place"] = place
        before = {name: total for name, total in zip(HOLDERS, self.cast.run.before, strict=True) if total}
        step["memory"] = dict(self.steps[-1]["memory"]) if self.steps else before
        self.steps.append(step)
        self._told = True
        return step

    def _weigh(self, moment: Moment) -> None:
        """Charge the bytes after this moment to the step that tells it; what no step tells is on the way to the next one."""
        step = self.steps[-1]
        self._high = max(self._high, moment.high)
        self._gone.extend(moment.gone)
        self._moved.extend(moment.moved)
        if not self._told:
            return
        step["memory"] = {name: total for name, total in zip(HOLDERS, moment.memory, strict=True) if total}
        most, total = max(self._high, step.pop("high", 0)), sum(moment.memory)
        if most > total:
            step["high"] = most
        for tag in self._held.moved(self._moved):
            if tag in self.values:
                self._held.write(tag, self.values[tag], self.now)
        for tag in self._gone:
            if tag in self.values and self.now > 0:
                self._leaves(self.values[tag], self._held.by(tag))
        self._high, self._gone, self._moved = 0, [], []

    def _over(self, region: Region) -> None:
        """A region has given back what it was asked for."""

    def _leaves(self, value: dict[str, Any], still: str) -> None:
        """A value's last handle is gone, or that of a rerun; and its bytes, unless somebody still holds them."""
        if "gone" not in value and not still:
            value["gone"] = self.now
            if value["kind"] == "variable":
                value["held"][-1].setdefault("to", self.now)
        if value.get("again") and "to" not in value["again"][-1] and self.now > value["again"][-1]["from"]:
            value["again"][-1]["to"] = self.now

    def _add(self, step: dict[str, Any], key: str, *items: Any) -> None:
        held = step.setdefault(key, [])
        held.extend(one for one in items if one not in held)

    def _produced(self, step: dict[str, Any], name: str, text: str) -> None:
        """Say beside the line what it gave; a line that gives several names shows them all."""
        if name and "place" in step:
            given = self._given.setdefault(tuple(step["place"]), {})
            given[name] = text
            together = ", ".join(f"{one} = {what}" for one, what in given.items())
            step.setdefault("produced", [])[:] = [
                *[one for one in step.get("produced", []) if one[0] != step["place"]],
                [step["place"], together],
            ]

    # ---- words --------------------------------------------------------------------------------------------------------

    def _id(self, label: Label) -> str:
        return self.cast.recorder_ids[label]

    def _who(self, label: Label) -> str:
        return self.cast.recorder_names[label]

    def _kind(self, base: str, label: Label) -> str:
        return base + ("2" if self.cast.order[label] > 1 else "")

    def _spelled(self, tag: Tag) -> str:
        return spelled(self._snaps[tag]) if tag in self._snaps else "unknown"

    def name(self, tag: Tag) -> str:
        """What the picture calls a value; a tangent without a card is called by what it is the tangent of."""
        if tag in self.cast.names:
            return self.cast.names[tag]
        if tag in self.cast.tangents:
            label, of = self.cast.tangents[tag]
            return f"{self._who(label)}'s tangent of {self.name(of)}"
        return "a gradient" if tag in self.cast.gradients else "a value"

    def _operand(self, tag: Tag) -> Operand:
        value = self.values.get(tag)
        kind = value["cells"][0]["kind"] if value else "value"
        return Operand(self.name(tag), self._snaps.get(tag, Snapshot("?", None)), kind, value["id"] if value else "")

    def _words(self, application: Application) -> dict[str, Operand]:
        """The operands under the names of the table's row; beside another one, a sum or product stands in brackets."""
        words = {name: self._operand(tag) for name, tag in zip(arguments(application), application.inputs, strict=True)}
        if len(words) == 1:
            return words
        return {name: one._replace(symbol=_bracketed(one.symbol)) for name, one in words.items()}

    def _written(self, application: Application) -> str:
        words = self._words(application)
        return " ".join(term[0] for term in terms(formula_words(application), words))

    # ---- values, cells, edges, pins ---------------------------------------------------------------------------------------

    def work_of(self, tag: Tag) -> tuple[Label | None, str]:
        """The recorder in whose work a value arose, and whether that was a way back or a tangent; (None, "") for neither."""
        application = self.cast.applications.get(tag) or self.cast.hidden.get(tag)
        if tag in self.cast.made and self.cast.made[tag].event.site.assigned_name():
            return None, ""  # a seed that the learner made and named
        if application is not None:
            actor = application.context.actor
            return actor, {
                "gradient": "gradient",
                "recompute": "gradient",
                "rebuild": "gradient",
                "jvp": "tangent",
            }.get(application.context.phase, "")
        if tag in self.cast.tangents:
            return self.cast.tangents[tag][0], "tangent"
        label = self.cast.gradients.get(tag)
        # An answer that the learner goes on with is the learner's own again; a seed belongs to the way back.
        return (None, "") if label is None or tag in self._answered else (label, "gradient")

    @property
    def _answered(self) -> set[Tag]:
        return self.cast.answered

    def _value(self, tag: Tag, born: int | None = None, site: Site | None = None) -> dict[str, Any]:
        """The card of a value, made when it is first told of."""
        if tag in self.values:
            return self.values[tag]
        application = self.cast.applications.get(tag)
        actor, work = self.work_of(tag)
        if tag in self.cast.hidden:
            actor, work = None, ""  # a factor from a rule: to the eye a plain number
        made = self.cast.made.get(tag)
        kind = "variable" if tag.variable else work or ("constant" if made is not None else "value")
        value: dict[str, Any] = {
            "id": f"v{len(self.values)}", "name": self.cast.names[tag], "kind": kind,
            "order": 0 if actor is None else self.cast.order[actor], "dtype": str(tag.dtype), "shape": list(tag.shape),
            "bytes": tag.nbytes,
        }  # fmt: skip
        if application is not None:
            value["op"], value["sign"] = application.op, application.primitive.sign
            if application.tick in self.cast.again.own_rules:
                value["custom"], value["sign"] = True, OWN_RULE
        place = self.program.place(site) if site is not None else None
        if place is not None:
            value["place"] = place
        value["born"] = self.now if born is None else born
        value["cells"] = []
        self.values[tag] = value
        self._held.write(tag, value, value["born"])
        self._made_by[tag] = value["born"]
        role = self._kind(work, actor) if actor is not None else "value"
        snap = self._snaps.get(tag)
        label = "" if snap is not None and snap.text == value["name"] else value["name"]  # a number is its own name
        self._set(tag, "v", label, role, snap, t=value["born"])
        return value

    def _set(
        self, tag: Tag, cell: str, label: str, kind: str, snap: Snapshot | str | None, *, by: Label | None = None,
        why: str = "", t: int | None = None,
    ) -> None:  # fmt: skip
        """Date a new content of a cell."""
        value = self._value(tag)
        found = self._cells.get((tag, cell))
        if found is None:
            found = {"id": cell, "label": label, "kind": kind, "states": []}
            if by is not None:
                found["by"] = self._id(by)
            self._cells[tag, cell] = found
            value["cells"].append(found)
        self._exact[tag, cell] = snap.value if isinstance(snap, Snapshot) else None
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

    def _holds(self, tag: Tag, cell: str) -> Snapshot | None:
        """What a gradient or tangent cell holds now, with its number; None for an empty slot."""
        found = self._cells.get((tag, cell))
        if found is None or not found["states"] or not found["states"][-1]["text"]:
            return None
        last = found["states"][-1]
        return Snapshot(last["text"], last.get("data"), self._exact.get((tag, cell)))

    def _never(self, tag: Tag, actor: Label) -> None:
        start = self.cast.recorders.index(actor)
        for label in self.cast.recorders[start:]:
            if label.kind == "accumulator":
                self._set(tag, f"t:{self._id(label)}", self._who(label), self._kind("tangent", label), "∅", by=label)

    def _edge(self, a: Tag, b: Tag, slot: int) -> dict[str, Any]:
        one, two = self.values[a]["id"], self.values[b]["id"]
        identity = f"{one}>{two}:{slot}"
        return self.edges.setdefault(identity, {"id": identity, "a": one, "b": two, "slot": slot})

    def _free(self, label: Label, step: dict[str, Any]) -> None:
        self._add(step, "marks", [self._id(label), "free"])
        for one, pin in self._pins:
            if one is label:
                pin.setdefault("to", self.now)


def _bracketed(symbol: str) -> str:
    depth = 0
    for sign in symbol:
        depth += (sign in "([") - (sign in ")]")
        if depth == 0 and sign in "+-−×*/":
            return f"({symbol})"
    return symbol
