"""Padding, cropping and upsampling of sequences."""

from __future__ import annotations

from typing import Any

from ...ops.padding import pad
from ...ops.slicing import repeat
from ..input_spec import InputSpec
from ..layer import Layer
from .conv import lengths


def _ends(value: Any, what: str) -> tuple[int, ...]:
    return (value, value) if isinstance(value, int) else lengths(value, 2, what)


class _OnLines(Layer):
    """An operation along the steps of [batch, steps, features]."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.input_spec = InputSpec(ndim=3)

    def _long(self, steps: int) -> int:
        raise NotImplementedError

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Other steps, the same features."""
        batch, steps, features = input_shape
        return batch, None if steps is None else self._long(steps), features


class ZeroPadding1D(_OnLines):
    """Zeros before and after a sequence: one number, or (before, after).

    >>> tf.keras.layers.ZeroPadding1D((1, 2))(tf.ones([1, 3, 4])).shape
    TensorShape([1, 6, 4])
    """

    def __init__(self, padding: Any = 1, **options: Any) -> None:
        super().__init__(**options)
        self.padding = _ends(padding, "padding")

    def call(self, inputs: Any) -> Any:
        return pad(inputs, [(0, 0), self.padding, (0, 0)])

    def _long(self, steps: int) -> int:
        return steps + sum(self.padding)


class Cropping1D(_OnLines):
    """A sequence without its ends: one number, or (before, after).

    >>> tf.keras.layers.Cropping1D((1, 0))(tf.ones([1, 3, 4])).shape
    TensorShape([1, 2, 4])
    """

    def __init__(self, cropping: Any = (1, 1), **options: Any) -> None:
        super().__init__(**options)
        self.cropping = _ends(cropping, "cropping")

    def call(self, inputs: Any) -> Any:
        return inputs[:, self.cropping[0] : inputs.shape[1] - self.cropping[1]]

    def _long(self, steps: int) -> int:
        return steps - sum(self.cropping)


class UpSampling1D(_OnLines):
    """Each step repeated `size` times: [batch, steps, features] becomes [batch, size × steps, features].

    >>> tf.keras.layers.UpSampling1D(2)(tf.constant([[[1.0], [2.0]]])).numpy().ravel()
    array([1., 1., 2., 2.], dtype=float32)
    """

    def __init__(self, size: int = 2, **options: Any) -> None:
        super().__init__(**options)
        self.size = int(size)

    def call(self, inputs: Any) -> Any:
        return repeat(inputs, self.size, axis=1)

    def _long(self, steps: int) -> int:
        return steps * self.size
