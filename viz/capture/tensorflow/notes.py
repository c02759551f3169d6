"""The records of a run as it goes on: one note for each thing that happens."""

from __future__ import annotations

import threading
from typing import Any

import tensorflow as tf

from ...schema import clean
from ..borrowed import held_in_frames, learner_frame, name_in
from ..notes import RunNotes
from ..records import FORWARD, Context, Made, Recorder, Site, Value, Watched
from ..regions import Region
from ..run import OfFramework
from .rows import Rows
from .values import Values, eager, is_handle, trainable, variable_of

NO_BYTES = "Memory is not shown: TensorFlow does not say who holds the bytes of an eager tensor."
NO_TANGENT_OPS = "Tangents are shown by value: the arithmetic behind them runs in functions that TensorFlow has traced."
NO_INSIDE = "What runs inside a tf.function is traced by TensorFlow: each call is told as one op."
NO_ROWS = "This Jacobian was vectorized by TensorFlow (pfor): it is one answer; experimental_use_pfor=False tells rows."


class Run(OfFramework):
    """A program of TensorFlow's that was recorded, as a stream; `why` says why a gradient is None."""

    def __init__(self, title: str = "", lead: str = "") -> None:
        super().__init__(title, lead, framework="TensorFlow", notes=(NO_BYTES,))

    def why(self, target: Any, source: Any) -> str:
        """Why the gradient of a target by a source is what it is, with the line where the way between them is cut.

        Args: target, a tensor of the program; source, a tensor or a variable of it.  Raises TypeError for what is neither.
        """
        from .why import why

        for thing in (target, source):
            if not isinstance(thing, tf.Tensor) and variable_of(thing) is None:
                raise TypeError(
                    f"a gradient is of a tensor by a tensor or a variable, not {type(thing).__name__}: run.why(y, x)"
                )
        return why(self.stream, self.notes.known(target), self.notes.known(source), self.notes.called(source))


class Notes(RunNotes):
    """What is known of a run so far; the other modules here record in it what they see."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.rows, self.values = Rows(), Values()
        self.tapes: list[Any] = []  # those that listen, outermost first: see `recorders`
        self.carriers: list[Any] = []  # accumulators that do
        self.around: list[Any] = []  # backward passes and bodies of regions that are going on, outermost first
        self.jacobian: Any = None  # the one that is being worked out: see `recorders`
        self._thread = threading.get_ident()
        self._recorder_count = 0

    def elsewhere(self) -> bool:
        """Whether another thread is running: op callbacks belong to one thread, and nothing is told of others."""
        return threading.get_ident() != self._thread

    # ---- what is going on -----------------------------------------------------------------------------------------------

    @property
    def work(self) -> Any:
        """The backward pass that is at work, if what runs now runs in one."""
        return None if not self.around or isinstance(self.around[-1], Region) else self.around[-1]

    def context(self) -> Context:
        """What is going on."""
        if not self.around:
            return FORWARD
        inner = self.around[-1]
        if not isinstance(inner, Region):
            if inner.summing:
                return Context("gradient", inner.cause or inner.last, inner.recorder, "accumulate", region=inner.path)
            if inner.cause is None and not inner.path:
                return FORWARD
            return Context("gradient", inner.cause, inner.recorder, region=inner.path)
        again = next((region for region in reversed(self.around) if isinstance(region, Region) and region.runs), None)
        if again is None:
            return Context(region=inner.path)
        return Context(phase="recompute", cause=again.entry, actor=again.actor, region=inner.path)

    def recorder(self, kind: str, made: Site | None) -> Recorder:
        """A recorder of the program, named by the line that made it."""
        self._recorder_count += 1
        return Recorder(f"r{self._recorder_count}", kind, (made or self.site()).name or kind)

    def finish(self) -> None:
        """End the run with the block, whatever was going on."""
        self.around.clear()

    # ---- values ---------------------------------------------------------------------------------------------------------

    def known(self, thing: Any) -> Value | None:
        """The value that a tensor or a variable of the program is; None for one that took no part."""
        variable = variable_of(thing)
        return self.values.find(thing if variable is None else variable.handle)

    def called(self, thing: Any) -> str:
        """What the program calls it."""
        value = self.known(thing)
        name = "" if value is None else value.name or value.label
        return name or clean(name_in(learner_frame(), lambda held: held is thing)) or "it"

    def value(self, thing: Any) -> Value:
        """The value that a tensor or a variable is; one that nobody saw being made is introduced."""
        variable = None if isinstance(thing, tf.Tensor) else variable_of(thing)
        tensor = thing if variable is None else variable.handle
        known = self.values.find(tensor)
        return self.meet(tensor) if known is None else known

    def operand(self, tensor: Any) -> Value | None:
        """The value of an operand; None for a setting of the op: a shape, an axis, a number of the library."""
        known = self.values.find(tensor)
        if known is not None:
            return known
        if is_handle(tensor):
            return self.meet(tensor)
        if not eager(tensor) or tensor.dtype in (tf.resource, tf.variant):  # data sets, iterators, tables
            return None
        read = self.values.read_from(tensor) if trainable(tensor) else None
        if read is not None:
            self.access(read)
            return self.values.put(tensor, read)
        if self.name(tensor) or trainable(tensor):
            return self.meet(tensor)
        return None

    def operands(self, tensors: list[Any]) -> tuple[tuple[Value, ...], dict[int, int]]:
        """The operands among these tensors; and from the place of each among the tensors to its place among the operands."""
        found = [(at, value) for at, value in enumerate(map(self.operand, tensors)) if value is not None]
        return tuple([value for _, value in found]), {at: place for place, (at, _) in enumerate(found)}

    def name(self, tensor: Any) -> str:
        """What the program calls a tensor or a variable; "" where nobody says."""
        if not is_handle(tensor):
            return clean(name_in(learner_frame(), lambda held: held is tensor))
        return self.values.name_of(tensor) or clean(name_in(learner_frame(), lambda held: _handle(held) is tensor))

    def meet(self, tensor: Any) -> Value:
        """A tensor or variable that nobody saw being made."""
        if is_handle(tensor):
            return self._meet_variable(tensor)
        name = self.name(tensor)
        value = self.values.new(tensor, name)
        seen, site = self.values.see(tensor), self.values.made_at(tensor)
        if site is None and name:
            value.early = seen
        else:
            self.add(Made(value=value, implicit=not name, numbers={value: seen}, site=site))
        return value

    def _meet_variable(self, handle: Any) -> Value:
        if not self.values.name_of(handle):
            for _, held in held_in_frames():
                if not isinstance(held, type) and hasattr(held, "trainable_variables"):
                    self.values.learn(held)
        frame = learner_frame()
        there = [held for space in (frame.f_locals, frame.f_globals) for held in list(space.values())]
        variable = next((held for held in there if _handle(held) is handle), None)
        data = getattr(handle, "_handle_data", None)
        if variable is not None:
            dtype, shape = variable.dtype, variable.shape
        elif data is not None and data.shape_and_type:
            kind = data.shape_and_type[0]
            dtype, shape = tf.dtypes.as_dtype(kind.dtype), tf.TensorShape(kind.shape)
        else:
            dtype, shape = tf.float32, tf.TensorShape(())
        value = self.values.variable(handle, dtype, shape, self.name(handle))
        value.early = self.values.see(handle)
        return value

    def access(self, value: Value) -> None:
        """A variable was read: a tape that watches what is read watches it from here on."""
        for tape in self.tapes:
            if value not in tape.follows and tape.watches_by_itself(self.values.handle(value)):
                tape.follows.add(value)
                self.add(Watched(recorder=tape.recorder, value=value, explicit=False))


def _handle(held: Any) -> Any:
    return held.handle if isinstance(held, tf.Variable) else None
