"""Padding, cropping and upsampling: of the steps of sequences, or of the rows and columns of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.linalg import tensordot
from ...ops.padding import pad
from ...ops.shapes import transpose
from ...ops.slicing import repeat
from ...tensor import make
from ..allowed import lengths, one_of
from ..input_spec import InputSpec
from ..layer import Layer


class Spatial(Layer):
    """An operation along the axes between batch and channels; with channels_first they are the last ones."""

    rank = 2  # 1 for sequences

    def __init__(self, data_format: str | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.data_format = one_of("data_format", data_format or "channels_last", ("channels_last", "channels_first"))
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _axes(self) -> range:
        first = 1 if self.data_format == "channels_last" else 2
        return range(first, first + self.rank)

    def _pairs(self, borders: Any) -> list[tuple[int, int]]:
        """The lengths before and after, for each axis."""
        inner = dict(zip(self._axes(), [borders] if self.rank == 1 else borders))
        return [inner.get(axis, (0, 0)) for axis in range(self.rank + 2)]

    def _changed(self, input_shape: Any, borders: Any, sign: int) -> tuple[int | None, ...]:
        """The input's shape, longer or shorter by the borders."""
        pairs = zip(input_shape, self._pairs(borders), strict=True)
        return tuple(None if length is None else length + sign * sum(border) for length, border in pairs)


def _borders(value: Any, rank: int, what: str) -> Any:
    """A pair of lengths for a sequence; for an image two pairs, from one number, two numbers or two pairs."""
    if rank == 1:
        return (value, value) if isinstance(value, int) else lengths(value, 2, what)
    numbers = isinstance(value, int) or all(isinstance(part, int) for part in value)
    rows, columns = lengths(value, 2, what) if numbers else value
    return _borders(rows, 1, what), _borders(columns, 1, what)


class ZeroPadding2D(Spatial):
    """A border of zeros around images: one number, (rows, columns), or ((top, bottom), (left, right)).

    >>> tf.keras.layers.ZeroPadding2D(((1, 0), (2, 2)))(tf.ones([1, 3, 3, 1])).shape
    TensorShape([1, 4, 7, 1])
    """

    def __init__(self, padding: Any = (1, 1), data_format: str | None = None, **options: Any) -> None:
        super().__init__(data_format, **options)
        self.padding = _borders(padding, self.rank, "padding")

    def call(self, inputs: Any) -> Any:
        return pad(inputs, self._pairs(self.padding))

    def compute_output_shape(self, input_shape: Any) -> Any:
        return self._changed(input_shape, self.padding, 1)


class ZeroPadding1D(ZeroPadding2D):
    """Zeros before and after a sequence: one number, or (before, after).

    >>> tf.keras.layers.ZeroPadding1D((1, 2))(tf.ones([1, 3, 4])).shape
    TensorShape([1, 6, 4])
    """

    rank = 1

    def __init__(self, padding: Any = 1, data_format: str | None = None, **options: Any) -> None:
        super().__init__(padding, data_format, **options)


class Cropping2D(Spatial):
    """Images without a border: one number, (rows, columns), or ((top, bottom), (left, right)).

    >>> tf.keras.layers.Cropping2D(1)(tf.ones([1, 5, 5, 1])).shape
    TensorShape([1, 3, 3, 1])
    """

    def __init__(self, cropping: Any = (0, 0), data_format: str | None = None, **options: Any) -> None:
        super().__init__(data_format, **options)
        self.cropping = _borders(cropping, self.rank, "cropping")

    def call(self, inputs: Any) -> Any:
        pairs = zip(inputs.shape, self._pairs(self.cropping), strict=True)
        return inputs[tuple(slice(before, length - after) for length, (before, after) in pairs)]

    def compute_output_shape(self, input_shape: Any) -> Any:
        return self._changed(input_shape, self.cropping, -1)


class Cropping1D(Cropping2D):
    """A sequence without its ends: one number, or (before, after).

    >>> tf.keras.layers.Cropping1D((1, 0))(tf.ones([1, 3, 4])).shape
    TensorShape([1, 2, 4])
    """

    rank = 1
    _fixed = ("data_format",)

    def __init__(self, cropping: Any = (1, 1), **options: Any) -> None:
        super().__init__(cropping, **options)


class UpSampling2D(Spatial):
    """Images enlarged by whole factors: each number repeated, or ("bilinear") interpolated.

    Raises ValueError for another interpolation.

    >>> tf.keras.layers.UpSampling2D((1, 2))(tf.constant([[[[1.0], [2.0]]]])).numpy().ravel()
    array([1., 1., 2., 2.], dtype=float32)
    """

    def __init__(
        self, size: Any = (2, 2), data_format: str | None = None, interpolation: str = "nearest", **options: Any
    ) -> None:
        super().__init__(data_format, **options)
        ways = ("nearest", "bilinear")
        self.size: Any = lengths(size, 2, "size")
        self.interpolation = one_of("interpolation", interpolation.lower(), ways, "tf.image.resize knows other ways.")

    def _times(self) -> dict[int, int]:
        return dict(zip(self._axes(), [self.size] if self.rank == 1 else self.size))

    def call(self, inputs: Any) -> Any:
        for axis, times in self._times().items():
            if self.interpolation == "nearest":
                inputs = repeat(inputs, times, axis=axis)
            else:
                length = inputs.shape[axis]
                order = [other for other in range(4) if other != axis]
                lines = tensordot(inputs, make(_lines(length, times, inputs.tag.dtype)), [[axis], [0]])
                inputs = transpose(lines, [order.index(other) if other != axis else 3 for other in range(4)])
        return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        times = self._times()
        return tuple(None if n is None else n * times.get(axis, 1) for axis, n in enumerate(input_shape))


class UpSampling1D(UpSampling2D):
    """Each step repeated `size` times: [batch, steps, features] becomes [batch, size × steps, features].

    >>> tf.keras.layers.UpSampling1D(2)(tf.constant([[[1.0], [2.0]]])).numpy().ravel()
    array([1., 1., 2., 2.], dtype=float32)
    """

    rank = 1
    _fixed = ("data_format", "interpolation")

    def __init__(self, size: int = 2, **options: Any) -> None:
        super().__init__(int(size), **options)
        self.size = int(size)


def _lines(length: int, times: int, dtype: np.dtype) -> np.ndarray:
    """The weights of linear interpolation from `length` numbers to `times` as many, [length, length * times]."""
    where = np.clip((np.arange(length * times) + 0.5) / times - 0.5, 0, length - 1)
    return np.asarray(np.maximum(0, 1 - np.abs(where - np.arange(length)[:, None])), dtype)
