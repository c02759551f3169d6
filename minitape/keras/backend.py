"""`tf.keras.backend`: the functions that programs for Keras 2 call `K`, each a function of `tf` or of `tf.keras.ops`.

>>> import minitape as tf
>>> K = tf.keras.backend
>>> float(K.mean(K.square(tf.constant([1.0, 3.0]))))
5.0
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import control_flow
from ..examples import example
from ..ops import elementwise as e
from ..ops import indexing, joins, linalg, losses, nn, reductions, shapes, slicing
from ..ops import random as chance
from ..ops.shapes import transpose
from ..record.refusal import answering
from ..scope import name_scope
from ..tensor import Operand, constant, convert
from ..variable import Variable
from . import activations
from . import ops as _ops
from .layers.merging import dot_along
from .losses import entropies
from .names import clear_session, floatx, set_floatx
from .random import dropout as _dropped
from .symbol import KerasTensor

ops: Any = _ops  # whose names are made by a loop


def epsilon() -> float:
    """How far probabilities are kept from 0 and 1.

    >>> tf.keras.backend.epsilon()
    1e-07
    """
    return 1e-7


def image_data_format() -> str:
    """Where channels stand unless a layer says otherwise.

    >>> tf.keras.backend.image_data_format()
    'channels_last'
    """
    return "channels_last"


def variable(value: Any, dtype: Any = None, name: str | None = None, constraint: Any = None) -> Variable:
    """A variable of the usual dtype.

    >>> tf.keras.backend.variable([1.0]).numpy()
    array([1.], dtype=float32)
    """
    return Variable(np.asarray(value, dtype or floatx()), name=name, constraint=constraint)


def get_value(x: Any) -> np.ndarray:
    """The numbers, as an array.

    >>> tf.keras.backend.get_value(tf.keras.backend.variable(2.0))
    np.float32(2.0)
    """
    answer: np.ndarray = ops.convert_to_numpy(x)
    return answer


def set_value(x: Any, value: Any) -> None:
    """Put other numbers into a variable.

    >>> x = tf.keras.backend.variable(2.0)
    >>> tf.keras.backend.set_value(x, 3.0)
    >>> float(x)
    3.0
    """
    x.assign(np.asarray(value, x.tag.dtype))


def batch_dot(x: Any, y: Any, axes: Any = None) -> Any:
    """Products of each example of one batch with that of the other, summed over one axis of each.

    >>> tf.keras.backend.batch_dot(tf.constant([[1.0, 2.0]]), tf.constant([[3.0, 4.0]]), axes=1).numpy()
    array([[11.]], dtype=float32)
    """
    x, y = convert(x), convert(y)
    if axes is None:
        axes = (x.ndim - 1, max(y.ndim - 2, 1))
    return dot_along(x, y, *((axes, axes) if isinstance(axes, int) else axes))


def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> Any:
    """The cross-entropy of each number with its own target.

    >>> tf.keras.backend.binary_crossentropy(tf.constant([1.0]), tf.constant([0.5])).numpy().round(4)
    array([0.6931], dtype=float32)
    """
    if from_logits:
        return losses.sigmoid_cross_entropy_with_logits(labels=target, logits=output)
    inside = ops.clip(output, epsilon(), 1.0 - epsilon())
    return -(target * e.log(inside + epsilon()) + (1.0 - target) * e.log(1.0 - inside + epsilon()))


def categorical_crossentropy(target: Any, output: Any, from_logits: bool = False, axis: int = -1) -> Any:
    """The cross-entropy of each row with its target.

    >>> tf.keras.backend.categorical_crossentropy(tf.constant([[0.0, 1.0]]), tf.constant([[0.5, 0.5]])).numpy().round(4)
    array([0.6931], dtype=float32)
    """
    return entropies.categorical_crossentropy(target, output, from_logits, axis=axis)


def sparse_categorical_crossentropy(target: Any, output: Any, from_logits: bool = False, axis: int = -1) -> Any:
    """The cross-entropy of each row with the class that is its target.

    >>> tf.keras.backend.sparse_categorical_crossentropy(tf.constant([1]), tf.constant([[0.5, 0.5]])).numpy().round(4)
    array([0.6931], dtype=float32)
    """
    return entropies.sparse_categorical_crossentropy(target, output, from_logits, axis=axis)


def _alongside(function: Callable[..., Any]) -> Callable[..., Any]:
    """A reduction with Keras's names of the arguments."""
    return lambda x, axis=None, keepdims=False: function(x, axis, keepdims=keepdims)


def _static(x: Any) -> tuple[Any, ...]:
    return tuple(None if length is None else int(length) for length in x.shape)


def _as(dtype: Any) -> Any:
    return dtype or floatx()


def _drawn(draw: Callable[..., Any]) -> Callable[..., Any]:
    return lambda shape, *bounds, dtype=None, seed=None, **named: draw(
        shape, *bounds, **named, dtype=_as(dtype), seed=seed
    )


def _switch(condition: Any, then: Any, otherwise: Any) -> Any:
    chosen = [branch() if callable(branch) else branch for branch in (then, otherwise)]
    condition = convert(condition)
    while condition.ndim < convert(chosen[0]).ndim and condition.ndim:
        condition = shapes.expand_dims(condition, -1)
    return e.where(condition, *chosen)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(ops, name) for name in (
        "abs", "clip", "cos", "elu", "equal", "exp", "expand_dims", "greater", "greater_equal", "less", "less_equal", "log",
        "max", "maximum", "mean", "min", "minimum", "not_equal", "one_hot", "ones_like", "prod", "reshape", "round",
        "shape", "sigmoid", "sign", "sin", "softmax", "softplus", "softsign", "sqrt", "square", "squeeze", "std",
        "stop_gradient", "sum", "tanh", "tile", "var", "zeros_like", "hard_sigmoid", "ndim", "in_top_k", "cast",
    )},
    "all": _alongside(reductions.reduce_all), "any": _alongside(reductions.reduce_any),
    "argmax": lambda x, axis=-1: reductions.argmax(x, axis), "argmin": lambda x, axis=-1: reductions.argmin(x, axis),
    "arange": lambda start, stop=None, step=1, dtype="int32": ops.arange(start, stop, step, dtype),
    "batch_flatten": lambda x: shapes.reshape(x, [x.shape[0], -1]), "flatten": lambda x: shapes.reshape(x, [-1]),
    "bias_add": nn.bias_add, "concatenate": lambda tensors, axis=-1: joins.concat(joins.several(tensors), axis),
    "stack": lambda x, axis=0: joins.stack(x, axis), "repeat": lambda x, n: slicing.repeat(shapes.expand_dims(x, 1), n, axis=1),
    "repeat_elements": lambda x, rep, axis: slicing.repeat(x, rep, axis=axis), "reverse": lambda x, axes: ops.flip(x, axes),
    "permute_dimensions": lambda x, pattern: transpose(x, list(pattern)), "transpose": lambda x: transpose(x),
    "cast_to_floatx": lambda x: e.cast(x, floatx()) if isinstance(x, Operand) else np.asarray(x, floatx()),
    "constant": lambda value, dtype=None, shape=None, name=None: constant(value, _as(dtype), shape),
    "zeros": lambda shape, dtype=None, name=None: ops.zeros(shape, _as(dtype)),
    "ones": lambda shape, dtype=None, name=None: ops.ones(shape, _as(dtype)),
    "eye": lambda size, dtype=None, name=None: linalg.eye(size, dtype=_as(dtype)),
    "count_params": lambda x: int(np.prod(_static(x), dtype=int)), "int_shape": _static, "eval": get_value,
    "cumsum": lambda x, axis=0: ops.cumsum(x, axis), "cumprod": lambda x, axis=0: ops.cumprod(x, axis),
    "relu": lambda x, alpha=0.0, max_value=None, threshold=0.0: activations.relu(x, alpha, max_value, threshold),
    "dot": ops.dot, "pow": lambda x, a: e.pow(x, a), "dtype": lambda x: convert(x).dtype.name,
    "gather": lambda reference, indices: indexing.gather(reference, indices), "logsumexp": ops.logsumexp,
    "l2_normalize": lambda x, axis=None: nn.l2_normalize(x, axis), "switch": _switch,
    "dropout": lambda x, level, noise_shape=None, seed=None: _dropped(x, level, noise_shape, seed),
    "map_fn": lambda fn, elems, name=None, dtype=None: control_flow.map_fn(fn, elems),
    "foldl": lambda fn, elems, initializer=None, name=None: control_flow.foldl(fn, elems, initializer),
    "foldr": lambda fn, elems, initializer=None, name=None: control_flow.foldr(fn, elems, initializer),
    "moving_average_update": lambda x, value, momentum: x.assign(x * momentum + value * (1.0 - momentum)),
    "update": lambda x, new_x: x.assign(new_x), "update_add": lambda x, increment: x.assign_add(increment),
    "update_sub": lambda x, decrement: x.assign_sub(decrement), "is_keras_tensor": lambda x: isinstance(x, KerasTensor),
    **{name: _drawn(getattr(chance, row)) for name, row in (
        ("random_normal", "normal"), ("random_uniform", "uniform"), ("truncated_normal", "truncated_normal"),
    )},
    "get_uid": lambda prefix="": _count(prefix), "to_dense": lambda tensor: tensor,
    "name_scope": name_scope,
}  # fmt: skip
for _name, _function in _FUNCTIONS.items():
    if _function.__name__ in ("<lambda>", "_static", "_switch"):  # it has no name and no words of its own
        _function.__name__ = _function.__qualname__ = _name
        _function.__doc__ = f"`K.{_name}`, as programs for Keras 2 call it.\n\n{example('tf.keras.backend', _name)}"
_counts: dict[str, int] = {}


def _count(prefix: str) -> int:
    _counts[prefix] = _counts.get(prefix, 0) + 1
    return _counts[prefix]


_FUNCTIONS |= {function.__name__: function for function in (
    batch_dot, binary_crossentropy, categorical_crossentropy, clear_session, epsilon, floatx, get_value, image_data_format,
    set_floatx, set_value, sparse_categorical_crossentropy, variable,
)}  # fmt: skip

__all__ = sorted(_FUNCTIONS)
answering(_FUNCTIONS, "tf.keras.backend")


def __getattr__(name: str) -> Any:  # `max` and the like stay Python's own in this room
    return _FUNCTIONS[name] if name in _FUNCTIONS else _FUNCTIONS["__getattr__"](name)
