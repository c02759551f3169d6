"""What stands in `tf` itself, of the table and of the functions made of it."""

# Written by python -m tools.names; the names stand at their rows.

from ..ops.bits import bitcast
from ..ops.clip import clip_by_global_norm, clip_by_norm, clip_by_value, saturate_cast
from ..ops.composed import complex, scalar_mul
from ..ops.counting import histogram_fixed_width, sequence_mask, unique, unique_with_counts
from ..ops.creation import (
    broadcast_dynamic_shape, broadcast_static_shape, fill, linspace, meshgrid, ones, ones_like, range, rank, shape,
    size, zeros, zeros_like,
)  # fmt: skip
from ..ops.einsum import einsum
from ..ops.elementwise import (
    abs, acos, acosh, add, asin, asinh, atan, atan2, atanh, cast, cos, cosh, divide, equal, exp, expm1, floor, floordiv,
    floormod, greater, greater_equal, less, less_equal, log1p, logical_and, logical_not, logical_or, maximum, minimum,
    multiply, negative, not_equal, pow, divide as realdiv, round, sigmoid, sign, sin, sinh, sqrt, square, stop_gradient,
    subtract, tan, tanh, divide as truediv, truncatediv, truncatemod, where,
)  # fmt: skip
from ..ops.indexing import IndexedSlices, gather, gather_nd, one_hot
from ..ops.joins import concat, split, stack, unstack
from ..ops.linalg import eye, matmul, tensordot
from ..ops.norms import norm
from ..ops.padding import pad, tile
from ..ops.partition import dynamic_partition, dynamic_stitch, reverse_sequence, unravel_index
from ..ops.reductions import (
    argmax, argmin, reduce_all, reduce_any, reduce_logsumexp, reduce_max, reduce_mean, reduce_min, reduce_prod,
    reduce_sum,
)  # fmt: skip
from ..ops.running import cumsum
from ..ops.scatter import (
    scatter_nd, tensor_scatter_nd_add, tensor_scatter_nd_max, tensor_scatter_nd_min, tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
)  # fmt: skip
from ..ops.shapes import (
    broadcast_to, ensure_shape, expand_dims, identity, identity_n, reshape, reverse, roll, squeeze, transpose,
)  # fmt: skip
from ..ops.slicing import boolean_mask, repeat, slice_ as slice, strided_slice
from ..ops.sorting import argsort, searchsorted, sort
from ..ops.statistics import add_n

__all__ = [
    "IndexedSlices", "abs", "acos", "acosh", "add", "add_n", "argmax", "argmin", "argsort", "asin", "asinh", "atan",
    "atan2", "atanh", "bitcast", "boolean_mask", "broadcast_dynamic_shape", "broadcast_static_shape", "broadcast_to",
    "cast", "clip_by_global_norm", "clip_by_norm", "clip_by_value", "complex", "concat", "cos", "cosh", "cumsum",
    "divide", "dynamic_partition", "dynamic_stitch", "einsum", "ensure_shape", "equal", "exp", "expand_dims", "expm1",
    "eye", "fill", "floor", "floordiv", "floormod", "gather", "gather_nd", "greater", "greater_equal",
    "histogram_fixed_width", "identity", "identity_n", "less", "less_equal", "linspace", "log1p", "logical_and",
    "logical_not", "logical_or", "matmul", "maximum", "meshgrid", "minimum", "multiply", "negative", "norm",
    "not_equal", "one_hot", "ones", "ones_like", "pad", "pow", "range", "rank", "realdiv", "reduce_all", "reduce_any",
    "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum", "repeat", "reshape",
    "reverse", "reverse_sequence", "roll", "round", "saturate_cast", "scalar_mul", "scatter_nd", "searchsorted",
    "sequence_mask", "shape", "sigmoid", "sign", "sin", "sinh", "size", "slice", "sort", "split", "sqrt", "square",
    "squeeze", "stack", "stop_gradient", "strided_slice", "subtract", "tan", "tanh", "tensor_scatter_nd_add",
    "tensor_scatter_nd_max", "tensor_scatter_nd_min", "tensor_scatter_nd_sub", "tensor_scatter_nd_update", "tensordot",
    "tile", "transpose", "truediv", "truncatediv", "truncatemod", "unique", "unique_with_counts", "unravel_index",
    "unstack", "where", "zeros", "zeros_like",
]  # fmt: skip
