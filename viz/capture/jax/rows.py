"""What is said of an equation: sign, formula and derivative, where minitape's table has a row that says the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minitape.primitive import TABLE
from minitape.symbols import texts

from ...schema import clean
from ..claims import ROWS, Claims, Use, claims
from ..records import Row
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
NUMBER_BY_NUMBER = frozenset({"multiply", "add", "subtract", "divide", "pow", "maximum", "minimum"})
# What a box is: the nearest thing that can be said of what runs in it.
BOXES = {
    "scan": "loop of {length} turns", "while": "loop", "cond": "one of {branches} branches", "jit": "jit {name}",
    "pjit": "jit {name}", "shard_map": "shard_map", "pallas_call": "kernel",
}  # fmt: skip


class Rows:
    """The rows of one stream, each once."""

    def __init__(self) -> None:
        self._known: dict[Any, Row] = {}

    def row(self, eqn: Equation, takes: Sequence[Any], outs: Sequence[Any]) -> Row:
        """The words for an equation on these arrays."""
        shapes = [tuple(one.aval.shape) for one in takes], [tuple(one.shape) for one in outs]
        name, said = SAME.get(eqn.name, ""), None
        primitive: Any = TABLE.get(name)
        fits = primitive is not None and (primitive.variadic or len(primitive.arguments) == len(takes))
        if fits and name in ROWS:
            try:
                said = claims(Use(name, primitive.arguments, *shapes, _settings(eqn, name, shapes)))
            except (KeyError, IndexError, TypeError, ValueError):
                said = None
        elif fits:
            said = Claims(*texts(primitive, {}))
        power = eqn.params.get("y") if eqn.name == "integer_pow" else None
        key = eqn.name, len(takes), said, power, str(eqn.params.get("name", ""))
        known = self._known.get(key)
        if known is None:
            identity = f"{eqn.name} {len(self._known) + 1}"
            known = self._known[key] = self._made(identity, eqn, len(takes), primitive, said)
        return known

    def own(self, name: str, count: int) -> Row:
        """The row of a function of the program's own."""
        key = "", name, count
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Row(f"{name} {len(self._known) + 1}", name, arguments=_letters(count))
        return known

    def _made(self, identity: str, eqn: Equation, count: int, primitive: Any, said: Any) -> Row:
        if said is not None:
            return Row(
                identity, eqn.name, clean(primitive.sign), clean(said.formula), tuple(map(clean, said.back)),
                tuple(map(clean, said.push)), variadic=primitive.variadic, arguments=tuple(primitive.arguments),
                same=primitive.name,
            )  # fmt: skip
        if eqn.name == "integer_pow":
            power = int(eqn.params["y"])
            formula, back = f"x ^ {power}", "d × 2 × x" if power == 2 else f"d × {power} × x ^ {power - 1}"
            return Row(
                identity, eqn.name, f"^{power}", formula.replace("-", "−"), (back.replace("-", "−"),), arguments=("x",)
            )
        return Row(identity, clean(_boxed(eqn)), arguments=_letters(count), same=SAME.get(eqn.name, ""))


def _boxed(eqn: Equation) -> str:
    """What an equation is called; a box says what it is."""
    words = BOXES.get(eqn.name)
    if words is None:
        return eqn.name
    facts = {
        "length": eqn.params.get("length"),
        "branches": len(eqn.params.get("branches", ())),
        "name": eqn.params.get("name"),
    }
    return words.format(**facts)


def _letters(count: int) -> tuple[str, ...]:
    return tuple(["abcdefgh"[at] if at < 8 else f"a{at}" for at in range(count)])


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
