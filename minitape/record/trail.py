"""What happened last, whoever was listening: a short memory, out of which `why` explains a `None` afterwards.

A ring of the last few thousand applications, of numbers that left for Python or NumPy, of values made and of variables
assigned.  It is always on, holds tags and sites, never arrays, and does not grow.  `why/log.py` reads it.
"""

from __future__ import annotations

from collections import deque
from sys import _getframe
from typing import Any, NamedTuple

from .events import ticks
from .provenance import is_library, learner_frame

REMEMBERED = 4096  # applications; of the other kinds half as many
UNLOGGED = "unlogged"  # the role of ops of a backward pass that nobody sees, which is remembered by its question

applications: deque[Any] = deque(maxlen=REMEMBERED)
remember = applications.append
exports: deque[tuple[Any, ...]] = deque(maxlen=REMEMBERED // 2)
creations: deque[tuple[Any, ...]] = deque(maxlen=REMEMBERED // 2)
assignments: deque[tuple[Any, ...]] = deque(maxlen=REMEMBERED // 2)


class Call(NamedTuple):
    """What is remembered of a primitive that was made for a single call: the call itself may hold the learner's values."""

    name: str
    kind: str
    sign: str
    formula: str
    inert: frozenset[int]
    grad_code: Any = None  # the code, and no more, of a gradient function of the learner's own

    def differentiable(self, position: int) -> bool:
        """True if the output has a derivative by this input."""
        return self.kind != "flat" and position not in self.inert


overlooked = [0]  # the tick of the last application inside of a custom gradient that a tape was not shown
crossed = [0]  # the tick at which numbers last left, or a variable was assigned, or something was overlooked


def applied(application: Any) -> None:
    """Note an application that was shown to somebody."""
    if application.primitive.kind != "call":
        applications.append(application)
        return
    row = application.primitive
    call = Call(row.name, row.kind, row.sign, row.formula, row.inert, row.grad_code)
    applications.append(
        (
            application.tick, call, application.inputs, application.outputs, application.code, application.lasti,
            application.context, application.verdicts,
        )
    )  # fmt: skip


def unseen(primitive: Any, inputs: tuple[Any, ...], outputs: tuple[Any, ...], context: Any) -> None:
    """Note an application that was shown to nobody (called by `trace.compute` alone, whose caller is the library's too)."""
    frame = learner_frame(3)
    remember((next(ticks), primitive, inputs, outputs, frame.f_code, frame.f_lasti, context, ()))


def pushed(application: Any, tangents: tuple[Any, ...], made: tuple[Any, ...], label: Any, context: Any) -> None:
    """Note how a tangent came about that nobody saw, as one application of the op that it went through."""
    inputs, context = (*tangents, *application.inputs), context.at_work("jvp", application, label)
    remember((next(ticks), application.primitive, inputs, made, application.code, application.lasti, context, ()))


def exported(tag: Any, how: str) -> None:
    """Note that the numbers of a value leave."""
    frame = learner_frame()
    crossed[0] = tick = next(ticks)
    exports.append((tick, tag, how, frame.f_code, frame.f_lasti))


def made(tag: Any) -> None:
    """Note that a value was made from nothing."""
    frame = learner_frame()
    creations.append((next(ticks), tag, frame.f_code, frame.f_lasti))


def assigned(tag: Any, source: Any, how: str) -> None:
    """Note that a variable changes; the learner's line is looked for three frames above, past the variable's own two."""
    frame = _getframe(3)
    if is_library[frame.f_code.co_filename]:
        frame = learner_frame(4)
    crossed[0] = tick = next(ticks)
    assignments.append((tick, tag, source, how, frame.f_code, frame.f_lasti))


def overlook(application: Any) -> None:
    """Note that an application ran inside of a custom gradient, and that a tape was not shown it."""
    crossed[0] = overlooked[0] = application.tick
