"""Pooling: one number for each window, or for all positions at once."""

from __future__ import annotations

from typing import Any

from ...ops.elementwise import cast
from ...ops.pooling import avg_pool, avg_pool1d, max_pool, max_pool1d
from ...ops.reductions import reduce_max, reduce_mean, reduce_sum
from ...ops.shapes import expand_dims
from ..allowed import lengths
from .conv import windows_along
from .spatial import Spatial

STEPS = ">>> tf.keras.layers.{}()(tf.constant([[[1.0, 4.0], [3.0, 2.0]]])).numpy()"
IMAGE = ">>> tf.keras.layers.{}()(tf.reshape(tf.range(16.0), [1, 4, 4, 1])).numpy()[0, :, :, 0]"


class _Pooling(Spatial):
    _example = ">>> tf.keras.layers.{}()(tf.constant([[[1.0], [3.0], [5.0], [2.0]]])).numpy().ravel()"
    pool: Any

    def __init__(
        self, pool_size: Any = 2, strides: Any = None, padding: str = "valid", data_format: str | None = None, **options: Any
    ) -> None:  # fmt: skip
        super().__init__(data_format, **options)
        self.pool_size, self.padding = lengths(pool_size, self.rank, "pool_size"), padding.lower()
        self.strides = self.pool_size if strides is None else lengths(strides, self.rank, "strides")

    def call(self, inputs: Any) -> Any:
        last = "NWC" if self.rank == 1 else "NHWC"
        layout = last if self.data_format == "channels_last" else "NC" + last[1:-1]
        return type(self).pool(inputs, list(self.pool_size), list(self.strides), self.padding.upper(), layout)

    def compute_output_shape(self, input_shape: Any) -> Any:
        last = self.data_format == "channels_last"
        inner = input_shape[1:-1] if last else input_shape[2:]
        found = tuple(map(windows_along, inner, self.pool_size, self.strides, [self.padding] * self.rank))
        return (input_shape[0], *found, input_shape[-1]) if last else (*input_shape[:2], *found)


# fmt: off
class MaxPooling1D(_Pooling, answer="array([3., 5.], dtype=float32)"):
    """The largest number of each window along sequences [batch, steps, features]."""
    rank, pool = 1, staticmethod(max_pool1d)
class AveragePooling1D(_Pooling, answer="array([2. , 3.5], dtype=float32)"):
    """The mean of each window along sequences [batch, steps, features]."""
    rank, pool = 1, staticmethod(avg_pool1d)
class MaxPooling2D(_Pooling, answer="array([[ 5.,  7.],\n       [13., 15.]], dtype=float32)"):
    """The largest number of each window of images [batch, rows, columns, channels], channel by channel."""
    rank, pool, _example = 2, staticmethod(max_pool), IMAGE
class AveragePooling2D(_Pooling, answer="array([[ 2.5,  4.5],\n       [10.5, 12.5]], dtype=float32)"):
    """The mean of each window of images [batch, rows, columns, channels]; a border added by "same" does not count."""
    rank, pool, _example = 2, staticmethod(avg_pool), IMAGE
# fmt: on


class _GlobalPooling(Spatial):
    _example = ">>> tf.keras.layers.{}()(tf.ones([2, 4, 4, 3])).shape"
    reduce: Any

    def __init__(self, data_format: str | None = None, keepdims: bool = False, **options: Any) -> None:
        super().__init__(data_format, **options)
        self.keepdims = keepdims

    def call(self, inputs: Any) -> Any:
        return type(self).reduce(inputs, list(self._axes()), keepdims=self.keepdims)

    def compute_output_shape(self, input_shape: Any) -> Any:
        axes = self._axes()
        kept = [1 if axis in axes else length for axis, length in enumerate(input_shape)]
        return tuple(length for axis, length in enumerate(kept) if self.keepdims or axis not in axes)


class GlobalAveragePooling1D(_GlobalPooling, answer="array([[2., 3.]], dtype=float32)"):
    """The mean over all steps of a sequence, feature by feature: [batch, steps, features] becomes [batch, features]."""

    rank, reduce, _example = 1, staticmethod(reduce_mean), STEPS

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """The mean, over the steps that count where a mask says so."""
        if mask is None:
            return super().call(inputs)
        axes = list(self._axes())
        counts = expand_dims(cast(mask, inputs.dtype), 2 if axes == [1] else 1)
        total = reduce_sum(inputs * counts, axes, keepdims=self.keepdims)
        return total / reduce_sum(counts, axes, keepdims=self.keepdims)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """None: there are no steps any more."""
        return None


# fmt: off
class GlobalMaxPooling1D(_GlobalPooling, answer="array([[3., 4.]], dtype=float32)"):
    """The largest number over all steps of a sequence, feature by feature: [batch, steps, features] becomes [batch, features]."""
    rank, reduce, _example = 1, staticmethod(reduce_max), STEPS
class GlobalAveragePooling2D(_GlobalPooling, answer="TensorShape([2, 3])"):
    """The mean over an image, channel by channel: [batch, rows, columns, channels] becomes [batch, channels]."""
    rank, reduce = 2, staticmethod(reduce_mean)
class GlobalMaxPooling2D(_GlobalPooling, answer="TensorShape([2, 3])"):
    """The largest number of an image, channel by channel: [batch, rows, columns, channels] becomes [batch, channels]."""
    rank, reduce = 2, staticmethod(reduce_max)
# fmt: on
