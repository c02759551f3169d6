# ruff: noqa: I001  a name per line would bury what there is
"""`tf.keras.activations`: functions applied to the output of a layer, by Keras's names."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..examples import example
from ..ops import elementwise as rows
from ..ops.composed import gelu
from ..ops.elementwise import (
    clip, exp, log_sigmoid, relu6, selu, sigmoid, softplus, softsign, tanh, where,
)  # fmt: skip
from ..ops.nn import log_softmax, softmax
from ..record.refusal import behind
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


exponential, swish, hard_swish = exp, silu, hard_silu

_BY_NAME: dict[str, Callable[[Any], Any]] = {
    "linear": linear, "relu": relu, "sigmoid": sigmoid, "tanh": tanh, "softmax": softmax, "log_softmax": log_softmax,
    "softplus": softplus, "softsign": softsign, "elu": elu, "selu": selu, "gelu": gelu, "relu6": relu6, "mish": mish,
    "leaky_relu": leaky_relu, "log_sigmoid": log_sigmoid, "hard_sigmoid": hard_sigmoid, "exponential": exponential,
    "silu": silu, "hard_silu": hard_silu, "swish": silu, "hard_swish": hard_silu, "hard_tanh": hard_tanh,
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
    "elu", "exponential", "gelu", "get", "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh", "leaky_relu", "linear",
    "log_sigmoid", "log_softmax", "mish", "relu", "relu6", "selu", "serialize", "sigmoid", "silu", "softmax", "softplus",
    "softsign", "swish", "tanh",
]  # fmt: skip
