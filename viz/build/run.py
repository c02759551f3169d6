"""A run: everything that happened while somebody watched."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any

from minitape.record.events import Event, here, listening
from minitape.record.ledger import HOLDERS, Buffer, ledger
from minitape.record.provenance import Site, learner_frame, name_in
from minitape.tensor import Operand, Tag, Tensor

from .numbers import Snapshot, snapshot

NOTHING = (0,) * len(HOLDERS)
NO_NUMBERS: Mapping[Tag, Snapshot] = {}
_NONE: Any = ()


class Moment:
    """One event, with the numbers of that moment and the bytes of every holder once it had settled."""

    __slots__ = ("event", "gone", "high", "kept", "memory", "moved", "numbers")

    def __init__(
        self, event: Event, numbers: Mapping[Tag, Snapshot], memory: tuple[int, ...] = NOTHING, high: int = 0
    ) -> None:
        self.event = event
        self.numbers = numbers
        self.memory = memory  # by holder, in the order of ledger.HOLDERS
        self.high = high  # the most bytes since the moment before
        # Most moments lose nothing: lists are made where there is something to put in.
        self.gone: list[Tag] = _NONE  # values whose last handle died in it
        self.moved: list[tuple[Buffer, int]] = _NONE  # bytes that came to another holder in it; -1 is nobody
        self.kept: tuple[Tag, ...] = ()  # of a call: the results of calls so far that a tape still keeps


class Run:
    """What `viz.record()` collected: moments in order, and the learner's names for values.

    It holds descriptions and a few digits, never an array of the program's.  Its scene and how it shows itself are
    not its business: viz/__init__.py gives it a face.
    """

    def __init__(self, site: Site) -> None:
        self.site = site
        self.moments: list[Moment] = []
        self.names: dict[Tag, str] = {}
        self.early: dict[Tag, Snapshot] = {}  # values that were there before: what they were when first seen
        self.listening = False
        self.title = ""
        self.lead = ""
        self.before = [0] * len(HOLDERS)  # bytes of the values that were there when the run began, by holder
        self._totals = [0] * len(HOLDERS)
        self._total = self._high = 0
        self.held_early: dict[Tag, int] = {}  # and who held them
        self._met_late: list[tuple[int, int, int]] = []  # after how many moments, holder and bytes
        self._shared: dict[Buffer, list[Tag]] = {}  # values whose bytes are another's, or a variable's
        self._results: dict[Tag, Buffer] = {}  # of whole calls, which a tape may keep
        self._moved: list[tuple[Buffer, int]] = []  # since the last moment settled
        self._known: set[Buffer] = set()
        self._met: set[Tag] = set()
        self._named: set[Tag] = set()  # made on a line that names them: no frame need be searched
        self._shots: dict[
            Tag, Snapshot
        ] = {}  # a value never changes: what was seen of it serves each time that it comes by
        self._naming: dict[tuple[Any, int], bool] = {}
        # After an event, what is let go or changes hands still belongs to it; the next allocation belongs to the next one.
        self._settling = False
        self._reference = weakref.ref(self)

    # ---- listening ----------------------------------------------------------------------------------------------------

    def hear(self, event: Event, tensors: tuple[Any, ...]) -> None:
        """Note one event (a listener of minitape's)."""
        numbers: Mapping[Tag, Snapshot] = NO_NUMBERS
        kept: tuple[Tag, ...] = ()
        if event.kind == "op":
            application = event.facts["application"]
            count = len(application.inputs)
            for tensor in tensors[:count]:
                if tensor._tag not in self._met:
                    self._meet(tensor._tag, tensor, early=True)
            numbers = {one._tag: self._see(one) for one in tensors[count:]}
            if application.context.phase == "forward":
                self._learn_names(application)
            if application.primitive.kind == "call":
                self._results.update((one._tag, one._buffer) for one in tensors[count:])
                kept = tuple(tag for tag, buffer in self._results.items() if ledger.kept(buffer))
        else:
            if event.kind == "made" and event.facts["implicit"]:
                self._named.add(event.facts["tag"])  # a number that stands in a formula: nobody named it
            if tensors:
                numbers = {one._tag: self._see(one) for one in tensors if one is not None}
        total = self._total
        moment = Moment(event, numbers, tuple(self._totals), self._high if self._high > total else total)
        moment.kept = kept
        if self._moved:
            moment.moved, self._moved = self._moved, []
        self.moments.append(moment)
        self._high, self._settling = total, True

    def _see(self, tensor: Tensor) -> Snapshot:
        tag = tensor._tag
        shot = self._shots.get(tag)
        if shot is None or tag.variable:
            if tag not in self._met:
                self._meet(tag, tensor, early=False)
            shot = self._shots[tag] = snapshot(tensor._array)
        return shot

    def _meet(self, tag: Tag, tensor: Tensor, early: bool) -> None:
        self._met.add(tag)
        tag.followers += (self._reference,)
        if tensor._buffer is not tag:
            self._shared.setdefault(tensor._buffer, []).append(tag)
        if early:
            self.early[tag] = snapshot(tensor._array)
            if tensor._buffer not in self._known:
                self._known.add(tensor._buffer)
                holder = self.held_early[tag] = ledger.charged(tensor._buffer)
                if holder >= 0:
                    self._charge(holder, tensor._buffer.nbytes)
                    self._met_late.append((len(self.moments), holder, tensor._buffer.nbytes))

    def _learn_names(self, application: Any) -> None:
        for tag in application.inputs:
            if tag not in self.names and tag not in self._named:
                self._name(tag)
        if self._names_its_result(application):
            self._named.update(application.outputs)

    def _names_its_result(self, application: Any) -> bool:
        place = (application.code, application.lasti)
        if place not in self._naming:
            self._naming[place] = bool(application.site.assigned_name())
        return self._naming[place]

    def _name(self, tag: Tag) -> None:
        """Find the learner's name for a value in the frame that uses it."""
        name = name_in(learner_frame(), lambda held: isinstance(held, Operand) and held._tag is tag)
        if name:
            self.names[tag] = name

    def forget(self, tag: Tag) -> None:
        """The last handle on a value is gone (a recorder's duty, which tensors know to tell)."""
        if self.moments and self.listening:
            moment = self.moments[-1]
            if moment.gone:
                moment.gone.append(tag)
            else:
                moment.gone = [tag]

    def observe(self, buffer: Buffer, before: int, after: int) -> None:
        """Some bytes are charged to another holder (an observer of the ledger's)."""
        if before < 0:
            self._known.add(buffer)
            self._settling = False
        elif buffer not in self._known:
            return  # older than the run, and not of it
        if before >= 0:
            self._totals[before] -= buffer.nbytes
            self._total -= buffer.nbytes
        if after >= 0:
            self._charge(after, buffer.nbytes)
        else:
            self._known.discard(buffer)
        if self._settling:
            moment = self.moments[-1]
            moment.memory = tuple(self._totals)
            if moment.moved:
                moment.moved.append((buffer, after))
            else:
                moment.moved = [(buffer, after)]
        else:
            self._moved.append((buffer, after))

    def ended(self) -> None:
        """Count what was there before the run from its beginning on, and not only from where the run first met it."""
        late, self._met_late = self._met_late, []
        for place in range(len(self.moments), -1, -1):
            while late and late[-1][0] == place:
                _, holder, nbytes = late.pop()
                self.before[holder] += nbytes
            if not place or not any(self.before):
                continue
            moment = self.moments[place - 1]
            moment.memory = tuple([one + more for one, more in zip(moment.memory, self.before, strict=True)])
            moment.high += sum(self.before)

    def values_in(self, buffer: Buffer) -> list[Tag]:
        """The values whose bytes these are: views share them."""
        shared = self._shared.get(buffer, [])
        return [buffer, *shared] if isinstance(buffer, Tag) else shared

    def _charge(self, holder: int, nbytes: int) -> None:
        self._totals[holder] += nbytes
        self._total = total = self._total + nbytes
        if total > self._high:
            self._high = total

    def __len__(self) -> int:
        return len(self.moments)


class Recording:
    """The block of `with viz.record() as run`."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def __enter__(self) -> Run:
        run = self.run
        run.listening = True
        ledger.observers = (*ledger.observers, run.observe)
        self._listening = listening(run.hear)
        self._listening.__enter__()
        return run

    def __exit__(self, *exception: Any) -> None:
        self.run.listening = False
        self._listening.__exit__(None, None, None)
        ledger.observers = tuple(one for one in ledger.observers if one != self.run.observe)
        self.run.ended()


def record(title: str = "", lead: str = "") -> Recording:
    """Watch everything that happens inside the block, of any depth; the run can be stepped through afterwards.

    Args: title and lead, words that stand above the pictures.

    >>> import minitape as tf, viz
    >>> with viz.record() as run:
    ...     x = tf.Variable(3.0)
    ...     with tf.GradientTape() as tape:
    ...         y = x * x
    ...     slope = tape.gradient(y, x)
    >>> run.scene.steps[-1]["say"]
    'slope is 6. tape lets go of everything that it kept.'
    """
    run = Run(here())
    run.title, run.lead = title, lead
    return Recording(run)
