"""The words for an op of TensorFlow's: its sign, formula and derivative."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ...schema import clean
from ..records import Row
from ..rows import KnownRows, letters, same

# By the type of the op: the row that computes the same.
SAME = {
    "Mul": "multiply", "AddV2": "add", "Add": "add", "BiasAdd": "add", "Sub": "subtract", "RealDiv": "divide", "Pow": "pow",
    "Neg": "negative", "MatMul": "matmul", "BatchMatMulV2": "matmul", "BatchMatMulV3": "matmul", "Sum": "reduce_sum",
    "Mean": "reduce_mean", "Max": "reduce_max", "Min": "reduce_min", "Prod": "reduce_prod", "ArgMax": "argmax",
    "ArgMin": "argmin",
    "Pack": "stack", "ConcatV2": "concat", "Reshape": "reshape", "ExpandDims": "reshape", "Squeeze": "reshape",
    "BroadcastTo": "broadcast_to", "SelectV2": "where", "Cast": "cast", "Inv": "reciprocal", "Reciprocal": "reciprocal",
    "DivNoNan": "divide_no_nan", "MulNoNan": "multiply_no_nan", "StopGradient": "stop_gradient", "Identity": "identity",
    "Transpose": "transpose", "Relu": "relu", "Softmax": "softmax", "LogSoftmax": "log_softmax", "Tile": "tile",
    "FloorDiv": "floordiv", "FloorMod": "floormod", "Maximum": "maximum", "Minimum": "minimum", "LogicalAnd": "logical_and",
    "LogicalOr": "logical_or", "LogicalNot": "logical_not", "NotEqual": "not_equal", "LessEqual": "less_equal",
    "GreaterEqual": "greater_equal", "SquaredDifference": "squared_difference", "Unpack": "unstack", "Atan2": "atan2",
    "ReadVariableOp": "identity",
} | {
    name.title(): name
    for name in ("square", "sqrt", "rsqrt", "exp", "expm1", "log", "log1p", "sigmoid", "softplus", "sin", "cos", "tan", "asin",
                 "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "abs", "sign", "relu6", "softsign",
                 "elu", "selu", "floor", "ceil", "round", "equal", "less", "greater", "erfc", "lgamma", "digamma")
}  # fmt: skip
REDUCED = frozenset({"reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod"})
# Ops that no row of minitape's computes, with what their own row says.
OWN: dict[str, dict[str, Any]] = {
    "ReluGrad": {"arguments": ("dy", "y"), "formula": "dy × (1 if y > 0 else 0)", "sign": "relu′",
                 "derivatives": ("d × (1 if y > 0 else 0)",)},
    "TanhGrad": {"arguments": ("y", "dy"), "formula": "dy × (1 − y²)", "sign": "tanh′"},
    "SigmoidGrad": {"arguments": ("y", "dy"), "formula": "dy × y × (1 − y)", "sign": "sigmoid′"},
    "SqrtGrad": {"arguments": ("y", "dy"), "formula": "dy / (2 × y) if dy ≠ 0 else 0", "sign": "√′"},
    "RsqrtGrad": {"arguments": ("y", "dy"), "formula": "−dy × 0.5 × y³ if dy ≠ 0 else 0", "sign": "1/√′"},
    "ReciprocalGrad": {"arguments": ("y", "dy"), "formula": "−dy × y² if dy ≠ 0 else 0", "sign": "1/x′"},
}  # fmt: skip
CALLS = {"_grad_pass_through_op": "pass_through"}  # functions of TensorFlow's own, as people call them
_FUNCTION = re.compile(r"__(?:inference|forward|backward)_+(?:__(?:backward|forward|inference)_+)*(.*?)(?:_\d+)+$")


def is_function(kind: str) -> bool:
    """Whether an op is a call of something that TensorFlow has traced."""
    return kind.startswith("__") or kind in ("PartitionedCall", "StatefulPartitionedCall")


def spoken(kind: str) -> str:
    """What a type of op is called: a traced function by its own name.

    >>> spoken("__inference_step_67"), spoken("MatMul")
    ('step', 'MatMul')
    """
    match = _FUNCTION.fullmatch(kind)
    name = match[1] if match else kind
    return "jvp" if is_tangent(kind) else clean(name).strip("_") or "function"


def is_tangent(kind: str) -> bool:
    """Whether an op is a traced function that works out a tangent."""
    return is_function(kind) and "_jvp_" in kind


class Rows(KnownRows):
    """The rows of a run of TensorFlow's."""

    def row(self, kind: str, attrs: Any, takes: list[Any], gives: list[Any], settings: list[Any]) -> Row:
        """The words for an op: its type and attributes, the tensors that it takes and gives, and those that set it up."""
        name = SAME.get(kind, "")
        shapes = [tuple(tensor.shape) for tensor in takes], [tuple(tensor.shape) for tensor in gives]
        found = same(name, *shapes, lambda: _settings(name, attrs, shapes, settings))
        key = kind, len(takes), found and found.said
        return self.once(
            key,
            spoken(kind),
            lambda: _facts(kind, len(takes)) if found is None else {"name": kind, **found.facts(stays=True)},
        )

    def own(self, name: str, count: int) -> Row:
        """The row of a function of the program's own."""
        return super().own(CALLS.get(name, name), count)


def _facts(kind: str, count: int) -> dict[str, Any]:
    """What is said of an op that no row of minitape's computes."""
    if kind in OWN and count == len(OWN[kind]["arguments"]):
        return {"name": kind, **OWN[kind]}
    names = letters(count)
    if kind == "AddN":
        return {"sign": "+", "formula": " + ".join(names), "derivatives": ("d",) * count, "arguments": names}
    sign = spoken(kind)
    return {"sign": sign if is_function(kind) else sign.lower(), "arguments": names, "same": SAME.get(kind, "")}


def _settings(name: str, attrs: Any, shapes: Any, settings: list[Any]) -> dict[str, Any]:
    """What minitape's row calls the settings of a call."""
    said = {key: value for key, value in zip(attrs[::2], attrs[1::2], strict=False) if isinstance(key, str)}
    first = None if not settings else np.asarray(settings[0].numpy()).tolist()
    if name in REDUCED:
        axis = first if not isinstance(first, list) else tuple(first)
        return {"axis": axis, "keepdims": said.get("keep_dims", False)}
    if name == "matmul":
        return {
            "transpose_a": said.get("transpose_a", said.get("adj_x", False)),
            "transpose_b": said.get("transpose_b", said.get("adj_y", False)),
        }
    if name == "transpose":
        return {"perm": tuple(first)}  # type: ignore[arg-type]
    if name in ("stack", "unstack"):
        return {"axis": said.get("axis", 0)}
    if name in ("softmax", "log_softmax"):
        return {"axis": -1}
    if name == "tile":
        return {"multiples": tuple(first)}  # type: ignore[arg-type]
    if name in ("concat", "argmax", "argmin"):
        return {"axis": first}
    return dict(said)
