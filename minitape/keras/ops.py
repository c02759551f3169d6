# ruff: noqa: I001  a name per line would bury what there is
"""`tf.keras.ops`: NumPy's functions by NumPy's names, on tensors and on symbols.

Each is a row of the table, or a few; on symbols it becomes a layer of the model.

>>> import minitape as tf
>>> float(tf.keras.ops.mean([[1.0, 2.0], [3.0, 6.0]]))
3.0
>>> x = tf.keras.Input((3,))
>>> tf.keras.Model(x, tf.keras.ops.sum(x, axis=-1))(tf.ones([2, 3])).numpy()
array([3., 3.], dtype=float32)
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import as_dtype
from ..examples import example
from ..ops import (
    creation, indexing, joins, like_numpy, linalg, linalg_factors, nn, norms, padding, reductions, running, shapes, slicing,
    sorting, statistics,
)  # fmt: skip
from ..ops import einsum as letters
from ..ops import elementwise as e
from ..ops.clip import clip_by_value
from ..ops.like_numpy import row_of
from ..tensor import Operand, Tensor, convert
from . import activations
from .operation import Operation
from .symbol import symbols_in


def _floats(x: Any) -> Tensor:
    x = convert(x)
    return x if x.dtype.is_floating or x.dtype.is_complex else e.cast(x, "float32")


def _alike(x: Any, y: Any) -> tuple[Any, Any]:
    """Two operands of one dtype: that of the floats where only one has them; a number of Python's brings no width."""
    if _is_number(x) and _is_number(y):
        x, y = convert(x), convert(y)
    for number, other in ((x, y), (y, x)):
        if _is_number(number):
            other = _floats(other) if isinstance(number, float) else convert(other)
            return (number, other) if number is x else (other, number)
    x, y = convert(x), convert(y)
    if x.dtype != y.dtype:
        dtype = as_dtype(np.result_type(x.tag.dtype, y.tag.dtype))
        if {x.dtype.is_floating, y.dtype.is_floating} == {True, False}:
            dtype = x.dtype if x.dtype.is_floating else y.dtype
        return e.cast(x, dtype), e.cast(y, dtype)
    return x, y


def _is_number(x: Any) -> bool:
    return isinstance(x, int | float) and not isinstance(x, bool)


def _two(row: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x1, x2: row(*_alike(x1, x2))


def _quotient(x1: Any, x2: Any) -> Any:
    x1, x2 = _alike(x1, x2)
    return e.divide(x1 if _is_number(x1) else _floats(x1), x2 if _is_number(x2) else _floats(x2))


def _of_truths(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of what is true, where all but 0 is."""
    return lambda *xs, **named: function(*[e.cast(x, "bool") for x in xs], **named)


def _summed(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    x = convert(x)
    return reductions.reduce_sum(e.cast(x, "int32") if x.dtype.is_bool else x, axis, keepdims=keepdims)


def _largest(reduce: Callable[..., Any], of_two: Callable[..., Any]) -> Callable[..., Any]:
    def largest(x: Any, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Any:
        found = reduce(convert(x), axis, keepdims=keepdims)
        return found if initial is None else of_two(found, initial)

    return largest


def _over_all(function: Callable[..., Any], axis: int | None = -1) -> Callable[..., Any]:
    """A function along an axis; where that is None, of all numbers in a row."""

    def along(x: Any, axis: int | None = axis) -> Any:
        return function(shapes.reshape(x, [-1]), 0) if axis is None else function(x, axis)

    return along


def _place_of(reduce: Callable[..., Any]) -> Callable[..., Any]:
    def place(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
        x = convert(x)
        found = reduce(shapes.reshape(x, [-1]) if axis is None else x, axis or 0, output_type="int32")
        if not keepdims:
            return found
        return shapes.reshape(found, [1] * x.ndim) if axis is None else shapes.expand_dims(found, axis)

    return place


def _normalized(function: Callable[..., Any]) -> Callable[..., Any]:
    def probabilities(x: Any, axis: int | None = -1) -> Any:
        x = _floats(x)
        if axis is not None:
            return function(x, axis)
        return shapes.reshape(function(shapes.reshape(x, [-1])), x.tag.shape)

    return probabilities


def _round(x: Any, decimals: int = 0) -> Any:
    return e.round(x) if not decimals else e.round(_floats(x) * 10.0**decimals) / 10.0**decimals


def _expand_dims(x: Any, axis: Any) -> Any:
    if isinstance(axis, int):
        return shapes.expand_dims(x, axis)
    x = convert(x)
    return shapes.reshape(x, np.expand_dims(np.empty(x.tag.shape, bool), tuple(axis)).shape)


def _tile(x: Any, repeats: Any) -> Any:
    x, counts = convert(x), [repeats] if isinstance(repeats, int) else list(repeats)
    counts, axes = [1] * (x.ndim - len(counts)) + counts, [1] * (len(counts) - x.ndim)
    return padding.tile(shapes.reshape(x, [*axes, *x.shape]) if axes else x, counts)


def _linspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Any:
    ends = [convert(end, dtype) if dtype and not isinstance(end, Operand) else _floats(end) for end in (start, stop)]
    first, last = _alike(*ends)
    found = creation.linspace(first, last if endpoint else last - (last - first) / num, num, axis=axis)
    return found if dtype is None else e.cast(found, dtype)


def _trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return reductions.reduce_sum(linalg.diag_part(like_numpy.moveaxis(x, (axis1, axis2), (-2, -1)), k=offset), -1)


def _eye(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Tensor:
    return convert(np.eye(N, M, k, as_dtype(dtype or "float32").numpy_dtype))


def _of_floats(row: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x: row(_floats(x))


def _over(reduce: Callable[..., Any], floats: bool = False) -> Callable[..., Any]:
    def reduced(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return reduce(_floats(x) if floats else convert(x), axis, keepdims=keepdims)

    return reduced


def _pad(x: Any, pad_width: Any, mode: str = "constant", constant_values: Any = None) -> Any:
    x = convert(x)
    widths = np.broadcast_to(np.asarray(pad_width), (x.ndim, 2))
    return padding.pad(x, widths, mode, 0 if constant_values is None else constant_values)


def _take(x: Any, indices: Any, axis: int | None = None) -> Any:
    x = convert(x)
    flat = shapes.reshape(x, [-1]) if axis is None else x
    axis = 0 if axis is None else axis
    return indexing.gather(
        flat, np.where(np.asarray(indices) < 0, np.asarray(indices) + flat.shape[axis], indices), axis=axis
    )


def _take_along_axis(x: Any, indices: Any, axis: int = -1) -> Any:
    x, picked = like_numpy.swapaxes(x, axis, -1), like_numpy.swapaxes(indices, axis, -1)
    return like_numpy.swapaxes(indexing.gather_along(x, picked), axis, -1)


def _matmul(x1: Any, x2: Any) -> Any:
    x1, x2 = _alike(convert(x1), convert(x2))
    if x1.ndim > 1 and x2.ndim > 1:
        return linalg.matmul(x1, x2)
    return like_numpy.dot(x1, x2) if x2.ndim == 1 else linalg.tensordot(x1, x2, 1)


def _where(condition: Any, x1: Any = None, x2: Any = None) -> Any:
    if x1 is None:
        return tuple(joins.unstack(e.cast(e.where(condition), "int32"), axis=1))  # as NumPy: the places along each axis
    return e.where(condition, *_alike(x1, x2))


def _full(shape: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    return creation.fill(shape, convert(fill_value, as_dtype(dtype or "float32").numpy_dtype))


def _filled(number: float) -> Callable[..., Any]:
    return lambda shape, dtype=None: convert(np.full(shape, number, as_dtype(dtype or "float32").numpy_dtype))


def _like(number: float) -> Callable[..., Any]:
    def like(x: Any, dtype: Any = None) -> Tensor:
        x = convert(x)
        return convert(np.full(x.tag.shape, number, as_dtype(dtype or x.dtype).numpy_dtype))

    return like


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:  # noqa: A002
    x = _floats(x)
    if axis is None and ord is not None and x.ndim == 2:
        axis = (0, 1)  # that of a matrix, as NumPy has it
    if ord == "nuc":
        values = linalg_factors.svd(like_numpy.moveaxis(x, axis, (-2, -1)), compute_uv=False)
        total = reductions.reduce_sum(values, -1)
        return _expand_dims(total, [place % x.ndim for place in axis]) if keepdims else total
    return norms.norm(x, "euclidean" if ord is None else ord, axis, keepdims)


def _normalize(x: Any, axis: int = -1, order: float = 2, epsilon: float | None = None) -> Any:
    x = _floats(x)
    return x / e.maximum(norms.norm(x, order, axis, keepdims=True), 1e-7 if epsilon is None else epsilon)


def _shape(x: Any) -> tuple[Any, ...]:
    return tuple(x.shape if hasattr(x, "shape") else convert(x).shape)


def _to_numpy(x: Any) -> np.ndarray:
    return x.numpy() if isinstance(x, Operand) else np.asarray(x)


def _top_k(x: Any, k: int, sorted: bool = True) -> Any:  # noqa: A002
    return sorting.top_k(x, k, sorted)


def _roll(x: Any, shift: Any, axis: Any = None) -> Any:
    if axis is None:
        return shapes.reshape(shapes.roll(shapes.reshape(x, [-1]), shift, 0), _shape(x))
    return shapes.roll(x, shift, axis)


def _slice(inputs: Any, start_indices: Any, shape: Any) -> Any:
    # Python's own slice: the op of this name stands before it.
    parts = [builtins.slice(int(a), int(a) + int(n)) for a, n in zip(start_indices, shape)]
    return convert(inputs)[tuple(parts)]


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _of_floats(row_of(name)) for name in (
        "ceil", "cos", "cosh", "erf", "exp", "expm1", "floor", "log", "log1p", "rsqrt", "sigmoid", "sin", "sinh",
        "softplus", "softsign", "sqrt", "tan", "tanh",
    )},
    **{name: _two(row_of(name)) for name in (
        "add", "arctan2", "divide_no_nan", "equal", "floor_divide", "greater", "greater_equal", "less", "less_equal",
        "maximum", "minimum", "mod", "multiply", "not_equal", "power", "subtract",
    )},
    "divide": _quotient, "true_divide": _quotient,
    **{name: _of_truths(row_of(name)) for name in ("logical_and", "logical_not", "logical_or", "logical_xor")},
    **{name: row_of(name) for name in (
        "abs", "absolute", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "cast", "conj", "conjugate",
        "imag", "isfinite", "isinf", "isnan", "negative", "real", "reciprocal", "sign", "square", "stop_gradient",
    )},
    "round": _round,
    **{name: getattr(activations, name) for name in (
        "celu", "elu", "glu", "hard_shrink", "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh", "leaky_relu", "log_sigmoid",
        "mish", "relu", "relu6", "selu", "silu", "soft_shrink", "sparse_plus", "sparse_sigmoid", "sparsemax", "squareplus",
        "swish", "tanh_shrink", "threshold",
    )},
    "gelu": lambda x, approximate=True: activations.gelu(x, approximate),
    "softmax": _normalized(nn.softmax), "log_softmax": _normalized(nn.log_softmax),
    "sum": _summed, "prod": _over(reductions.reduce_prod), "max": _largest(reductions.reduce_max, e.maximum),
    "amax": _over(reductions.reduce_max), "min": _largest(reductions.reduce_min, e.minimum), "amin": _over(reductions.reduce_min),
    "mean": _over(reductions.reduce_mean, True), "var": _over(statistics.reduce_variance, True),
    "std": _over(statistics.reduce_std, True), "any": _of_truths(reductions.reduce_any), "all": _of_truths(reductions.reduce_all),
    "count_nonzero": lambda x, axis=None: statistics.count_nonzero(x, axis, dtype="int32"),
    "logsumexp": _over(reductions.reduce_logsumexp, True), "norm": _norm, "normalize": _normalize,
    "argmax": _place_of(reductions.argmax), "argmin": _place_of(reductions.argmin),
    "reshape": lambda x, newshape: shapes.reshape(x, newshape), "ravel": lambda x: shapes.reshape(x, [-1]),
    **{name: getattr(like_numpy, name) for name in ("diag", "dot", "flip", "moveaxis", "split", "swapaxes", "tril", "triu")},
    "transpose": lambda x, axes=None: shapes.transpose(x, axes), "pad": _pad,
    "expand_dims": _expand_dims, "squeeze": lambda x, axis=None: shapes.squeeze(x, axis),
    "broadcast_to": lambda x, shape: shapes.broadcast_to(x, shape),
    "concatenate": lambda xs, axis=0: joins.concat(joins.several(xs), axis),
    "stack": lambda x, axis=0: joins.stack(x, axis), "unstack": lambda x, num=None, axis=0: joins.unstack(x, num, axis),
    "roll": _roll, "tile": _tile,
    "repeat": lambda x, repeats, axis=None: slicing.repeat(x, repeats, axis), "take": _take, "take_along_axis": _take_along_axis,
    "where": _where, "slice": _slice,
    "get_item": lambda x, key: x[key], "clip": lambda x, x_min, x_max: clip_by_value(x, x_min, x_max),
    "matmul": _matmul, "einsum": letters.einsum, "tensordot": lambda x1, x2, axes=2: linalg.tensordot(x1, x2, axes),
    "outer": lambda x1, x2: linalg.tensordot(shapes.reshape(x1, [-1]), shapes.reshape(x2, [-1]), 0),
    "trace": _trace, "cumsum": _over_all(running.cumsum, None), "cumprod": _over_all(running.cumprod, None),
    "sort": _over_all(sorting.sort), "argsort": _over_all(sorting.argsort),
    "top_k": _top_k,
    "in_top_k": lambda targets, predictions, k: sorting.in_top_k(targets, predictions, k),
    "zeros": _filled(0.0), "ones": _filled(1.0), "full": _full, "zeros_like": _like(0.0), "ones_like": _like(1.0),
    "full_like": lambda x, fill_value, dtype=None: _like(fill_value)(x, dtype), "linspace": _linspace,
    "arange": lambda start, stop=None, step=1, dtype=None:
        creation.range(0 if stop is None else start, start if stop is None else stop, step, dtype=dtype),
    "eye": _eye,
    "one_hot": lambda x, num_classes, axis=-1, dtype=None: indexing.one_hot(x, num_classes, axis=axis, dtype=dtype or "float32"),
    "convert_to_tensor": lambda x, dtype=None: convert(x, dtype), "convert_to_numpy": _to_numpy, "shape": _shape,
    "array": lambda x, dtype=None: convert(x, dtype), "ndim": lambda x: len(_shape(x)),
    "size": lambda x: int(np.prod(_shape(x), dtype=int)), "is_tensor": lambda x: isinstance(x, Operand),
    "cond": lambda pred, true_fn, false_fn: true_fn() if bool(pred) else false_fn(),
}  # fmt: skip


_AS_IT_IS = ("shape", "ndim", "is_tensor", "cond")  # what can be said of a symbol too


def _offered(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function, assigned=())  # a row would write its own docstring for it
    def op(*args: Any, **kwargs: Any) -> Any:
        if name not in _AS_IT_IS and symbols_in((args, kwargs)):
            return Operation(op)(*args, **kwargs)
        return function(*args, **kwargs)

    op.__name__ = op.__qualname__ = name
    op.__module__ = __name__
    whose = "NumPy" if hasattr(np, name) else "Keras"
    op.__doc__ = f"{whose}'s `{name}`, on tensors and symbols.\n\n{example('tf.keras.ops', name)}"
    return op


for _name, _function in _FUNCTIONS.items():
    globals()[_name] = _offered(_name, _function)

__all__ = sorted(_FUNCTIONS)

if TYPE_CHECKING:  # the loop above gives the names

    def __getattr__(name: str) -> Callable[..., Any]: ...
