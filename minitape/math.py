# ruff: noqa: I001  a name per line would bury what there is
"""`tf.math`: the rows of the table under TensorFlow's names."""

from .ops.elementwise import (
    abs, acos, acosh, add, asin, asinh, atan, atan2, atanh, ceil, conj, cos, cosh, divide, equal, erf, exp, expm1, floor,
    floordiv, floormod, greater, greater_equal, imag, is_finite, is_inf, is_nan, less, less_equal, log, log1p, log_sigmoid,
    logical_and, logical_not, logical_or, logical_xor, maximum, minimum, multiply, negative, not_equal, pow, real, reciprocal,
    round, rsqrt, sigmoid, sign, sin, sinh, softplus, sqrt, square, squared_difference, subtract, tan, tanh,
)  # fmt: skip
from .ops.reductions import (
    add_n, argmax, argmin, cumsum, reduce_all, reduce_any, reduce_logsumexp, reduce_max, reduce_mean, reduce_min, reduce_prod,
    reduce_std, reduce_sum, reduce_variance,
)  # fmt: skip

mod = floormod
truediv = divide

__all__ = [
    "abs", "acos", "acosh", "add", "add_n", "argmax", "argmin", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "conj", "cos",
    "cosh", "cumsum", "divide", "equal", "erf", "exp", "expm1", "floor", "floordiv", "floormod", "greater", "greater_equal",
    "imag", "is_finite", "is_inf", "is_nan", "less", "less_equal", "log", "log1p", "log_sigmoid", "logical_and", "logical_not",
    "logical_or", "logical_xor", "maximum", "minimum", "mod", "multiply", "negative", "not_equal", "pow", "real", "reciprocal",
    "reduce_all", "reduce_any", "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_std",
    "reduce_sum", "reduce_variance", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "softplus", "sqrt", "square",
    "squared_difference", "subtract", "tan", "tanh", "truediv",
]  # fmt: skip
