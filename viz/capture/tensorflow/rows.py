"""What is said of an op of TensorFlow's: sign, formula and derivative, where minitape's table has a row that says the same."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from minitape.primitive import TABLE
from minitape.symbols import texts

from ...schema import clean
from ..claims import ROWS, Claims, Use, claims
from ..records import Row

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
MOVED = frozenset({"reshape", "transpose", "broadcast_to"})
REDUCED = frozenset({"reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod"})
# And those that no row says, each with the names of its operands, its formula, its derivatives and its sign.
OWN = {
    "ReluGrad": (("dy", "y"), "dy × (1 if y > 0 else 0)", ("d × (1 if y > 0 else 0)",), "relu′"),
    "TanhGrad": (("y", "dy"), "dy × (1 − y²)", (), "tanh′"),
    "SigmoidGrad": (("y", "dy"), "dy × y × (1 − y)", (), "sigmoid′"),
    "SqrtGrad": (("y", "dy"), "dy / (2 × y)", (), "√′"),
    "ReciprocalGrad": (("y", "dy"), "−dy × y²", (), "1/x′"),
}  # fmt: skip
CALLS = {
    "_grad_pass_through_op": "pass_through"
}  # functions of TensorFlow's own, in the words that people call them by
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


class Rows:
    """The rows of one stream, each once."""

    def __init__(self) -> None:
        self._known: dict[Any, Row] = {}

    def row(self, kind: str, attrs: Any, takes: list[Any], gives: list[Any], settings: list[Any]) -> Row:
        """The words for an op: its type and attributes, the tensors that it takes and gives, and those that set it up."""
        name = SAME.get(kind, "")
        shapes = [tuple(one.shape) for one in takes], [tuple(one.shape) for one in gives]
        said = None
        primitive: Any = TABLE.get(name)
        fits = primitive is not None and (primitive.variadic or len(primitive.arguments) == len(takes))
        if fits and name in ROWS:
            try:
                said = claims(Use(name, primitive.arguments, *shapes, _settings(name, attrs, shapes, settings)))
            except (KeyError, IndexError, TypeError, ValueError):
                said = None
        elif fits:
            said = Claims(*texts(primitive, {}))
        key = kind, len(takes), said
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._made(
                f"{spoken(kind)} {len(self._known) + 1}", kind, len(takes), primitive, said
            )
        return known

    def own(self, name: str, count: int) -> Row:
        """The row of a function of the program's own."""
        name = CALLS.get(name, name)
        key = "", name, count
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Row(
                f"{clean(name)} {len(self._known) + 1}", clean(name), arguments=_letters(count)
            )
        return known

    def _made(self, identity: str, kind: str, count: int, primitive: Any, said: Any) -> Row:
        if said is not None:
            return Row(
                identity, kind, clean(primitive.sign), clean(said.formula), tuple(map(clean, said.back)),
                tuple(map(clean, said.push)), variadic=primitive.variadic, arguments=tuple(primitive.arguments),
                same=primitive.name,
            )  # fmt: skip
        if kind in OWN and count == len(OWN[kind][0]):
            arguments, formula, derivatives, sign = OWN[kind]
            return Row(identity, kind, sign, formula, derivatives, arguments=arguments)
        if kind == "AddN":
            letters = _letters(count)
            return Row(identity, kind, "+", " + ".join(letters), ("d",) * count, arguments=letters)
        name = spoken(kind)
        sign = name if is_function(kind) else name.lower()
        return Row(identity, name, sign, arguments=_letters(count), same=SAME.get(kind, ""))


def _letters(count: int) -> tuple[str, ...]:
    return tuple(["abcdefgh"[at] if at < 8 else f"a{at}" for at in range(count)])


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
