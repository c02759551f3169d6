"""Keeping numbers in their middle range."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.elementwise import cast, rsqrt, square
from ...ops.reductions import reduce_mean
from ...ops.shapes import reshape
from .. import initializers
from ..input_spec import InputSpec
from ..weight import Weight
from .activation import _SameShape


class BatchNormalization(_SameShape):
    """Subtract the mean and divide by the standard deviation, then scale by gamma and shift by beta (Ioffe and Szegedy 2015).

    While training, mean and variance are those of the batch, and the derivative knows how they depend on it; moving averages
    of both are kept for later use.  These two are not trainable: ask a tape for `trainable_variables`.

    >>> import minitape as tf
    >>> norm = BatchNormalization()
    >>> norm(tf.constant([[1.0], [3.0]]), training=True).numpy().round(2).tolist()
    [[-1.0], [1.0]]
    >>> [one.name for one in norm.non_trainable_variables]
    ['moving_mean', 'moving_variance']
    """

    gamma: Weight | None = None
    beta: Weight | None = None
    moving_mean: Weight
    moving_variance: Weight

    def __init__(
        self,
        axis: int = -1,
        momentum: float = 0.99,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        moving_mean_initializer: Any = "zeros",
        moving_variance_initializer: Any = "ones",
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.axis, self.momentum, self.epsilon = axis, momentum, epsilon
        self.center, self.scale = center, scale
        self._initializers = [
            initializers.get(one)
            for one in (gamma_initializer, beta_initializer, moving_mean_initializer, moving_variance_initializer)
        ]

    def build(self, input_shape: Any) -> None:
        """Make one number of each kind per channel."""
        count = (input_shape[self.axis],)
        gamma, beta, mean, variance = self._initializers
        if self.scale:
            self.gamma = self.add_weight(count, gamma, name="gamma")
        if self.center:
            self.beta = self.add_weight(count, beta, name="beta")
        self.moving_mean = self.add_weight(count, mean, trainable=False, name="moving_mean")
        self.moving_variance = self.add_weight(count, variance, trainable=False, name="moving_variance")
        self.input_spec = InputSpec(ndim=len(input_shape), axes={self.axis: count[0]})

    def call(self, inputs: Any, training: bool = False) -> Any:
        """By the batch's own mean and variance while training, else (and in a frozen layer) by the moving ones."""
        x = cast(inputs, self.dtype)
        channel = self.axis % len(x.shape)
        others = [axis for axis in range(len(x.shape)) if axis != channel]
        if training and self.trainable:
            mean = reduce_mean(x, others, keepdims=True)
            variance = reduce_mean(square(x - mean), others, keepdims=True)
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
        # Arithmetic on arrays, and an assignment: nobody shall differentiate through a moving average.
        momentum = np.asarray(self.momentum, average._tag.dtype)
        new = value._array.reshape(average.shape)
        average.assign(average._array_now * momentum + new * (1 - momentum))
