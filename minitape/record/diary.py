"""What a recorder remembers of its own life: when it listened, what it watched, what it was asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

from .events import state, ticks
from .provenance import Site, learner_frame
from .tasks import enters, leaves

SMALL = 8  # elements that are remembered as numbers


def digits(array: Any) -> Any:
    """A few numbers as Python's own, or only the shape of many."""
    return array.tolist() if array.size <= SMALL else Many(array.shape)


class Many(NamedTuple):
    """What is remembered of an array that is not small."""

    shape: tuple[int, ...]


class Moment(NamedTuple):
    """Something that a recorder did."""

    tick: int
    kind: str
    code: Any
    lasti: int

    @property
    def site(self) -> Site:
        """Where."""
        return Site(self.code, self.lasti)


class Question(NamedTuple):
    """What a recorder was asked: tags of targets and sources, whether each source got an answer, and the seeds given."""

    moment: Moment
    targets: tuple[Any, ...]
    sources: tuple[Any, ...]
    answers: tuple[Any, ...]  # the numbers of small ones, the shape of others, None
    seeded: bool


def moment(kind: str, above: int) -> Moment:
    """Now, at the learner's line; that many frames above this one are known to be the library's."""
    frame = learner_frame(above)
    return tuple.__new__(Moment, (next(ticks), kind, frame.f_code, frame.f_lasti))  # half the cost of Moment(...)


class Diary:
    """What a recorder remembers of its own life: when it listened, what it watched, what it was asked.

    It outlives what the recorder kept, so that a used tape can still say why.
    """

    # The door to what stands above the recorders and reads what they wrote down: `why` opens it.
    explain: ClassVar[Callable[..., Any]]  # (recorder, targets, source, ...): why a derivative is None, or this number
    look_at: ClassVar[Callable[..., None]]  # (tape, ...): warns of an answer that is not the one that was meant
    look_at_tangent: ClassVar[Callable[..., None]]  # (accumulator, ...): the same

    __slots__ = ("factors", "in_task", "number", "parts", "questions", "refused", "spans", "thread", "watched")

    def __init__(self) -> None:
        self.spans: deque[Moment] = deque(maxlen=64)
        self.watched: dict[Any, Moment] = {}
        self.number, self.in_task = next(ticks), False
        self.thread = 0  # in which it listens: a number of `state.thread`
        self.questions: deque[Question] = deque(maxlen=16)
        self.refused: list[Any] = []  # what an accumulator was given, but cannot follow
        # Of the last backward pass over a short tape: (entry's tick, position of an input) -> local slope, for single numbers.
        self.factors: dict[tuple[int, int], float] = {}
        self.parts: dict[tuple[int, int], Any] = {}  # and what came back through a use of a small array

    def note(self, kind: str, at: Moment | None = None) -> None:
        """enter, exit, pause, resume, reset, spent or refused; `at`: another moment on the same line of the program."""
        if kind == "exit":
            leaves(self.thread, "recorder")
        elif kind in ("enter", "resume"):
            self.thread = state.thread
            self.in_task = enters(self.number)
        if at is None:
            self.spans.append(moment(kind, 4))
        else:
            self.spans.append(tuple.__new__(Moment, (next(ticks), kind, at[2], at[3])))

    def watch(self, tag: Any, explicit: bool) -> None:
        """From now on this value is followed."""
        self.watched[tag] = moment("watch" if explicit else "read", 5)

    def ask(self, targets: Any, sources: Any, answers: Any, seeded: bool, tried: bool = False) -> Question:
        """A gradient was asked for (or only tried out by `why`), and this came out."""
        found = tuple([None if one is None else digits(one._array) for one in answers])
        tags = tuple([one._tag for one in targets]), tuple([one._tag for one in sources])
        asked = moment("tried" if tried else "asked", 4)
        question: Question = tuple.__new__(Question, (asked, *tags, found, seeded))
        self.questions.append(question)
        return question

    def slope(self, tick: int, position: int, arrived: Any, part: Any) -> None:
        """Note how much came back through one use of a single number, per what arrived; of a small array, what came."""
        if part.dtype.kind != "f" or part.size > SMALL:
            return
        if part.size == 1 and arrived is not None and arrived.size == 1:
            before = arrived.item()
            if before:  # of nothing that arrives nothing is learned
                self.factors[tick, position] = part.item() / before
        else:
            self.parts[tick, position] = part.tolist()

    def last(self, *kinds: str) -> Moment | None:
        """The last moment of one of these kinds."""
        return next((one for one in reversed(self.spans) if one.kind in kinds), None)

    def at(self, tick: int) -> str:
        """What the recorder was doing at a tick: "before" it ever listened, "listening", "paused" or "after"."""
        doing = "before"
        for one in self.spans:
            if one.tick > tick:
                break
            doing = {"enter": "listening", "resume": "listening", "pause": "paused", "exit": "after"}.get(
                one.kind, doing
            )
        return doing
