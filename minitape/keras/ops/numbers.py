"""Functions number by number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops import bits, composed, special
from ...ops import elementwise as e
from ...ops.clip import clip_by_value, saturate_cast
from ...ops.joins import stack
from ...ops.like_numpy import row_of
from ...ops.reductions import reduce_all
from ...record.refusal import value_error
from ...tensor import convert
from .operands import Rows, alike, counted, floats, of_floats, one, plain, together, truths, two, two_floats


def _quotient(x1: Any, x2: Any) -> Any:
    x1, x2 = alike(x1, x2)
    whole = convert(x1 if hasattr(x1, "tag") else x2).tag.dtype.kind in "biu"
    return e.divide(*((floats(x1), floats(x2)) if whole else (x1, x2)))


def _round(x: Any, decimals: int = 0) -> Any:
    return e.round(x) if not decimals else e.round(floats(x) * 10.0**decimals) / 10.0**decimals


def _scaled(row: Callable[..., Any], inside: float = 1.0, outside: float = 1.0) -> Callable[..., Any]:
    """A row between two changes of scale: another base, other units."""
    return lambda x: row(floats(x) * inside if inside != 1.0 else floats(x)) * outside


def _larger_known(choose: Callable[..., Any]) -> Callable[..., Any]:
    """The larger or smaller of two numbers; of a number and NaN the number."""

    def of_two(x1: Any, x2: Any) -> Any:
        x1, x2 = together(x1, x2)
        if not x1.dtype.is_floating:
            return choose(x1, x2)
        return e.where(e.is_nan(x1), x2, e.where(e.is_nan(x2), x1, choose(x1, x2)))

    return of_two


def _heaviside(x1: Any, x2: Any) -> Any:
    x1, x2 = together(floats(x1), floats(x2))
    return e.where(x1 < 0.0, 0.0, e.where(x1 > 0.0, 1.0, x2))


def _hypot(x1: Any, x2: Any) -> Any:
    x1, x2 = together(floats(x1), floats(x2))
    return e.sqrt(x1 * x1 + x2 * x2)


def _logaddexp(base: float) -> Callable[..., Any]:
    def added(x1: Any, x2: Any) -> Any:
        x1, x2 = together(floats(x1), floats(x2))
        scale = math.log(base)
        return e.maximum(x1, x2) + e.log1p(e.exp(-e.abs(x1 - x2) * scale)) / scale

    return added


def _close(x1: Any, x2: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    x1, x2 = together(floats(x1), floats(x2))
    known = e.logical_and(e.is_finite(x1), e.is_finite(x2))
    near = e.abs(e.where(known, x1, 0.0) - e.where(known, x2, 0.0)) <= atol + rtol * e.abs(e.where(known, x2, 0.0))
    same = e.logical_or(e.equal(x1, x2), e.logical_and(near, known))
    return e.logical_or(same, e.logical_and(e.is_nan(x1), e.is_nan(x2))) if equal_nan else same


def _nan_to_num(x: Any, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None) -> Any:
    x = convert(x)
    if not x.dtype.is_floating:
        return x
    high, low = x.dtype.max if posinf is None else posinf, x.dtype.min if neginf is None else neginf
    x = e.where(e.is_nan(x), nan, x)
    return e.where(e.equal(x, math.inf), high, e.where(e.equal(x, -math.inf), low, x))


def _sinc(x: Any) -> Any:
    """sin(πx) / πx; at 0, where that is 0 / 0, by its limit, and with the slope of that."""
    x = floats(x) * math.pi
    away = e.where(e.equal(x, 0.0), 1.0, x)
    return e.where(e.equal(x, 0.0), 1.0 - x * x / 6.0, e.sin(away) / away)


def _sign_of(side: float) -> Callable[..., Any]:
    def infinite(x: Any) -> Any:
        return e.equal(floats(x), side)

    return infinite


def _trunc(x: Any) -> Any:
    x = convert(x)
    return x if x.dtype.is_integer else e.where(x < 0.0, e.ceil(x), e.floor(x))


def _of_whole(function: Callable[..., Any]) -> Callable[..., Any]:
    """One of NumPy's functions of two whole numbers, which have no slope."""
    return lambda x1, x2: plain(function(*[x.numpy() for x in together(x1, x2)]))


def _of_truths(row: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x1, x2: row(truths(x1), truths(x2))


def _bits(row: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, y: row(*alike(x, y))


def _polar(abs_: Any, angle: Any) -> Any:
    size, turned = together(floats(abs_), floats(angle))
    return composed.complex(size * e.cos(turned), size * e.sin(turned))


def _view(x: Any, dtype: Any = None) -> Any:
    return convert(x) if dtype is None else bits.bitcast(x, dtype)


def _as_complex(x: Any) -> Any:
    x = convert(x)
    if not x.ndim or x.shape[-1] != 2:
        raise value_error(
            f"ops.view_as_complex: the last axis holds a real and an imaginary part, got shape {x.shape}",
            "ops.stack([real, imag], axis=-1) makes such an axis.",
        )
    return composed.complex(x[..., 0], x[..., 1])


ROWS: Rows = {
    **{name: of_floats(row_of(name)) for name in (
        "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "ceil", "cos", "cosh", "erf", "exp", "expm1", "floor",
        "isfinite", "isinf", "isnan", "log", "log1p", "rsqrt", "sigmoid", "sin", "sinh", "softplus", "softsign", "sqrt", "tan",
        "tanh",
    )},
    **{name: two(row_of(name)) for name in (
        "add", "equal", "floor_divide", "greater", "greater_equal", "less", "less_equal", "maximum", "minimum", "mod",
        "multiply", "not_equal", "power", "subtract",
    )},
    **{name: one(row_of(name)) for name in (
        "abs", "absolute", "conj", "conjugate", "negative", "real", "reciprocal", "sign",
    )},
    **{name: _of_truths(row_of(name)) for name in ("logical_and", "logical_or", "logical_xor")},
    "logical_not": lambda x: e.logical_not(truths(x)), "cast": lambda x, dtype: e.cast(x, dtype),
    "stop_gradient": lambda variable: e.stop_gradient(variable),
    "allclose": lambda x1, x2, rtol=1e-5, atol=1e-8, equal_nan=False: reduce_all(_close(x1, x2, rtol, atol, equal_nan)),
    "angle": lambda x: composed.angle(floats(x)),
    "arctan2": two_floats(e.atan2),
    "bitwise_and": _bits(bits.bitwise_and), "bitwise_or": _bits(bits.bitwise_or), "bitwise_xor": _bits(bits.bitwise_xor),
    "bitwise_invert": lambda x: bits.invert(x), "bitwise_not": lambda x: bits.invert(x),
    "bitwise_left_shift": _bits(bits.left_shift), "left_shift": _bits(bits.left_shift),
    "bitwise_right_shift": _bits(bits.right_shift), "right_shift": _bits(bits.right_shift),
    "cbrt": of_floats(lambda x: e.sign(x) * e.pow(e.abs(x), 1.0 / 3.0)),
    "clip": lambda x, x_min, x_max: clip_by_value(x, x_min, x_max),
    "deg2rad": _scaled(lambda x: x, math.pi / 180.0), "rad2deg": _scaled(lambda x: x, 180.0 / math.pi),
    "divide": _quotient, "true_divide": _quotient, "divide_no_nan": two_floats(e.divide_no_nan),
    "erfc": of_floats(special.erfc), "erfinv": of_floats(special.erfinv), "i0": of_floats(special.bessel_i0),
    "exp2": of_floats(lambda x: e.pow(2.0, x)), "fabs": of_floats(e.abs),
    "fmax": _larger_known(e.maximum), "fmin": _larger_known(e.minimum), "fmod": two(e.truncatemod),
    "gcd": _of_whole(np.gcd), "lcm": _of_whole(np.lcm),
    "heaviside": _heaviside, "hypot": _hypot, "imag": one(composed.imaginary),
    "isclose": _close, "isneginf": _sign_of(-math.inf), "isposinf": _sign_of(math.inf),
    "isreal": lambda x: e.equal(composed.imaginary(convert(x)), 0),
    "ldexp": lambda x1, x2: floats(x1) * e.pow(2.0, floats(x2)),
    "log10": _scaled(e.log, outside=1.0 / math.log(10.0)), "log2": _scaled(e.log, outside=1.0 / math.log(2.0)),
    "logaddexp": _logaddexp(math.e), "logaddexp2": _logaddexp(2.0),
    "nan_to_num": _nan_to_num, "polar": _polar, "round": _round,
    "saturate_cast": lambda x, dtype: saturate_cast(x, dtype),
    "signbit": lambda x: plain(np.signbit(convert(x).numpy())), "sinc": _sinc, "square": lambda x: e.square(counted(x)),
    "trunc": _trunc, "view": _view, "view_as_complex": _as_complex,
    "view_as_real": lambda x: stack([e.real(x), composed.imaginary(x)], axis=-1),
}  # fmt: skip
