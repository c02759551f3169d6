"""`tf.nn`."""

from .ops.elementwise import elu, erf, gelu, leaky_relu, log_sigmoid, relu, relu6, selu, sigmoid, softplus, tanh
from .ops.nn import log_softmax, softmax

__all__ = [
    "elu", "erf", "gelu", "leaky_relu", "log_sigmoid", "log_softmax", "relu", "relu6", "selu", "sigmoid", "softmax", "softplus",
    "tanh",
]  # fmt: skip
