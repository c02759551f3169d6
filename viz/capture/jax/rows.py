"""The words for an equation: its sign, formula and derivative."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...schema import clean
from ..records import Row
from ..rows import KnownRows, letters, same
from .equations import Equation

# By JAX's primitive: the row that computes the same.
SAME = {
    "mul": "multiply", "add": "add", "add_any": "add", "sub": "subtract", "div": "divide", "pow": "pow", "neg": "negative",
    "dot_general": "matmul", "reduce_sum": "reduce_sum", "reduce_max": "reduce_max", "reduce_min": "reduce_min",
    "reduce_prod": "reduce_prod", "max": "maximum", "min": "minimum", "logistic": "sigmoid", "transpose": "transpose",
    "reshape": "reshape", "squeeze": "reshape", "expand_dims": "reshape", "broadcast_in_dim": "broadcast_to", "erf": "erf",
    "concatenate": "concat", "convert_element_type": "cast", "stop_gradient": "stop_gradient", "copy": "identity",
    "gt": "greater", "lt": "less", "ge": "greater_equal", "le": "less_equal", "eq": "equal", "ne": "not_equal",
    "and": "logical_and", "or": "logical_or", "not": "logical_not", "argmax": "argmax", "argmin": "argmin",
} | {
    name: name
    for name in ("square", "sqrt", "rsqrt", "exp", "expm1", "log", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
                 "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "abs", "sign", "floor", "ceil", "round", "erfc", "lgamma",
                 "digamma", "atan2")
}  # fmt: skip
REDUCED = frozenset({"reduce_sum", "reduce_max", "reduce_min", "reduce_prod"})
# What a box is: the nearest thing that can be said of what runs in it.
BOXES = {
    "scan": "loop of {length} turns", "while": "loop", "cond": "one of {branches} branches", "jit": "jit {name}",
    "pjit": "jit {name}", "shard_map": "shard_map", "pallas_call": "kernel",
}  # fmt: skip


class Rows(KnownRows):
    """The rows of a run of JAX's."""

    def row(self, eqn: Equation, takes: Sequence[Any], outs: Sequence[Any]) -> Row:
        """The words for an equation on these arrays."""
        shapes = [tuple(array.aval.shape) for array in takes], [tuple(out.shape) for out in outs]
        name = SAME.get(eqn.name, "")
        found = same(name, *shapes, lambda: _settings(eqn, name, shapes))
        power = eqn.params.get("y") if eqn.name == "integer_pow" else None
        key = eqn.name, len(takes), found and found.said, power, str(eqn.params.get("name", ""))
        return self.once(key, eqn.name, lambda: _facts(eqn, len(takes)) if found is None else found.facts())


def _facts(eqn: Equation, count: int) -> dict[str, Any]:
    """What is said of an equation that no row of minitape's computes."""
    if eqn.name != "integer_pow":
        return {"name": clean(_boxed(eqn)), "arguments": letters(count), "same": SAME.get(eqn.name, "")}
    power = int(eqn.params["y"])
    back = "d × 2 × x" if power == 2 else f"d × {power} × x ^ {power - 1}".replace("-", "−")
    formula = f"x ^ {power}".replace("-", "−")
    return {"sign": f"^{power}", "formula": formula, "derivatives": (back,), "arguments": ("x",)}


def _boxed(eqn: Equation) -> str:
    """What an equation is called; a box says what it is."""
    words = BOXES.get(eqn.name)
    if words is None:
        return eqn.name
    branches = len(eqn.params.get("branches", ()))
    return words.format(length=eqn.params.get("length"), branches=branches, name=eqn.params.get("name"))


def _settings(eqn: Equation, name: str, shapes: Any) -> dict[str, Any]:
    """What minitape's row calls the settings of an equation; raises ValueError for what the row does not do."""
    params = eqn.params
    if name in REDUCED:
        return {"axis": tuple(params["axes"]), "keepdims": False}
    if name == "matmul":
        (left, right), (ahead, behind) = params["dimension_numbers"]
        x, y = shapes[0]
        if ahead or behind or len(x) != 2 or len(y) != 2 or (tuple(left), tuple(right)) != ((1,), (0,)):
            raise ValueError("another contraction than that of two matrices")
        return {"transpose_a": False, "transpose_b": False}
    if name == "transpose":
        return {"perm": tuple(params["permutation"])}
    if name == "concat":
        return {"axis": params["dimension"]}
    if name in ("argmax", "argmin"):
        return {"axis": params["axes"][0]}
    if name == "broadcast_to":
        x, out = shapes[0][0], shapes[1][0]
        if x and tuple(params["broadcast_dimensions"]) != tuple(range(len(out) - len(x), len(out))):
            raise ValueError("axes are put in between")
    return {}
