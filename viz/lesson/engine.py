"""The pieces of a learner's own tape (notebook 16), each compared with the real one.

The learner's `Value`, `sin` and `recorders` are found beside the function that is judged, in its own cell's names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .judge import Fault, Unjudged, blank, called, differs, empty, judging
from .pieces import Bare, filled
from .subject import tf

_PLACES = ((2.5, 0.7, 1.9), (-0.4, 1.3, -2.0))  # upstream, x, y: none of them 1


def _beside(answer: Any, *names: str) -> list[Any]:
    """The values of these names in the cell in which a learner's function was written."""
    found = [getattr(answer, "__globals__", {}).get(name) for name in names]
    if any(value is None for value in found):
        raise Unjudged("A function of this notebook was expected here.")
    return found


def _around(answer: Any, *names: str) -> list[Any]:
    """The values of these names in the cell in which a learner's class was written."""
    if not isinstance(answer, type):
        raise Unjudged("The class itself was expected here.")
    if answer.__module__ != "builtins" and empty(answer):
        raise Unjudged(...)
    spaces = [getattr(member, "__globals__", {}) for member in vars(answer).values()]
    found = [next((space[name] for space in spaces if space.get(name) is not None), None) for name in names]
    if any(value is None for value in found):
        raise Unjudged("A class of this notebook was expected here.")
    return found


def _number(value: Any) -> Any:
    return getattr(value, "number", value)


@judging("Right: the same as the real tape's.")
def pulls(answer: Any, op: Callable[..., Any], inputs: int) -> Fault:
    """Of a rule (upstream, *inputs): what comes back to each input, as Values; compared with the real tape."""
    (value,) = _beside(answer, "Value")
    for upstream, *xs in _PLACES:
        xs = xs[:inputs]
        tensors = [tf.constant(x) for x in xs]
        with tf.GradientTape() as tape:
            tape.watch(tensors)
            y = op(*tensors)
        right = tape.gradient(y, tensors, output_gradients=tf.constant(upstream))
        with filled(answer):
            got = called(answer, value(upstream), *[value(x) for x in xs])
        if not isinstance(got, tuple | list) or len(got) != inputs:
            return f"It should give a tuple with {inputs} part{'s' * (inputs > 1)}, one for each input."
        parts = [_number(part) for part in got]
        at = f"With {upstream:g} from above at {', '.join(f'{x:g}' for x in xs)}"
        if inputs == 2 and not any(differs("", part, float(r)) for part, r in zip(parts, right[::-1])):
            return f"{at} the two parts have changed places."
        for place, (part, number) in enumerate(zip(parts, right), start=1):
            said = differs(f"{at} part {place}", part, float(number), "is", by="the real tape says", upstream=upstream)
            if said:
                return said
        if not all(isinstance(part, value) for part in got):
            return (
                "The numbers are right, but they are plain numbers: compute with Values, or no outer tape can follow."
            )
    return ""


@judging("Right: computed, and shown to everybody who listens.")
def applies(answer: Any) -> Fault:
    """Of apply(op, *inputs): it computes, and shows the op to each recorder, outermost first."""
    value, recorders = _beside(answer, "Value", "recorders")
    seen: list[Any] = []

    class Spy:
        def __init__(self, name: str) -> None:
            self.name = name

        def record(self, *shown: Any) -> None:
            seen.append((self.name, *shown))

    spies, before = [Spy("outer"), Spy("inner")], list(recorders)
    recorders[:] = spies
    x, y = value(3.0), value(5.0)
    try:
        got = called(answer, "multiply", x, y)
    finally:
        recorders[:] = before
    if not isinstance(got, value):
        return f"It should give a Value; it gives {type(got).__name__}."
    if said := differs("3 times 5", got.number, 15.0, "gives", by="right is"):
        return said
    if not seen:
        return "The number is right, but nobody was shown it: for every recorder, recorder.record(op, inputs, output)."
    if len(seen) != 2:
        return f"Two recorders listen, and {len(seen)} of them heard of it."
    if [shown[0] for shown in seen] != ["outer", "inner"]:
        return "Show it to the outermost recorder first: recorders holds them in that order."
    for _, *shown in seen:
        if len(shown) != 3 or shown[0] != "multiply" or shown[2] is not got:
            return "A recorder is shown three things: op, inputs and output, in this order."
        if not isinstance(shown[1], tuple | list) or [id(operand) for operand in shown[1]] != [id(x), id(y)]:
            return (
                "Show the inputs themselves, as they came: a tape knows values by who they are, not by their numbers."
            )
    return ""


@judging("Right: what concerns a watched value is written down, and followed on.")
def records(answer: Any) -> Fault:
    """Of record(tape, op, inputs, output): the op is written down if a followed value flows into it."""
    (value,) = _beside(answer, "Value")

    if empty(answer):
        return ...
    x, k, y, z = (value(n) for n in (3.0, 2.0, 6.0, 12.0))
    tape = Bare([x])
    called(answer, tape, "multiply", (k, k), z)
    if tape.entries:
        return "It writes down k * k, and nobody watches k."
    for op, inputs, output, what in (("multiply", (k, x), y, "k * x"), ("add", (y, k), z, "y + k")):
        count = len(tape.entries)
        called(answer, tape, op, inputs, output)
        if len(tape.entries) == count:
            return f"It does not write down {what}, and {'y was made from x, which' if count else 'x'} is watched."
        if tape.entries[-1] != (op, inputs, output):
            return "An entry is the triple (op, inputs, output)."
        if output not in tape.followed:
            return f"It writes down {what}; but what is made from a followed value must be followed too."
    return "" if len(tape.entries) == 2 else f"Two ops concern x, and there are {len(tape.entries)} entries."


def _programs() -> list[tuple[str, Callable[..., Any], int]]:
    """Programs of x, y and a sine, for Values and for tensors alike; and how many values are watched."""
    return [
        ("x * y", lambda x, y, sin: x * y, 2),
        ("(x + y) * y", lambda x, y, sin: (x + y) * y, 2),
        ("sin(x * x) * y + x", lambda x, y, sin: sin(x * x) * y + x, 2),
        ("x * x * x, with y unused", lambda x, y, sin: x * x * x, 2),
        ("sin(x) * y, with y unwatched", lambda x, y, sin: sin(x) * y, 1),
    ]


@judging("Right: every entry from the last to the first, and contributions are added.")
def walks(answer: Any) -> Fault:
    """Of gradient(tape, target, source): the backward pass over a tape's entries, with contributions added as they come."""
    value, apply = _beside(answer, "Value", "apply")
    for text, entries, wanted in _tapes(value):
        tape, target, sources = entries
        for name, source in sources.items():
            with filled(answer):
                got = called(answer, tape, target, source)
            right = wanted[name]
            if (got is None) != (right is None):
                return f"For {text} by {name} it gives {'None' if got is None else _number(got)}; right is {right}." + (
                    " Only followed values get a slope." if right is None else ""
                )
            if right is not None and (said := differs(f"For {text} by {name}", _number(got), right, by="right is")):
                return said
            if got is not None and not isinstance(got, value):
                return "The number is right, but it is no Value: start with Value(1.0), and use the rules in BACK."
    return ""


def _tapes(value: Any) -> list[tuple[str, Any, dict[str, Any]]]:
    """Tapes with entries: (text, (tape, target, sources), slopes)."""

    x, y, k, s, z, p, q = (value(n) for n in (3.0, 2.0, 5.0, 5.0, 10.0, 15.0, 45.0))
    return [
        ("z = x * k", (Bare([x, p], [("multiply", (x, k), p)]), p, {"x": x}), {"x": 5.0}),
        (
            "s = x + y, z = s * y",
            (Bare([x, y, s, z], [("add", (x, y), s), ("multiply", (s, y), z)]), z, {"y": y, "x": x}),
            {"y": 7.0, "x": 2.0},
        ),
        (
            "p = x * k, q = p * x, with k unwatched",
            (Bare([x, p, q], [("multiply", (x, k), p), ("multiply", (p, x), q)]), q, {"x": x, "k": k}),
            {"x": 30.0, "k": None},
        ),
        (
            "s = x + x, and then p = y * k, which is not asked for",
            (Bare([x, y, s, p], [("add", (x, x), s), ("multiply", (y, k), p)]), s, {"x": x, "y": y}),
            {"x": 2.0, "y": None},
        ),
    ]


@judging("Right: for five programs, once and twice, it says what the real tape says.")
def tapes(answer: Any) -> Fault:
    """Of a whole tape class: the same slopes as tf.GradientTape, first and second, for several programs."""
    value, sin = _around(answer, "Value", "sin")
    for text, program, watched in _programs():
        for order in (1, 2):
            with filled(answer):
                mine = called(_twice, answer, value, sin, program, watched, order)
            real = _twice(tf.GradientTape, tf.constant, tf.sin, program, watched, order)
            for name, slope, right in zip("xy", mine, real):
                what = f"For {text} by {name}" + (" twice" if order == 2 else "")
                if (slope is None) != (right is None):
                    return f"{what} it gives {'None' if slope is None else _number(slope)}; the real tape {right}."
                if right is not None and (
                    said := differs(what, _number(slope), float(right), by="the real tape gives")
                ):
                    return said
    return ""


def _twice(tape: Any, value: Any, sin: Any, program: Any, watched: int, order: int) -> list[Any]:
    """Slopes of a program by x and y, or those of the slope by x, with any tape class."""
    xs = [value(0.7), value(1.9)]
    with tape() as outer:
        for x in xs[:watched]:
            outer.watch(x)
        with tape() as inner:
            for x in xs[:watched]:
                inner.watch(x)
            y = program(*xs, sin)
        if order == 1:
            return [inner.gradient(y, xs[0])] if watched == 1 else _both(inner, y, xs, tape)
        first = inner.gradient(y, xs[0])
        if blank([first]):
            return [...]
    return [outer.gradient(first, xs[0])]


def _both(inner: Any, y: Any, xs: list[Any], tape: Any) -> list[Any]:
    return inner.gradient(y, xs) if tape is tf.GradientTape else [inner.gradient(y, x) for x in xs]


@judging("Right: for five programs in two directions it says what the real accumulator says.")
def carries(answer: Any) -> Fault:
    """Of an accumulator class (primal, tangent): the same tangents as tf.autodiff.ForwardAccumulator."""
    value, sin = _around(answer, "Value", "sin")
    for text, program, _ in _programs():
        for direction in (1.0, -2.5):
            with filled(answer):
                mine = called(_pushed, answer, value, sin, program, direction)
            right = float(_pushed(tf.autodiff.ForwardAccumulator, tf.constant, tf.sin, program, direction))
            what = f"For {text} in the direction {direction:g}"
            if mine is None:
                return f"{what} it has no tangent: who writes it down in record?"
            if said := differs(what, _number(mine), right, by="the real one gives", upstream=direction):
                return said.replace("What came back from above", "The direction")
    return ""


def _pushed(accumulator: Any, value: Any, sin: Any, program: Any, direction: float) -> Any:
    x, y = value(0.7), value(1.9)
    with accumulator(x, value(direction)) as acc:
        z = program(x, y, sin)
    return acc.jvp(z)
