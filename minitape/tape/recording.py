"""The half of a tape that listens: what it watches, and the entries that it writes down and drops."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import compress
from typing import Any, Self
from weakref import WeakSet, ref

from .. import nest
from ..entry import KEPT, PLAN, USERS, Entries, Entry
from ..errors import NoSlope, TapesPileUp
from ..record.blocks import Block
from ..record.busy import NOT_GIVEN, WithBrackets, missing, too_many, unexpected, without_door
from ..record.copies import Alone
from ..record.diary import Diary, moment
from ..record.events import Label, Verdict, emit, here, state, ticks
from ..record.ledger import ledger
from ..record.refusal import described, value_error
from ..record.warning import warn
from ..tensor import Operand, Tag, Tensor
from ..trace import Application, Sees, Verdicts, pop, push, unwind

REMEMBERED = 2000  # entries that a tape still describes after it dropped them while recording

RECORDED = Verdict.RECORDED  # what it says of an op that it writes down

WATCHED = -1  # stands where the place of an entry would, for what is watched: no entry made it

MANY = 100  # persistent tapes that may be alive at once before that looks like a leak
_persistent: WeakSet[Recording] = WeakSet()


class Recording(Block, Alone, metaclass=WithBrackets):
    """Writes down the ops on what it watches while it is entered, as one recorder among others (`trace.Recorder`)."""

    _with = "with tf.GradientTape() as tape:"
    sees = Sees.CALL
    most_dropped = 2 * REMEMBERED
    # The engine's generated functions write into it what `record` would (engine/forward.py), unless it must fold first.
    straight = True
    dropped = 0  # entries that were let go of since it last folded

    _recording = False  # whether it listens: not while it is paused inside its block
    _before: Any = ()  # what `state` was outside of its block
    _state = "new"  # new | open (has something to answer from) | spent

    @without_door("tf.GradientTape")
    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True, **unknown: Any) -> None:
        if unknown:
            raise unexpected(unknown)
        self.label = Label("tape", here())
        self.took: Verdicts = ((self.label, RECORDED),)
        self._persistent = persistent
        self._watch_accessed = watch_accessed_variables
        self.alone = (ref(self),)  # the followers of most values: one tuple for all of them
        self._begin()

    def __repr__(self) -> str:
        entries = self.entries
        kept = {value.id: value.nbytes for entry in entries if entry.held for value in entry.saved}
        count = f"{len(entries)} {'entry' if len(entries) == 1 else 'entries'}"
        if self._state == "spent":
            now = "it answered, and let go of what it kept"
        elif self._recording:
            now = f"listening, keeps {sum(kept.values())} B so far"
        elif not entries:
            now = "nothing that it watches went through an op in its block"
        else:
            now = f"keeps {sum(kept.values())} B for the backward pass"
        return f"<GradientTape {self.label.name}: {count}; {now}>"

    def __del__(self) -> None:
        if state is not None and state.listeners and self._holds():
            emit("deleted", label=self.label)

    def _forget_everything(self) -> None:
        self.dropped, self.straight = 0, True
        self._begin()

    def _begin(self) -> None:
        self.diary = Diary()
        self._variables: dict[Tag, Any] = {}
        # What it follows, with the place of the entry that made it; what is watched was made by none.
        self.followed: dict[Tag, int] = {}
        # Set last: handles in the old entries tell this tape when they go, and must find nothing to drop.
        self.written = Entries()

    # ---- listening ----------------------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        if self._state != "new":
            self._must_not_record()
            self._once_more()
        self._state = "open"
        self._before = state.__dict__.copy()
        self.entered = True
        self._start("enter")
        if self._persistent:
            _persistent.add(self)
            if len(_persistent) > MANY:
                _pile_up()
        return self

    def _once_more(self) -> None:
        if self._state == "spent":  # it goes on as a new tape, as in TensorFlow
            self._forget_everything()
        else:
            self.diary.shorten()

    def leave(self, kind: type[BaseException] | None, *problem: object) -> None:
        """Stop listening; `with` calls it at the end of the block."""
        if self._recording:
            self.diary.spans.append(next(ticks))
            self._stop("exit", kind)
        if kind is not None and kind is not GeneratorExit:
            unwind(self, self._before)
        self.entered = False
        self._before = ()

    def put_back(self) -> None:
        """Stop listening, and tell no listener: entering or leaving was interrupted."""
        self._recording = False
        unwind(self, self._before)
        self.entered = False
        self._before = ()

    def _start(self, how: str) -> None:
        self._recording = True
        self.diary.begin(moment(how, 3))
        state.recorders += (self,)
        if state.listeners:
            emit(how, label=self.label, persistent=self._persistent)

    def _stop(self, how: str, error: type[BaseException] | None = None) -> None:
        self._recording = False
        pop(self)
        if state.listeners:
            emit(how, label=self.label, error="" if error is None else error.__name__)

    def _must_not_record(self) -> None:
        if self._recording:
            raise value_error(
                "Tape is still recording, This can happen if you try to re-enter an already-active tape. "
                "To nest, make a second one: with tf.GradientTape() as outer, tf.GradientTape() as inner."
            )

    def _must_record(self) -> None:
        if not self._recording:
            raise value_error("Tape is not recording.", "Call this inside the tape's `with` block: indent this line.")

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Let this tape, and no other, overlook what happens inside the block; it goes on as the innermost recorder.

        >>> x = tf.Variable(3.0)
        >>> with tf.GradientTape(persistent=True) as g:
        ...     y = x * x
        ...     with g.stop_recording():
        ...         print(g.gradient(y, x).numpy())
        6.0
        """
        self._must_record()
        self.diary.note("pause")
        self._stop("pause")
        try:
            yield
        finally:
            if self.entered:  # and no interrupt has ended its block
                self._once_more()  # it may have answered inside the block
                self._state = "open"
                self._start("resume")

    def reset(self) -> None:
        """Forget all entries and everything watched, and go on recording; raises ValueError outside the block."""
        self._must_record()
        pop(self)
        self._forget_everything()
        self._state = "open"
        self.diary.begin(moment("enter", 2))
        push(self)
        if state.listeners:
            emit("reset", label=self.label)

    @without_door("tf.GradientTape.watch")
    def watch(self, tensor: Any = NOT_GIVEN, *surplus: Any, **unknown: Any) -> None:
        """Follow these tensors or variables (or a structure of them) from here on.

        Raises ValueError for anything that is no tensor, and for a tape that was never entered; warns for a dtype that has
        no slope.
        """
        if unknown or surplus:
            raise unexpected(unknown) if unknown else too_many(surplus, ". Several go in one list: tape.watch([a, b])")
        if self._state == "open" and tensor.__class__ is Tensor:
            tensors = [tensor]
        else:
            tensors = self._to_watch(tensor)
        for each in tensors:
            tag = each.tag
            if tag.dtype.kind not in "fc":
                warn(
                    NoSlope,
                    f"The dtype of the watched tensor must be floating (e.g. tf.float32), got tf.{each.dtype.name}: "
                    "whole numbers have no slope. Write 3.0 instead of 3, or tf.cast(x, tf.float32).",
                )
                continue
            if tag.variable:
                self._variables[tag] = each
            watched = self.diary.watched
            if tag not in watched:
                self.followed.setdefault(tag, WATCHED)
                watched[tag] = moment("watch", 2)
                if state.listeners:
                    emit("watch", label=self.label, tag=tag, explicit=True)

    def _to_watch(self, structure: Any) -> list[Any]:
        if structure is NOT_GIVEN:
            raise missing()
        found = nest.flatten(structure)
        for value in found:
            if not isinstance(value, Operand):
                raise value_error(
                    f"Passed in object {described(value)} of type {type(value).__name__!r}, not tf.Tensor or tf.Variable or "
                    "ExtensionType. Make it a tensor first: x = tf.constant(...)."
                )
            if self._state == "new":
                raise value_error(
                    "this tape does not listen yet: call watch inside its `with` block, as its first line"
                )
        return found

    def watched_variables(self) -> tuple[Any, ...]:
        """The variables that it watches, in the order in which they were made."""
        return tuple(self._variables[tag] for tag in sorted(self._variables, key=lambda tag: tag.id))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What it wrote down, in order; still there, to be looked at, when the tape was used."""
        return tuple(map(self.written.entry, self.written.places))

    @property
    def persistent(self) -> bool:
        """Whether it can answer more than once."""
        return self._persistent

    # ---- the recorder's side (trace.Recorder) ---------------------------------------------------------------------------

    # What it says of ops that it does not write down.
    flat: Any = property(lambda self: ((self.label, Verdict.NO_DERIVATIVE),))
    passed: Any = property(lambda self: ((self.label, Verdict.UNWATCHED),))

    def accessed(self, variable: Any) -> None:
        """Watch a trainable variable that is about to be read."""
        tag, watched = variable.tag, self.diary.watched
        if tag not in watched and self._watch_accessed and variable.trainable and tag.dtype.kind in "fc":
            self._variables[tag] = variable
            self.followed.setdefault(tag, WATCHED)
            watched[tag] = moment("read", 4)  # above: the variable, and what reads it
            if state.listeners:
                emit("watch", label=self.label, tag=tag, explicit=False)

    def record(self, application: Application, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...]) -> Verdict:
        """Write the application down if a followed value flows into it.  (heart.py: `Tape.record`.)"""
        if not self.straight:
            self.fold()
        primitive, followed, entries = application.primitive, self.followed, self.written
        wanted = tuple([tag in followed for tag in application.inputs])
        if True not in wanted:
            return Verdict.UNWATCHED
        made = [tag for tag in application.outputs if tag.dtype.kind in "fc"]
        if primitive.kind == "flat" or not made:
            return Verdict.NO_DERIVATIVE
        if primitive.inert:
            wanted = tuple([want and primitive.differentiable(position) for position, want in enumerate(wanted)])
            if True not in wanted:
                return Verdict.UNWATCHED
        place = entries.add(application, primitive.plan(wanted), inputs, outputs)
        for want, tag in zip(wanted, application.inputs):
            maker = followed[tag] if want else WATCHED
            if maker != WATCHED:
                entries.items[maker + USERS] += 1
                # Handles on this input may come and go unheard until the new entry is dropped.
                tag.followers = tuple([reference for reference in tag.followers if reference not in self.alone])
        for tag in made:
            followed[tag] = place
            tag.followers = (*tag.followers, *self.alone) if tag.followers else self.alone
        return RECORDED

    def forget(self, tag: Tag) -> None:
        """Drop the entries that can no longer be reached, now that nobody has a handle on this value."""
        if not self._recording:
            return
        entries, followed = self.written, self.followed
        items = entries.items
        place = followed.get(tag, WATCHED)
        if place == WATCHED or items[place + USERS]:
            return
        candidates = [place]
        while candidates:
            place = candidates.pop()
            if items[place + KEPT] is None:  # dropped meanwhile, with another that was on the list
                continue
            application, plan = items[place], items[place + PLAN]
            out = application.outcome
            if out.__class__ is tuple or plan.keeps_outputs:
                reachable = entries.reachable(place)
            else:  # as mostly: one output, on which this entry has no handle
                reachable = out.handles
            if reachable:
                for out in application.outputs:
                    if self.alone[0] not in out.followers:
                        out.followers += self.alone
                continue
            if out.__class__ is tuple:
                for tag in out:
                    followed.pop(tag, None)
            else:
                followed.pop(out, None)
            for source in compress(application.inputs, plan.wanted):
                maker = followed.get(source, WATCHED)
                if maker != WATCHED:
                    items[maker + USERS] = left = items[maker + USERS] - 1
                    if not left:
                        candidates.append(maker)
            items[place + KEPT] = None
            self.dropped += 1
        self.straight = self.dropped <= self.most_dropped

    def fold(self) -> None:
        """Forget the oldest of the entries that were dropped."""
        moved = self.written.fold(self.dropped - REMEMBERED) | {WATCHED: WATCHED}
        places = [(tag, moved[place]) for tag, place in self.followed.items()]
        self.followed = {tag: place for tag, place in places if place is not None}
        self.dropped, self.straight = REMEMBERED, True

    def _holds(self) -> bool:
        written = getattr(self, "written", None)  # absent where the constructor was called wrongly
        return written is not None and any(map(written.holds, written.places))


def _pile_up() -> None:
    holding = [tape for tape in _persistent if tape._holds()]
    if len(holding) > MANY:
        _persistent.clear()
        warn(
            TapesPileUp,
            f"more than {MANY} persistent tapes are alive, and hold {ledger.held_for_backward} bytes for their backward pass.\n"
            "  `del` each when it has answered, or leave persistent=True out: a plain tape lets go by itself.",
        )
