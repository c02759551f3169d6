"""What is said of an op of PyTorch's: sign, formula and derivative, where minitape's table has a row that says the same."""

from __future__ import annotations

from typing import Any

import torch

from minitape.primitive import TABLE
from minitape.symbols import texts

from ...schema import clean
from ..records import Row

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
# And those that no row says, each with the names of its operands, its formula, its derivatives and its sign.
OWN = {
    "addmm": (("b", "x", "w"), "b + x @ w", ("“d, summed over rows”", "d @ wᵀ", "xᵀ @ d"), "@+"),
    "rsub": (("x", "y"), "y − x", ("−d", "d"), "−"),
}  # fmt: skip
# A plain number is an operand of these.
NUMBERS = frozenset({"mul", "add", "sub", "div", "rsub", "pow", "maximum", "minimum"})


class Rows:
    """The rows of one stream, each once."""

    def __init__(self) -> None:
        self._known: dict[Any, Row] = {}

    def row(self, name: str, count: int, plain: bool) -> Row:
        """The words for an op of so many operands; `plain` if every setting has its usual value."""
        key = name, count, plain
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._made(f"{name} {len(self._known) + 1}", *key)
        return known

    def own(self, name: str, count: int) -> Row:
        """The row of a function of the program's own."""
        return self.row(clean(name), count, False)

    def _made(self, identity: str, name: str, count: int, plain: bool) -> Row:
        usual = plain or name in WHICH
        base = name.rstrip("_") if not name.startswith("_") else name
        if usual and base in OWN and count == len(OWN[base][0]):
            arguments, formula, derivatives, sign = OWN[base]
            return Row(identity, name, sign, formula, derivatives, arguments=arguments)
        primitive = TABLE.get(SAME.get(base, "")) if usual else None
        if primitive is not None and (primitive.variadic or len(primitive.arguments) == count):
            told = texts(primitive, {})
            return Row(
                identity, name, clean(primitive.sign), told.formula, tuple(told.derivatives), variadic=primitive.variadic,
                arguments=tuple(primitive.arguments), same=primitive.name,
            )  # fmt: skip
        arguments = tuple(["abcdefgh"[at] if at < 8 else f"a{at}" for at in range(count)])
        return Row(identity, name, name, arguments=arguments)


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
