"""What happened lately, whoever was listening: enough to explain a `None` afterwards.

A ring of the last few thousand applications, of values made, of numbers that left for Python or NumPy, and of variables
assigned.  It is always on, holds tags and sites, never arrays, and does not grow.  `record/why.py` reads it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from .events import ticks
from .provenance import Site, learner_frame

REMEMBERED = 4096  # applications; of the other kinds half as many


class Row(NamedTuple):
    """One application, as far as the log remembers it."""

    tick: int
    primitive: Any
    inputs: tuple[Any, ...]
    outputs: tuple[Any, ...]
    code: Any
    lasti: int
    context: Any
    verdicts: tuple[tuple[Any, str], ...]

    @property
    def site(self) -> Site:
        """Where."""
        return Site(self.code, self.lasti)

    @property
    def op(self) -> str:
        """The op's name."""
        return self.primitive.name

    def verdict(self, label: Any) -> str | None:
        """ "" if the recorder wrote it down, a reason if it did not, None if it was not shown this."""
        return next((reason for one, reason in self.verdicts if one is label), None)


class Export(NamedTuple):
    """Numbers that left: of which value, how, and where."""

    tick: int
    tag: Any
    how: str
    site: Site


class Made(NamedTuple):
    """A value that was made from nothing, on purpose."""

    tick: int
    tag: Any
    site: Site


class Assigned(NamedTuple):
    """A variable that was given a new value: from a tensor (`source`) or from plain numbers (None)."""

    tick: int
    tag: Any
    source: Any
    how: str
    site: Site


UNLOGGED = "unlogged"  # the role of ops on a long way back, which are noted as one: `walked`

_applications: deque[Any] = deque(maxlen=REMEMBERED)
remember = _applications.append
_exports: deque[tuple[Any, ...]] = deque(maxlen=REMEMBERED // 2)
_made: deque[tuple[Any, ...]] = deque(maxlen=REMEMBERED // 2)
_assigned: deque[tuple[Any, ...]] = deque(maxlen=REMEMBERED // 2)


class Call(NamedTuple):
    """What is remembered of a primitive that was made for a single call: the call itself may hold the learner's values."""

    name: str
    kind: str
    sign: str
    formula: str
    inert: frozenset[int]

    def differentiable(self, position: int) -> bool:
        """True if the output has a derivative by this input."""
        return self.kind != "flat" and position not in self.inert


def applied(application: Any) -> None:
    """Note an application that was shown to somebody."""
    if application.primitive.kind != "call":
        _applications.append(application)
        return
    one, p = application, application.primitive
    call = Call(p.name, p.kind, p.sign, p.formula, p.inert)
    _applications.append((one.tick, call, one.inputs, one.outputs, one.code, one.lasti, one.context, one.verdicts))


def unseen(primitive: Any, inputs: tuple[Any, ...], outputs: tuple[Any, ...], context: Any) -> None:
    """Note an application that was shown to nobody (called by `trace.apply` alone, whose caller is the library's too)."""
    frame = learner_frame(3)
    remember((next(ticks), primitive, inputs, outputs, frame.f_code, frame.f_lasti, context, ()))


_GRADIENT = Call("gradient", "call", "∂", "a gradient", frozenset())  # one for all: a deep net walks often


def walked(label: Any, question: Question, answers: tuple[Any, ...], context: Any) -> None:
    """Note a way back that nobody saw: read, it is one application per answer, from what was asked to what came out."""
    remember((question.moment.tick, _GRADIENT, question, answers, label, context))


def _ways(question: Question, answers: tuple[Any, ...], label: Any, context: Any) -> Iterator[Row]:
    tick, _, code, lasti = question.moment
    context = context.at_work("gradient", None, label)
    for source, answer in zip(question.sources, answers, strict=True):
        if answer is not None:
            yield Row(tick, _GRADIENT, (*question.targets, source), (answer,), code, lasti, context, ())


def pushed(application: Any, tangents: tuple[Any, ...], made: tuple[Any, ...], label: Any, context: Any) -> None:
    """Note how a tangent came about that nobody saw, as one application of the op that it went through."""
    one, inputs = application, (*tangents, *application.inputs)
    context = context.at_work("jvp", one, label)
    remember((next(ticks), one.primitive, inputs, made, one.code, one.lasti, context, ()))


def exported(tag: Any, how: str) -> None:
    """Note that the numbers of a value leave."""
    frame = learner_frame()
    _exports.append((next(ticks), tag, how, frame.f_code, frame.f_lasti))


def made(tag: Any) -> None:
    """Note that a value was made from nothing."""
    frame = learner_frame()
    _made.append((next(ticks), tag, frame.f_code, frame.f_lasti))


def assigned(tag: Any, source: Any, how: str) -> None:
    """Note that a variable changes."""
    frame = learner_frame()
    _assigned.append((next(ticks), tag, source, how, frame.f_code, frame.f_lasti))


def rows(since: int = 0) -> list[Row]:
    """The applications after this tick that are still remembered, oldest first."""
    found: list[Row] = []
    for one in list(_applications):
        if type(one) is tuple:
            if one[0] < since:
                continue
            if one[1] is _GRADIENT:
                found += _ways(*one[2:])
            else:
                found.append(Row(*one))
        elif one.tick >= since:
            found.append(row_of(one))
    return found


def forgot(since: int = 0) -> bool:
    """Whether an application after this tick may be remembered no more."""
    if len(_applications) < REMEMBERED:
        return False
    oldest = _applications[0]
    return since < (oldest[0] if type(oldest) is tuple else oldest.tick)


def row_of(application: Any) -> Row:
    """An application as a row."""
    one = application
    return Row(one.tick, one.primitive, one.inputs, one.outputs, one.code, one.lasti, one.context, one.verdicts)


def exports(since: int = 0) -> list[Export]:
    """The exports after this tick, oldest first."""
    found = []
    for tick, tag, how, code, lasti in reversed(list(_exports)):
        if tick < since:
            break
        found.append(Export(tick, tag, how, Site(code, lasti)))
    return found[::-1]


def exported_between(since: int, until: int) -> bool:
    """Whether anything left after the one tick and before the other."""
    if not _exports or _exports[-1][0] <= since:  # as nearly always: this is asked at every gradient
        return False
    return any(since < one[0] < until for one in list(_exports))


def creations(since: int = 0) -> dict[Any, Made]:
    """The values made from nothing after this tick, by tag."""
    return {tag: Made(tick, tag, Site(code, lasti)) for tick, tag, code, lasti in list(_made) if tick >= since}


def assignments(since: int = 0) -> list[Assigned]:
    """The assignments after this tick, oldest first."""
    found = []
    for tick, tag, source, how, code, lasti in reversed(list(_assigned)):
        if tick < since:
            break
        found.append(Assigned(tick, tag, source, how, Site(code, lasti)))
    return found[::-1]


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

    __slots__ = ("factors", "parts", "questions", "refused", "spans", "watched")

    def __init__(self) -> None:
        self.spans: deque[Moment] = deque(maxlen=64)
        self.watched: dict[Any, Moment] = {}
        self.questions: deque[Question] = deque(maxlen=16)
        self.refused: list[Any] = []  # what an accumulator was given, but cannot follow
        # Of the last way back over a short tape: (entry's tick, position of an input) -> local slope, for single numbers.
        self.factors: dict[tuple[int, int], float] = {}
        self.parts: dict[tuple[int, int], Any] = {}  # and what came back through a use of a small array

    def note(self, kind: str, at: Moment | None = None) -> None:
        """enter, exit, pause, resume, reset, spent or refused; `at`: another moment on the same line of the program."""
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
