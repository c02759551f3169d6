"""Properties of functions that compute numbers from numbers, and of rules for a backward pass that a learner has written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from .judge import Fault, Known, Property, blank, called, differs, placed
from .overhear import Heard, overhearing, reason
from .subject import tf

Place = Sequence[Any]


def agrees(
    reference: Callable[..., Any], places: Sequence[Place], *, names: str, gives: str = "",
    known: Callable[..., Mapping[str, Any]] | None = None, tensors: bool = False, asks: str = "", tapes: int = 0,
    why: str = "Right, at each place where it was tried.",
) -> Property:  # fmt: skip
    """Of a function: it gives what the reference gives, at each of these places.

    Args: names, of the arguments ("x y"); gives, the names of its parts where it gives several ("dx dy"); known, wrong
    answers that have a name; tensors, whether it is given tensors; asks and tapes, who is to be asked, and how many.

    >>> agrees(lambda x, y: x * y, [(2.0, 3.0)], names="x y").fault(lambda x, y: x + y)
    'At x = 2, y = 3 it gives 5; right is 6.'
    """

    def fault(answer: Any) -> Fault:
        for place in places:
            what = "At " + ", ".join(
                f"{name} = {_short(number)}" for name, number in zip(names.split(), place, strict=True)
            )
            given = [placed(number) if tensors and isinstance(number, float | list) else number for number in place]
            with overhearing() as heard:
                got = called(answer, *given)
            stories: Known = partial(known, *place) if known else {}
            if said := _parts(what, got, reference(*place), gives.split(), stories, heard):
                return said
            if asks and not any(question.kind == asks for question in heard):
                return f"{what} it is right, but no {asks} was asked."
            if tapes and len(heard) > tapes:
                return f"{what} it is right, but it took {len(heard)} questions. One is enough."
        return ""

    return Property(why, fault)


def _parts(what: str, got: Any, right: Any, parts: list[str], stories: Known, heard: list[Heard]) -> str:
    if got is None:
        return f"{what} it gives None: {reason(heard) if heard else 'is a return missing?'}"
    if not parts:
        return differs(what, got, right, by="right is", known=stories)
    if not isinstance(got, list | tuple) or len(got) != len(parts):
        return f"{what} it should give {len(parts)} things, {' and '.join(parts)}; it gives {_short(got)}."
    wrong = [f for name, part, number in zip(parts, got, right, strict=True)
             if (f := _part(what, name, part, number, stories, heard))]  # fmt: skip
    if len(wrong) == len(parts) == 2 and not any(differs("", a, b) for a, b in zip(got, reversed(right), strict=True)):
        return f"{what} {parts[0]} and {parts[1]} have changed places."
    return wrong[0] if wrong else ""


def _part(what: str, name: str, got: Any, right: Any, stories: Known, heard: list[Heard]) -> str:
    if got is None:
        return f"{what} {name} is None: {reason(heard) if heard else 'nothing was computed for it.'}"
    return differs(what, got, right, f"{name} is", by="right is", known=stories)


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    try:
        return f"{value!r:.40}"
    except Exception:
        return type(value).__name__


def rule(
    forward: Callable[..., Any], backward: Callable[..., Any], places: Sequence[Place], *, names: str = "x",
    known: Callable[..., Mapping[str, Any]] | None = None, bend: Callable[[float], float] | None = None,
) -> Property:  # fmt: skip
    """Of a function with a rule of its own: its value, and what comes back through it for other upstream numbers than 1.

    Args: forward, its value; backward, (upstream, *inputs) to what comes back, a list: to the inputs, and to the variables
    that it reads; places, of (upstream, *inputs), where an upstream of several results is a tuple; bend, the second
    derivative, if it must have one.

    >>> rule(lambda x: 3.0 * x, lambda u, x: [3.0 * u], [(2.0, 1.5)]).fault(lambda x: 3.0 * x)
    ''
    """

    def fault(answer: Any) -> Fault:
        for upstream, *inputs in places:
            seeds = upstream if isinstance(upstream, tuple) else (upstream,)
            with overhearing() as heard:
                got = called(_driven, answer, inputs, seeds)
            values, back = got
            at = ", ".join(f"{name} = {_short(number)}" for name, number in zip(names.split(), inputs))
            right = forward(*inputs)
            for value, number in zip(values, right if isinstance(right, tuple) else (right,)):
                if said := differs(f"At {at} the value", value, number, "is", by="right is"):
                    return said
            wanted = backward(upstream, *inputs)
            if len(back) != len(wanted):
                return "It reads no variable: where did the weight go?"
            told = " and ".join(_short(seed) for seed in seeds)
            for name, came, number in zip([*names.split(), "the weight"], back, wanted):
                what = f"At {at}, with {told} coming back from above, to {name}"
                if came is None:
                    return f"{what} comes None: {reason(heard)}"
                strange = seeds[0] if len(seeds) == 1 and isinstance(seeds[0], float) else 1.0
                stories: Known = partial(known, upstream, *inputs) if known else {}
                if said := differs(what, came, number, "comes", by="right is", known=stories, upstream=strange):
                    return said
            if bend and (said := _bent(answer, inputs[0], bend)):
                return said
        return ""

    return Property("Right: what comes back is right, whatever came from above.", fault)


def _driven(answer: Any, inputs: Sequence[float], seeds: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The values of a function with a rule, and what comes back to inputs and variables for these seeds."""
    given = [placed(number) for number in inputs]
    with tf.GradientTape() as tape:
        tape.watch(given)
        got = answer(*given)
        values = list(got) if isinstance(got, list | tuple) else [got]
    if blank(values) or len(values) != len(seeds):
        raise ValueError("ellipsis" if blank(values) else f"{len(values)} results, where {len(seeds)} were expected")
    sources = [*given, *tape.watched_variables()]
    return values, tape.gradient(values, sources, output_gradients=[tf.constant(seed) for seed in seeds])


def _bent(answer: Any, at: float, bend: Callable[[float], float]) -> str:
    x = placed(at)
    with overhearing() as heard:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = answer(x)
            first = inner.gradient(y, x)
        second = outer.gradient(first, x)
    if second is None:
        return f"The slope is right, but the second derivative is None: {reason(heard)}"
    what = f"At x = {at:g} the second derivative"
    return differs(what, second, bend(at), "is", by="right is", known={"the slope": first})
