"""Input scaled before a model sees it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.elementwise import cast
from ...record.refusal import value_error
from ...tensor import make
from ..metrics.base import array_of
from .activation import SameShape


class Rescaling(SameShape):
    """x × scale + offset.

    >>> tf.keras.layers.Rescaling(1.0 / 2, offset=-1.0)(tf.constant([0.0, 4.0])).numpy()
    array([-1.,  1.], dtype=float32)
    """

    def __init__(self, scale: Any, offset: Any = 0.0, **options: Any) -> None:
        super().__init__(**options)
        self.scale, self.offset = scale, offset

    def call(self, inputs: Any) -> Any:
        return cast(inputs, self._dtype) * self.scale + self.offset


class Normalization(SameShape):
    """(x − mean) ÷ √variance, both given or taken from data by `adapt`, with one mean for each position along `axis`.

    Raises ValueError where neither was given nor taken.

    >>> layer = tf.keras.layers.Normalization()
    >>> layer.adapt(np.array([[1.0], [3.0]]))
    >>> layer(tf.constant([[5.0]])).numpy()
    array([[3.]], dtype=float32)
    """

    def __init__(
        self, axis: Any = -1, mean: Any = None, variance: Any = None, invert: bool = False, **options: Any
    ) -> None:
        super().__init__(**options)
        self.axis, self.mean, self.variance, self.invert = axis, mean, variance, invert

    def adapt(self, data: Any, batch_size: int | None = None, steps: int | None = None) -> None:
        """Take mean and variance from an array, or from all batches of an iterable."""
        whole = hasattr(data, "shape") or isinstance(data, list)
        numbers = array_of(data, "float64") if whole else np.concatenate([array_of(batch, "float64") for batch in data])
        kept = {axis % numbers.ndim for axis in ([self.axis] if isinstance(self.axis, int) else self.axis or ())}
        others = tuple(axis for axis in range(numbers.ndim) if axis not in kept)
        self.mean, self.variance = numbers.mean(others, keepdims=True), numbers.var(others, keepdims=True)

    def call(self, inputs: Any) -> Any:
        if self.mean is None or self.variance is None:
            raise value_error(
                "You must call `.build(input_shape)` on the layer before using it.",
                "Normalization learns from data first: layer.adapt(x_train).",
            )
        dtype = self._dtype.numpy_dtype
        mean, width = (
            make(np.asarray(numbers, dtype)) for numbers in (self.mean, np.maximum(np.sqrt(self.variance), 1e-7))
        )
        x = cast(inputs, self._dtype)
        return x * width + mean if self.invert else (x - mean) / width
