# ruff: noqa: I001  a name per line would bury what there is
"""`tf.math`: the rows of the table under TensorFlow's names."""

from .ops.creation import bincount, confusion_matrix
from .ops.elementwise import (
    abs, acos, acosh, add, angle, asin, asinh, atan, atan2, atanh, ceil, complex, conj, cos, cosh, divide, divide_no_nan, equal,
    erf, erfc, exp, expm1, floor, floordiv, floormod, greater, greater_equal, imag, is_finite, is_inf, is_nan, less, less_equal,
    log, log1p, log_sigmoid, logical_and, logical_not, logical_or, logical_xor, maximum, minimum, multiply, multiply_no_nan,
    negative, not_equal, polyval, pow, real, reciprocal, round, rsqrt, sigmoid, sign, sin, sinh, softplus, softsign, sqrt,
    square, squared_difference, subtract, tan, tanh, xdivy, xlogy,
)  # fmt: skip
from .ops.nn import l2_normalize
from .ops.reductions import (
    add_n, argmax, argmin, count_nonzero, cumprod, cumsum, cumulative_logsumexp, reduce_all, reduce_any, reduce_euclidean_norm,
    reduce_logsumexp, reduce_max, reduce_mean, reduce_min, reduce_prod, reduce_std, reduce_sum, reduce_variance, zero_fraction,
)  # fmt: skip
from .ops.segments import (
    segment_max, segment_mean, segment_min, segment_prod, segment_sum, unsorted_segment_max, unsorted_segment_mean,
    unsorted_segment_min, unsorted_segment_prod, unsorted_segment_sum,
)  # fmt: skip
from .ops.sorting import in_top_k, top_k

ceiling = ceil
mod = floormod
truediv = divide
accumulate_n = add_n
rint = round

__all__ = [
    "abs", "accumulate_n", "acos", "acosh", "add", "add_n", "angle", "argmax", "argmin", "asin", "asinh", "atan", "atan2",
    "atanh", "bincount", "ceil", "ceiling", "complex", "confusion_matrix", "conj", "cos", "cosh", "count_nonzero", "cumprod",
    "cumsum", "cumulative_logsumexp", "divide", "divide_no_nan", "equal", "erf", "erfc", "exp", "expm1", "floor", "floordiv",
    "floormod", "greater", "greater_equal", "imag", "in_top_k", "is_finite", "is_inf", "is_nan", "l2_normalize", "less",
    "less_equal", "log", "log1p", "log_sigmoid", "logical_and", "logical_not", "logical_or", "logical_xor", "maximum",
    "minimum", "mod", "multiply", "multiply_no_nan", "negative", "not_equal", "polyval", "pow", "real", "reciprocal",
    "reduce_all", "reduce_any", "reduce_euclidean_norm", "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min",
    "reduce_prod", "reduce_std", "reduce_sum", "reduce_variance", "rint", "round", "rsqrt", "segment_max", "segment_mean",
    "segment_min", "segment_prod", "segment_sum", "sigmoid", "sign", "sin", "sinh", "softplus", "softsign", "sqrt", "square",
    "squared_difference", "subtract", "tan", "tanh", "top_k", "truediv", "unsorted_segment_max", "unsorted_segment_mean",
    "unsorted_segment_min", "unsorted_segment_prod", "unsorted_segment_sum", "xdivy", "xlogy", "zero_fraction",
]  # fmt: skip
