"""What a learner's function asks of its tapes and accumulators while it is judged, and what they know about a None."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from .judge import aloud, array
from .subject import listening, tf

_ASKED = (
    (tf.GradientTape, "gradient", "tape"),
    (tf.GradientTape, "jacobian", "tape"),
    (tf.autodiff.ForwardAccumulator, "jvp", "accumulator"),
)


class Heard(NamedTuple):
    """One question to a recorder, and its answer."""

    kind: str  # tape | accumulator
    recorder: Any
    target: Any
    source: Any
    answer: Any


@contextmanager
def overhearing() -> Iterator[list[Heard]]:
    """Note what recorders are asked while the block runs.

    >>> x = tf.Variable(3.0)
    >>> with overhearing() as heard, tf.GradientTape() as tape:
    ...     y = x * x
    ...     slope = tape.gradient(y, x)
    >>> [(one.kind, float(one.answer)) for one in heard]
    [('tape', 6.0)]
    """
    heard: list[Heard] = []
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in _ASKED]
    busy: list[bool] = []  # a Jacobian asks for gradients: only the outermost question is the learner's
    for (owner, name, method), (_, _, kind) in zip(before, _ASKED, strict=True):
        setattr(owner, name, _noting(method, kind, heard, busy))
    try:
        yield heard
    finally:
        for owner, name, method in before:
            setattr(owner, name, method)


@contextmanager
def entered() -> Iterator[list[Any]]:
    """The recorders that are entered while the block runs.

    >>> with entered() as recorders, tf.GradientTape(), tf.GradientTape():
    ...     pass
    >>> len(recorders)
    2
    """
    recorders: list[Any] = []
    with listening(lambda event, _: recorders.append(event.facts["label"]) if event.kind == "enter" else None):
        yield recorders


def _noting(method: Callable[..., Any], kind: str, heard: list[Heard], busy: list[bool]) -> Callable[..., Any]:
    @functools.wraps(method)
    def asked(recorder: Any, *arguments: Any, **named: Any) -> Any:
        if busy:
            return method(recorder, *arguments, **named)
        busy.append(True)
        try:
            answer = method(recorder, *arguments, **named)
        finally:
            busy.clear()
        target = arguments[0] if arguments else next(iter(named.values()), None)
        source = arguments[1] if len(arguments) > 1 else named.get("sources")
        heard.append(Heard(kind, recorder, target, source, answer))
        return answer

    return asked


def reason(heard: list[Heard]) -> str:
    """Why a function that was to give a derivative gave None: asked of its own recorder, with cause, line and fix."""
    for question in reversed(heard):
        if question.answer is None:
            try:
                asked = "recorder.why(y, x)" if question.kind == "tape" else "recorder.why(y)"
                why = aloud(asked, recorder=question.recorder, y=question.target, x=question.source)
                if question.kind == "tape" and _swapped(question):
                    return "target and source have changed places: the result comes first, tape.gradient(y, x)."
                where = f" It stops at {why.site}." if why.site else ""
                fix = f" Next: {why.fix.text}." if why.fix.text else ""
                return f"{why.what.rstrip('.')}.{where}{fix}"
            except Exception:  # a question about things that are no tensors has no explanation
                continue
    for question in reversed(heard):
        if question.answer is not None:
            return f"the {question.kind} did answer, but nothing gives that answer back: is a return missing?"
    return "no tape and no accumulator was asked anything, and nothing was given back: is a return missing?"


def _swapped(question: Heard) -> bool:
    """Whether the source is a result of the tape's, and the target is none."""
    made = {value.id for entry in question.recorder.entries for value in entry.outputs}
    source, target = (getattr(getattr(end, "tag", None), "id", None) for end in (question.source, question.target))
    return source in made and target not in made


def said_by(kind: str, heard: list[Heard], got: Any) -> bool:
    """Whether a recorder of this kind gave this answer, or one that holds it."""
    wanted = array(got)
    for question in heard:
        answers = [question.answer] if isinstance(question.answer, tf.Tensor) else question.answer
        for answer in answers if question.kind == kind and isinstance(answers, list | tuple) else []:
            found = array(answer)
            is_like = found is not None and found.shape == np.shape(wanted)
            if is_like and np.allclose(found, wanted, rtol=1e-4, atol=1e-5):
                return True
    return False
