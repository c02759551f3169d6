"""What happened while a program ran, as records with their facts, whatever framework it was.

This is the contract between sources, which watch a program, and telling, which makes a Scene of it.  It knows no class of any
framework and holds no array.  What takes part, values, ops and recorders, is in `parts.py`, and can be imported from here too.
`docs/stream.md` is made from what stands in both; `stream.py` writes and reads it as JSON.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar, dataclass_transform

from .numbers import Snapshot
from .parts import FORWARD, Context, Op, Recorder, Row, Site, Source, Value  # noqa: F401  who reads records finds here what takes part in them


@dataclass(slots=True, eq=False, kw_only=True)
class Record:
    """What every record may say beside its own facts."""

    kind: ClassVar[str] = ""

    site: Site | None = None
    context: Context = FORWARD
    numbers: Mapping[Value, Snapshot] = field(default_factory=dict)  # what its values were at this moment
    memory: tuple[int, ...] = ()  # bytes by holder, once it had settled
    high: int = 0  # the most bytes since the record before
    gone: tuple[Value, ...] = ()  # values without a handle from here on
    moved: tuple[tuple[Value, str], ...] = ()  # values whose bytes came to a holder; "" is nobody
    kept: tuple[Value, ...] = ()  # of the results of whole regions so far, those that a recorder keeps
    let_go: tuple[Op, ...] = ()  # ops whose saved values a recorder has let go of since the record before


Kind = TypeVar("Kind", bound=type[Record])


@dataclass_transform(eq_default=False, kw_only_default=True)
def of_kind(kind: str) -> Callable[[Kind], Kind]:
    """Make a class the records of this kind."""

    def enter(made: Kind) -> Kind:
        made.kind = kind
        return dataclass(slots=True, eq=False, kw_only=True)(made)  # type: ignore[return-value]

    return enter


@dataclass(slots=True, eq=False, kw_only=True)
class OfRecorder(Record):
    """What happens to a recorder, or by its work."""

    recorder: Recorder


@dataclass(slots=True, eq=False, kw_only=True)
class OfRun(Record):
    """What happens to one run of a region."""

    region: str
    path: tuple[str, ...] = ()
    run: int = 0


@of_kind("made")
class Made(Record):
    """A value is made from nothing: a variable, a constant, a number that stands in a formula."""

    value: Value
    implicit: bool = False  # it was converted on the way, and the program did not make it by itself
    name: str = ""


@of_kind("op")
class Applied(Record):
    """An op ran.  A region that a recorder takes as one entry is told so too, once its body has run."""

    op: Op


@of_kind("assign")
class Assigned(Record):
    """A variable changes."""

    value: Value
    how: str = "assign"


@of_kind("export")
class Exported(Record):
    """A value leaves for where no recorder follows."""

    value: Value
    how: str = ""


@of_kind("enter")
class Entered(OfRecorder):
    """A recorder starts to listen."""


@of_kind("exit")
class Left(OfRecorder):
    """A recorder stops to listen."""

    error: str = ""  # the kind of error that ended it


@of_kind("pause")
class Paused(OfRecorder):
    """A recorder does not listen for a while."""


@of_kind("resume")
class Resumed(OfRecorder):
    """A recorder goes on listening, innermost."""


@of_kind("reset")
class Reset(OfRecorder):
    """A recorder forgets everything and starts afresh."""


@of_kind("release")
class Released(OfRecorder):
    """A recorder lets go of everything that it kept."""


@of_kind("deleted")
class Deleted(OfRecorder):
    """A recorder is gone, and what it kept with it."""


@of_kind("watch")
class Watched(OfRecorder):
    """A recorder follows a value from here on."""

    value: Value
    explicit: bool = True  # the program asked for it


@of_kind("gradient")
class Asked(OfRecorder):
    """A backward pass begins."""

    targets: tuple[Value, ...]
    sources: tuple[Value, ...]
    row: int | None = None  # of a Jacobian, the row that it is for


@of_kind("seed")
class Seeded(OfRecorder):
    """A target's cotangent is put in."""

    into: Value
    part: Value


@of_kind("contribution")
class Contributed(OfRecorder):
    """A share comes back through one use of a value; the op that it came through is the cause in its context."""

    into: Value
    part: Value
    position: int  # which argument of the op
    first: bool = True  # nothing has arrived there before


@of_kind("total")
class Summed(OfRecorder):
    """What had arrived at a value and what arrives now are added."""

    into: Value
    total: Value


@of_kind("accumulate")
class Accumulated(OfRecorder):
    """What has arrived is added to a place beside a value (PyTorch's `.grad`); with no part, the place was changed or emptied."""

    into: Value
    part: Value | None = None
    held: Value | None = None  # what is in that place now; none for nothing


@of_kind("gradients")
class Answered(OfRecorder):
    """A backward pass is over: a cotangent for each source, or none."""

    sources: tuple[Value, ...]
    answers: tuple[Value | None, ...]
    row: int | None = None


@of_kind("left-out")
class LeftOut(OfRecorder):
    """The answer for a source leaves out one of its uses, or is none for that: its numbers left for Python, say, on the way."""

    of: Value
    what: str  # happened there, in words
    line: Site | None = None  # where


@of_kind("tangent")
class Carried(OfRecorder):
    """A tangent is put in, or carried along through an op."""

    of: Value
    tangent: Value
    seed: bool = False
    op: Op | None = None


@of_kind("look-up")
class LookedUp(OfRecorder):
    """A tangent is asked for; of a structure of values, one after the other."""

    of: Value
    found: Value | None = None
    part: int = 0  # which of the values that were asked for together
    parts: int = 1


@of_kind("region-open")
class RegionOpened(OfRun):
    """A region begins: what runs in it is kept as one entry and runs again in the backward pass."""


@of_kind("region-replay")
class RegionReplayed(OfRun):
    """A region begins to run again."""

    run: int = 1


@of_kind("region-close")
class RegionClosed(OfRun):
    """A run of a region is over."""

    saved: int = 0  # bytes that are kept of it
    plain: int = 0  # bytes that would be kept without the region


@of_kind("name-begins")
class NameBegins(Record):
    """A stretch of the program begins that has a name of the learner's."""

    name: str


@of_kind("name-ends")
class NameEnds(Record):
    """Such a stretch ends."""

    name: str


@of_kind("error")
class Failed(Record):
    """An error ends the run, or what a recorder was doing; or the program catches it, and goes on."""

    error: str  # its kind
    message: str = ""
    recorder: Recorder | None = None
    caught: bool = False


@of_kind("full")
class Full(Record):
    """The recording ends here, before its block does: it has as many events as it was to keep."""

    limit: int


KINDS: dict[str, type[Record]] = {
    found.kind: found
    for found in [*vars().values()]
    if isinstance(found, type) and issubclass(found, Record) and found.kind
}


Told = TypeVar("Told")


def changed(thing: Told, **facts: Any) -> Told:
    """The same record, op or context with other facts."""
    same: Any = thing
    other: Told = dataclasses.replace(same, **facts)
    return other
