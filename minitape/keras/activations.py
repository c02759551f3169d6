# ruff: noqa: I001  a name per line would bury what there is
"""`tf.keras.activations`: functions applied to the output of a layer, by Keras's names."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..examples import example
from ..ops import elementwise as rows
from ..ops.composed import gelu
from ..ops.creation import zeros_like
from ..ops.elementwise import (
    abs, cast, clip, exp, log_sigmoid, maximum, relu6, selu, sigmoid, softplus, softsign, sqrt, square, tanh, where,
)  # fmt: skip
from ..ops.joins import split
from ..ops.nn import log_softmax, softmax
from ..ops.reductions import reduce_sum
from ..ops.running import cumsum
from ..ops.sorting import sort
from ..record.refusal import behind, value_error
from ..tensor import Tensor, convert
from .config import NAMED, no_such_name
from .operation import Operation
from .symbol import KerasTensor


def linear(x: Any) -> Any:
    """The input as it is: no op at all.

    >>> tf.keras.activations.linear(2.0)
    2.0
    """
    return x


def relu(x: Any, negative_slope: float = 0.0, max_value: float | None = None, threshold: float = 0.0) -> Any:
    """Numbers up to `threshold` become 0, or `negative_slope` times their distance from it; those above `max_value` become
    `max_value`.

    >>> tf.keras.activations.relu([-10.0, 4.0, 10.0], negative_slope=0.5, max_value=5.0).numpy()
    array([-5.,  4.,  5.], dtype=float32)
    """
    if not threshold and max_value is None:
        return rows.leaky_relu(x, negative_slope) if negative_slope else rows.relu(x)
    if max_value == 6.0 and not (threshold or negative_slope):
        return relu6(x)
    x = convert(x)
    y = where(x > threshold, x, 0.0) if threshold else rows.relu(x)
    if max_value is not None:
        y = clip(y, 0.0, max_value)
    return y - negative_slope * rows.relu(threshold - x) if negative_slope else y


def leaky_relu(x: Any, negative_slope: float = 0.2) -> Tensor:
    """Numbers below 0 are multiplied by `negative_slope`.

    >>> tf.keras.activations.leaky_relu([-1.0, 2.0], 0.5).numpy()
    array([-0.5,  2. ], dtype=float32)
    """
    return rows.leaky_relu(x, negative_slope)


def elu(x: Any, alpha: float = 1.0) -> Any:
    """Numbers below 0 become `alpha` times (exp(x) - 1) (Clevert et al. 2015).

    >>> tf.keras.activations.elu([-100.0, 2.0], 2.0).numpy()
    array([-2.,  2.], dtype=float32)
    """
    y = rows.elu(x)
    return y if alpha == 1.0 else where(y > 0.0, y, alpha * y)


def hard_tanh(x: Any) -> Any:
    """x, held between -1 and 1.

    >>> tf.keras.activations.hard_tanh([-9.0, 0.5, 9.0]).numpy()
    array([-1. ,  0.5,  1. ], dtype=float32)
    """
    return clip(x, -1.0, 1.0)


def silu(x: Any) -> Tensor:
    """x times its sigmoid (also called swish).

    >>> tf.keras.activations.silu([-1.0, 0.0, 3.0]).numpy().round(3)
    array([-0.269,  0.   ,  2.858], dtype=float32)
    """
    x = convert(x)
    return x * sigmoid(x)


def mish(x: Any) -> Tensor:
    """x times the tanh of its softplus (Misra 2019).

    >>> tf.keras.activations.mish([-1.0, 0.0, 3.0]).numpy().round(3)
    array([-0.303,  0.   ,  2.987], dtype=float32)
    """
    x = convert(x)
    return x * tanh(softplus(x))


def hard_sigmoid(x: Any) -> Tensor:
    """A sigmoid of three straight lines: 0 up to -3, 1 from 3 on.

    >>> tf.keras.activations.hard_sigmoid([-9.0, 0.0, 9.0]).numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    return relu6(convert(x) + 3.0) / 6.0


def hard_silu(x: Any) -> Tensor:
    """x times its hard sigmoid.

    >>> tf.keras.activations.hard_silu([-1.0, 1.0, 9.0]).numpy().round(3)
    array([-0.333,  0.667,  9.   ], dtype=float32)
    """
    x = convert(x)
    return x * hard_sigmoid(x)


def celu(x: Any, alpha: float = 1.0) -> Any:
    """Numbers below 0 become `alpha` times (exp(x / alpha) - 1): its slope is 1 at 0, whatever `alpha` is (Barron 2017).

    >>> tf.keras.activations.celu([-100.0, 2.0], 2.0).numpy()
    array([-2.,  2.], dtype=float32)
    """
    return rows.elu(x) if alpha == 1.0 else alpha * rows.elu(convert(x) / alpha)


def glu(x: Any, axis: int = -1) -> Tensor:
    """The first half of an axis, times the sigmoid of the second (Dauphin et al. 2017); raises ValueError for an odd length.

    >>> tf.keras.activations.glu([3.0, 4.0, 0.0, 100.0]).numpy()
    array([1.5, 4. ], dtype=float32)
    """
    x = convert(x)
    if not x.ndim or x.shape[axis] % 2:
        raise value_error(
            f"axis size must be divisible by 2. Received: x.shape={tuple(x.shape)} with axis={axis}",
            "A layer with twice as many units as are wanted stands before it.",
        )
    value, gate = split(x, 2, axis)
    return value * sigmoid(gate)


def soft_shrink(x: Any, threshold: float = 0.5) -> Tensor:
    """x, moved towards 0 by `threshold`; what is nearer to 0 than that becomes 0.

    >>> tf.keras.activations.soft_shrink([-2.0, 0.25, 2.0]).numpy()
    array([-1.5,  0. ,  1.5], dtype=float32)
    """
    x = convert(x)
    return where(x > threshold, x - threshold, where(x < -threshold, x + threshold, zeros_like(x)))


def hard_shrink(x: Any, threshold: float = 0.5) -> Tensor:
    """x; what is no further from 0 than `threshold` becomes 0.

    >>> tf.keras.activations.hard_shrink([-2.0, 0.25, 2.0]).numpy()
    array([-2.,  0.,  2.], dtype=float32)
    """
    x = convert(x)
    return where(abs(x) > threshold, x, zeros_like(x))


def tanh_shrink(x: Any) -> Tensor:
    """x less its tanh.

    >>> tf.keras.activations.tanh_shrink([-3.0, 0.0, 3.0]).numpy().round(3)
    array([-2.005,  0.   ,  2.005], dtype=float32)
    """
    x = convert(x)
    return x - tanh(x)


def threshold(x: Any, threshold: float, default_value: float) -> Tensor:
    """x where it is larger than `threshold`, elsewhere `default_value`.

    >>> tf.keras.activations.threshold([0.5, 1.0, 3.0], 1.0, -7.0).numpy()
    array([-7., -7.,  3.], dtype=float32)
    """
    x = convert(x)
    return where(x > threshold, x, default_value)


def squareplus(x: Any, b: float = 4.0) -> Tensor:
    """(x + √(x² + b)) / 2, a relu without its corner (Barron 2021).

    >>> tf.keras.activations.squareplus([-1.5, 0.0, 1.5]).numpy()
    array([0.5, 1. , 2. ], dtype=float32)
    """
    x = convert(x)
    return (x + sqrt(square(x) + b)) / 2.0


def sparse_plus(x: Any) -> Tensor:
    """0 up to -1, x from 1 on, and (x + 1)² / 4 between.

    >>> tf.keras.activations.sparse_plus([-2.0, 0.0, 2.0]).numpy()
    array([0.  , 0.25, 2.  ], dtype=float32)
    """
    x = convert(x)
    return where(x <= -1.0, zeros_like(x), where(x < 1.0, 0.25 * square(x + 1.0), x))


def sparse_sigmoid(x: Any) -> Tensor:
    """The slope of `sparse_plus`: 0 up to -1, 1 from 1 on, and a straight line between.

    >>> tf.keras.activations.sparse_sigmoid([-2.0, 0.0, 2.0]).numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    x = convert(x)
    return where(x <= -1.0, 0.0, where(x >= 1.0, 1.0, 0.5 * (x + 1.0)))


def sparsemax(x: Any, axis: int = -1) -> Tensor:
    """A softmax that is exactly 0 for scores far below the largest: the nearest probabilities (Martins and Astudillo 2016).

    >>> tf.keras.activations.sparsemax([[1.0, 0.5, -2.0]]).numpy()
    array([[0.75, 0.25, 0.  ]], dtype=float32)
    """
    x = convert(x)
    largest_first = sort(x, axis, "DESCENDING")
    along = [1] * x.ndim
    along[axis] = -1
    count = np.arange(1, x.shape[axis] + 1, dtype=x.tag.dtype).reshape(along)
    chosen = cast(1.0 + count * largest_first > cumsum(largest_first, axis), x.dtype)
    too_much = reduce_sum(chosen * largest_first, axis, keepdims=True) - 1.0
    return maximum(x - too_much / reduce_sum(chosen, axis, keepdims=True), 0.0)


exponential, swish, hard_swish = exp, silu, hard_silu

_BY_NAME: dict[str, Callable[..., Any]] = {
    "linear": linear, "relu": relu, "sigmoid": sigmoid, "tanh": tanh, "softmax": softmax, "log_softmax": log_softmax,
    "softplus": softplus, "softsign": softsign, "elu": elu, "selu": selu, "gelu": gelu, "relu6": relu6, "mish": mish,
    "leaky_relu": leaky_relu, "log_sigmoid": log_sigmoid, "hard_sigmoid": hard_sigmoid, "exponential": exponential,
    "silu": silu, "hard_silu": hard_silu, "swish": silu, "hard_swish": hard_silu, "hard_tanh": hard_tanh,
    "celu": celu, "glu": glu, "soft_shrink": soft_shrink, "hard_shrink": hard_shrink, "tanh_shrink": tanh_shrink,
    "threshold": threshold, "squareplus": squareplus, "sparse_plus": sparse_plus, "sparse_sigmoid": sparse_sigmoid,
    "sparsemax": sparsemax,
}  # fmt: skip


def _offered(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which makes a layer of itself where it is given a symbol."""

    @functools.wraps(function, assigned=())  # a row would write its own docstring for it
    def activation(x: Any, *args: Any, **named: Any) -> Any:
        return (Operation(activation) if isinstance(x, KerasTensor) else function)(x, *args, **named)

    activation.__name__ = activation.__qualname__ = name
    activation.__module__ = __name__
    activation.__doc__ = (
        function.__doc__
        if function.__module__ == __name__
        else f"`{name}`, of tensors and symbols.\n\n{example('tf.keras.activations', name)}"
    )
    return activation


for _name, _function in _BY_NAME.items():
    NAMED.setdefault(_function, _name)
    if _name != "linear":  # which is no op, of symbols neither
        globals()[_name] = _BY_NAME[_name] = _offered(_name, _function)
        NAMED[_BY_NAME[_name]] = NAMED[_function]
for _name in ("relu", "elu", "leaky_relu"):
    NAMED[getattr(rows, _name)] = _name  # tf.nn's, which take other arguments


def get(identifier: Any) -> Callable[[Any], Any]:
    """The function for a name; None is `linear`, and a callable comes back as it is; raises ValueError for other names.

    >>> float(tf.keras.activations.get("relu")(-1.0))
    0.0
    """
    if identifier is None:
        return linear
    if isinstance(identifier, str) and identifier in _BY_NAME:
        answer: Callable[[Any], Any] = globals()[identifier]  # as a learner meets it, who may compare the two
        return answer
    if callable(identifier):
        return identifier
    raise no_such_name(
        "activation function", identifier, list(_BY_NAME), "Any function of one tensor does too: activation=tf.sin."
    )


def serialize(activation: Any) -> Any:
    """The name of one of these functions; any other function as it is.

    >>> tf.keras.activations.serialize(tf.nn.relu)
    'relu'
    """
    return NAMED.get(behind(activation), activation)


__all__ = [
    "celu", "elu", "exponential", "gelu", "get", "glu", "hard_shrink", "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh",
    "leaky_relu", "linear", "log_sigmoid", "log_softmax", "mish", "relu", "relu6", "selu", "serialize", "sigmoid", "silu",
    "soft_shrink", "softmax", "softplus", "softsign", "sparse_plus", "sparse_sigmoid", "sparsemax", "squareplus", "swish", "tanh",
    "tanh_shrink", "threshold",
]  # fmt: skip
