"""`tf.math`: the rows of the table under TensorFlow's names."""

# Written by python -m tools.names; the names stand at their rows.

from ..ops.composed import angle, complex, imaginary as imag, polyval, reciprocal_no_nan, scalar_mul
from ..ops.counting import bincount, confusion_matrix, in_top_k
from ..ops.elementwise import (
    abs, acos, acosh, add, asin, asinh, atan, atan2, atanh, ceil, ceil as ceiling, conj, cos, cosh, divide,
    divide_no_nan, equal, erf, exp, expm1, floor, floordiv, floormod, greater, greater_equal, is_finite, is_inf, is_nan,
    less, less_equal, log, log1p, log_sigmoid, logical_and, logical_not, logical_or, logical_xor, maximum, minimum,
    floormod as mod, multiply, negative, not_equal, pow, real, reciprocal, round as rint, round, rsqrt, sigmoid, sign,
    sin, sinh, softplus, softsign, sqrt, square, squared_difference, subtract, tan, tanh, divide as truediv,
)  # fmt: skip
from ..ops.nn import l2_normalize, log_softmax, softmax
from ..ops.reductions import (
    argmax, argmin, reduce_all, reduce_any, reduce_euclidean_norm, reduce_logsumexp, reduce_max, reduce_mean,
    reduce_min, reduce_prod, reduce_sum,
)  # fmt: skip
from ..ops.running import cumprod, cumsum, cumulative_logsumexp
from ..ops.segments import (
    segment_max, segment_mean, segment_min, segment_prod, segment_sum, unsorted_segment_max, unsorted_segment_mean,
    unsorted_segment_min, unsorted_segment_prod, unsorted_segment_sqrt_n, unsorted_segment_sum,
)  # fmt: skip
from ..ops.sorting import invert_permutation, is_non_decreasing, is_strictly_increasing, top_k
from ..ops.special import (
    bessel_i0, bessel_i0e, bessel_i1, bessel_i1e, digamma, erfc, erfinv, lbeta, lgamma, multiply_no_nan, ndtri,
    polygamma, xdivy, xlog1py, xlogy,
)  # fmt: skip
from ..ops.statistics import add_n as accumulate_n, add_n, count_nonzero, reduce_std, reduce_variance, zero_fraction

__all__ = [
    "abs", "accumulate_n", "acos", "acosh", "add", "add_n", "angle", "argmax", "argmin", "asin", "asinh", "atan",
    "atan2", "atanh", "bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e", "bincount", "ceil", "ceiling", "complex",
    "confusion_matrix", "conj", "cos", "cosh", "count_nonzero", "cumprod", "cumsum", "cumulative_logsumexp", "digamma",
    "divide", "divide_no_nan", "equal", "erf", "erfc", "erfinv", "exp", "expm1", "floor", "floordiv", "floormod",
    "greater", "greater_equal", "imag", "in_top_k", "invert_permutation", "is_finite", "is_inf", "is_nan",
    "is_non_decreasing", "is_strictly_increasing", "l2_normalize", "lbeta", "less", "less_equal", "lgamma", "log",
    "log1p", "log_sigmoid", "log_softmax", "logical_and", "logical_not", "logical_or", "logical_xor", "maximum",
    "minimum", "mod", "multiply", "multiply_no_nan", "ndtri", "negative", "not_equal", "polygamma", "polyval", "pow",
    "real", "reciprocal", "reciprocal_no_nan", "reduce_all", "reduce_any", "reduce_euclidean_norm", "reduce_logsumexp",
    "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_std", "reduce_sum", "reduce_variance", "rint",
    "round", "rsqrt", "scalar_mul", "segment_max", "segment_mean", "segment_min", "segment_prod", "segment_sum",
    "sigmoid", "sign", "sin", "sinh", "softmax", "softplus", "softsign", "sqrt", "square", "squared_difference",
    "subtract", "tan", "tanh", "top_k", "truediv", "unsorted_segment_max", "unsorted_segment_mean",
    "unsorted_segment_min", "unsorted_segment_prod", "unsorted_segment_sqrt_n", "unsorted_segment_sum", "xdivy",
    "xlog1py", "xlogy", "zero_fraction",
]  # fmt: skip
