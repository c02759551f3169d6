"""Events: what the core tells whoever listens.

Every event is a plain record: what kind, when, from which line, in which context.  It holds no array: the tensors that it
is about are handed to a listener beside it, for the length of the call.  With no listener an event costs one truth test.
"""

from __future__ import annotations

import enum
import itertools
import math
import threading
from collections.abc import Callable
from functools import partial
from sys import _getframe
from typing import Any, ClassVar, NamedTuple, TypeVar

from .blocks import Block
from .provenance import Site, is_library, learner_frame, new_site


class Context(NamedTuple):
    """What was going on around an op: shared by all ops in it, so that an entry pays one pointer for it."""

    phase: str = "forward"  # forward | gradient | jvp | recompute | rebuild
    cause: Any = None  # the application being reversed or pushed forward
    actor: Any = None  # the Label of the recorder at work
    role: str = ""  # "accumulate" for the additions that join contributions to one cotangent
    scope: str = ""
    layer: str = ""
    region: tuple[str, ...] = ()
    loop: str = ""
    iteration: int | None = None
    frame: Any = None  # the loop body, loop condition or branch at work: a frames.Frame
    device: str = ""  # the device that was asked for
    thread: int = 0  # a number of its own for each thread

    def at_work(self, phase: str, cause: Any, actor: Any, role: str = "") -> Context:
        """This context, in which a recorder (`actor`) now reverses or pushes forward an application (`cause`)."""
        # `_replace` costs more than a small op, and unpacking the rest half as much again as adding it.
        return new_context((phase, cause, actor, role) + self[AROUND:])


# Makes one of a tuple of its parts, for half the time of Context(...), which runs Python code.
new_context: Callable[[tuple[Any, ...]], Context] = partial(tuple.__new__, Context)
AROUND = 4  # where in a context begins what is around an op; before it stands which recorder is at work


class Verdict(enum.StrEnum):
    """What a recorder did with an op that it was shown: "" where it wrote it down, else why it did not."""

    RECORDED = ""
    UNWATCHED = "unwatched"
    NO_DERIVATIVE = "no derivative"
    NO_TANGENT = "no tangent"
    IN_A_REGION = "inside a recompute region"  # noted by the region; tapes are shown the region as a whole
    IN_A_RULE = "inside a custom gradient"  # whose rule alone leads back
    CAPTURES = "only captures are noted"
    VARIABLES = "only variables are noted"


class Label:
    """The name that records know a recorder by; it keeps nothing of the recorder alive."""

    __slots__ = ("kind", "site")

    def __init__(self, kind: str, site: Site) -> None:
        self.kind = kind
        self.site = site

    @property
    def name(self) -> str:
        """The learner's name for the recorder (`with … as NAME`), or its kind."""
        return self.site.assigned_name() or self.kind

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"


class Event(NamedTuple):
    """One thing that happened."""

    kind: str
    tick: int
    at: Any  # a site, or an application that knows its own
    context: Context
    facts: dict[str, Any]

    @property
    def site(self) -> Site:
        """The learner's instruction that was running."""
        return self.at if type(self.at) is Site else self.at.site

    def __repr__(self) -> str:
        return f"<event {self.tick} {self.kind} {self.facts}>"


# Makes one of a tuple of its facts, for half the time of Event(...), which runs Python code.
new_event: Callable[[tuple[Any, ...]], Event] = partial(tuple.__new__, Event)

Listener = Callable[[Event, tuple[Any, ...]], None]
Problem = TypeVar("Problem", bound=BaseException)


class _Alive:
    """Freed at the end of its thread, it takes the thread off the list of those that compute."""

    threads: ClassVar[set[int]] = set()  # that have computed and may again, by number

    def __init__(self, thread: int) -> None:
        self._thread = thread
        self.threads.add(thread)
        if len(self.threads) > 1:
            _ThreadState.others_until = math.inf

    def __del__(self) -> None:
        if ticks is not None:
            self.threads.discard(self._thread)
            _ThreadState.others_until = next(ticks) if len(self.threads) == 1 else math.inf


class _ThreadState(threading.local):
    """What this thread is doing.  Not a ContextVar: one set in a notebook cell that awaits is lost in the next cell."""

    others_until: float = 0  # the tick from which on one thread alone computes; infinity while several may

    def __init__(self) -> None:
        self.recorders: tuple[Any, ...] = ()  # outermost first; immutable, so that leaving restores it exactly
        self.thread = next(threads)
        self.alive = _Alive(self.thread)
        self.context = Context(thread=self.thread)
        self.holder = 1  # who is charged for a new tensor: ledger.PYTHON
        # The learner's instruction that is running, while rules of the table do: no line of theirs is a learner's.
        self.site: Site | None = None
        self.listeners: tuple[Listener, ...] = ()
        # Who computes ops instead of the engine, given (row, operands, settings): a rerun that knows some of them already,
        # or the heart, which does all of them by itself.
        self.instead: Callable[..., Any] | None = None
        self.straight = True  # nobody listens, nobody else computes: the engine's generated functions ask nothing more

    def change(self, **parts: Any) -> None:
        """Set some of these attributes; `listeners` and `instead` in no other way, because `straight` depends on both."""
        vars(self).update(parts)
        self.straight = not self.listeners and self.instead is None


threads = itertools.count()
ticks = itertools.count(1)
state = _ThreadState()


def emit(kind: str, tensors: tuple[Any, ...] = (), /, **facts: Any) -> None:
    """Tell every listener; call it behind `if state.listeners`."""
    now = state.__dict__
    at = facts.get("application") or now["site"] or here()
    event = new_event((kind, next(ticks), at, now["context"], facts))
    for listener in now["listeners"]:
        listener(event, tensors)


def refused(problem: Problem) -> Problem:
    """An error that is about to be raised, of which listeners have heard: the program may catch it, and go on."""
    # Python asks by itself, and swallows such an answer: for hasattr, or for how long a list of all this will be.
    asked = isinstance(problem, AttributeError) or _getframe(2).f_code.co_name == "__len__"
    if state.listeners and not asked:
        emit("refused", error=type(problem).__name__, message=str(problem))
    return problem


def here() -> Site:
    """The learner's line that is running."""
    if state.site is not None:
        return state.site
    frame = _getframe(2)
    if is_library[frame.f_code.co_filename]:
        frame = learner_frame(3)
    return new_site((frame.f_code, frame.f_lasti))


class changed(Block):
    """Run a block in which parts of this thread's state are others."""

    _before: dict[str, Any]

    def __init__(self, **parts: Any) -> None:
        self._parts = parts

    def __enter__(self) -> Any:
        now = vars(state)
        self._before = {part: now[part] for part in self._parts}
        self.entered = True
        state.change(**self._parts)

    def put_back(self) -> None:
        """Set them as they were."""
        state.change(**self._before)
        self.entered = False


def within(**changes: Any) -> changed:
    """Run a block in a changed context."""
    return changed(context=state.context._replace(**changes))


def unobserved() -> changed:
    """A block that no recorder sees and no listener hears."""
    return changed(recorders=(), listeners=())


class listening(Block):
    """Hand every event of this thread to the listener while the block runs.

    >>> from minitape.record.events import listening
    >>> with listening(lambda event, tensors: print(event.kind)):
    ...     _ = tf.constant([1.0]) * 2.0
    made
    made
    op
    """

    def __init__(self, listener: Listener) -> None:
        self._listener = listener

    def __enter__(self) -> None:
        self._already = state.listeners.count(self._listener)
        self.entered = True
        state.change(listeners=(*state.listeners, self._listener))

    def put_back(self) -> None:
        """Stop handing it events, whoever else began to listen meanwhile."""
        listeners = list(state.listeners)
        if listeners.count(self._listener) > self._already:
            listeners.remove(self._listener)
        state.change(listeners=tuple(listeners))
        self.entered = False


__all__ = [
    "Context", "Event", "Label", "Listener", "Verdict", "changed", "emit", "here", "listening", "state", "ticks",
    "unobserved", "within",
]  # fmt: skip
