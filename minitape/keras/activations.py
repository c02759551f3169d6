# ruff: noqa: I001  a name per line would bury what there is
"""`tf.keras.activations`: functions applied to the output of a layer, by Keras's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops.composed import gelu
from ..ops.elementwise import (
    elu, exp, leaky_relu, log_sigmoid, relu, relu6, selu, sigmoid, softplus, softsign, tanh,
)  # fmt: skip
from ..ops.nn import log_softmax, softmax
from ..record.refusal import behind
from ..tensor import Tensor, convert
from .config import NAMED, no_such_name


def linear(x: Any) -> Any:
    """The input as it is: no op at all.

    >>> tf.keras.activations.linear(2.0)
    2.0
    """
    return x


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
    "silu": silu, "hard_silu": hard_silu, "swish": silu, "hard_swish": hard_silu,
}  # fmt: skip
for _name, _function in _BY_NAME.items():
    NAMED.setdefault(_function, _name)


def get(identifier: Any) -> Callable[[Any], Any]:
    """The function for a name; None is `linear`, and a callable comes back as it is; raises ValueError for other names.

    >>> float(tf.keras.activations.get("relu")(-1.0))
    0.0
    """
    if identifier is None:
        return linear
    if isinstance(identifier, str) and identifier in _BY_NAME:
        return _BY_NAME[identifier]
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
    "elu", "exponential", "gelu", "get", "hard_sigmoid", "hard_silu", "hard_swish", "leaky_relu", "linear", "log_sigmoid",
    "log_softmax", "mish", "relu", "relu6", "selu", "serialize", "sigmoid", "silu", "softmax", "softplus", "softsign", "swish",
    "tanh",
]  # fmt: skip
