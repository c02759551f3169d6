"""Layers without weights that rearrange, pad, crop or repeat, and `Lambda`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.linalg import tensordot
from ...ops.padding import pad, tile
from ...ops.shapes import expand_dims, reshape, transpose
from ...ops.slicing import repeat
from ...record.refusal import refusal
from ...tensor import make
from ..config import one_of
from ..input_spec import InputSpec
from ..layer import Layer
from .conv import lengths


class Flatten(Layer):
    """All axes after the first become one.

    >>> tf.keras.layers.Flatten()(tf.ones([2, 3, 4])).shape
    TensorShape([2, 12])
    """

    input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Any) -> Any:
        return reshape(inputs, (inputs.shape[0], math.prod(inputs.shape[1:])))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The batch, and everything else."""
        rest = input_shape[1:]
        return (input_shape[0], None if None in rest else math.prod(rest))


class Reshape(Layer):
    """Each example in another shape; one length may be -1, which stands for what is left.

    Raises ValueError where the numbers of one do not fill the other.

    >>> tf.keras.layers.Reshape((2, -1))(tf.ones([5, 6])).shape
    TensorShape([5, 2, 3])
    """

    def __init__(self, target_shape: Any, **options: Any) -> None:
        super().__init__(**options)
        self.target_shape = tuple(target_shape)

    def call(self, inputs: Any) -> Any:
        return reshape(inputs, (inputs.shape[0], *self.compute_output_shape(tuple(inputs.shape))[1:]))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The batch, and the wanted shape; raises ValueError where the numbers of one do not fill the other."""
        rest, known = input_shape[1:], math.prod(length for length in self.target_shape if length != -1)
        if None in rest:
            return (input_shape[0], *(None if length == -1 else length for length in self.target_shape))
        count = math.prod(rest)
        if count != known and (-1 not in self.target_shape or not known or count % known):
            raise refusal(
                ValueError,
                f"The total size of the tensor must be unchanged. Received: input_shape={rest}, "
                f"target_shape={self.target_shape}",
                "The first axis, the batch, is not written: Reshape((28, 28, 1)) takes [batch, 784].",
            )
        return (input_shape[0], *(count // known if length == -1 else length for length in self.target_shape))


class Permute(Layer):
    """The axes of each example in another order, counted from 1.

    Raises ValueError for anything else than each axis once.

    >>> tf.keras.layers.Permute((2, 1))(tf.ones([5, 2, 3])).shape
    TensorShape([5, 3, 2])
    """

    def __init__(self, dims: Any, **options: Any) -> None:
        super().__init__(**options)
        self.dims = tuple(dims)
        if sorted(self.dims) != list(range(1, len(self.dims) + 1)):
            raise refusal(
                ValueError,
                "Invalid permutation argument `dims` for Permute Layer. The set of indices in `dims` must be consecutive and "
                f"start from 1. Received dims={dims}",
                "(2, 1) turns a matrix round; the batch is not counted.",
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs: Any) -> Any:
        return transpose(inputs, (0, *self.dims))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The lengths in that order."""
        return (input_shape[0], *(input_shape[axis] for axis in self.dims))


class RepeatVector(Layer):
    """Each vector `n` times: [batch, features] becomes [batch, n, features].

    >>> tf.keras.layers.RepeatVector(3)(tf.ones([2, 4])).shape
    TensorShape([2, 3, 4])
    """

    input_spec = InputSpec(ndim=2)

    def __init__(self, n: int, **options: Any) -> None:
        super().__init__(**options)
        self.n = n

    def call(self, inputs: Any) -> Any:
        return tile(expand_dims(inputs, 1), [1, self.n, 1])

    def compute_output_shape(self, input_shape: Any) -> Any:
        """With the number of times in the middle."""
        return (input_shape[0], self.n, input_shape[1])


def _borders(value: Any, what: str) -> tuple[Any, Any]:
    """Borders of an image: one number, two, or two pairs."""
    if isinstance(value, int):
        return (value, value), (value, value)
    rows, columns = lengths(value, 2, what) if all(isinstance(part, int) for part in value) else tuple(value)
    return lengths(rows, 2, what), lengths(columns, 2, what)


class _OnImages(Layer):
    """An operation on the rows and columns of images, which are the middle axes, or with channels_first the last ones."""

    def __init__(self, data_format: str | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.data_format = data_format or "channels_last"
        self.input_spec = InputSpec(ndim=4)

    @property
    def _first(self) -> int:
        return 1 if self.data_format == "channels_last" else 2

    def _at(self, rows: Any, columns: Any, elsewhere: Any) -> list[Any]:
        table = [elsewhere] * 4
        table[self._first : self._first + 2] = [rows, columns]
        return table

    def _lengths(self, input_shape: Any, borders: tuple[Any, Any], sign: int) -> tuple[int | None, ...]:
        """The input's shape, longer or shorter by both borders of rows and of columns."""
        pairs = zip(input_shape, self._at(*borders, (0, 0)), strict=True)
        return tuple(None if length is None else length + sign * sum(border) for length, border in pairs)


class ZeroPadding2D(_OnImages):
    """A border of zeros around images: one number, (rows, columns), or ((top, bottom), (left, right)).

    >>> tf.keras.layers.ZeroPadding2D(((1, 0), (2, 2)))(tf.ones([1, 3, 3, 1])).shape
    TensorShape([1, 4, 7, 1])
    """

    def __init__(self, padding: Any = (1, 1), data_format: str | None = None, **options: Any) -> None:
        super().__init__(data_format, **options)
        self.padding = _borders(padding, "padding")

    def call(self, inputs: Any) -> Any:
        return pad(inputs, self._at(*self.padding, (0, 0)))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Longer by the borders."""
        return self._lengths(input_shape, self.padding, 1)


class Cropping2D(_OnImages):
    """Images without a border: one number, (rows, columns), or ((top, bottom), (left, right)).

    >>> tf.keras.layers.Cropping2D(1)(tf.ones([1, 5, 5, 1])).shape
    TensorShape([1, 3, 3, 1])
    """

    def __init__(self, cropping: Any = (0, 0), data_format: str | None = None, **options: Any) -> None:
        super().__init__(data_format, **options)
        self.cropping = _borders(cropping, "cropping")

    def call(self, inputs: Any) -> Any:
        pairs = self._at(*self.cropping, (0, 0))
        ends = [length - after for length, (_, after) in zip(inputs.shape, pairs, strict=True)]
        return inputs[tuple(slice(before, end) for (before, _), end in zip(pairs, ends, strict=True))]

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shorter by the borders."""
        return self._lengths(input_shape, self.cropping, -1)


class UpSampling2D(_OnImages):
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
        self.size = lengths(size, 2, "size")
        self.interpolation = one_of("interpolation", interpolation.lower(), ways, "tf.image.resize knows other ways.")

    def call(self, inputs: Any) -> Any:
        for axis, times in zip((self._first, self._first + 1), self.size, strict=True):
            if self.interpolation == "nearest":
                inputs = repeat(inputs, times, axis=axis)
            else:
                length = inputs.shape[axis]
                order = [other for other in range(4) if other != axis]
                lines = tensordot(inputs, make(_lines(length, times, inputs.tag.dtype)), [[axis], [0]])
                inputs = transpose(lines, [order.index(other) if other != axis else 3 for other in range(4)])
        return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Longer by the sizes."""
        times = self._at(self.size[0], self.size[1], 1)
        return tuple(None if length is None else length * n for length, n in zip(input_shape, times, strict=True))


def _lines(length: int, times: int, dtype: np.dtype) -> np.ndarray:
    """The weights of linear interpolation from `length` numbers to `times` as many, [length, length * times]."""
    where = np.clip((np.arange(length * times) + 0.5) / times - 0.5, 0, length - 1)
    return np.asarray(np.maximum(0, 1 - np.abs(where - np.arange(length)[:, None])), dtype)


class Lambda(Layer):
    """Any function as a layer.

    >>> tf.keras.layers.Lambda(lambda x: x * 2.0)(tf.constant([3.0])).numpy()
    array([6.], dtype=float32)
    """

    _kept_as = {"output_shape": "given_output_shape"}

    def __init__(
        self,
        function: Callable[..., Any],
        output_shape: Any = None,
        mask: Any = None,
        arguments: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.function, self.arguments, self.mask = function, arguments or {}, mask
        self.given_output_shape = output_shape

    def call(self, inputs: Any) -> Any:
        return self.function(inputs, **self.arguments)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The layer's `mask`, or what it returns if it is a function; without one the output has no mask."""
        return self.mask(inputs, mask) if callable(self.mask) else self.mask

    def compute_output_shape(self, input_shape: Any) -> Any:
        """`output_shape` where it was given, else what the function makes of zeros."""
        if self.given_output_shape is None:
            return super().compute_output_shape(input_shape)
        first = input_shape[0]  # of several inputs all have one batch
        return (first[0] if isinstance(first, tuple | list) else first, *self.given_output_shape)
