"""What takes part in a run: sources, sites, recorders, values, rows, ops and their contexts; `records.py` tells of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .numbers import Snapshot

# Classes are compared by identity: two values are two values, however alike they look.


@dataclass(slots=True, eq=False)
class Source:
    """A file or cell of the program's, whole."""

    id: str
    label: str = ""  # what a reader calls it: "cell 2", "lesson.py"
    lines: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Site:
    """One instruction of the program's."""

    id: str
    source: Source | None = None
    line: int = 0
    function: str = "<module>"
    begins: int = 0  # the line where that function begins
    names: Any = ""  # what its result is assigned to: a name, or a nested list of names; "" for none
    text: str = ""  # the expression, as the source has it
    form: str = ""  # call | training (a call, of `fit`, say, that returns none of its tensors) | augmented | ""
    operands: tuple[str, ...] = ()  # the names of the expression's operands; "" for one that is no plain name

    @property
    def name(self) -> str:
        """The one name that its result is given, or ""."""
        return self.names if isinstance(self.names, str) else ""


@dataclass(slots=True, eq=False)
class Recorder:
    """Who listens to ops: a tape, a graph, an accumulator."""

    id: str
    kind: str = "tape"  # tape (goes back) | accumulator (carries tangents along)
    name: str = ""


@dataclass(slots=True, eq=False)
class Value:
    """What an op takes and gives; a variable is a value whose content changes."""

    id: str
    dtype: str = "float32"
    shape: tuple[int, ...] = ()
    bytes: int = 0
    variable: bool = False
    name: str = ""  # the program's name for it, where one was found beside the line that uses it
    label: str = ""  # the name that the program gave the value itself
    early: Snapshot | None = None  # of a value that was there before the run: what it was when first seen
    held: str = ""  # and which holder had its bytes
    # Lines that got it from a function or as an item, and their names: "y", "ys[0]".
    given_to: tuple[tuple[Site, str], ...] = ()


@dataclass(slots=True, eq=False)
class Row:
    """What is said of all ops of one kind: a row of a derivative table, in words."""

    id: str
    name: str
    sign: str = ""  # what its disc shows; its name, if nothing is said
    formula: str = ""  # in the names of its arguments; "" for what cannot be said
    derivatives: tuple[str, ...] = ()  # by each argument, with `d` for what arrives
    # By each argument, what its tangent `d` adds; none for an op that works number by number, whose `derivatives` say that too.
    pushes: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    variadic: bool = False  # takes any number of values
    inert: tuple[int, ...] = ()  # arguments that no derivative comes back to
    same: str = ""  # what minitape calls the row that computes the same, where this framework calls it otherwise

    def __post_init__(self) -> None:
        self.sign = self.sign or self.name
        if not self.pushes:
            self.formula = self.formula or f"{self.name}({', '.join(self.arguments)})"

    def differentiable(self, position: int) -> bool:
        """Whether a derivative comes back to an argument."""
        return (0 if self.variadic else position) not in self.inert


@dataclass(slots=True, eq=False)
class Context:
    """What was going on around a record."""

    phase: str = "forward"  # forward | gradient | jvp | recompute | rebuild
    cause: Op | None = None  # the op that is being reversed or pushed forward
    actor: Recorder | None = None  # the recorder at work
    # accumulate: an addition that joins what arrives at one value | residual: only for the backward pass.
    role: str = ""
    scope: str = ""
    layer: str = ""
    region: tuple[str, ...] = ()
    loop: str = ""
    iteration: int | None = None


FORWARD = Context()


@dataclass(slots=True, eq=False)
class Op:
    """One op, applied."""

    id: str
    row: Row
    takes: tuple[Value, ...] = ()
    gives: tuple[Value, ...] = ()
    site: Site | None = None
    context: Context = FORWARD
    taken: tuple[Recorder, ...] = ()  # who wrote it down
    refused: tuple[tuple[Recorder, str], ...] = ()  # who did not, and why
    saved: tuple[tuple[Recorder, tuple[int, ...]], ...] = ()  # who keeps what: inputs by position, outputs by ~position
    region: str = ""  # the region that this stands for as one entry
    own_rule: bool = False  # it goes back by a rule of the program's own
    # Of the call, by name: only where the program ran, not in JSON.
    settings: Any = field(default=None, metadata={"here": True})

    def saves(self, recorder: Recorder) -> tuple[Value, ...]:
        """The values that a recorder keeps of it."""
        return tuple([self.at(place) for by, places in self.saved if by is recorder for place in places])

    def save(self, recorder: Recorder, place: int) -> None:
        """Note that a recorder keeps one more of its inputs or outputs."""
        places = next((places for by, places in self.saved if by is recorder), ())
        if place not in places:
            others = [(by, kept) for by, kept in self.saved if by is not recorder]
            self.saved = (*others, (recorder, (*places, place)))

    def at(self, place: int) -> Value:
        """An input by its position, an output by ~position."""
        return self.takes[place] if place >= 0 else self.gives[~place]
