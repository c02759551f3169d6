"""Functions that stand behind a layer, by Keras's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops.composed import gelu
from ..ops.elementwise import elu, exp, leaky_relu, relu, selu, sigmoid, softplus, tanh
from ..ops.nn import log_softmax, softmax
from ..record.refusal import refusal
from ..tensor import Tensor, convert


def linear(x: Any) -> Any:
    """The input as it is: no op at all.

    >>> linear(2.0)
    2.0
    """
    return x


def silu(x: Any) -> Tensor:
    """x times its sigmoid (also called swish).

    >>> silu([0.0]).numpy()
    array([0.], dtype=float32)
    """
    x = convert(x)
    return x * sigmoid(x)


exponential, swish = exp, silu

_BY_NAME: dict[str, Callable[[Any], Any]] = {
    "linear": linear, "relu": relu, "sigmoid": sigmoid, "tanh": tanh, "softmax": softmax, "log_softmax": log_softmax,
    "softplus": softplus, "elu": elu, "selu": selu, "gelu": gelu, "leaky_relu": leaky_relu, "exponential": exponential,
    "silu": silu, "swish": silu,
}  # fmt: skip


def get(identifier: Any) -> Callable[[Any], Any]:
    """The function for a name; None is `linear`, and a callable comes back as it is; raises ValueError for other names.

    >>> float(get("relu")(-1.0))
    0.0
    """
    if identifier is None:
        return linear
    if isinstance(identifier, str) and identifier in _BY_NAME:
        return _BY_NAME[identifier]
    if callable(identifier):
        return identifier
    raise refusal(
        ValueError,
        f"Could not interpret activation function identifier: {identifier}. Names are {', '.join(_BY_NAME)}.",
        "Any function of one tensor does too: activation=tf.sin.",
    )


__all__ = [
    "elu", "exponential", "gelu", "get", "leaky_relu", "linear", "log_softmax", "relu", "selu", "sigmoid", "silu", "softmax",
    "softplus", "swish", "tanh",
]  # fmt: skip
