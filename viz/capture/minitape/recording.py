"""minitape's recorder: it listens to the core while a program runs, and keeps what it hears in columns.

Recording should cost a program little, so that nothing is spelled, looked up or made into records here (`reading` does that when
somebody asks): of an event there stay the core's own record, a few numbers in flat arrays, and no object besides.
"""

from __future__ import annotations

import weakref
from array import array
from collections import deque
from time import perf_counter
from typing import Any

from minitape.errors import CountedAnew, Elsewhere
from minitape.record.blocks import Block
from minitape.record.events import Event, here, listening, state, ticks
from minitape.record.ledger import PYTHON, Buffer, ledger
from minitape.record.provenance import Site, learner_frame, name_in
from minitape.record.warning import warn
from minitape.tensor import Operand, Tag, Tensor
from minitape.trace import Application
from minitape.why.log import in_another_thread

from ...schema import clean
from ..numbers import Snapshot, snapshot, whole
from ..run import Recorded
from ..stream import Stream

Number = float | Snapshot  # one number is kept as it is: an array, as a few digits of it
next_count = [0.0]  # when the ledger is to be counted anew at the earliest
ROOM = 32_000_000  # bytes of whole arrays that a run keeps for the microscope: the oldest go first


class Run(Recorded):
    """What `viz.record()` collected: what happened, in order, and the program's names for values.

    It holds descriptions, a few digits, and copies of the numbers of small arrays, never an array of the program's.  `stream`
    is the same as records.  Its scene and how it shows itself are not its business: viz/__init__.py gives it a face.
    """

    def __init__(self, site: Site, title: str = "", lead: str = "", limit: int | None = None) -> None:
        super().__init__(title, lead)
        if limit is not None and (type(limit) is not int or limit < 1):
            raise ValueError(f"limit is how many events to keep, 1 or more, not {limit!r}: viz.record(limit=5000)")
        self.block, self.limit = site, limit
        self.error = ("", "")  # the kind and the message of the one that ended the block
        # Of an op that ran there is only the application: it says all that its event says.
        self.events: list[Event | Application] = []
        # Values with their numbers, event after event; `numbered` has the end of each event's stretch.
        self.tags: list[Tag] = []
        self.numbers: list[Number] = []
        self.numbered = array("q")
        self.moves = array("q")  # how long `moved` was when each event was noted
        # The next two are written while values die, where Python swallows interrupts: one instruction adds a whole row or none.
        self.gone: list[Any] = []  # in which event a last handle died, and the value's tag: one behind the other
        # In which event bytes came to another holder, the bytes, and to whom (-1: nobody).  How many bytes each holder had at
        # any moment follows from it (`reading`).
        self.moved: list[Any] = []
        self.kept: dict[int, tuple[Tag, ...]] = {}  # by event of a call: the results of calls so far that a tape keeps
        self.names: dict[Tag, str] = {}
        self.early: dict[Tag, Snapshot] = {}  # values that were there before: what they were when first seen
        self.held_early: dict[Tag, int] = {}  # and who held them
        self.early_bytes: dict[Buffer, int] = {}  # their bytes, with the same holder
        self._shared: dict[Buffer, list[Tag]] = {}  # values whose bytes are another's, or a variable's
        self._results: dict[Tag, Buffer] = {}  # of whole calls, which a tape may keep
        self._known: set[Buffer] = set()
        self._named: set[Tag] = set()  # made on a line that names them: frames need not be searched
        # A value never changes, so its numbers are looked at once.
        self._seen: dict[Tag, Number] = {}
        self._naming: dict[tuple[int, int], bool] = {}
        self._wholes: deque[Snapshot] = deque()
        self._room = ROOM
        # The event that a change of holder belongs to: after an event, what is let go or changes hands still belongs to it; the
        # next allocation, and all that follows, belongs to the next one.
        self._at = 0
        self._hearing = False
        self._waiting: list[Event] = []
        self._reference = weakref.ref(self)
        self._alone = (self._reference,)  # the followers of most values: one tuple for all of them
        self._stream: tuple[int, Stream] | None = None

    @property
    def stream(self) -> Stream:
        """The run as records, free of minitape."""
        from .reading import stream_of

        if self._stream is None or self._stream[0] != len(self.events):
            self._stream = len(self.events), stream_of(self)
        return self._stream[1]

    def __len__(self) -> int:
        return len(self.events)

    # ---- listening ----------------------------------------------------------------------------------------------------

    def hear(self, event: Event, tensors: tuple[Any, ...]) -> None:
        """Note one event (a listener of minitape's)."""
        if len(self.events) == self.limit:
            self.leave()
            return
        if self._hearing:  # Python's collector deleted a tape in the middle of this
            self._waiting.append(event)
            return
        self._hearing = True
        try:
            self._note(event, tensors)
        finally:
            self._hearing = False
        while self._waiting:
            self.hear(self._waiting.pop(0), ())

    @property
    def full(self) -> bool:
        """Whether there are as many events as the run was to keep."""
        return len(self.events) == self.limit

    def leave(self) -> None:
        """Stop listening.  A block that ends later may put listeners back; the next event then comes here again."""
        state.change(listeners=tuple([listener for listener in state.listeners if listener != self.hear]))
        ledger.observers = tuple([observer for observer in ledger.observers if observer != self.observe])
        self.listening = False

    def _note(self, event: Event, tensors: tuple[Any, ...]) -> None:
        self._at = len(self.events)
        seen, kind, noted = self._seen, event.kind, event
        if kind == "op":
            noted = application = event.facts["application"]
            inputs = application.inputs
            for tag, tensor in zip(inputs, tensors, strict=False):
                if tag not in seen:
                    self._meet_early(tag, tensor)
            tensors = tensors[len(inputs) :]
            if application.context.phase == "forward":
                self._learn_names(application, inputs)
            if application.primitive.kind == "call":
                self._results.update((tensor.tag, tensor.buffer) for tensor in tensors)
                self.kept[self._at] = tuple([tag for tag, buffer in self._results.items() if ledger.kept(buffer)])
        elif kind == "made" and event.facts["implicit"]:
            self._named.add(event.facts["tag"])  # a number that stands in a formula: nobody named it
        for tensor in tensors:
            if tensor is not None:
                tag = tensor.tag
                number = seen.get(tag)
                self.tags.append(tag)
                self.numbers.append(self._look(tag, tensor) if number is None or tag.variable else number)
        self.numbered.append(len(self.numbers))
        self.moves.append(len(self.moved))
        self.events.append(noted)

    def _look(self, tag: Tag, tensor: Tensor) -> Number:
        """What a value is that is seen for the first time, or that may have changed."""
        if tag not in self._seen:
            self._follow(tag, tensor)
        number = self._seen[tag] = self._number(tag, tensor.array)
        return number

    def _number(self, tag: Tag, value: Any) -> Number:
        return self._snapshot(value) if tag.shape or tag.dtype.kind != "f" else float(value)

    def _snapshot(self, value: Any) -> Snapshot:
        """A few digits of an array, and all of its numbers while there is room."""
        found = snapshot(value)
        found.whole = whole(value) if value.ndim else None
        if found.whole is not None:
            self._wholes.append(found)
            self._room -= len(found.whole.data)
        while self._room < 0:
            oldest = self._wholes.popleft()
            self._room += len(oldest.whole.data) if oldest.whole else 0
            oldest.whole = None
        return found

    def _follow(self, tag: Tag, tensor: Tensor) -> None:
        tag.followers = (*tag.followers, self._reference) if tag.followers else self._alone
        if tensor.buffer is not tag:
            self._shared.setdefault(tensor.buffer, []).append(tag)

    def _meet_early(self, tag: Tag, tensor: Tensor) -> None:
        """A value that was there before the run."""
        self._follow(tag, tensor)
        number = self._seen[tag] = self._number(tag, tensor.array)
        self.early[tag] = snapshot(tensor.array) if isinstance(number, float) else number
        buffer = tensor.buffer
        if buffer not in self._known:
            self._known.add(buffer)
            self.held_early[tag] = self.early_bytes[buffer] = ledger.charged(buffer)

    def _learn_names(self, application: Any, inputs: tuple[Tag, ...]) -> None:
        for tag in inputs:
            if tag not in self.names and tag not in self._named:
                self._name(tag)
        place = (
            id(application.code),
            application.lasti,
        )  # the id is enough while the code is alive, and code objects are slow to compare
        named = self._naming.get(place)
        if named is None:
            named = self._naming[place] = bool(application.site.assigned_name())
        if named:
            self._named.update(application.outputs)

    def _name(self, tag: Tag) -> None:
        """Find the program's name for a value in the frame that uses it."""
        name = name_in(learner_frame(), lambda held: isinstance(held, Operand) and held.tag is tag)
        if name:
            self.names[tag] = clean(name)

    def forget(self, tag: Tag) -> None:
        """The last handle on a value is gone (a recorder's duty, which tensors know to tell)."""
        if not tag.handles and self.events and self.listening:
            self.gone += (len(self.events) - 1, tag)

    def observe(self, buffer: Buffer, before: int, after: int) -> None:
        """Some bytes are charged to another holder (an observer of the ledger's)."""
        if before < 0:
            self._known.add(buffer)
            self._at = len(self.events)
        elif buffer not in self._known:
            return  # older than the run, and not of it
        elif after < 0:
            self._known.discard(buffer)
        self.moved += (self._at, buffer, after)

    # ---- what was noted ---------------------------------------------------------------------------------------------------

    def values_in(self, buffer: Buffer) -> list[Tag]:
        """The values whose bytes these are: views share them."""
        shared = self._shared.get(buffer, [])
        return [buffer, *shared] if isinstance(buffer, Tag) else shared


class Recording(Block):
    """The block of `with viz.record() as run`."""

    def __init__(self, run: Run, sure: bool = True) -> None:
        self.run = run
        self._sure = sure  # whether to add up the bytes anew first, which looks at every object that there is

    def __repr__(self) -> str:
        return "<viz.record(): nothing is watched yet; it watches a block: with viz.record() as run: …>"

    def __enter__(self) -> Run:
        run = self.run
        if self._sure:
            counted_right()
        self._since = next(ticks)
        self._listening = listening(run.hear)
        self.entered = True
        run.listening = True
        ledger.observers = (*ledger.observers, run.observe)
        self._listening.__enter__()
        return run

    def leave(self, kind: Any, problem: Any, trace: Any) -> None:
        """Stop watching; an error that ends the block is a part of the run."""
        self.put_back()
        if kind is not None:
            self.run.error = clean(kind.__name__), clean(str(problem))
        if in_another_thread(self._since):
            warn(
                Elsewhere,
                "ops ran in another thread while viz.record() watched this one, and are not in the run.\n"
                "  Watch them where they run: with viz.record() as run: … in the function that the thread calls.",
            )

    def put_back(self) -> None:
        """Stop watching."""
        if self._listening.entered:
            self._listening.put_back()
        ledger.observers = tuple([observer for observer in ledger.observers if observer != self.run.observe])
        self.run.listening = False
        self.entered = False


def counted_right() -> None:
    """Recount the bytes in use before a run begins; sums that an interrupt left wrong are mended, with a warning.

    Counting goes through every object, so it is done only if it takes less than a twentieth of the time since the last count.
    Somebody who presses Ctrl-C and starts again takes longer than that.
    """
    if state.holder != PYTHON or len(state.alive.threads) > 1:  # amid a backward pass, or another thread's work
        return
    began = perf_counter()
    if began < next_count[0]:
        return
    wrong = ledger.recount()
    ended = perf_counter()
    next_count[0] = ended + 20.0 * (ended - began)
    if wrong:
        told = ", ".join(f"{name} {change:+} bytes" for name, change in wrong.items())
        warn(
            CountedAnew,
            f"the bytes in use were added up anew, and the sums were not right: {told}.\n"
            "  An interrupt (Ctrl-C) in the middle of an op leaves them so. The run begins with the right ones.",
        )


def record(title: str = "", lead: str = "", limit: int | None = None) -> Recording:
    """The block of `with viz.record() as run`."""
    return Recording(Run(here(), title, lead, limit))
