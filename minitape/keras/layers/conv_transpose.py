"""The transposes of convolutions."""

from __future__ import annotations

from typing import Any

from ...ops.nn_conv import conv2d_transpose
from ...ops.shapes import expand_dims, reshape, transpose
from ...record.refusal import value_error
from ..allowed import lengths
from .conv import Convolution


class Conv2DTranspose(Convolution):
    """The transpose of a convolution: each number is spread through the kernel, so that images grow by the strides.

    The kernel has shape [rows, columns, filters, channels].  Raises ValueError for an `output_padding` that is not
    below the strides, and for strides and dilation together.

    >>> up = tf.keras.layers.Conv2DTranspose(2, 3, strides=2, padding="same")
    >>> up(tf.ones([1, 4, 4, 5])).shape, up.kernel.shape
    (TensorShape([1, 8, 8, 2]), TensorShape([3, 3, 2, 5]))
    """

    rank = 2
    _fixed = ("groups",)

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid", output_padding: Any = None,
        **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(filters, kernel_size, strides, padding, **options)
        self.output_padding = None if output_padding is None else lengths(output_padding, self.rank, "output_padding")
        for more, step in zip(self.output_padding or (), self.strides, strict=False):
            if more >= step:
                raise value_error(
                    "`output_padding` must be strictly less than `strides` for all dimensions. Received: "
                    f"output_padding={self.output_padding}, strides={self.strides}",
                    "Leave it out: the usual length is strides times the input's.",
                )
        if max(self.strides) > 1 and max(self.dilation_rate) > 1:
            raise value_error(
                f"`strides > 1` not supported in conjunction with `dilation_rate > 1`. Received: strides={self.strides} and "
                f"dilation_rate={self.dilation_rate}",
                "Take one of the two.",
            )

    def _kernel_shape(self, channels: int) -> tuple[int, ...]:
        return (*self.kernel_size, self.filters, channels)

    def _length(self, length: int | None, axis: int) -> int | None:
        if length is None:
            return None
        step = self.strides[axis]
        reach = (self.kernel_size[axis] - 1) * self.dilation_rate[axis] + 1
        more = None if self.output_padding is None else self.output_padding[axis]
        if more is None:
            return length * step + (max(reach - step, 0) if self.padding == "valid" else 0)
        return (length - 1) * step + reach + more - (0 if self.padding == "valid" else 2 * (reach // 2))

    def _convolved(self, x: Any, layout: str) -> Any:
        shape, spread = self.compute_output_shape(tuple(x.shape)), list(self.dilation_rate)
        return conv2d_transpose(
            x, self.kernel, shape, list(self.strides), self.padding.upper(), layout, dilations=spread
        )


class Conv1DTranspose(Conv2DTranspose):
    """The transpose of a convolution of sequences [batch, steps, channels]: they grow by the strides.

    >>> up = tf.keras.layers.Conv1DTranspose(2, 3, strides=2, padding="same")
    >>> up(tf.ones([1, 4, 5])).shape, up.kernel.shape
    (TensorShape([1, 8, 2]), TensorShape([3, 2, 5]))
    """

    rank = 1

    def _convolved(self, x: Any, layout: str) -> Any:
        if layout == "NCW":
            x = transpose(x, [0, 2, 1])
        batch, steps, channels = x.shape
        shape = [batch, 1, self._length(steps, 0), self.filters]
        kernel, spread = expand_dims(self.kernel, 0), [1, *self.dilation_rate]
        y = conv2d_transpose(
            expand_dims(x, 1), kernel, shape, [1, *self.strides], self.padding.upper(), "NHWC", dilations=spread
        )
        y = reshape(y, [batch, shape[2], self.filters])
        return transpose(y, [0, 2, 1]) if layout == "NCW" else y
