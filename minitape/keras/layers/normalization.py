"""Normalization over batches, examples and vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.creation import ones_like
from ...ops.elementwise import cast, rsqrt, square
from ...ops.nn import l2_normalize
from ...ops.reductions import reduce_mean, reduce_sum
from ...ops.shapes import expand_dims, reshape
from ...record.refusal import value_error
from ...tensor import convert
from ..input_spec import InputSpec
from ..weight import Weight
from .activation import SameShape


class BatchNormalization(SameShape):
    """Subtracts the mean and divides by the standard deviation, then scales by gamma and shifts by beta
    (Ioffe and Szegedy 2015).

    While training, mean and variance are those of the batch, and are differentiated; moving averages of both are kept for
    inference.  These two weights are not trainable: ask a tape for `trainable_variables`.

    >>> norm = tf.keras.layers.BatchNormalization()
    >>> norm(tf.constant([[1.0], [3.0]]), training=True).numpy().round(2).tolist()
    [[-1.0], [1.0]]
    >>> [weight.name for weight in norm.non_trainable_variables]
    ['moving_mean', 'moving_variance']
    """

    starts = {"gamma": "ones", "beta": "zeros", "moving_mean": "zeros", "moving_variance": "ones"}
    gamma: Weight | None = None
    beta: Weight | None = None
    moving_mean: Weight
    moving_variance: Weight

    def __init__(
        self, axis: int = -1, momentum: float = 0.99, epsilon: float = 1e-3, center: bool = True, scale: bool = True,
        **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(**options)
        self.axis, self.momentum, self.epsilon = axis, momentum, epsilon
        self.center, self.scale = center, scale

    def build(self, input_shape: Any) -> None:
        if not -len(input_shape) <= self.axis < len(input_shape):
            raise value_error(
                f"BatchNormalization(axis={self.axis}): inputs of shape {tuple(input_shape)} have no such axis",
                "axis=-1, the last, holds features or channels.",
            )
        count = (input_shape[self.axis],)
        self.gamma = self.weight("gamma", count) if self.scale else None
        self.beta = self.weight("beta", count) if self.center else None
        self.moving_mean = self.weight("moving_mean", count, trainable=False)
        self.moving_variance = self.weight("moving_variance", count, trainable=False)
        self.input_spec = InputSpec(ndim=len(input_shape), axes={self.axis: count[0]})

    def call(self, inputs: Any, training: bool = False, mask: Any = None) -> Any:
        """Uses the batch's mean and variance while training, of the unmasked steps; else, and if frozen, the moving ones."""
        x = cast(inputs, self.dtype)
        channel = self.axis % len(x.shape)
        others = [axis for axis in range(len(x.shape)) if axis != channel]
        if training and self.trainable:
            mean, variance = _moments(x, others, mask)
            self._move(self.moving_mean, mean)
            self._move(self.moving_variance, variance)
        else:
            mean, variance = self._along(self.moving_mean, x, channel), self._along(self.moving_variance, x, channel)
        factor = rsqrt(variance + self.epsilon)
        if self.gamma is not None:
            factor = factor * self._along(self.gamma, x, channel)
        shift = -mean * factor if self.beta is None else self._along(self.beta, x, channel) - mean * factor
        return x * factor + shift

    def _along(self, weight: Weight, x: Any, channel: int) -> Any:
        """A weight with one number per channel, laid along the channel's axis."""
        if channel == len(x.shape) - 1:
            return weight
        return reshape(weight, [-1 if axis == channel else 1 for axis in range(len(x.shape))])

    def _move(self, average: Weight, value: Any) -> None:
        # Arithmetic on arrays, and an assignment: moving averages are not differentiated.
        momentum = np.asarray(self.momentum, average.tag.dtype)
        new = value.array.reshape(average.shape)
        average.assign(average.array_now * momentum + new * (1 - momentum))


def _moments(x: Any, axes: list[int], mask: Any) -> tuple[Any, Any]:
    if mask is None:
        mean = reduce_mean(x, axes, keepdims=True)
        return mean, reduce_mean(square(x - mean), axes, keepdims=True)
    counts = cast(expand_dims(mask, -1), x.dtype) * ones_like(x)
    count = reduce_sum(counts, axes, keepdims=True) + 1e-7
    mean = reduce_sum(x * counts, axes, keepdims=True) / count
    return mean, reduce_sum(square((x - mean) * counts), axes, keepdims=True) / count


class LayerNormalization(SameShape):
    """Subtracts the mean of each example and divides by its standard deviation, then scales by gamma and shifts by beta
    (Ba et al. 2016).

    Args: axis, or several, along which mean and variance are taken.

    >>> tf.keras.layers.LayerNormalization()(tf.constant([[1.0, 3.0]])).numpy().round(2)
    array([[-1.,  1.]], dtype=float32)
    """

    starts = {"gamma": "ones", "beta": "zeros"}
    gamma: Weight | None = None
    beta: Weight | None = None

    def __init__(
        self, axis: Any = -1, epsilon: float = 1e-3, center: bool = True, scale: bool = True, **options: Any
    ) -> None:
        super().__init__(**options)
        self.axis = axis if isinstance(axis, int) else list(axis)
        self.epsilon, self.center, self.scale = epsilon, center, scale

    def build(self, input_shape: Any) -> None:
        shape = tuple(input_shape[axis] for axis in self._axes(len(input_shape)))
        self.gamma = self.weight("gamma", shape) if self.scale else None
        self.beta = self.weight("beta", shape) if self.center else None

    def _axes(self, ndim: int) -> list[int]:
        given = [self.axis] if isinstance(self.axis, int) else self.axis
        return sorted(axis % ndim for axis in given)

    def call(self, inputs: Any) -> Any:
        x = cast(inputs, self.dtype)
        axes = self._axes(x.ndim)
        mean = reduce_mean(x, axes, keepdims=True)
        moved = x - mean
        y = moved * rsqrt(reduce_mean(square(moved), axes, keepdims=True) + self.epsilon)
        shape = [length if axis in axes else 1 for axis, length in enumerate(x.shape)]
        if self.gamma is not None:
            y = y * _laid(self.gamma, shape)
        return y if self.beta is None else y + _laid(self.beta, shape)


def _laid(weight: Weight, shape: list[int]) -> Any:
    """A weight along the axes that it belongs to; as it is where these are the last ones."""
    last = [length for length in shape if length != 1] == shape[len(shape) - len(weight.shape) :]
    return weight if last else reshape(weight, shape)


class UnitNormalization(SameShape):
    """Divides examples by their length.

    >>> tf.keras.layers.UnitNormalization()(tf.constant([[3.0, 4.0]])).numpy().round(3)
    array([[0.6, 0.8]], dtype=float32)
    """

    def __init__(self, axis: Any = -1, **options: Any) -> None:
        super().__init__(**options)
        self.axis = axis

    def call(self, inputs: Any) -> Any:
        return l2_normalize(convert(inputs), self.axis)
