"""What a recorder remembers of its own life: when it listened, what it watched, what it was asked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import repeat
from operator import attrgetter
from sys import _getframe, modules
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .events import state, ticks
from .provenance import Site, is_library, learner_frame
from .tasks import enters

SMALL = 8  # elements that are remembered as numbers
tag_of = attrgetter("tag")


def few(array: Any) -> Any:
    """What is remembered of a few numbers: nested lists, or a NumPy scalar, which `plain` makes Python's for a reader."""
    return array if isinstance(array, np.generic) else array.tolist()


def plain(numbers: Any) -> Any:
    """What is remembered of a few numbers, as Python's own."""
    return numbers.tolist() if isinstance(numbers, np.generic) else numbers


def noted(answer: Any) -> tuple[Any, Any]:
    """What is remembered of an answer: its tag, and its numbers if they are few, or else their shape."""
    if answer is None:
        return None, None
    array = answer.array
    if isinstance(array, np.generic):
        return answer.tag, array
    return answer.tag, array.tolist() if array.size <= SMALL else Many(array.shape)


def _single(numbers: Any) -> float | None:
    """A single real number, NumPy's or taken out of its lists; None for anything else."""
    numbers = plain(numbers)
    while isinstance(numbers, list) and len(numbers) == 1:
        numbers = numbers[0]
    return numbers if isinstance(numbers, float) else None


class Many(NamedTuple):
    """What is remembered of an array that is not small."""

    shape: tuple[int, ...]


Noted = tuple[int, str, Any, int]  # a moment as it is noted while a program runs, by `moment`


class Moment(NamedTuple):
    """Something that a recorder did, to be read."""

    tick: int
    kind: str
    code: Any
    lasti: int

    @property
    def site(self) -> Site:
        """The learner's line."""
        return Site(self.code, self.lasti)


class Question(NamedTuple):
    """What a recorder was asked, and what it answered to each source.

    Where nobody saw the backward pass, the trail remembers it by its question.
    """

    asked: Noted
    targets: tuple[Any, ...]  # tags, as the sources
    sources: tuple[Any, ...]
    # The tag, and the numbers of a small one or the shape of another; None for none.
    answers: tuple[tuple[Any, Any], ...]
    seeded: bool
    label: Any
    context: Any

    @property
    def moment(self) -> Moment:
        """When it was asked."""
        return Moment(*self.asked)


# Makes one of a tuple of its facts, for half the time of Question(...), which runs Python code.
new_question: Callable[[tuple[Any, ...]], Question] = partial(tuple.__new__, Question)


def moment(kind: str, above: int) -> Noted:
    """This moment, at the learner's line, which is looked for from `above` frames up: those below are the library's."""
    frame = _getframe(above)
    if is_library[frame.f_code.co_filename]:
        frame = learner_frame(above + 1)
    return next(ticks), kind, frame.f_code, frame.f_lasti


class Diary:
    """What a recorder remembers of its own life: when it listened, what it watched, what it was asked.

    It outlives what the recorder kept, so that a used tape can still say why.
    """

    # `why` stands above the recorders and reads what they wrote down; it sets these four, through which they ask it.
    explain: ClassVar[Callable[..., Any]]  # (recorder, targets, source, ...): why a derivative is None, or this number
    look_at: ClassVar[Callable[..., None]]  # (tape, ...): warns of an answer that is not the one that was meant
    look_at_tangent: ClassVar[Callable[..., None]]  # (accumulator, ...): the same
    advice: ClassVar[Callable[[str], str]]  # ("target" or "source"): what to change where a plain number stands for it

    spent_at: Noted | None = None  # when it was asked, and let go of everything
    refused: tuple[Any, ...] = ()  # what an accumulator was given, but cannot follow
    # In which thread it listens, whether in a task, and then its number there (`record/tasks.py`).
    thread: int
    in_task = False
    number: int

    def __init__(self) -> None:
        # When it began and ceased to listen; a tick alone for the end of a block, whose line is that of the moment before.
        self.spans: list[Any] = []
        self.questions: list[Question] = []
        self.watched: dict[Any, Noted] = {}
        # Of the last backward pass over a short tape: (entry's tick, position of an input) -> what arrived, if that was a
        # single number, and what came back, if that was small.  (entry's tick, ~position) -> the slope of the op itself, where
        # what arrived was not finite.
        self.slopes: dict[tuple[int, int], tuple[Any, Any]] = {}

    def note(self, kind: str, above: int = 1) -> None:
        """Note a moment (enter, exit, pause, resume, reset or refused), at the line `above` frames up from the caller."""
        self.spans.append(moment(kind, above + 2))

    def begin(self, at: Noted) -> None:
        """Note when it begins to listen, and in which thread and task."""
        self.spans.append(at)
        self.thread = state.thread
        if "asyncio" in modules and modules["asyncio"]._get_running_loop():
            enters(self)

    def shorten(self) -> None:
        """Forget the oldest moments and questions of a recorder that is used again and again."""
        self.spans[:] = map(tuple, self.moments[-64:])
        del self.questions[:-16]

    @property
    def moments(self) -> list[Moment]:
        """When it began and ceased to listen."""
        found: list[Moment] = []
        for each in self.spans:
            found.append(Moment(*each) if type(each) is tuple else Moment(each, "exit", *found[-1][2:]))
        return found

    @property
    def spent(self) -> Moment | None:
        """When it was asked, and let go of all that it kept."""
        return Moment(*self.spent_at) if self.spent_at else None

    def watched_since(self, tag: Any) -> Moment | None:
        """When it began to watch a value; None for one that it does not watch."""
        return Moment(*self.watched[tag]) if tag in self.watched else None

    def ask(
        self,
        asked: Noted,
        targets: Sequence[Any],
        sources: tuple[Any, ...],
        answers: Sequence[Any],
        seeded: bool,
        label: Any,
    ) -> Question:
        """A gradient was asked for (or only tried out by `why`) by the sources with these tags, and this came out."""
        question = new_question(
            (asked, tuple(map(tag_of, targets)), sources, tuple(map(noted, answers)), seeded, label, state.context)
        )
        self.questions.append(question)
        return question

    def asked_again(self, targets: Iterable[Any], sources: Iterable[Any]) -> bool:
        """Whether a tape that let go was refused the gradient that it had given, at the same line of a loop, in its next turn.

        Tags are given; what was made since the first answer stands where something was that the turn before had.
        """
        refused, spent = self.last("refused"), self.spent
        if refused is None or spent is None or not self.questions or refused.site.settled() != spent.site.settled():
            return False
        first = self.questions[-1]
        since = max([answer.id for answer, _ in first.answers if answer is not None], default=math.inf)
        pairs = [*zip(targets, repeat(first.targets)), *zip(sources, repeat(first.sources))]
        return spent.site.loop() is not None and all(tag in before or tag.id > since for tag, before in pairs)

    @property
    def factors(self) -> dict[tuple[int, int], float]:
        """The slope at each use of a single number, by (entry's tick, input's position): what came back ÷ what arrived.

        Where something arrived that is not finite, a quotient is no number whatever the slope is.  Then it is the op's own,
        if `why` could still ask it (it stands under ~position), or is not known.
        """
        pairs = {use: (_single(before), _single(after)) for use, (before, after) in self.slopes.items()}
        found: dict[tuple[int, int], float] = {}
        for (tick, position), (before, after) in pairs.items():
            if after is None:
                continue
            if position < 0:
                found[tick, ~position] = after
            elif before and math.isfinite(before):
                found[tick, position] = after / before
        return found

    @property
    def parts(self) -> dict[tuple[int, int], Any]:
        """What came back at each use of a small array, by the same keys."""
        pairs = self.slopes.items()
        return {
            use: plain(after)
            for use, (before, after) in pairs
            if use[1] >= 0 and (_single(before) is None or _single(after) is None)
        }

    def last(self, *kinds: str) -> Moment | None:
        """The last moment of one of these kinds."""
        return next((each for each in reversed(self.moments) if each.kind in kinds), None)

    def at(self, tick: int) -> str:
        """What the recorder was doing at a tick: "before" it ever listened, "listening", "paused" or "after"."""
        doing = "before"
        for each in self.moments:
            if each.tick > tick:
                break
            doing = {"enter": "listening", "resume": "listening", "pause": "paused", "exit": "after"}.get(
                each.kind, doing
            )
        return doing
