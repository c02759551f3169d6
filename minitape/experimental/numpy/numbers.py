"""Functions number by number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops import elementwise as e
from ...ops.like_numpy import row_of
from ...tensor import Tensor, created
from .arrays import Rows, alike, asarray, floats
from .reductions import every


def _entered(promote: Callable[..., list[Tensor]], function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *operands: function(*promote(*operands))


_OF_FLOATS = (
    "exp", "expm1", "log", "log1p", "sqrt", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh",
    "arccosh", "arctanh", "divide", "true_divide", "arctan2", "reciprocal",
)  # fmt: skip
_OF_ANY = (
    "abs", "absolute", "negative", "square", "sign", "floor", "ceil", "add", "subtract", "multiply", "maximum", "minimum", "mod",
    "remainder", "floor_divide", "power", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "conj",
    "conjugate", "real", "imag", "isnan", "isinf", "isfinite", "logical_and", "logical_or", "logical_not", "logical_xor",
)  # fmt: skip


def _row(name: str) -> tuple[Callable[..., Any], str]:
    """A function of `tf`, under NumPy's name, of promoted operands."""
    function = row_of(name)
    count = len(getattr(function, "arguments", ("x",)))
    says = f"NumPy's `{name}`, of {'one tensor' if count == 1 else f'{count} tensors'}."
    return _entered(floats if name in _OF_FLOATS else alike, function), says


def _of_float(function: Callable[[Tensor], Any]) -> Callable[[Any], Any]:
    return lambda x: function(floats(x)[0])


def _clip(a: Any, a_min: Any, a_max: Any) -> Any:
    a = asarray(a)
    low = a if a_min is None else e.maximum(*alike(a, a_min))
    return low if a_max is None else e.minimum(*alike(low, a_max))


def _round(a: Any, decimals: int = 0) -> Any:
    a = asarray(a)
    return e.round(a * 10.0**decimals) / 10.0**decimals if decimals else e.round(a)


def _logaddexp(x1: Any, x2: Any) -> Any:
    x1, x2 = floats(x1, x2)
    return e.maximum(x1, x2) + e.log1p(e.exp(-e.abs(x1 - x2)))


def _hypot(x1: Any, x2: Any) -> Any:
    x1, x2 = floats(x1, x2)
    return e.sqrt(x1 * x1 + x2 * x2)


def _isclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8) -> Tensor:
    a, b = floats(a, b)
    return e.abs(a - b) <= rtol * e.abs(b) + atol


def _allclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8) -> Any:
    return every(_isclose(a, b, rtol, atol))


def _array_equal(a1: Any, a2: Any) -> Any:
    a1, a2 = asarray(a1), asarray(a2)
    return every(e.equal(*alike(a1, a2))) if a1.shape == a2.shape else created(np.array(False))


ROWS: Rows = {
    **{name: _row(name) for name in (*_OF_FLOATS, *_OF_ANY)},
    "clip": (_clip, "The numbers clipped to two bounds; None for no bound."),
    "round": (_round, "Rounded to so many decimals."),
    "around": (lambda a, decimals=0: _round(a, decimals), "Rounded to so many decimals."),
    "log2": (_of_float(lambda x: e.log(x) / float(np.log(2.0))), "The logarithm to the base 2."),
    "log10": (_of_float(lambda x: e.log(x) / float(np.log(10.0))), "The logarithm to the base 10."),
    "exp2": (_of_float(lambda x: e.exp(x * float(np.log(2.0)))), "2 to the power of x."),
    "logaddexp": (_logaddexp, "The logarithm of the sum of the exponentials."),
    "hypot": (_hypot, "√(x² + y²)."),
    "deg2rad": (_of_float(lambda x: x * (np.pi / 180.0)), "Degrees as radians."),
    "rad2deg": (_of_float(lambda x: x * (180.0 / np.pi)), "Radians as degrees."),
    "isclose": (_isclose, "Whether two numbers are nearly the same."),
    "allclose": (_allclose, "Whether all numbers are nearly the same."),
    "array_equal": (_array_equal, "Whether shapes and numbers are the same."),
}
