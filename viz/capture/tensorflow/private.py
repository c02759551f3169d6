"""The undocumented names of TensorFlow that are used, in one table, and a probe that says which are missing.

Without a name, what stands beside it cannot be shown; recording is refused only where nothing true could be shown.
"""

from __future__ import annotations

import importlib
from typing import Any

import tensorflow as tf

from ..tried import Name, lost, reach

NAMES = (
    Name("framework.op_callbacks:add_op_callback", "no op would be seen", needed=True),
    Name("framework.op_callbacks:remove_op_callback", "no op would be seen", needed=True),
    Name("pywrap_tfe:TFE_Py_RegisterGradientFunction", "no backward pass would be seen", needed=True),
    Name("eager.backprop:_gradient_function", "no backward pass would be seen", needed=True),
    Name("eager.backprop:GradientTape._push_tape", "no tape would be seen", needed=True),
    Name("eager.backprop:GradientTape._pop_tape", "no tape would be seen", needed=True),
    Name("eager.backprop_util:IsTrainable", "no op could be joined to a tape", needed=True),
    Name("pywrap_tfe:TFE_Py_TapeSetIsStopped", "no op could be joined to a tape", needed=True),
    Name("framework.ops:_gradient_registry", "ops without a derivative are told as recorded"),
    Name("pywrap_tfe:TFE_Py_RecordGradient", "what a tape keeps of an op is not told"),
    Name("eager.tape:push_new_tape", "what a tape keeps of an op is not told"),
    Name("eager.imperative_grad:imperative_grad", "what a tape keeps of an op is not told"),
    Name("eager.backprop:_aggregate_grads", "sums of a backward pass are not told"),
    Name("ops.gen_math_ops:add_n", "sums of a backward pass are not told"),
    Name("eager.backprop_util:AggregateIndexedSlicesGradients", "sums of rows are not told"),
    Name("eager.record:record_operation", "custom gradients and regions that run again are told as plain ops"),
    Name("eager.record:stop_recording", "regions that run again are told as plain ops"),
    Name("ops.custom_gradient:recompute_grad", "regions that run again are told as plain ops"),
    Name("ops.gen_resource_variable_ops:read_variable_op", "a variable that is read implicitly is told as a constant"),
    Name("ops.resource_variable_ops:ResourceVariable", "variables are told where they are first used"),
    Name("framework.constant_op:convert_to_eager_tensor", "constants are told where they are first used"),
    Name("eager.forwardprop:ForwardAccumulator._push_accumulator", "accumulators are not told"),
    Name("eager.forwardprop:ForwardAccumulator._pop_accumulator", "accumulators are not told"),
    Name("eager.forwardprop:ForwardAccumulator._watch", "accumulators are not told"),
    Name("eager.forwardprop:_jvp_dispatch", "accumulators are not told"),
    Name("pywrap_tfe:TFE_Py_RegisterJVPFunction", "accumulators are not told"),
    Name("pywrap_tfe:TFE_Py_ForwardAccumulatorJVP", "accumulators are not told"),
)  # fmt: skip


def module(name: str) -> Any:
    """A module below `tensorflow.python`; None where there is none."""
    try:
        return importlib.import_module(f"tensorflow.python.{name}")
    except ImportError:
        return None


def found(path: str) -> Any:
    """What stands under a path of the table; None where there is nothing."""
    place, _, name = path.partition(":")
    return reach(module(place), name)


def probe(names: tuple[Name, ...] = NAMES) -> tuple[str, ...]:
    """What cannot be told with this TensorFlow, as sentences; raises RuntimeError where recording is refused."""
    return lost(f"TensorFlow {tf.__version__}", names, found)
