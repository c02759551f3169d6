"""The same small kernel at every position of a line or an image."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ops.elementwise import add, cast
from ...ops.joins import concat, split
from ...ops.nn_conv import conv1d, conv2d, depthwise_conv2d, separable_conv2d
from ...ops.padding import pad
from ...ops.shapes import reshape, transpose
from ...record.refusal import value_error
from .. import activations
from ..allowed import lengths, one_of, positive
from ..input_spec import InputSpec
from ..layer import Layer
from ..weight import Weight


def windows_along(length: int | None, window: int, stride: int, padding: str) -> int | None:
    """At how many positions along one axis a window fits.

    >>> windows_along(5, 3, 1, "valid"), windows_along(5, 3, 2, "same"), windows_along(None, 3, 1, "same")
    (3, 3, None)
    """
    if length is None:
        return None
    if padding in ("same", "causal"):
        return -(-length // stride)
    if length < window:
        raise value_error(
            f"Computed output size would be negative: a window that reaches over {window} does not fit an axis of {length}",
            "Use padding='same', a smaller window, or less pooling before.",
        )
    return (length - window) // stride + 1


class Convolution(Layer):
    """What all convolutions share: `activation(conv(x, kernel) + bias)`, channels last or first."""

    rank: int
    starts = {"kernel": "glorot_uniform", "bias": "zeros"}
    _of_kernel = "kernel"  # the name in `starts`
    kernel: Weight
    bias: Weight | None = None

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid", data_format: str | None = None,
        dilation_rate: Any = 1, groups: int = 1, activation: Any = None, use_bias: bool = True, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(**options)
        self.filters = positive("filters", filters)
        self.kernel_size = lengths(kernel_size, self.rank, "kernel_size")
        self.strides, self.padding = lengths(strides, self.rank, "strides"), padding.lower()
        self.dilation_rate = lengths(dilation_rate, self.rank, "dilation_rate")
        self.data_format, self.groups = data_format or "channels_last", groups
        self.activation, self.use_bias = activations.get(activation), use_bias
        self.input_spec = InputSpec(min_ndim=self.rank + 2)
        one_of("padding", self.padding, ("valid", "same", "causal") if self.rank == 1 else ("valid", "same"))
        one_of("data_format", self.data_format, ("channels_last", "channels_first"))
        if self.filters % positive("groups", groups):
            raise value_error(
                f"The number of filters must be evenly divisible by the number of groups. Received: groups={groups}, "
                f"filters={filters}.",
                "Each group of channels makes as many: groups=4 goes with filters=8, say.",
            )

    @property
    def _channel(self) -> int:
        return -1 if self.data_format == "channels_last" else 1

    def _kernel_shape(self, channels: int) -> tuple[int, ...]:
        return (*self.kernel_size, channels, self.filters)

    def build(self, input_shape: Any) -> None:
        channels = input_shape[self._channel]
        self.compute_output_shape(input_shape)  # there must be room for the kernel
        if channels % self.groups:
            raise value_error(
                "The number of input channels must be evenly divisible by the number of groups. Received "
                f"groups={self.groups}, but the input has {channels} channels (full input shape is {tuple(input_shape)}).",
                "Each group takes as many channels.",
            )
        self.kernel = self.weight(self._of_kernel, self._kernel_shape(channels // self.groups), "kernel")
        self.bias = self.weight("bias", (self.filters,)) if self.use_bias else None
        self.input_spec = InputSpec(min_ndim=self.rank + 2, axes={self._channel: channels})

    def _convolved(self, x: Any, layout: str) -> Any:
        raise NotImplementedError

    def _grouped(self, convolve: Callable[[Any, Any], Any], x: Any, layout: str) -> Any:
        """A convolution with the kernel; of several groups each part of the channels meets its own part of the filters."""
        if self.groups == 1:
            return convolve(x, self.kernel)
        axis = layout.index("C")
        parts = zip(split(x, self.groups, axis), split(self.kernel, self.groups, -1), strict=True)
        return concat([convolve(part, kernel) for part, kernel in parts], axis)

    def call(self, inputs: Any) -> Any:
        wide = "NWC" if self.rank == 1 else "NHWC"
        y = self._convolved(cast(inputs, self.dtype), wide if self._channel == -1 else "NC" + wide[1:-1])
        if self.bias is not None:
            y = add(y, self.bias if self._channel == -1 else reshape(self.bias, (-1,) + (1,) * self.rank))
        return self.activation(y)

    def _length(self, length: int | None, axis: int) -> int | None:
        reach = (self.kernel_size[axis] - 1) * self.dilation_rate[axis] + 1
        return windows_along(length, reach, self.strides[axis], self.padding)

    def compute_output_shape(self, input_shape: Any) -> Any:
        first = self._channel == 1
        inner = input_shape[2:] if first else input_shape[1:-1]
        found = tuple(self._length(length, axis) for axis, length in enumerate(inner))
        return (input_shape[0], self.filters, *found) if first else (input_shape[0], *found, self.filters)


class Conv1D(Convolution):
    """`activation(conv1d(x, kernel) + bias)` on sequences [batch, steps, channels]; padding "causal" hides later steps.

    Args as for `Conv2D`, which also says what it raises.

    >>> conv = tf.keras.layers.Conv1D(2, 3, padding="causal")
    >>> conv(tf.ones([1, 5, 4])).shape, conv.kernel.shape
    (TensorShape([1, 5, 2]), TensorShape([3, 4, 2]))
    """

    rank = 1

    def _convolved(self, x: Any, layout: str) -> Any:
        if layout == "NCW":
            return transpose(self._convolved(transpose(x, [0, 2, 1]), "NWC"), [0, 2, 1])
        padding = self.padding.upper()
        if padding == "CAUSAL":
            before = (self.kernel_size[0] - 1) * self.dilation_rate[0]
            x, padding = pad(x, [[0, 0], [before, 0], [0, 0]]), "VALID"
        step, spread = self.strides[0], self.dilation_rate[0]
        return self._grouped(lambda part, kernel: conv1d(part, kernel, step, padding, dilations=spread), x, layout)


class Conv2D(Convolution):
    """`activation(conv2d(x, kernel) + bias)` on images [batch, rows, columns, channels].

    Args: kernel_size, strides, dilation_rate, a number or two; padding, "valid" or "same"; groups, parts of the channels that
    do not meet; kernel_initializer,
    ..._regularizer and ..._constraint, and those of the bias.  Raises ValueError for another padding, and where the
    window does not fit.

    >>> conv = tf.keras.layers.Conv2D(2, 3, padding="same")
    >>> conv(tf.ones([1, 5, 5, 1])).shape, conv.kernel.shape
    (TensorShape([1, 5, 5, 2]), TensorShape([3, 3, 1, 2]))
    """

    rank = 2

    def _convolved(self, x: Any, layout: str) -> Any:
        steps, spread, padding = list(self.strides), list(self.dilation_rate), self.padding.upper()
        return self._grouped(
            lambda part, kernel: conv2d(part, kernel, steps, padding, layout, dilations=spread), x, layout
        )


class DepthwiseConv2D(Convolution):
    """Convolves each channel of images [batch, rows, columns, channels] with `depth_multiplier` kernels of its own.

    The kernel has shape [rows, columns, channels, multiplier].

    >>> tf.keras.layers.DepthwiseConv2D(3, depth_multiplier=2)(tf.ones([1, 5, 5, 4])).shape
    TensorShape([1, 3, 3, 8])
    """

    rank = 2
    starts = {"depthwise": "glorot_uniform", "bias": "zeros"}
    _of_kernel = "depthwise"
    _fixed = ("filters", "groups")

    def __init__(
        self, kernel_size: Any, strides: Any = 1, padding: str = "valid", depth_multiplier: int = 1, **options: Any
    ) -> None:
        super().__init__(1, kernel_size, strides, padding, **options)
        self.depth_multiplier = positive("depth_multiplier", depth_multiplier)

    def build(self, input_shape: Any) -> None:
        self.filters = input_shape[self._channel] * self.depth_multiplier
        super().build(input_shape)

    def _kernel_shape(self, channels: int) -> tuple[int, ...]:
        return (*self.kernel_size, channels, self.depth_multiplier)

    def _convolved(self, x: Any, layout: str) -> Any:
        steps, spread = [1, *self.strides, 1], list(self.dilation_rate)
        return depthwise_conv2d(
            x, self.kernel, steps if layout == "NHWC" else [1, 1, *self.strides], self.padding.upper(), layout, spread
        )


class SeparableConv2D(Convolution):
    """`DepthwiseConv2D`, whose channels a 1 × 1 kernel then mixes to `filters`: far fewer weights than a full kernel.

    >>> conv = tf.keras.layers.SeparableConv2D(5, 3, padding="same")
    >>> conv(tf.ones([1, 8, 8, 4])).shape, [weight.shape.as_list() for weight in conv.weights]
    (TensorShape([1, 8, 8, 5]), [[3, 3, 4, 1], [1, 1, 4, 5], [5]])
    """

    rank = 2
    _fixed = ("groups",)
    starts = {"depthwise": "glorot_uniform", "pointwise": "glorot_uniform", "bias": "zeros"}
    depthwise_kernel: Weight
    pointwise_kernel: Weight

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid", depth_multiplier: int = 1, **options: Any
    ) -> None:  # fmt: skip
        super().__init__(filters, kernel_size, strides, padding, **options)
        self.depth_multiplier = positive("depth_multiplier", depth_multiplier)

    def build(self, input_shape: Any) -> None:
        channels = input_shape[self._channel]
        wide = channels * self.depth_multiplier
        shape = (*self.kernel_size, channels, self.depth_multiplier)
        self.depthwise_kernel = self.weight("depthwise", shape, "depthwise_kernel")
        self.pointwise_kernel = self.weight("pointwise", (1, 1, wide, self.filters), "pointwise_kernel")
        self.bias = self.weight("bias", (self.filters,)) if self.use_bias else None

    def _convolved(self, x: Any, layout: str) -> Any:
        steps = [1, *self.strides, 1] if layout == "NHWC" else [1, 1, *self.strides]
        kernels = self.depthwise_kernel, self.pointwise_kernel
        return separable_conv2d(x, *kernels, steps, self.padding.upper(), layout, list(self.dilation_rate))
