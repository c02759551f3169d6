# ruff: noqa: I001  a name per line would bury what there is
"""minitape: automatic differentiation that can be read, recorded and watched, under TensorFlow's names.

    import minitape as tf

runs TensorFlow's documented eager autodiff programs.  `import viz` turns what was written down into pictures.
"""

from builtins import bool as _bool
from typing import Any as _Any

from . import autodiff, errors, linalg, math, nest, nn, random
from .about import VERSION as __version__
from .about import about
from .autodiff import GradientTape
from .control_flow import cond, function, while_loop
from .dtypes import (
    DType, as_dtype, bool, complex64, complex128, double, float16, float32, float64, half, int8, int16, int32, int64, string,
    uint8, uint16, uint32, uint64,
)  # fmt: skip
from .ops import operators as _operators
from .ops.creation import fill, linspace, ones, ones_like, range, rank, shape, size, zeros, zeros_like
from .ops.elementwise import (
    abs, acos, acosh, add, asin, asinh, atan, atan2, atanh, cast, clip_by_value, cos, cosh, divide, equal, exp, expm1, floor,
    greater, greater_equal, less, less_equal, log1p, logical_and, logical_not, logical_or, maximum, minimum, multiply, negative,
    not_equal, pow, round, sigmoid, sign, sin, sinh, sqrt, square, stop_gradient, subtract, tan, tanh, where,
)  # fmt: skip
from .ops.linalg import eye, matmul, norm, tensordot
from .ops.reductions import (
    add_n, argmax, argmin, cumsum, reduce_all, reduce_any, reduce_logsumexp, reduce_max, reduce_mean, reduce_min, reduce_prod,
    reduce_sum,
)  # fmt: skip
from .ops.shapes import (
    boolean_mask, broadcast_to, concat, expand_dims, gather, identity, one_hot, pad, repeat, reshape, reverse, roll, split,
    squeeze, stack, tile, transpose, unstack,
)  # fmt: skip
from .printing import print
from .record.ledger import ledger
from .record.provenance import watch_cells as _watch_cells
from .tape import UnconnectedGradients
from .tensor import Tensor, TensorShape, constant
from .tensor import convert as _convert
from .variable import Variable

newaxis = None


def convert_to_tensor(value: _Any, dtype: _Any = None, dtype_hint: _Any = None, name: str | None = None) -> Tensor:
    """The value as a tensor; a tensor comes back as it is, a variable as a reading of it.

    >>> convert_to_tensor([1.0, 2.0]).shape
    TensorShape([2])
    """
    if isinstance(value, Variable):
        value = value.value()
    return _convert(value, dtype, None if dtype_hint is None else as_dtype(dtype_hint).numpy_dtype)


def is_tensor(x: _Any) -> _bool:
    """True for a tensor or a variable.

    >>> is_tensor(constant(1.0)), is_tensor(1.0)
    (True, False)
    """
    return isinstance(x, Tensor | Variable)


_watch_cells()

__all__ = [
    "DType", "GradientTape", "Tensor", "TensorShape", "UnconnectedGradients", "Variable", "about", "abs", "acos", "acosh", "add",
    "add_n", "argmax", "argmin", "as_dtype", "asin", "asinh", "atan", "atan2", "atanh", "autodiff", "bool", "boolean_mask",
    "broadcast_to", "cast", "clip_by_value", "complex64", "complex128", "concat", "cond", "constant", "convert_to_tensor",
    "cos", "cosh", "cumsum", "divide", "double", "equal", "errors", "exp", "expand_dims", "expm1", "eye", "fill", "float16",
    "float32", "float64", "floor", "function", "gather", "greater", "greater_equal", "half", "identity", "int8", "int16",
    "int32", "int64", "is_tensor", "ledger", "less", "less_equal", "linalg", "linspace", "log1p", "logical_and",
    "logical_not", "logical_or", "math", "matmul", "maximum", "minimum", "multiply", "negative", "nest", "newaxis", "nn",
    "norm", "not_equal", "one_hot", "ones", "ones_like", "pad", "pow", "print", "random", "range", "rank", "reduce_all",
    "reduce_any", "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum", "repeat",
    "reshape", "reverse", "roll", "round", "shape", "sigmoid", "sign", "sin", "sinh", "size", "split", "sqrt", "square",
    "squeeze", "stack", "stop_gradient", "string", "subtract", "tan", "tanh", "tensordot", "tile", "transpose", "uint8",
    "uint16", "uint32", "uint64", "unstack", "where", "while_loop", "zeros", "zeros_like",
]  # fmt: skip
