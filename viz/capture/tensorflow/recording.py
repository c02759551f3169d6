"""The block of `with viz.record(tensorflow) as run`."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import Any

import tensorflow as tf

from ..block import FrameworkBlock, stand_in
from ..borrowed import adopt, library_frames
from ..records import Made
from .backward import Backward
from .calls import Calls
from .forward import Forward
from .notes import Notes
from .private import found
from .private import module as module_
from .recorders import Recorders

adopt(os.path.dirname(tf.__file__))
for _name in ("keras", "tf_keras"):
    if (_there := getattr(sys.modules.get(_name), "__file__", None)) is not None:
        adopt(os.path.dirname(_there))


class Recording(FrameworkBlock):
    """Watches TensorFlow while its block runs."""

    framework, module = "TensorFlow", "tensorflow"
    notes: Notes

    def put_on(self, stack: ExitStack) -> None:
        """Wrap gradient functions, calls, constants, variables, tapes and accumulators, and be shown every op."""
        forward = self.forward = Forward(self.notes)
        backward = Backward(self.notes, forward)
        calls = Calls(self.notes, forward, backward)
        self._gradients(stack, backward)
        for name in ("record_operation", "stop_recording"):
            if found(f"eager.record:{name}") is not None:
                stand_in(stack, module_("eager.record"), name, getattr(calls, name))
        self._constants(stack)
        self._variables(stack)
        self._tangents(stack)
        Recorders(self.notes, forward, backward, calls).put_on(stack)
        stack.callback(found("framework.op_callbacks:remove_op_callback"), forward)
        found("framework.op_callbacks:add_op_callback")(forward)

    def __exit__(self, *error: Any) -> None:
        self.forward.settle()
        super().__exit__(*error)

    @staticmethod
    def _gradients(stack: ExitStack, backward: Backward) -> None:
        register = found("pywrap_tfe:TFE_Py_RegisterGradientFunction")
        stack.callback(register, backward.plain)
        register(backward)
        for place, name in (("ops.gen_math_ops", "add_n"), ("eager.backprop_util", "AggregateIndexedSlicesGradients")):
            plain = found(f"{place}:{name}")
            if plain is not None:
                stand_in(stack, module_(place), name, backward.adding(plain))

    def _constants(self, stack: ExitStack) -> None:
        """`tf.constant` runs no op, so wrap the function that it ends with."""
        place, notes = module_("framework.constant_op"), self.notes
        plain = getattr(place, "convert_to_eager_tensor", None)
        if plain is None:
            return

        def convert(value: Any, *args: Any, **kwargs: Any) -> Any:
            made = plain(value, *args, **kwargs)
            if notes.elsewhere():
                return made
            told = made is not value and not notes.values.quiet and notes.work is None and tf.executing_eagerly()
            if told and _by_the_program():
                new = notes.values.new(made, notes.site().name)
                notes.add(Made(value=new, numbers={new: notes.values.see(made)}))
            return made

        stand_in(stack, place, "convert_to_eager_tensor", convert)

    def _variables(self, stack: ExitStack) -> None:
        """Record a variable of the program as it is made."""
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

        stand_in(stack, kind, "__init__", init)

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
    """Whether the program itself made this, and not a function of the library that does more."""
    files = [frame.f_code.co_filename for frame in library_frames(sys._getframe(2))]
    return all(
        file.endswith((*_ON_THE_WAY, *more)) or os.path.basename(os.path.dirname(file)) == "tensorflow"
        for file in files
    )
