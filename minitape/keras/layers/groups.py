"""Normalization of groups of channels, by the root mean square, and of a layer's kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.elementwise import cast, rsqrt, square
from ...ops.reductions import reduce_mean
from ...ops.shapes import reshape
from ...record.refusal import value_error
from ..allowed import within
from ..initializers import TruncatedNormal
from ..input_spec import InputSpec
from ..weight import Weight
from .activation import SameShape
from .wrappers import Wrapper


class GroupNormalization(SameShape):
    """Normalizes each example's groups of channels, then scales by gamma and shifts by beta per channel (Wu and He 2018).

    Args: groups, their number (-1 makes a group of each channel, 1 a single group of all); axis, that of the channels.  Raises
    ValueError where the groups do not divide the channels.

    >>> tf.keras.layers.GroupNormalization(groups=2)(tf.constant([[1.0, 3.0, 10.0, 30.0]])).numpy().round(2)
    array([[-1.,  1., -1.,  1.]], dtype=float32)
    """

    starts = {"gamma": "ones", "beta": "zeros"}
    gamma: Weight | None = None
    beta: Weight | None = None

    def __init__(
        self, groups: int = 32, axis: int = -1, epsilon: float = 1e-3, center: bool = True, scale: bool = True,
        **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(**options)
        self.groups, self.axis, self.epsilon, self.center, self.scale = groups, axis, epsilon, center, scale

    def build(self, input_shape: Any) -> None:
        count = input_shape[self.axis]
        self.groups = count if self.groups == -1 else self.groups
        if count < self.groups or count % self.groups:
            raise value_error(
                f"Number of groups ({self.groups}) must divide the number of channels ({count}).",
                "GroupNormalization(groups=...) takes a divisor of the channels, or -1 for a group each.",
            )
        self.input_spec = InputSpec(ndim=len(input_shape), axes={self.axis: count})
        self.gamma = self.weight("gamma", (count,)) if self.scale else None
        self.beta = self.weight("beta", (count,)) if self.center else None

    def call(self, inputs: Any) -> Any:
        x = cast(inputs, self.dtype)
        whole = list(x.shape)
        channel = self.axis % len(whole)
        inner = whole[channel] // self.groups
        apart = reshape(x, [*whole[:channel], self.groups, inner, *whole[channel + 1 :]])
        others = [axis for axis in range(1, len(whole) + 1) if axis != channel]
        moved = apart - reduce_mean(apart, others, keepdims=True)
        y = reshape(moved * rsqrt(reduce_mean(square(moved), others, keepdims=True) + self.epsilon), whole)
        along = [-1 if axis == channel else 1 for axis in range(len(whole))]
        if self.gamma is not None:
            y = y * reshape(self.gamma, along)
        return y if self.beta is None else y + reshape(self.beta, along)


class RMSNormalization(SameShape):
    """Divides examples by their root mean square, then scales (Zhang and Sennrich 2019).

    >>> tf.keras.layers.RMSNormalization()(tf.constant([[1.0, 7.0]])).numpy().round(2)
    array([[0.2, 1.4]], dtype=float32)
    """

    scale: Weight

    def __init__(self, axis: Any = -1, epsilon: float = 1e-6, **options: Any) -> None:
        super().__init__(**options)
        self.axis, self.epsilon = axis, epsilon

    def build(self, input_shape: Any) -> None:
        axes = sorted(self.axis) if isinstance(self.axis, list | tuple) else [self.axis]
        self.scale = self.add_weight(tuple(input_shape[axis] for axis in axes), "ones", name="scale")

    def call(self, inputs: Any) -> Any:
        x = cast(inputs, self.dtype)
        return x * rsqrt(reduce_mean(square(x), self.axis, keepdims=True) + self.epsilon) * self.scale


class SpectralNormalization(Wrapper):
    """Divides a layer's kernel by its largest singular value at each call while training (Miyato et al. 2018).

    The value is found by power iterations on a vector that is kept from call to call; the kernel is assigned anew, as
    in Keras, so that no gradient passes through the division.  Raises ValueError for a layer without `kernel` or
    `embeddings`.

    >>> dense = tf.keras.layers.Dense(1, kernel_initializer="ones")
    >>> tf.keras.layers.SpectralNormalization(dense)(tf.constant([[3.0, 4.0, 0.0, 0.0]]), training=True).numpy()
    array([[3.5]], dtype=float32)
    """

    kernel: Weight
    vector_u: Weight

    def __init__(self, layer: Any, power_iterations: int = 1, **options: Any) -> None:
        super().__init__(layer, **options)
        self.power_iterations = within("power_iterations", power_iterations, "(0, ∞)", "1 is usual.")

    def build(self, input_shape: Any = None) -> None:
        super().build(input_shape)
        kernel = getattr(self.layer, "kernel", getattr(self.layer, "embeddings", None))
        if kernel is None:
            raise value_error(
                f"{type(self.layer).__name__} object has no attribute 'kernel' nor 'embeddings'",
                "Wrap a layer that has one.",
            )
        self.kernel = kernel
        start = TruncatedNormal(stddev=0.02)
        self.vector_u = self.add_weight((1, kernel.shape[-1]), start, trainable=False, name="vector_u")

    def call(self, inputs: Any, training: bool = False) -> Any:
        if training and self.kernel.array_now.any():
            self._divide()
        return self.layer(inputs)

    def _divide(self) -> None:
        # Arithmetic on arrays, and assignments: as in Keras nobody differentiates through the new kernel.
        kernel, u = self.kernel.array_now, self.vector_u.array_now
        rows = kernel.reshape(-1, kernel.shape[-1])
        for _ in range(self.power_iterations):
            v = _unit(u @ rows.T)
            u = _unit(v @ rows)
        self.vector_u.assign(u)
        self.kernel.assign(kernel / (v @ rows @ u.T).reshape(()))

    def compute_output_shape(self, input_shape: Any) -> Any:
        return self.layer.compute_output_shape(input_shape)


def _unit(vector: np.ndarray) -> np.ndarray:
    return np.asarray(vector / np.maximum(np.sqrt((vector * vector).sum()), vector.dtype.type(1e-7)))
