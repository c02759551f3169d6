"""Calls with a rule of their own: custom gradients, traced functions, and regions of `recompute_grad` that run again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import tensorflow as tf

from ..borrowed import called
from ..records import Applied, Recorder, Value
from ..regions import Region
from .backward import Backward
from .forward import Entry, Forward
from .notes import Notes
from .private import found, module
from .rows import is_tangent
from .values import eager

_FILE = getattr(module("ops.custom_gradient"), "__file__", "")
BODY, AGAIN = "inner", "inner_recompute_grad"  # functions of recompute_grad's own: a region's call, and its rerun


class Calls:
    """Stands in for two functions of `tensorflow.python.eager.record`."""

    def __init__(self, notes: Notes, forward: Forward, backward: Backward) -> None:
        self.notes, self.forward, self.backward = notes, forward, backward
        self.plain_record = found("eager.record:record_operation")
        self.plain_stop = found("eager.record:stop_recording")
        self._regions: dict[int, Region] = {}  # by id of the arguments of the call, which its reruns get too
        self._closed: Region | None = None
        self._count = 0

    # ---- one call -------------------------------------------------------------------------------------------------------

    def record_operation(
        self, op_type: str, output_tensors: Any, input_tensors: Any, backward_function: Any,
        forward_function: Any = None,
    ) -> Any:  # fmt: skip
        """In place of the function that writes a call on all tapes."""
        notes, back = self.notes, backward_function
        seen = not notes.values.quiet and not notes.elsewhere() and tf.executing_eagerly()
        if seen and output_tensors and all(map(eager, output_tensors)):
            entry = self._entry(op_type, list(output_tensors), list(input_tensors), back)
            if entry is not None:
                back = self._reversed(entry, back)
        return self.plain_record(op_type, output_tensors, input_tensors, back, forward_function)

    def _reversed(self, entry: Entry, back: Callable[..., Any]) -> Callable[..., Any]:
        def reverse(*arrives: Any) -> Any:
            work = self.notes.work
            if work is None or self.notes.elsewhere() or not tf.executing_eagerly():
                return back(*arrives)
            return self.backward.through(work, entry, arrives, lambda: back(*arrives))

        return reverse

    def _entry(self, kind: str, outputs: list[Any], inputs: list[Any], back: Any) -> Entry | None:
        if is_tangent(kind):
            return None
        notes, made = self.notes, self.notes.values.find(outputs[0])
        if made in self.forward.functions:
            return self._traced(self.forward.functions[made], outputs)
        self.forward.settle()
        region, self._closed = (self._closed, None) if kind == BODY else (None, self._closed)
        takes, positions = notes.operands(inputs)
        wanted = self._followed(takes)
        if kind == AGAIN and not wanted:
            return None  # the rerun itself is not differentiated
        again = region is not None  # then its results are values of its body
        gives = tuple([(again and notes.values.find(tensor)) or notes.values.new(tensor) for tensor in outputs])
        unwatched = self._follow(wanted, gives)
        name = region.name if region is not None else kind
        kept = places_of(tensors_of(back), notes, takes, gives) if region is None else constants_of(takes)
        op = notes.op(
            notes.rows.own(name, len(takes)), takes, gives, site=notes.site(), context=notes.context(), taken=tuple(wanted),
            saved=tuple([(recorder, kept) for recorder in wanted if kept]), own_rule=region is None,
            refused=unwatched, region="" if region is None else region.id,
        )  # fmt: skip
        if region is not None:
            region.entry = op
        numbers = {value: notes.values.see(tensor) for value, tensor in zip(gives, outputs, strict=True)}
        notes.ran(op, numbers)
        return Entry(op, positions, wanted)

    def _traced(self, entry: Entry, outputs: list[Any]) -> Entry:
        """Complete a call of a traced function, recorded when it ran: which tapes wrote it down, and its results."""
        op = entry.op
        record = next(
            told for told in reversed(self.notes.stream.records) if isinstance(told, Applied) and told.op is op
        )
        op.gives = tuple([value for value in map(self.notes.values.find, outputs) if value in op.gives])
        record.numbers = {value: seen for value, seen in record.numbers.items() if value in op.gives}
        wanted = self._followed(op.takes)
        op.refused, op.taken = self._follow(wanted, op.gives), tuple(wanted)
        kept = constants_of(op.takes)
        op.saved = tuple([(recorder, kept) for recorder in wanted if kept])
        return entry._replace(wanted=wanted)

    def _followed(self, takes: tuple[Value, ...]) -> dict[Recorder, frozenset[int]]:
        """By each tape that writes a call down: the places of the operands that it follows."""
        if found("pywrap_tfe:TFE_Py_TapeSetIsStopped")():
            return {}
        found_ = {
            tape.recorder: frozenset([at for at, value in enumerate(takes) if value in tape.follows])
            for tape in self.notes.tapes
        }
        return {recorder: places for recorder, places in found_.items() if places}

    def _follow(
        self, wanted: dict[Recorder, frozenset[int]], gives: tuple[Value, ...]
    ) -> tuple[tuple[Recorder, str], ...]:
        """Let those tapes follow the results; returns the other tapes, with the reason."""
        for tape in self.notes.tapes:
            if tape.recorder in wanted:
                tape.follows.update(gives)
        return tuple([(tape.recorder, "unwatched") for tape in self.notes.tapes if tape.recorder not in wanted])

    # ---- regions --------------------------------------------------------------------------------------------------------

    def stop_recording(self) -> Any:
        """In place of the block that pauses recording: `recompute_grad` runs a region's body in one."""
        frame = sys._getframe(1)
        seen = not self.notes.values.quiet and not self.notes.elsewhere() and tf.executing_eagerly()
        if not (seen and self._of_recompute(frame, BODY)):
            return self.plain_stop()
        return self._body(frame.f_locals.get("f"), frame.f_locals.get("args"))

    @staticmethod
    def _of_recompute(frame: FrameType, name: str) -> bool:
        return frame.f_code.co_name == name and frame.f_code.co_filename == _FILE

    @contextmanager
    def _body(self, function: Any, args: Any) -> Iterator[None]:
        """The block of a region's body."""
        region, notes = self._begun(function, args), self.notes
        del function, args
        notes.add(region.opened())
        notes.around.append(region)
        region.start = len(notes.stream.records)
        try:
            with self.plain_stop():
                yield
        finally:
            self.forward.settle()
            notes.around.remove(region)
            region.body(notes.stream.records)
            notes.add(region.closed())
            self._closed = region

    def _begun(self, function: Any, args: Any) -> Region:
        """A new region, for a call with these arguments."""
        notes = self.notes
        self.forward.settle()
        self._count += 1
        around = next((thing.path for thing in reversed(notes.around) if isinstance(thing, Region)), ())
        name = called(function) or getattr(function, "name", "")  # a layer of Keras has a `name`
        takes = [notes.value(tensor) for tensor in tf.nest.flatten(args) if eager(tensor)]
        title = name if isinstance(name, str) and name else type(function).__name__
        region = self._regions[id(args)] = Region(self._count, title, around, takes)
        return region

    def rerun_begins(self, frame: FrameType) -> Region | None:
        """The region whose rerun is recorded by a tape that is being entered; None for any other tape."""
        if not self._of_recompute(frame, AGAIN):
            return None
        region = self._regions.get(id(frame.f_locals.get("args")))
        work = self.notes.work
        if region is None or work is None:
            return None
        region.actor = work.recorder
        self.notes.add(region.replayed(context=region.during("gradient", work.recorder)))
        self.notes.around.append(region)
        return region

    def rerun_ends(self, region: Region) -> None:
        """A rerun is over."""
        if region in self.notes.around:
            self.notes.around.remove(region)
            self.notes.add(region.closed())


def tensors_of(rule: Any, depth: int = 4) -> list[Any]:
    """The tensors that a rule holds on to: those in its closure, and in those of the functions that it calls."""
    if eager(rule):
        return [rule]
    if not depth:
        return []
    if isinstance(rule, list | tuple):
        inner: list[Any] = list(rule)
    else:
        inner = [cell.cell_contents for cell in getattr(rule, "__closure__", None) or () if _filled(cell)]
    return [tensor for part in inner for tensor in tensors_of(part, depth - 1)]


def _filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def constants_of(takes: tuple[Value, ...]) -> tuple[int, ...]:
    """Which of the values that an op takes are no variables."""
    return tuple([at for at, value in enumerate(takes) if not value.variable])


def places_of(tensors: list[Any], notes: Notes, takes: tuple[Value, ...], gives: tuple[Value, ...]) -> tuple[int, ...]:
    """Where an op has these tensors: inputs by position, outputs by ~position."""
    values = [notes.values.find(tensor) for tensor in tensors]
    places = [
        takes.index(value) if value in takes else ~gives.index(value)
        for value in values
        if value in takes or value in gives
    ]
    return tuple(dict.fromkeys(places))
