"""minitape's recorder: it listens to the core while a program runs, and keeps what it hears in one long list.

Recording should cost a program little, so that nothing is counted, spelled, looked up or made into records here (`reading` does
that when somebody asks): what happened stands one behind the other, as it came, and no object is made for it.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Iterable
from operator import itemgetter
from sys import exc_info
from time import perf_counter
from typing import Any

from numpy import floating

from minitape.errors import CountedAnew, Elsewhere
from minitape.record.blocks import Block
from minitape.record.events import Event, here, listening, state, ticks
from minitape.record.ledger import PYTHON, Buffer, ledger
from minitape.record.provenance import Site, learner_frame
from minitape.record.warning import warn
from minitape.tensor import Tag, Tensor
from minitape.why.log import in_another_thread

from ...schema import clean
from ..numbers import Snapshot, snapshot, whole
from ..run import Recorded
from ..stream import Stream
from .caught import Handled, raised_at
from .naming import Naming

Number = Any  # one number is kept as it is; an array, as a few digits of it: a Snapshot
# In the list, a value whose last handle died, and one from before the run that was met: see `Run.log`.
GONE, MET = "gone", "met"
# Events that come by the thousand, and their facts, the value that comes with them last.  They stand in the list without the
# objects that they came as, which Python's collector would visit again and again.
OFTEN = {
    "contribution": ("label", "into", "position", "first", "part"),
    "total": ("label", "into", "total"),
    "made": ("kind", "implicit", "tag"),
}
facts_of = {kind: itemgetter(*names) for kind, names in OFTEN.items()}
count_of = {kind: len(names) for kind, names in OFTEN.items()}
next_count = [0.0]  # when the ledger is to be counted anew at the earliest
ROOM = 32_000_000  # bytes of whole arrays that a run keeps for the microscope: the oldest go first


class Run(Recorded):
    """What `viz.record()` collected: what happened, in order, and the program's names for values.

    It holds descriptions, a few digits, and copies of the numbers of small arrays, never an array of the program's.  `stream`
    is the same as records.  Its scene and how it shows itself are not its business: viz/__init__.py gives it a face.

    >>> x = tf.Variable([1.0, 2.0])
    >>> with viz.record("squares") as run, tf.GradientTape() as tape:
    ...     y = x * x
    >>> run.title, [record.kind for record in run.stream.records]
    ('squares', ['enter', 'watch', 'op', 'exit'])
    """

    marks, often = (GONE, MET), OFTEN

    def __init__(self, site: Site, title: str = "", lead: str = "", limit: int | None = None) -> None:
        super().__init__(title, lead)
        if limit is not None and (type(limit) is not int or limit < 1):
            raise ValueError(f"limit is how many events to keep, 1 or more, not {limit!r}: viz.record(limit=5000)")
        self.block, self.limit = site, limit
        self.naming = Naming(site)
        self.handled = Handled()
        self.error = ("", "")  # the kind and the message of the one that ended the block
        self.failed = site  # where in the program it was raised
        # What happened, in order, each thing as a few items of one list (`reading.unfold` takes it apart again):
        #   an op that ran: its application;
        #   an event of the kinds in `OFTEN`: its kind, tick, site and context, and its facts;
        #   another event: the event, how many values come with it, and each value's tag and number;
        #   bytes that came to another holder: the buffer, and its holders before and after (-1: nobody), from the ledger;
        #   GONE and the tag of a value whose last handle died, where its bytes do not say so: of a view, of what has views, of
        #   a variable;
        #   MET, the tag, the buffer and its holder, of a value that was there before the run.
        # Some is written while values are freed, where Python swallows interrupts: one instruction adds a whole item or nothing.
        self.log: list[Any] = []
        self.observe = self.log.extend  # what the ledger tells of a buffer goes straight into it
        self.kept: dict[int, tuple[Tag, ...]] = {}  # by place of a call: the results of calls so far that a tape keeps
        self.early: dict[Tag, Snapshot] = {}  # values that were there before: what they were when first seen
        # What each value was when it was first seen: one number, or a snapshot.  All but variables stay so.
        self.numbers: dict[Tag, Number] = {}
        self.shared: dict[Buffer, list[Tag]] = {}  # values whose bytes are another's, or a variable's
        self._results: dict[Tag, Buffer] = {}  # of whole calls, which a tape may keep
        self._wholes: deque[Snapshot] = deque()
        self._room = ROOM
        self._heard = 0  # events, where there is a limit
        self._hearing = False
        self._waiting: list[Event] = []
        self._reference = weakref.ref(self)
        self._stream: tuple[int, Stream] | None = None
        self._counted = 0, 0  # by how long the log was: how many events there are in it

    @property
    def stream(self) -> Stream:
        """The run as records, free of minitape."""
        from .streaming import stream_of

        if self._stream is None or self._stream[0] != len(self.log):
            self._stream = len(self.log), stream_of(self)
        return self._stream[1]

    def __len__(self) -> int:
        from .streaming import unfold

        if self._counted[0] != len(self.log):
            self._counted = len(self.log), len(unfold(self).events)
        return self._counted[1]

    def _meet_error(self, event: Event) -> None:
        """What the program is dealing with happened before this."""
        problem = exc_info()[1]
        error = None if problem is None else self.handled.met(problem, event)
        if error is not None:
            self.log += (error, 0)

    def forget_error(self, event: Event | None) -> None:
        """Take back that the program caught an error."""
        if event is not None:
            place = next(place for place, item in enumerate(self.log) if item is event)
            self.log[place] = event._replace(kind="")

    # ---- listening ----------------------------------------------------------------------------------------------------

    def hear(self, event: Event, tensors: tuple[Any, ...]) -> None:
        """Note one event (a listener of minitape's)."""
        if self._hearing:  # Python's collector deleted a tape in the middle of this
            self._waiting.append(event)
            return
        if self.limit is not None:
            if self.full:
                self.leave()
                return
            self._heard += 1
        self._hearing = True
        try:
            kind, tick, application, context, facts = event
            numbers = self.numbers
            if kind == "op":
                outcomes = application.outcome
                if outcomes.__class__ is not tuple:
                    outcomes = (outcomes,)
                made = -len(outcomes)
                forward, done = context[0] == "forward", self.naming.done
                for tensor in tensors[:made]:
                    tag = tensor.tag
                    if tag not in numbers:
                        self._meet_early(tensor)
                    if forward and tag not in done:
                        self.naming.used(tag)
                if forward:
                    self.naming.made(application, outcomes)
                    if exc_info()[1] is not None:
                        self._meet_error(event)
                if application.primitive.kind == "call":
                    self._note_results(tensors[made:])
                for tensor in tensors[made:]:
                    if tensor.tag not in numbers:
                        self._see(tensor)
                self.log.append(application)
            elif count_of.get(kind) == len(facts):  # a variable that is made has a name, too
                if kind == "made":
                    if facts["kind"] == "constant":
                        self.naming.constant(facts["tag"], facts["implicit"])
                    if exc_info()[1] is not None:
                        self._meet_error(event)
                if tensors[0].tag not in numbers:
                    self._see(tensors[0])
                self.log += (kind, tick, application, context, *facts_of[kind](facts))
            else:
                if exc_info()[1] is not None:
                    self._meet_error(event)
                if self.naming.waiting:
                    self.naming.look_meanwhile()
                found = [tensor for tensor in tensors if tensor is not None]
                row: list[Any] = [event, len(found)]
                for tensor in found:
                    row += (tensor.tag, self._look(tensor))
                self.log += row
                if kind == "gradient":
                    self.name_the_rest(facts["sources"])
                elif kind == "gradients":
                    self.naming.answered(tensor.tag for tensor in found)
                elif facts.get("explicit") or facts.get("seed") or kind == "look-up":
                    # The program watches a value, gives it a tangent, or asks for one.
                    tag = facts["tag" if kind == "watch" else "of"]
                    if tag not in self.naming.done:
                        self.naming.used(tag)
        finally:
            self._hearing = False
        while self._waiting:
            self.hear(self._waiting.pop(0), ())

    @property
    def full(self) -> bool:
        """Whether there are as many events as the run was to keep."""
        return self._heard == self.limit

    def leave(self) -> None:
        """Stop listening.  A block that ends later may put listeners back; the next event then comes here again."""
        state.change(listeners=tuple([listener for listener in state.listeners if listener != self.hear]))
        ledger.observers = tuple([observer for observer in ledger.observers if observer != self.observe])
        self.listening = False

    def _look(self, tensor: Tensor) -> Number:
        """What a value holds: what was noted of it before, unless it may have changed since."""
        tag = tensor.tag
        if tag not in self.numbers:
            self._see(tensor)
        elif tag.variable:
            self.numbers[tag] = self._number(tag, tensor.array)
        return self.numbers[tag]

    def _see(self, tensor: Tensor) -> None:
        """Look at a value that was not seen before."""
        tag, buffer, number = tensor.tag, tensor.buffer, tensor.array
        if buffer is not tag:
            if buffer not in self.shared:
                self.shared[buffer] = []
                if isinstance(buffer, Tag):
                    if buffer.handles:
                        self._follow(buffer)
                    elif buffer in self.numbers:  # a whole call's result has the bytes of one that it was made of
                        self.log += (GONE, buffer)
            self.shared[buffer].append(tag)
            self._follow(tag)
        self.numbers[tag] = number if isinstance(number, floating) else self._number(tag, number)

    def _number(self, tag: Tag, value: Any) -> Number:
        return self._snapshot(value) if tag.shape or tag.dtype.kind != "f" else float(value)

    def _follow(self, tag: Tag) -> None:
        """Be told when the last handle on a value goes, which the ledger does not say of it."""
        tag.followers = (*tag.followers, self._reference)

    def _note_results(self, outputs: tuple[Any, ...]) -> None:
        """The results of a whole call, which a tape may keep."""
        self._results.update((tensor.tag, tensor.buffer) for tensor in outputs)
        self.kept[len(self.log)] = tuple([tag for tag, buffer in self._results.items() if ledger.kept(buffer)])

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

    def _meet_early(self, tensor: Tensor) -> None:
        """A value that was there before the run."""
        tag, number = tensor.tag, self._look(tensor)
        self.early[tag] = number if isinstance(number, Snapshot) else snapshot(tensor.array)
        self.log += (MET, tag, tensor.buffer, ledger.charged(tensor.buffer))

    def name_the_rest(self, variables: Iterable[Tag]) -> None:
        """Look for names in what the program holds now; for variables in its objects, too."""
        self.naming.rest(learner_frame(), variables, self.numbers)

    def forget(self, tag: Tag) -> None:
        """The last handle on a value is gone (a recorder's duty, which tensors know to tell)."""
        if not tag.handles and self.listening:
            self.log += (GONE, tag)


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
        self.run.name_the_rest(self.run.early)
        self.put_back()
        if kind is not None:
            self.run.error = clean(kind.__name__), clean(str(problem))
            self.run.failed = raised_at(trace) or self.run.block
            self.run.forget_error(self.run.handled.ended_by(problem))
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
