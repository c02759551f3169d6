"""The words for an op of PyTorch's: its sign, formula and derivative."""

from __future__ import annotations

from typing import Any

import torch

from ..borrowed import row_of, texts
from ..claims import Claims
from ..records import Row
from ..rows import KnownRows, Same, letters

# By the name of the op in `torch.ops.aten`: the row that computes the same, if every setting has its usual value.
SAME = {
    "mul": "multiply", "add": "add", "sub": "subtract", "div": "divide", "mm": "matmul", "bmm": "matmul", "sin": "sin",
    "cos": "cos", "tan": "tan", "exp": "exp", "log": "log", "log1p": "log1p", "expm1": "expm1", "relu": "relu",
    "tanh": "tanh", "sigmoid": "sigmoid", "neg": "negative", "sum": "reduce_sum", "mean": "reduce_mean", "pow": "pow",
    "t": "transpose", "transpose": "transpose", "permute": "transpose", "sqrt": "sqrt", "rsqrt": "rsqrt", "abs": "abs",
    "reciprocal": "reciprocal", "erf": "erf", "softplus": "softplus", "maximum": "maximum", "minimum": "minimum",
    "sinh": "sinh", "cosh": "cosh", "view": "reshape", "_unsafe_view": "reshape", "reshape": "reshape",
    "unsqueeze": "reshape", "squeeze": "reshape", "expand": "broadcast_to", "cat": "concat", "where": "where",
}  # fmt: skip
# Ops whose settings change nothing that the row's words say: which axes, which shape.
WHICH = frozenset(
    {"t", "transpose", "permute", "view", "_unsafe_view", "reshape", "unsqueeze", "squeeze", "expand", "cat"}
)
# Ops that no row of minitape's computes, with what their own row says.
OWN: dict[str, dict[str, Any]] = {
    "addmm": {"arguments": ("b", "x", "w"), "formula": "b + x @ w", "sign": "@+",
              "derivatives": ("“d, summed over rows”", "d @ wᵀ", "xᵀ @ d")},
    "rsub": {"arguments": ("x", "y"), "formula": "y − x", "sign": "−", "derivatives": ("−d", "d")},
}  # fmt: skip
# A plain number is an operand of these.
NUMBERS = frozenset({"mul", "add", "sub", "div", "rsub", "pow", "maximum", "minimum"})


class Rows(KnownRows):
    """The rows of a run of PyTorch's."""

    def row(self, name: str, count: int, plain: bool) -> Row:
        """The words for an op of so many operands; `plain` if every setting has its usual value."""
        return self.once((name, count, plain), name, lambda: _facts(name, count, plain or name in WHICH))


def _facts(name: str, count: int, usual: bool) -> dict[str, Any]:
    base = name if name.startswith("_") else name.rstrip("_")  # an op in place computes what the other computes
    if usual and base in OWN and count == len(OWN[base]["arguments"]):
        return OWN[base]
    row = row_of(SAME.get(base, ""), count) if usual else None
    return {"arguments": letters(count)} if row is None else Same(row, Claims(*texts(row, {}))).facts()


def settings_are_usual(schema: Any, args: Any, kwargs: Any) -> bool:
    """Whether all that an op was given beside tensors and plain operands is what it would have been anyway."""
    short = schema.name.removeprefix("aten::")
    for at, argument in enumerate(schema.arguments):
        given = args[at] if at < len(args) else kwargs.get(argument.name, argument.default_value)
        if isinstance(given, torch.Tensor) or (
            isinstance(given, list | tuple) and given and isinstance(given[0], torch.Tensor)
        ):
            continue
        if short in NUMBERS and isinstance(given, int | float) and argument.name in ("other", "exponent", "self"):
            continue
        if argument.name in ("dtype", "layout", "device", "pin_memory", "memory_format"):
            continue
        if argument.has_default_value() and given == argument.default_value:
            continue
        return False
    return True
