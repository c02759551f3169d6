"""Tapes and accumulators: their blocks, what they are told to watch, and what they are asked."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import tensorflow as tf

from ..block import stand_in
from ..records import (
    Answered,
    Asked,
    Deleted,
    Entered,
    Left,
    LookedUp,
    Paused,
    Recorder,
    Released,
    Reset,
    Resumed,
    Value,
    Watched,
)
from .backward import Backward, Pass
from .calls import Calls
from .forward import Forward
from .notes import NO_ROWS, Notes
from .private import found
from .values import eager, told, variable_of


class Tape:
    """A tape of the program's, and what it follows."""

    def __init__(self, tape: Any, recorder: Recorder, region: Any) -> None:
        self._tape = weakref.ref(tape)
        self.recorder = recorder
        self.region = region  # of which this is the rerun
        self.persistent = bool(tape._persistent)
        self.follows: set[Value] = set()
        self.done = False
        self.watched_over: Any = None  # a weak reference, with a callback for when it is gone

    def watches_by_itself(self, handle: Any) -> bool:
        """Whether TensorFlow's tape has begun to watch the variable with that handle."""
        tape = self._tape()
        inner = None if tape is None else tape._tape
        return inner is not None and any(variable.handle is handle for variable in inner.watched_variables())


class Carrier:
    """An accumulator of the program's."""

    def __init__(self, accumulator: Any, recorder: Recorder) -> None:
        self.accumulator, self.recorder = accumulator, recorder


class Jacobian:
    """A Jacobian that is being worked out: TensorFlow asks for it row by row, or vectorizes them all."""

    def __init__(self, target: Value) -> None:
        self.target = target
        self.rows = 0  # that were asked for so far


class Recorders:
    """Wraps the methods of both."""

    def __init__(self, notes: Notes, forward: Forward, backward: Backward, calls: Calls) -> None:
        self.notes, self.forward, self.backward, self.calls = notes, forward, backward, calls
        self.known: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
        self._made: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()  # at which line each was made

    def put_on(self, stack: ExitStack) -> None:
        """Wrap them until the stack is closed."""
        own: dict[str, Callable[..., Any]] = {
            "__init__": self._init, "__enter__": self._enter, "__exit__": self._exit, "_push_tape": self._push,
            "_pop_tape": self._pop, "watch": self._watch, "gradient": self._gradient, "stop_recording": self._stop,
            "reset": self._reset, "jacobian": self._jacobian, "batch_jacobian": self._jacobian,
        }  # fmt: skip
        carry: dict[str, Callable[..., Any]] = {
            "__init__": self._init, "_push_accumulator": self._begins, "_pop_accumulator": self._ends, "_watch": self._seeds,
            "jvp": self._look,
        }  # fmt: skip
        carries = found("pywrap_tfe:TFE_Py_ForwardAccumulatorJVP") is not None
        for kind, methods in ((tf.GradientTape, own), (tf.autodiff.ForwardAccumulator, carry if carries else {})):
            for name, around in methods.items():
                self._wrap(stack, kind, name, around)

    def _wrap(self, stack: ExitStack, kind: Any, name: str, around: Callable[..., Any]) -> None:
        plain, notes = kind.__dict__[name], self.notes

        def method(recorder: Any, *args: Any, **kwargs: Any) -> Any:
            if notes.elsewhere():
                return plain(recorder, *args, **kwargs)
            return around(plain, recorder, *args, **kwargs)

        method.__name__, method.__doc__ = name, plain.__doc__
        stand_in(stack, kind, name, method)

    def _init(self, plain: Any, recorder: Any, *args: Any, **kwargs: Any) -> None:
        if tf.executing_eagerly():
            self._made[recorder] = self.notes.site()
        plain(recorder, *args, **kwargs)

    # ---- a tape's block -------------------------------------------------------------------------------------------------

    def _enter(self, plain: Any, tape: Any) -> Any:
        if not tf.executing_eagerly() or self.notes.values.quiet:
            return plain(tape)
        notes = self.notes
        self.forward.settle()
        state = self.known.get(tape)
        again = self.calls.rerun_begins(sys._getframe(2))
        if state is None:
            state = self.known[tape] = Tape(tape, notes.recorder("tape", self._made.get(tape)), again)
            if state.persistent:
                state.watched_over = weakref.ref(tape, lambda _: self._gone(state))
        notes.add(Entered(recorder=state.recorder))
        return plain(tape)

    def _exit(self, plain: Any, tape: Any, *error: Any) -> Any:
        state = self.known.get(tape)
        self.forward.settle()
        answer = plain(tape, *error)
        if state is not None and tf.executing_eagerly():
            kind = error[0].__name__ if error and error[0] is not None else ""
            self.notes.add(Left(recorder=state.recorder, error=kind))
            if state.region is not None:
                self.calls.rerun_ends(state.region)
        return answer

    def _push(self, plain: Any, tape: Any) -> None:
        plain(tape)
        state = self.known.get(tape)
        if state is not None and state not in self.notes.tapes:
            self.notes.tapes.append(state)

    def _pop(self, plain: Any, tape: Any) -> None:
        self.forward.settle()
        plain(tape)
        state = self.known.get(tape)
        if state in self.notes.tapes:
            self.notes.tapes.remove(state)

    def _gone(self, state: Tape) -> None:
        if self.notes.run.listening and not state.done:
            self.notes.add(Deleted(recorder=state.recorder))

    @contextmanager
    def _stop(self, plain: Any, tape: Any) -> Iterator[None]:
        state = self.known.get(tape)
        with plain(tape):
            if state is not None:
                self.notes.add(Paused(recorder=state.recorder))
            yield
            self.forward.settle()
        if state is not None:
            self.notes.add(Resumed(recorder=state.recorder))

    def _reset(self, plain: Any, tape: Any) -> None:
        plain(tape)
        state = self.known.get(tape)
        if state is not None:
            state.follows.clear()
            self.notes.add(Reset(recorder=state.recorder))

    def _watch(self, plain: Any, tape: Any, tensor: Any) -> None:
        plain(tape, tensor)
        state = self.known.get(tape)
        if state is None or not tf.executing_eagerly():
            return
        self.forward.settle()
        for thing in tf.nest.flatten(tensor):
            if told(thing):
                value = self.notes.value(thing)
                state.follows.add(value)
                self.notes.add(Watched(recorder=state.recorder, value=value))

    # ---- a tape's question ----------------------------------------------------------------------------------------------

    def _gradient(
        self, plain: Any, tape: Any, target: Any, sources: Any, output_gradients: Any = None, *args: Any, **kwargs: Any
    ) -> Any:
        notes, state = self.notes, self.known.get(tape)
        targets, asked = tf.nest.flatten(target), tf.nest.flatten(sources)
        if state is None or not tf.executing_eagerly() or not all(map(told, (*targets, *asked))) or not targets:
            return plain(tape, target, sources, output_gradients, *args, **kwargs)
        self.forward.settle()
        jacobian = notes.jacobian
        wanted = tuple([notes.value(source) for source in asked])
        named = tuple([notes.value(asked_of) for asked_of in targets]) if jacobian is None else (jacobian.target,)
        row = None
        if jacobian is not None:
            row, jacobian.rows = jacobian.rows, jacobian.rows + 1
        work = Pass(state.recorder, state.region)
        notes.around.append(work)
        try:
            notes.add(Asked(recorder=state.recorder, targets=named, sources=wanted, row=row))
            seeds = [None] * len(named) if output_gradients is None else tf.nest.flatten(output_gradients)
            for into, seed in zip(named, seeds, strict=False):
                if eager(seed):
                    self.backward.seed(work, into, seed)
                elif seed is None:
                    work.unseeded.append(into)
            try:
                answers = plain(tape, target, sources, output_gradients, *args, **kwargs)
            except BaseException as error:
                notes.failed(error, state.recorder)
                raise
            self.backward.ends(work, wanted, tf.nest.flatten(answers))
            self._answered(state, wanted, answers, row)
        finally:
            notes.around.remove(work)
        return answers

    def _jacobian(self, plain: Any, tape: Any, target: Any, sources: Any, *args: Any, **kwargs: Any) -> Any:
        """A question for each row where TensorFlow asks row by row, one answer where it vectorizes them all."""
        notes, state = self.notes, self.known.get(tape)
        asked = tf.nest.flatten(sources)
        if state is None or not eager(target) or not all(map(told, asked)):
            return plain(tape, target, sources, *args, **kwargs)
        wanted = tuple([notes.value(source) for source in asked])
        around, notes.jacobian = notes.jacobian, Jacobian(notes.value(target))
        jacobian = notes.jacobian
        try:
            answers = plain(tape, target, sources, *args, **kwargs)
        finally:
            notes.jacobian = around
        if not jacobian.rows:
            notes.say(NO_ROWS)
            notes.add(Asked(recorder=state.recorder, targets=(jacobian.target,), sources=wanted))
            found, numbers = notes.values.answers(tf.nest.flatten(answers))
            notes.add(Answered(recorder=state.recorder, sources=wanted, answers=found, numbers=numbers))
        return answers

    def _answered(self, state: Tape, sources: tuple[Value, ...], answers: Any, row: int | None) -> None:
        told, numbers = self.notes.values.answers(tf.nest.flatten(answers))
        record = Answered(
            recorder=state.recorder, sources=sources, answers=told[: len(sources)], row=row, numbers=numbers
        )
        if state.region is not None:
            self._released(state)
        self.notes.add(record)
        if state.region is None:
            self._released(state)

    def _released(self, state: Tape) -> None:
        if not state.persistent and not state.done:
            state.done = True
            self.notes.add(Released(recorder=state.recorder))

    # ---- accumulators ---------------------------------------------------------------------------------------------------

    def _begins(self, plain: Any, accumulator: Any) -> None:
        plain(accumulator)
        if not tf.executing_eagerly():
            return
        carrier = self._carrier(accumulator)
        self.notes.carriers.append(carrier)
        self.notes.add(Entered(recorder=carrier.recorder))

    def _carrier(self, accumulator: Any) -> Carrier:
        carrier = self.known.get(accumulator)
        if carrier is None:
            carrier = Carrier(accumulator._accumulator, self.notes.recorder("accumulator", self._made.get(accumulator)))
            self.known[accumulator] = carrier
        return carrier

    def _ends(self, plain: Any, accumulator: Any) -> None:
        self.forward.settle()
        plain(accumulator)
        carrier = self.known.get(accumulator)
        if carrier is not None and carrier in self.notes.carriers:
            self.notes.carriers.remove(carrier)
            self.notes.add(Left(recorder=carrier.recorder))

    def _seeds(self, plain: Any, accumulator: Any, primals: Any, tangents: Any) -> None:
        plain(accumulator, primals, tangents)
        if not tf.executing_eagerly():
            return
        self.forward.settle()
        carrier = self._carrier(accumulator)
        for primal in tf.nest.flatten(primals):
            if told(primal):
                variable = None if eager(primal) else variable_of(primal)
                tensor = primal if variable is None else variable.handle
                tangent = found("pywrap_tfe:TFE_Py_ForwardAccumulatorJVP")(carrier.accumulator, tensor)
                if tangent is not None:
                    value = self.notes.value(primal)
                    self.notes.operand(tangent)
                    self.forward.carry(carrier.recorder, value, tangent, None)

    def _look(self, plain: Any, accumulator: Any, primals: Any, *args: Any, **kwargs: Any) -> Any:
        self.forward.settle()
        answers = plain(accumulator, primals, *args, **kwargs)
        carrier, notes = self.known.get(accumulator), self.notes
        if carrier is None or not tf.executing_eagerly():
            return answers
        for primal, tangent in zip(tf.nest.flatten(primals), tf.nest.flatten(answers), strict=False):
            if told(primal):
                (value,), numbers = notes.values.answers([tangent])
                notes.add(LookedUp(recorder=carrier.recorder, of=notes.value(primal), found=value, numbers=numbers))
        return answers
