"""The same small kernel at every place of an image."""

from __future__ import annotations

from typing import Any

from ...ops.elementwise import add, cast
from ...ops.nn_conv import conv2d
from ...ops.pooling import avg_pool, max_pool
from .. import activations, initializers
from ..input_spec import InputSpec
from ..layer import Layer
from ..weight import Weight


def _pair(value: Any) -> tuple[int, int]:
    return (value, value) if isinstance(value, int) else tuple(value)


def _places(length: int | None, window: int, stride: int, padding: str) -> int | None:
    """At how many places along one axis a window fits."""
    if length is None:
        return None
    return -(-length // stride) if padding == "same" else (length - window) // stride + 1


class Conv2D(Layer):
    """`activation(conv2d(x, kernel) + bias)` on images [batch, rows, columns, channels].

    >>> import minitape as tf
    >>> conv = Conv2D(2, 3, padding="same")
    >>> conv(tf.ones([1, 5, 5, 1])).shape, conv.kernel.shape
    (TensorShape([1, 5, 5, 2]), TensorShape([3, 3, 1, 2]))
    """

    kernel: Weight
    bias: Weight | None

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = (1, 1),
        padding: str = "valid",
        dilation_rate: Any = (1, 1),
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.filters, self.kernel_size, self.strides = filters, _pair(kernel_size), _pair(strides)
        self.padding, self.dilation_rate = padding.lower(), _pair(dilation_rate)
        self.activation, self.use_bias = activations.get(activation), use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.input_spec = InputSpec(min_ndim=4)

    def build(self, input_shape: Any) -> None:
        """Make kernel and bias for images with this number of channels."""
        channels = input_shape[-1]
        self.kernel = self.add_weight(
            (*self.kernel_size, channels, self.filters), self.kernel_initializer, name="kernel"
        )
        self.bias = self.add_weight((self.filters,), self.bias_initializer, name="bias") if self.use_bias else None
        self.input_spec = InputSpec(min_ndim=4, axes={-1: channels})

    def call(self, inputs: Any) -> Any:
        """Two ops, and one more where there is an activation."""
        image = cast(inputs, self.dtype)
        y = conv2d(image, self.kernel, list(self.strides), self.padding.upper(), dilations=list(self.dilation_rate))
        return self.activation(y if self.bias is None else add(y, self.bias))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The places where the kernel fits, and the number of filters."""
        batch, *lengths, _ = input_shape
        reach = [(size - 1) * spread + 1 for size, spread in zip(self.kernel_size, self.dilation_rate, strict=True)]
        return (batch, *map(_places, lengths, reach, self.strides, [self.padding] * 2), self.filters)


class _Pooling(Layer):
    pool: Any

    def __init__(self, pool_size: Any = (2, 2), strides: Any = None, padding: str = "valid", **options: Any) -> None:
        super().__init__(**options)
        self.pool_size, self.padding = _pair(pool_size), padding.lower()
        self.strides = self.pool_size if strides is None else _pair(strides)
        self.input_spec = InputSpec(ndim=4)

    def call(self, inputs: Any) -> Any:
        """One op, or a few."""
        return type(self).pool(inputs, list(self.pool_size), list(self.strides), self.padding.upper())

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The places where the window fits."""
        batch, *lengths, channels = input_shape
        return (batch, *map(_places, lengths, self.pool_size, self.strides, [self.padding] * 2), channels)


class MaxPooling2D(_Pooling):
    """The largest number of each window.

    >>> import minitape as tf
    >>> MaxPooling2D()(tf.ones([1, 4, 4, 3])).shape
    TensorShape([1, 2, 2, 3])
    """

    pool = staticmethod(max_pool)


class AveragePooling2D(_Pooling):
    """The mean of each window.

    >>> import minitape as tf
    >>> AveragePooling2D()(tf.ones([1, 4, 4, 3])).shape
    TensorShape([1, 2, 2, 3])
    """

    pool = staticmethod(avg_pool)
