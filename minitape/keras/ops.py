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
    creation, indexing, joins, like_numpy, linalg, nn, norms, padding, reductions, running, shapes, slicing, sorting,
    statistics,
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
    """Two operands of one dtype: that of the floats where only one has them."""
    if isinstance(x, Operand) and isinstance(y, Operand) and x.dtype != y.dtype:
        dtype = as_dtype(np.result_type(x.tag.dtype, y.tag.dtype))
        if {x.dtype.is_floating, y.dtype.is_floating} == {True, False}:
            dtype = x.dtype if x.dtype.is_floating else y.dtype
        return e.cast(x, dtype), e.cast(y, dtype)
    return x, y


def _two(row: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x1, x2: row(*_alike(x1, x2))


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
    return e.where(condition) if x1 is None else e.where(condition, *_alike(x1, x2))


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
    return norms.norm(_floats(x), "euclidean" if ord is None else ord, axis, keepdims)


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


def _with_axis(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, axis=-1: function(_floats(x), axis)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _of_floats(row_of(name)) for name in (
        "cos", "cosh", "erf", "exp", "expm1", "log", "log1p", "rsqrt", "sigmoid", "sin", "sinh", "softplus", "softsign",
        "sqrt", "tan", "tanh",
    )},
    **{name: _two(row_of(name)) for name in (
        "add", "arctan2", "divide", "divide_no_nan", "equal", "floor_divide", "greater", "greater_equal", "less", "less_equal",
        "logical_and", "logical_or", "maximum", "minimum", "mod", "multiply", "not_equal", "power", "subtract", "true_divide",
    )},
    **{name: row_of(name) for name in (
        "abs", "absolute", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "cast", "ceil", "conj", "conjugate",
        "floor", "imag", "isfinite", "isinf", "isnan", "logical_not", "negative", "real", "reciprocal", "round", "sign", "square",
        "stop_gradient",
    )},
    **{name: getattr(activations, name) for name in (
        "elu", "gelu", "hard_sigmoid", "leaky_relu", "log_sigmoid", "mish", "relu", "relu6", "selu", "silu",
    )},
    "softmax": _with_axis(nn.softmax), "log_softmax": _with_axis(nn.log_softmax),
    "sum": _over(reductions.reduce_sum), "prod": _over(reductions.reduce_prod), "max": _over(reductions.reduce_max),
    "amax": _over(reductions.reduce_max), "min": _over(reductions.reduce_min), "amin": _over(reductions.reduce_min),
    "mean": _over(reductions.reduce_mean, True), "var": _over(statistics.reduce_variance, True),
    "std": _over(statistics.reduce_std, True), "any": _over(reductions.reduce_any), "all": _over(reductions.reduce_all),
    "logsumexp": _over(reductions.reduce_logsumexp, True), "norm": _norm, "normalize": _normalize,
    "argmax": lambda x, axis=None: reductions.argmax(*_flat(x, axis)),
    "argmin": lambda x, axis=None: reductions.argmin(*_flat(x, axis)),
    "reshape": lambda x, newshape: shapes.reshape(x, newshape), "ravel": lambda x: shapes.reshape(x, [-1]),
    **{name: getattr(like_numpy, name) for name in ("dot", "flip", "moveaxis", "split", "swapaxes", "tril", "triu")},
    "transpose": lambda x, axes=None: shapes.transpose(x, axes), "pad": _pad,
    "expand_dims": lambda x, axis: shapes.expand_dims(x, axis), "squeeze": lambda x, axis=None: shapes.squeeze(x, axis),
    "broadcast_to": lambda x, shape: shapes.broadcast_to(x, shape),
    "concatenate": lambda xs, axis=0: joins.concat(joins.several(xs), axis),
    "stack": lambda x, axis=0: joins.stack(x, axis), "unstack": lambda x, num=None, axis=0: joins.unstack(x, num, axis),
    "roll": _roll, "tile": lambda x, repeats: padding.tile(x, repeats),
    "repeat": lambda x, repeats, axis=None: slicing.repeat(x, repeats, axis), "take": _take, "take_along_axis": _take_along_axis,
    "where": _where, "slice": _slice,
    "get_item": lambda x, key: x[key], "clip": lambda x, x_min, x_max: clip_by_value(x, x_min, x_max),
    "matmul": _matmul, "einsum": letters.einsum, "tensordot": lambda x1, x2, axes=2: linalg.tensordot(x1, x2, axes),
    "outer": lambda x1, x2: linalg.tensordot(shapes.reshape(x1, [-1]), shapes.reshape(x2, [-1]), 0),
    "trace": linalg.trace, "diag": linalg.diag,
    "cumsum": lambda x, axis=0: running.cumsum(x, axis), "cumprod": lambda x, axis=0: running.cumprod(x, axis),
    "sort": lambda x, axis=-1: sorting.sort(x, axis), "argsort": lambda x, axis=-1: sorting.argsort(x, axis),
    "top_k": _top_k,
    "in_top_k": lambda targets, predictions, k: sorting.in_top_k(targets, predictions, k),
    "zeros": _filled(0.0), "ones": _filled(1.0), "full": _full, "zeros_like": _like(0.0), "ones_like": _like(1.0),
    "full_like": lambda x, fill_value, dtype=None: _like(fill_value)(x, dtype), "linspace": creation.linspace,
    "arange": lambda start, stop=None, step=1, dtype=None:
        creation.range(0 if stop is None else start, start if stop is None else stop, step, dtype=dtype),
    "eye": lambda N, M=None, dtype="float32": linalg.eye(N, M, dtype=dtype),
    "one_hot": lambda x, num_classes, axis=-1, dtype=None: indexing.one_hot(x, num_classes, axis=axis, dtype=dtype or "float32"),
    "convert_to_tensor": lambda x, dtype=None: convert(x, dtype), "convert_to_numpy": _to_numpy, "shape": _shape,
    "array": lambda x, dtype=None: convert(x, dtype), "ndim": lambda x: len(_shape(x)),
    "size": lambda x: int(np.prod(_shape(x), dtype=int)), "is_tensor": lambda x: isinstance(x, Operand),
    "cond": lambda pred, true_fn, false_fn: true_fn() if bool(pred) else false_fn(),
}  # fmt: skip


def _flat(x: Any, axis: int | None) -> tuple[Any, int]:
    return (shapes.reshape(x, [-1]), 0) if axis is None else (x, axis)


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
