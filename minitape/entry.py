"""The entries of a tape: what was applied, where, and what is kept of it for the backward pass."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

from .record.copies import Alone
from .record.ledger import TAPE
from .record.provenance import Site
from .rule import Plan
from .tensor import Tag, Tensor
from .trace import Application


class Value(NamedTuple):
    """A value as an entry remembers it: a description, never the numbers."""

    id: int
    shape: tuple[int, ...]
    dtype: str
    nbytes: int
    name: str

    @classmethod
    def of(cls, tag: Tag, name: str = "") -> Value:
        """The description of a tag."""
        return cls(tag.id, tag.shape, str(tag.dtype), tag.nbytes, name)


# Where an entry's other items stand, counted from its place, where its application is; and how many items an entry has.
PLAN, KEPT, USERS, WIDTH = 1, 2, 3, 4
# Where in the items the applications of all entries stand, what all of them keep, and what the last one keeps.
APPLICATIONS, ALL_KEPT, LAST_KEPT = slice(0, None, WIDTH), slice(KEPT, None, WIDTH), KEPT - WIDTH


class Entries:
    """All entries of a tape in one flat list, because Python's collector would visit an object for each again and again.

    An entry's place is the index at which it begins; places change when `fold` forgets older entries.
    """

    __slots__ = ("items",)

    def __init__(self) -> None:
        # Of each entry, added by one instruction, which no interrupt halves:
        #   its application, and its plan;
        #   what it keeps, in handles of the tape's own and never the learner's tensors, so that the ledger can tell the two
        #   apart: a tuple, which for a call ends with its pullback, or one handle where the plan says so; None once it has
        #   let go;
        #   how often later entries use an output of this one.
        self.items: list[Any] = []

    def add(self, application: Application, plan: Plan, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...]) -> int:
        """Write an application down and keep what its pullback needs; returns the place."""
        handles: dict[int, Tensor] = {}  # one for each tensor, however often the op takes it
        kept: Any = tuple([_handle(position, inputs, outputs, handles) for position in plan.positions])
        if plan.alone:
            (kept,) = kept
        elif plan.of_call:
            kept += (application.primitive.derivative(),)
        place = len(self.items)
        self.items += (application, plan, kept, 0)
        return place

    def let_go(self) -> None:
        """Keep nothing any more."""
        self.items[ALL_KEPT] = [None] * (len(self.items) // WIDTH)

    def holds(self, place: int) -> bool:
        """Whether an entry still has what its pullback needs."""
        return self.items[place + KEPT] is not None

    def handles(self, place: int) -> tuple[Tensor, ...]:
        """What an entry keeps, without a call's pullback."""
        _, plan, kept, _ = self.items[place : place + WIDTH]
        return () if kept is None else _handles(plan, kept)

    def values(self, place: int) -> list[Tensor | None]:
        """An entry's inputs and then its outputs, as far as they are kept."""
        application, plan, kept, _ = self.items[place : place + WIDTH]
        return values_of(application, plan, kept)

    def reachable(self, place: int) -> bool:
        """Whether a later entry uses one of the outputs, or anybody but this entry has a handle on one."""
        application, plan, _, users = self.items[place : place + WIDTH]
        if users > 0:
            return True
        if not plan.keeps_outputs:
            return True in [out.handles > 0 for out in application.outputs]
        # An output that is kept in two places has one handle in both.
        own = {id(handle): handle.tag for handle in self.handles(place)}.values()
        return True in [out.handles > sum([tag is out for tag in own]) for out in application.outputs]

    def fold(self, surplus: int) -> dict[int, int | None]:
        """Forget the oldest entries that keep nothing; returns the new place for each old one, None for those forgotten."""
        moved: dict[int, int | None] = {}
        staying: list[Any] = []
        for place in self.places:
            if surplus and not self.holds(place):
                surplus -= 1
                moved[place] = None
            else:
                moved[place] = len(staying)
                staying += self.items[place : place + WIDTH]
        self.items = staying  # a new list, for a walk may be on its way through the old one
        return moved

    def entry(self, place: int) -> Entry:
        """The entry at a place, as an object to be read."""
        return Entry(self, self.items[place], self.items[place + PLAN])

    def place_of(self, application: Application) -> int | None:
        """Where an application stands, or None where it was folded away."""
        items, places = self.items, self.places
        index = bisect_left(places, application.tick, key=lambda place: items[place].tick)
        return places[index] if index < len(places) and items[places[index]] is application else None

    @property
    def places(self) -> range:
        """The place of each entry."""
        return range(0, len(self.items), WIDTH)

    def __len__(self) -> int:
        return len(self.items) // WIDTH


def backwards(items: list[Any]) -> Iterator[tuple[int, int, Any, Plan, Application]]:
    """The entries from the last to the first: of each the index of what it keeps, and then its items in reverse order."""
    back = reversed(items)
    return zip(count(len(items) + LAST_KEPT, -WIDTH), back, back, back, back)


def values_of(application: Application, plan: Plan, kept: Any) -> list[Tensor | None]:
    """An application's inputs and then its outputs, as far as they are among what is kept."""
    values: list[Tensor | None] = [None] * (len(application.inputs) + len(application.outputs))
    if kept is not None:
        for position, handle in zip(plan.positions, _handles(plan, kept)):
            values[position] = handle
    return values


def _handles(plan: Plan, kept: Any) -> tuple[Tensor, ...]:
    return (kept,) if plan.alone else kept[: len(plan.positions)]


def _handle(
    position: int, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...], handles: dict[int, Tensor]
) -> Tensor:
    of_output = position >= len(inputs)
    value = outputs[position - len(inputs)] if of_output else inputs[position]
    handle = handles.get(id(value))
    if handle is None:
        handle = handles[id(value)] = Tensor(value.array, value.tag, value.buffer, TAPE)
    return handle


class Entry(Alone):
    """One application on one tape, to be read.

    `held` says whether the tape still keeps what the backward pass needs; everything else stays readable after that.

    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * x
    >>> entry = tape.entries[0]
    >>> entry.op, entry.saved[0].nbytes, entry.held
    ('multiply', 4, True)
    >>> _ = tape.gradient(y, x)
    >>> tape.entries[0].held
    False
    """

    __slots__ = ("_entries", "_plan", "application")

    def __init__(self, entries: Entries, application: Application, plan: Plan) -> None:
        self._entries = entries
        self._plan = plan
        self.application = application

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entry) and self.application is other.application and self._entries is other._entries

    def __hash__(self) -> int:
        return hash((id(self._entries), self.application.tick))

    @property
    def wanted(self) -> tuple[bool, ...]:
        """For each input whether the tape follows it: whether a cotangent must come back to it."""
        return self._plan.wanted

    # ---- what can be read ---------------------------------------------------------------------------------------------

    @property
    def id(self) -> int:
        """The tick of the application: later entries have larger ids."""
        return self.application.tick

    @property
    def op(self) -> str:
        """The op's name in the table."""
        return self.application.op

    @property
    def formula(self) -> str:
        """The op as mathematics, in the names of its row."""
        return self.application.primitive.formula

    @property
    def params(self) -> dict[str, Any]:
        """The op's settings, such as an axis."""
        return dict(self.application.params)

    @property
    def inputs(self) -> tuple[Value, ...]:
        """The inputs."""
        return tuple(Value.of(tag) for tag in self.application.inputs)

    @property
    def outputs(self) -> tuple[Value, ...]:
        """The outputs, with the learner's name where the source gives one."""
        name = self.application.site.assigned_name()
        return tuple(Value.of(tag, name) for tag in self.application.outputs)

    @property
    def saved(self) -> tuple[Value, ...]:
        """What the pullback needs, under the names of the row's rules; none of it may be held any more."""
        application = self.application
        names = application.primitive.save_names(application.primitive.saves(self.wanted))
        tags = [(*application.inputs, *application.outputs)[position] for position in self._plan.positions]
        return tuple(Value.of(tag, name) for tag, name in zip(tags, names, strict=True))

    @property
    def held(self) -> bool:
        """Whether the tape can still go back through this entry."""
        place = self._entries.place_of(self.application)
        return place is not None and self._entries.holds(place)

    def values(self) -> list[Tensor | None]:
        """The inputs and then the outputs, as far as the tape keeps them."""
        place = self._entries.place_of(self.application)
        if place is None:
            return [None] * (len(self.application.inputs) + len(self.application.outputs))
        return self._entries.values(place)

    @property
    def site(self) -> Site:
        """The learner's line: `.label`, `.line`, `.function`, `.text`."""
        return self.application.site

    @property
    def phase(self) -> str:
        """What the program was doing: forward, gradient or jvp."""
        return self.application.context.phase

    @property
    def cause(self) -> Application | None:
        """For a backward or a tangent op, the application that it is the derivative of."""
        return self.application.context.cause

    @property
    def scope(self) -> str:
        """The name scope."""
        return self.application.context.scope

    @property
    def layer(self) -> str:
        """The layer at work."""
        return self.application.context.layer

    @property
    def region(self) -> tuple[str, ...]:
        """The named regions around it, outermost first."""
        return self.application.context.region

    @property
    def recorded_by(self) -> tuple[str, ...]:
        """The names of the recorders that wrote this application down."""
        return tuple(label.name for label, reason in self.application.verdicts if not reason)

    @property
    def not_recorded_by(self) -> dict[str, str]:
        """The recorders that saw it and did not write it down, with the reason."""
        return {label.name: reason for label, reason in self.application.verdicts if reason}

    def __repr__(self) -> str:
        kept = ", ".join(f"{value.name} {value.nbytes} B" for value in self.saved) or "nothing"
        return f"<entry {self.op} at {self.site}; keeps {kept}{'' if self.held else ' (let go)'}>"
