# ruff: noqa: I001  a name per line would bury what there is
"""minitape: automatic differentiation that can be read, recorded and watched, under TensorFlow's names.

    import minitape as tf

runs TensorFlow's documented eager autodiff programs.  `import viz` turns what was written down into pictures.
"""

from builtins import bool as _bool
from typing import Any as _Any

from . import layers
from . import (
    autodiff,
    bitwise,
    config,
    debugging,
    errors,
    keras,
    linalg,
    math,
    nest,
    nn,
    random,
    raw_ops,
    signal,
    test,
)
from .about import VERSION as __version__
from .about import about
from .autodiff import GradientTape
from .debugging import assert_equal, assert_greater, assert_less, assert_rank
from .control_flow import case, cond, foldl, foldr, map_fn, scan, switch_case, vectorized_map, while_loop
from .compatible import compat
from .custom import custom_gradient, grad_pass_through
from .dtypes import (
    DType, as_dtype, bool, complex64, complex128, double, float16, float32, float64, half, int8, int16, int32, int64, string,
    uint8, uint16, uint32, uint64,
)  # fmt: skip
from .ops import operators as _operators
from .keras import initializers as _initializers
from .module import Module
from .ops.bits import bitcast
from .ops.clip import clip_by_global_norm, clip_by_norm, saturate_cast
from .ops.composed import scalar_mul, truncatediv, truncatemod
from .ops.creation import (
    broadcast_dynamic_shape, broadcast_static_shape, fill, linspace, meshgrid, ones, ones_like, range, rank, sequence_mask,
    shape, size, zeros, zeros_like,
)  # fmt: skip
from .ops.einsum import einsum
from .ops.elementwise import (
    abs, acos, acosh, add, asin, asinh, atan, atan2, atanh, cast, clip_by_value, complex, cos, cosh, divide, equal, exp,
    expm1, floor, floordiv, floormod, greater, greater_equal, less, less_equal, log1p, logical_and, logical_not, logical_or,
    maximum, minimum, multiply, negative, not_equal, pow, round, sigmoid, sign, sin, sinh, sqrt, square, stop_gradient,
    subtract, tan, tanh, where,
)  # fmt: skip
from .ops.linalg import eye, matmul, tensordot
from .ops.norms import norm
from .ops.padding import pad, tile
from .ops.reductions import (
    add_n, argmax, argmin, reduce_all, reduce_any, reduce_logsumexp, reduce_max, reduce_mean, reduce_min, reduce_prod,
    reduce_sum,
)  # fmt: skip
from .ops.running import cumsum
from .ops.indexing import (
    IndexedSlices,
    boolean_mask,
    gather,
    gather_nd,
    one_hot,
    repeat,
)
from .ops.slicing import slice_ as slice, strided_slice
from .ops.scatter import (
    scatter_nd, tensor_scatter_nd_add, tensor_scatter_nd_max, tensor_scatter_nd_min, tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
)  # fmt: skip
from .ops.shapes import (
    broadcast_to, concat, ensure_shape, expand_dims, identity, identity_n, reshape, reverse, roll, split, squeeze, stack,
    transpose, unstack,
)  # fmt: skip
from .ops.sorting import argsort, searchsorted, sort, unique, unique_with_counts
from .printing import print
from .py_function import numpy_function, py_function
from .recompute import (
    AbstractRecomputeWrapper, RecomputeWrapper, ReversibleLayer, ReversibleSequential, checkpoint_name, checkpoint_sequential,
    explain_recompute, is_recomputing, plan, policies, recompute_grad,
)  # fmt: skip
from .record.alarm import strict
from .record.ledger import ledger
from .record.provenance import watch_cells as _watch_cells
from .scope import device, name_scope
from .spec import TensorSpec, function
from .tape import UnconnectedGradients
from .tensor import Tensor, TensorShape, constant
from .tensor import convert as _convert
from .tensor_array import TensorArray
from .variable import Variable, VariableAggregation, VariableSynchronization
from . import version1 as _version1

newaxis = None
compat.v1 = _version1
constant_initializer, ones_initializer, zeros_initializer = (
    _initializers.Constant,
    _initializers.Ones,
    _initializers.Zeros,
)
random_normal_initializer, random_uniform_initializer = _initializers.RandomNormal, _initializers.RandomUniform
truediv = realdiv = divide


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


def get_static_value(tensor: _Any, partial: _bool = False) -> _Any:
    """The numbers of a tensor as an array: eagerly they are always known.

    >>> get_static_value(constant([1, 2]))
    array([1, 2], dtype=int32)
    """
    return _convert(tensor).numpy()


def executing_eagerly() -> _bool:
    """True: there is no other way here.

    >>> executing_eagerly()
    True
    """
    return True


# Rooms that load when somebody enters: `import minitape` stays quick.  An alias stands with what it means.
_ROOMS = {
    "data": "data",
    "image": "image",
    "train": "train",
    "experimental": "experimental",
    "losses": "keras.losses",
    "metrics": "keras.metrics",
    "optimizers": "keras.optimizers",
    "initializers": "keras.initializers",
}


def __getattr__(name: str) -> _Any:
    if name in _ROOMS:
        import importlib

        globals()[name] = room = importlib.import_module(f".{_ROOMS[name]}", __name__)
        return room
    raise AttributeError(errors.absent(name, __all__))


_watch_cells()

__all__ = [
    "DType", "GradientTape", "IndexedSlices", "Module", "Tensor", "TensorArray", "TensorShape", "TensorSpec",
    "UnconnectedGradients", "Variable", "VariableAggregation", "VariableSynchronization", "about", "abs", "acos", "acosh",
    "add", "add_n", "argmax", "argmin", "argsort", "as_dtype", "asin", "asinh", "assert_equal", "assert_greater",
    "assert_less", "assert_rank", "atan", "atan2", "atanh", "autodiff", "bitcast", "bitwise", "bool", "boolean_mask",
    "broadcast_dynamic_shape", "broadcast_static_shape", "broadcast_to", "case", "cast", "checkpoint_name",
    "clip_by_global_norm", "clip_by_norm", "clip_by_value", "compat", "complex", "complex128", "complex64", "concat",
    "cond", "config", "constant", "constant_initializer", "convert_to_tensor", "cos", "cosh", "cumsum", "custom_gradient",
    "debugging", "device", "divide", "double", "einsum", "ensure_shape", "equal", "errors", "executing_eagerly", "exp",
    "expand_dims", "explain_recompute", "expm1", "eye", "fill", "float16", "float32", "float64", "floor", "floordiv",
    "floormod", "foldl", "foldr", "function", "gather", "gather_nd", "get_static_value", "grad_pass_through", "greater",
    "greater_equal", "half", "identity", "identity_n", "image", "int16", "int32", "int64", "int8", "is_recomputing",
    "is_tensor", "keras", "ledger", "less", "less_equal", "linalg", "linspace", "log1p", "logical_and", "logical_not",
    "logical_or", "map_fn", "math", "matmul", "maximum", "meshgrid", "minimum", "mod", "multiply", "name_scope",
    "negative", "nest", "newaxis", "nn", "norm", "not_equal", "numpy_function", "one_hot", "ones", "ones_initializer",
    "ones_like", "pad", "pow", "print", "py_function", "random", "random_normal_initializer",
    "random_uniform_initializer", "range", "rank", "raw_ops", "realdiv", "recompute_grad", "reduce_all", "reduce_any",
    "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum", "repeat", "reshape",
    "reverse", "roll", "round", "saturate_cast", "scalar_mul", "scan", "scatter_nd", "searchsorted", "sequence_mask",
    "shape", "sigmoid", "sign", "signal", "sin", "sinh", "size", "slice", "sort", "split", "sqrt", "square", "squeeze",
    "stack", "stop_gradient", "strict", "strided_slice", "string", "subtract", "switch_case", "tan", "tanh",
    "tensor_scatter_nd_add", "tensor_scatter_nd_max", "tensor_scatter_nd_min", "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update", "tensordot", "test", "tile", "transpose", "truediv", "truncatediv", "truncatemod",
    "uint16", "uint32", "uint64", "uint8", "unique", "unique_with_counts", "unstack", "vectorized_map", "where",
    "while_loop", "zeros", "zeros_initializer", "zeros_like",
]  # fmt: skip
