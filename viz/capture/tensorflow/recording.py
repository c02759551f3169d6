"""The block of `with viz.record(tensorflow) as run`: what is put on when it begins is taken off when it ends, however it ends."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import Any

import tensorflow as tf

from minitape.record.provenance import adopt, is_library

from ..records import Failed, Made
from .backward import Backward
from .calls import Calls
from .forward import Forward
from .notes import Notes, Run
from .private import found, module
from .recorders import Recorders

adopt(os.path.dirname(tf.__file__))
for _name in ("keras", "tf_keras"):
    if (_there := getattr(sys.modules.get(_name), "__file__", None)) is not None:
        adopt(os.path.dirname(_there))
_open: list[Recording] = []


class Recording:
    """Watches TensorFlow while its block runs."""

    def __init__(self, title: str, lead: str, missing: tuple[str, ...] = ()) -> None:
        self.run = Run(title, lead)
        self.run.missing = missing

    def __enter__(self) -> Run:
        if _open:
            raise RuntimeError("TensorFlow is being recorded already: one viz.record(tensorflow) at a time")
        notes = self.notes = Notes(self.run)
        notes.stream.block = notes.site()
        forward = self.forward = Forward(notes)
        backward = Backward(notes, forward)
        calls = Calls(notes, forward, backward)
        with ExitStack() as stack:
            _open.append(self)
            stack.callback(_open.clear)
            self._gradients(stack, backward)
            self._calls(stack, calls)
            self._constants(stack)
            self._variables(stack)
            self._tangents(stack)
            Recorders(notes, forward, backward, calls).put_on(stack)
            stack.callback(found("framework.op_callbacks:remove_op_callback"), forward)
            found("framework.op_callbacks:add_op_callback")(forward)
            self._undo = stack.pop_all()
        self.run.listening = True
        return self.run

    def __exit__(self, kind: Any, problem: Any, traceback: Any) -> None:
        self.forward.settle()
        self.run.listening = False
        self._undo.close()
        notes = self.notes
        notes.around.clear()
        if kind is not None:
            name, message = notes.said(problem)
            last = notes.stream.records[-1] if notes.stream.records else None
            if not isinstance(last, Failed):  # a backward pass that failed has said so
                notes.add(Failed(site=notes.stream.block, error=name, message=message))

    @staticmethod
    def _gradients(stack: ExitStack, backward: Backward) -> None:
        register = found("pywrap_tfe:TFE_Py_RegisterGradientFunction")
        stack.callback(register, backward.plain)
        register(backward)
        for place, name in (("ops.gen_math_ops", "add_n"), ("eager.backprop_util", "AggregateIndexedSlicesGradients")):
            home, plain = module(place), found(f"{place}:{name}")
            if plain is not None:
                stack.callback(setattr, home, name, plain)
                setattr(home, name, backward.adding(plain))

    @staticmethod
    def _calls(stack: ExitStack, calls: Calls) -> None:
        place = module("eager.record")
        for name in ("record_operation", "stop_recording"):
            plain = getattr(place, name, None)
            if plain is not None:
                stack.callback(setattr, place, name, plain)
                setattr(place, name, getattr(calls, name))

    def _constants(self, stack: ExitStack) -> None:
        """`tf.constant` runs no op: the function that it ends with tells of it."""
        place, notes = module("framework.constant_op"), self.notes
        plain = getattr(place, "convert_to_eager_tensor", None)
        if plain is None:
            return

        def convert(value: Any, *args: Any, **kwargs: Any) -> Any:
            made = plain(value, *args, **kwargs)
            if notes.elsewhere():
                return made
            told = made is not value and not notes.values.quiet and notes.work is None and tf.executing_eagerly()
            if told and _by_the_program():
                one = notes.values.new(made, notes.site().name)
                notes.add(Made(value=one, numbers={one: notes.values.see(made)}))
            return made

        stack.callback(setattr, place, "convert_to_eager_tensor", plain)
        place.convert_to_eager_tensor = convert

    def _variables(self, stack: ExitStack) -> None:
        """A variable of the program's is told as it is made."""
        kind, notes = found("ops.resource_variable_ops:ResourceVariable"), self.notes
        plain = None if kind is None else kind.__dict__.get("__init__")
        if plain is None:
            return

        def init(variable: Any, *args: Any, **kwargs: Any) -> None:
            if notes.elsewhere():
                plain(variable, *args, **kwargs)
                return
            notes.values.quiet += 1
            try:
                plain(variable, *args, **kwargs)
            finally:
                notes.values.quiet -= 1
            if tf.executing_eagerly() and _by_the_program("variables.py", "resource_variable_ops.py"):
                handle = variable.handle
                name = str(variable.name).partition(":")[0]
                value = notes.values.variable(
                    handle, variable.dtype, variable.shape, notes.site().name, "" if name == "Variable" else name
                )
                notes.add(Made(value=value, numbers={value: notes.values.see(handle)}))

        stack.callback(setattr, kind, "__init__", plain)
        kind.__init__ = init

    def _tangents(self, stack: ExitStack) -> None:
        register, plain = found("pywrap_tfe:TFE_Py_RegisterJVPFunction"), found("eager.forwardprop:_jvp_dispatch")
        if register is None or plain is None:
            return
        forward = self.forward

        def dispatch(*args: Any, **kwargs: Any) -> Any:
            forward.inside_jvp += 1
            try:
                return plain(*args, **kwargs)
            finally:
                forward.inside_jvp -= 1

        stack.callback(register, plain)
        register(dispatch)


_ON_THE_WAY = ("constant_op.py", "traceback_utils.py", "dispatch.py", "weak_tensor_ops.py")


def _by_the_program(*more: str) -> bool:
    """Whether the program itself asked for what is being made, and not a function of the library's that does more."""
    frame: Any = sys._getframe(2)
    while frame is not None and is_library[frame.f_code.co_filename]:
        name = frame.f_code.co_filename
        if not name.endswith((*_ON_THE_WAY, *more)) and os.path.basename(os.path.dirname(name)) != "tensorflow":
            return False
        frame = frame.f_back
    return True
