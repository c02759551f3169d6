"""The backward pass: what the gradient function of each entry is given and gives, seeds, and sums."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ..records import Contributed, Op, Recorder, Seeded, Summed, Value
from .forward import Entry, Forward
from .kept import answer
from .notes import Notes
from .private import found
from .values import eager


class Pass:
    """A backward pass that is on its way."""

    def __init__(self, recorder: Recorder, region: Any = None) -> None:
        self.recorder = recorder
        self.path: tuple[str, ...] = () if region is None else region.path
        self.cause: Op | None = None if region is None else region.entry
        self.around = self.cause
        self.last: Op | None = None  # the entry that was reversed last
        self.summing = False
        self.sums: dict[Value, Any] = {}  # what was added up for variables, which are read more than once
        self.got: dict[Value, Value] = {}  # what has arrived so far
        self.parts: dict[int, list[Value]] = {}  # by id of what arrived: the values that it arrived at
        self.alive: list[Any] = []  # keeps them alive, so that no id is used twice
        self.unseeded: list[Value] = []  # targets whose first cotangent TensorFlow will make

    def arrived(self, part: Any, into: Value, value: Value) -> None:
        """Something has come back to a value."""
        self.got[into] = value
        self.parts.setdefault(id(part), []).append(into)
        self.alive.append(part)


def is_part(thing: Any) -> bool:
    """Whether something is a gradient: a tensor with numbers, or rows of one."""
    return eager(thing) or (isinstance(thing, tf.IndexedSlices) and eager(thing.values))


class Backward:
    """Stands in for the gradient function, and for two functions on what it gives."""

    def __init__(self, notes: Notes, forward: Forward) -> None:
        self.notes, self.forward = notes, forward
        self.plain = found("eager.backprop:_gradient_function")
        self._adds_up = getattr(found("eager.backprop:_aggregate_grads"), "__code__", None)

    # ---- one entry ------------------------------------------------------------------------------------------------------

    def __call__(
        self, name: str, attrs: Any, count: int, inputs: Any, outputs: Any, arrives: Any, skip: Any, scope: Any
    ) -> Any:
        """What TensorFlow calls to reverse an entry."""
        ours = answer(inputs, outputs, count)
        if ours is not None:
            return ours
        work, entry = self.notes.work, self.forward.entries.get(id(attrs))

        def plain() -> Any:
            return self.plain(name, attrs, count, inputs, outputs, arrives, skip, scope)

        if work is None or self.notes.elsewhere() or not tf.executing_eagerly():
            return plain()
        if entry is None:
            gives = plain()
            self._row_of_a_jacobian(work, inputs, gives)
            return gives
        return self.through(work, entry, arrives, plain, skip or ())

    def through(self, work: Pass, entry: Entry, arrives: Any, reverse: Callable[[], Any], skip: Any = ()) -> Any:
        """Reverse an entry, and tell what comes back."""
        notes = self.notes
        around, work.cause = work.cause, entry.op
        for into, cotangent in zip(entry.op.gives, arrives, strict=False):
            self._seeded(work, into, cotangent)
        try:
            gives = reverse()
            parts = list(gives) if isinstance(gives, list | tuple) else [gives]
            follows = entry.wanted.get(work.recorder, frozenset())
            for at, part in enumerate(parts):
                place = entry.positions.get(at)
                if place is None or place not in follows or at in skip or not is_part(part):
                    continue
                into, value = entry.op.takes[place], notes.values.known(part)
                first = into not in work.got
                numbers = {value: notes.values.see(part)}
                notes.add(Contributed(
                    recorder=work.recorder, into=into, part=value, position=place, first=first, numbers=numbers
                ))  # fmt: skip
                work.arrived(part, into, value)
            return gives
        finally:
            work.cause, work.last = around, entry.op

    def _row_of_a_jacobian(self, work: Pass, inputs: Any, gives: Any) -> None:
        """Record the seed of a Jacobian's row: the cotangent of the ops with which TensorFlow picks an element of the target."""
        jacobian = self.notes.jacobian
        if jacobian is None or not inputs or not isinstance(gives, list | tuple):
            return
        into = self.notes.values.find(inputs[0]) if eager(inputs[0]) else None
        if into is not None and into is jacobian.target and is_part(gives[0]):
            self.seed(work, into, gives[0])

    # ---- seeds and sums -------------------------------------------------------------------------------------------------

    def seed(self, work: Pass, into: Value, tensor: Any) -> None:
        """A target's cotangent is put in."""
        notes = self.notes
        part = notes.values.known(tensor)
        notes.add(Seeded(recorder=work.recorder, into=into, part=part, numbers={part: notes.values.see(tensor)}))
        work.arrived(tensor, into, part)

    def _seeded(self, work: Pass, into: Value, cotangent: Any) -> None:
        """A cotangent that no entry gave is the seed that TensorFlow has put in for a target."""
        if into in work.unseeded and is_part(cotangent) and id(cotangent) not in work.parts:
            work.unseeded.remove(into)
            around, work.cause = work.cause, work.around
            self.seed(work, into, cotangent)
            work.cause = around

    def ends(self, work: Pass, sources: tuple[Value, ...], answers: list[Any]) -> None:
        """A backward pass is over: record the sums of variables, and the seed of a target that is a source too."""
        for into, total in work.sums.items():
            self._tell(work, into, total)
        for source, cotangent in zip(sources, answers, strict=False):
            self._seeded(work, source, cotangent)

    def adding(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function that adds tensors, to see when TensorFlow adds up the cotangents of a value."""

        def add(gradients: Any, *args: Any, **kwargs: Any) -> Any:
            work = self.notes.work
            caller = sys._getframe(1).f_code
            if (
                work is None
                or self.notes.elsewhere()
                or caller is not self._adds_up
                or not all(map(is_part, gradients))
            ):
                return plain(gradients, *args, **kwargs)
            for into in [*work.unseeded]:  # a target that other targets are made of
                for gradient in gradients:
                    if any(into in work.parts.get(id(other), ()) for other in gradients):
                        self._seeded(work, into, gradient)
            work.summing = True
            try:
                total = plain(gradients, *args, **kwargs)
            finally:
                work.summing = False
            self._summed(work, gradients, total)
            return total

        return add

    def _summed(self, work: Pass, gradients: Any, total: Any) -> None:
        places = [work.parts.get(id(gradient), []) for gradient in gradients]
        into = next((value for value in places[0] if all(value in other for other in places)), None)
        if into is None:
            return
        for part, where in zip(gradients, places, strict=True):
            where.remove(into)
            work.alive.append(part)
        work.alive.append(total)
        work.parts.setdefault(id(total), []).append(into)
        # Each read of a variable has a sum of its own, and these are summed: only that sum is recorded.
        if into.variable:
            work.sums[into] = total
        else:
            self._tell(work, into, total)

    def _tell(self, work: Pass, into: Value, total: Any) -> None:
        notes = self.notes
        value = work.got[into] = notes.values.known(total)
        numbers = {value: notes.values.see(total)}
        notes.add(Summed(recorder=work.recorder, into=into, total=value, numbers=numbers))
