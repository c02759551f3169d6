"""Functions number by number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops import elementwise as number_by_number
from ...ops.creation import _made
from ...tensor import Tensor
from .arrays import alike, asarray, floats
from .reductions import all


def _entered(
    name: str, promote: Callable[..., list[Tensor]], function: Callable[..., Any], count: int
) -> Callable[..., Any]:
    """A function of `tf`, under NumPy's name, of promoted operands."""

    def call(*operands: Any) -> Any:
        return function(*promote(*operands))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"NumPy's `{name}`, of {'one tensor' if count == 1 else f'{count} tensors'}."
    return call


_OF_FLOATS = {
    "exp": "exp", "expm1": "expm1", "log": "log", "log1p": "log1p", "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "arcsinh": "asinh",
    "arccosh": "acosh", "arctanh": "atanh", "divide": "divide", "true_divide": "divide", "arctan2": "atan2",
    "reciprocal": "reciprocal",
}  # fmt: skip
_OF_ANY = {
    "abs": "abs", "absolute": "abs", "negative": "negative", "square": "square", "sign": "sign", "floor": "floor", "ceil": "ceil",
    "add": "add", "subtract": "subtract", "multiply": "multiply", "maximum": "maximum", "minimum": "minimum", "mod": "floormod",
    "remainder": "floormod", "floor_divide": "floordiv", "power": "pow", "equal": "equal", "not_equal": "not_equal",
    "less": "less", "less_equal": "less_equal", "greater": "greater", "greater_equal": "greater_equal",
    "conj": "conj", "conjugate": "conj",
    "real": "real", "imag": "imag", "isnan": "is_nan", "isinf": "is_inf", "isfinite": "is_finite", "logical_and": "logical_and",
    "logical_or": "logical_or", "logical_not": "logical_not", "logical_xor": "logical_xor",
}  # fmt: skip


def _all_entered() -> dict[str, Callable[..., Any]]:
    found = {}
    for table, promote in ((_OF_FLOATS, floats), (_OF_ANY, alike)):
        for name, row in table.items():
            function = getattr(number_by_number, row)
            found[name] = _entered(name, promote, function, len(getattr(function, "arguments", ("x",))))
    return found


OF_NUMPY = _all_entered()  # by NumPy's names


def clip(a: Any, a_min: Any, a_max: Any) -> Any:
    """The numbers clipped to two bounds; None for no bound."""
    a = asarray(a)
    low = a if a_min is None else number_by_number.maximum(*alike(a, a_min))
    return low if a_max is None else number_by_number.minimum(*alike(low, a_max))


def round(a: Any, decimals: int = 0) -> Any:  # noqa: A001
    """Rounded to so many decimals."""
    a = asarray(a)
    return number_by_number.round(a * 10.0**decimals) / 10.0**decimals if decimals else number_by_number.round(a)


around = round


def log2(x: Any) -> Any:
    """The logarithm to the base 2."""
    (x,) = floats(x)
    return number_by_number.log(x) / float(np.log(2.0))


def log10(x: Any) -> Any:
    """The logarithm to the base 10."""
    (x,) = floats(x)
    return number_by_number.log(x) / float(np.log(10.0))


def exp2(x: Any) -> Any:
    """2 to the power of x."""
    (x,) = floats(x)
    return number_by_number.exp(x * float(np.log(2.0)))


def logaddexp(x1: Any, x2: Any) -> Any:
    """The logarithm of the sum of the exponentials."""
    x1, x2 = floats(x1, x2)
    return number_by_number.maximum(x1, x2) + number_by_number.log1p(
        number_by_number.exp(-number_by_number.abs(x1 - x2))
    )


def hypot(x1: Any, x2: Any) -> Any:
    """√(x² + y²)."""
    x1, x2 = floats(x1, x2)
    return number_by_number.sqrt(x1 * x1 + x2 * x2)


def deg2rad(x: Any) -> Tensor:
    """Degrees as radians."""
    return floats(x)[0] * (np.pi / 180.0)


def rad2deg(x: Any) -> Tensor:
    """Radians as degrees."""
    return floats(x)[0] * (180.0 / np.pi)


def isclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8) -> Tensor:
    """Whether two numbers are nearly the same."""
    a, b = floats(a, b)
    return number_by_number.abs(a - b) <= rtol * number_by_number.abs(b) + atol


def allclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8) -> Tensor:
    """Whether all numbers are nearly the same."""
    return all(isclose(a, b, rtol, atol))


def array_equal(a1: Any, a2: Any) -> Tensor:
    """Whether shapes and numbers are the same."""
    a1, a2 = asarray(a1), asarray(a2)
    return all(number_by_number.equal(*alike(a1, a2))) if a1.shape == a2.shape else _made(np.array(False))
