"""The heart: all of autodiff on one page, on the project's own table of ops.  Read this first.

Nothing here is fast, frees memory early, counts bytes or remembers what happened.  The rest of the core does the same at speed;
its docstrings name the function of this file that they stand for.  `tests/core/test_heart.py` holds both to the same bits.

>>> import minitape as tf
>>> x, w = tf.constant(3.0), tf.Variable([1.0, 2.0])
>>> with by_heart(), Tape() as outer, Accumulator(x, tf.constant(1.0)) as forward:
...     outer.watch(x)
...     with Tape() as inner:
...         inner.watch(x)
...         y = x * x * x
...     slope = inner.gradient(y, x)
...     bend = outer.gradient(slope, x)  # a tape around a tape
>>> float(slope), float(bend), float(forward.jvp(slope))  # an accumulator around a tape: the same number
(27.0, 18.0, 18.0)
>>> with by_heart(), Tape() as tape:  # a variable is watched because it is read
...     loss = tf.reduce_sum(tf.square(w))
...     tape.gradient(loss, [w, x])
[<tf.Tensor: shape=(2,), dtype=float32, numpy=array([2., 4.], dtype=float32)>, None]
"""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np

from .ops.elementwise import add
from .record.events import state
from .tensor import Operand, Tag, Tensor, convert, make

Tensors = tuple[Tensor, ...]


class Application(NamedTuple):
    """One op, applied: the row of the table, the tags of the values (what records know them by), the settings."""

    primitive: Any
    inputs: tuple[Tag, ...]
    outputs: tuple[Tag, ...]
    params: dict[str, Any]


def apply(row: Any, operands: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Compute the op, then show it to each active recorder."""
    tags = [operand.tag for operand in operands if isinstance(operand, Operand)]
    hint = tags[0].dtype if tags and row.same_dtype else None  # Python's numbers take the other operand's dtype
    inputs = tuple(convert(operand, hint=hint) for operand in operands)
    result = row.forward(*[x.array for x in inputs], **params)
    outputs = tuple(make(np.asarray(y)) for y in (result if isinstance(result, tuple) else (result,)))
    show(Application(row, tuple(x.tag for x in inputs), tuple(y.tag for y in outputs), params), inputs, outputs)
    return outputs if isinstance(result, tuple) else outputs[0]


def show(application: Application, inputs: Tensors, outputs: Tensors) -> None:
    """The one rule: outermost first, and what a recorder computes meanwhile is seen only by the recorders outside of it."""
    recorders = state.recorders
    for depth, recorder in enumerate(recorders):
        with now(recorders=recorders[:depth]):
            recorder.record(application, inputs, outputs)


@contextmanager
def now(**changes: Any) -> Iterator[None]:
    """Change this thread's state for a block."""
    before = {name: getattr(state, name) for name in changes}
    state.change(**changes)
    try:
        yield
    finally:
        state.change(**before)


by_heart = partial(now, instead=apply)  # a block in which ops go through `apply` above, and not through the engine


class Recorder:
    """Sees every op inside its `with` block; the one that was entered last is the innermost."""

    def __enter__(self) -> Self:
        state.recorders = (*state.recorders, self)
        return self

    def __exit__(self, *problem: object) -> None:
        state.recorders = tuple(r for r in state.recorders if r is not self)

    def accessed(self, *variables: Any) -> None:
        """A variable is about to be read."""


class Tape(Recorder):
    """Write down what happens to watched values; then walk back."""

    def __init__(self) -> None:
        self.followed: set[Tag] = set()
        self.entries: list[tuple[Application, tuple[bool, ...], list[Any]]] = []

    def watch(self, *values: Any) -> None:
        """Follow these values, and all that is made from them."""
        self.followed |= {value.tag for value in values}

    accessed = watch  # so that variables are watched by themselves

    def record(self, application: Application, inputs: Tensors, outputs: Tensors) -> None:
        """Write the op down if an input is followed, and keep the values that the rules towards such inputs name."""
        row, followed = application.primitive, self.followed
        wanted = tuple(row.differentiable(i) and tag in followed for i, tag in enumerate(application.inputs))
        if any(wanted):
            named = [place if place >= 0 else len(inputs) + ~place for place in row.saves(wanted)]
            kept = [value if i in named else None for i, value in enumerate([*inputs, *outputs])]
            self.entries.append((application, wanted, kept))
            followed |= set(application.outputs)

    def gradient(self, target: Any, sources: Any) -> Any:
        """Go from the last entry to the first, put each cotangent through the rules of its op, and add up what comes back."""
        cotangents: dict[Tag, Any] = {target.tag: make(np.ones(target.tag.shape, target.tag.dtype))}
        for application, wanted, kept in reversed(self.entries):
            arrived = [cotangents.get(tag) for tag in application.outputs]
            if any(cotangent is not None for cotangent in arrived):
                for i, part in application.primitive.pull(application, kept, arrived, wanted):
                    tag = application.inputs[i]
                    cotangents[tag] = add(cotangents[tag], part) if tag in cotangents else part
        return [cotangents.get(x.tag) for x in sources] if isinstance(sources, list) else cotangents.get(sources.tag)


class Accumulator(Recorder):
    """Carry a tangent beside every value, while the program runs."""

    def __init__(self, primal: Any, tangent: Any) -> None:
        self.tangents = {primal.tag: tangent}

    def record(self, application: Application, inputs: Tensors, outputs: Tensors) -> None:
        """Push the tangents of the inputs through the rules of the op."""
        tangents = [self.tangents.get(tag) for tag in application.inputs]
        if application.primitive.kind != "flat" and any(tangent is not None for tangent in tangents):
            moved = application.primitive.pushforward(application, [*inputs, *outputs], tangents)
            self.tangents |= {tag: t for tag, t in zip(application.outputs, moved, strict=True) if t is not None}

    def jvp(self, value: Any) -> Any:
        """The tangent of a value: a look-up, and None where it has none."""
        return self.tangents.get(value.tag)


if __name__ == "__main__":
    raise SystemExit(doctest.testmod(verbose=True).failed)
