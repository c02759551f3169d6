"""Layers that are one function."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.creation import zeros_like
from ...ops.elementwise import leaky_relu, relu, where
from ...ops.nn import softmax
from ...ops.shapes import reshape
from ...record.refusal import value_error
from ...tensor import convert
from .. import activations, regularizers
from ..allowed import within
from ..layer import Layer


class SameShape(Layer):
    """A layer whose output has its input's shape."""

    supports_masking = True

    def compute_output_shape(self, input_shape: Any) -> Any:
        return tuple(input_shape)


class Activation(SameShape):
    """A function by its name, or any function of one tensor.

    >>> tf.keras.layers.Activation("relu")(tf.constant([-1.0, 2.0])).numpy()
    array([0., 2.], dtype=float32)
    """

    def __init__(self, activation: Any, **options: Any) -> None:
        super().__init__(**options)
        self.activation = activations.get(activation)

    def call(self, inputs: Any) -> Any:
        return self.activation(inputs)


class ReLU(SameShape):
    """Numbers up to `threshold` become 0, or `negative_slope` times their distance from it; those above `max_value` become
    `max_value`.

    >>> tf.keras.layers.ReLU(max_value=6.0)(tf.constant([-1.0, 2.0, 9.0])).numpy()
    array([0., 2., 6.], dtype=float32)
    """

    def __init__(
        self, max_value: float | None = None, negative_slope: float = 0.0, threshold: float = 0.0, **options: Any
    ) -> None:
        super().__init__(**options)
        self.max_value, self.negative_slope, self.threshold = max_value, negative_slope, threshold

    def call(self, inputs: Any) -> Any:
        return activations.relu(inputs, self.negative_slope, self.max_value, self.threshold)


class LeakyReLU(SameShape):
    """Numbers below 0 are multiplied by `negative_slope`; raises ValueError for a negative one.

    >>> tf.keras.layers.LeakyReLU(0.5)(tf.constant([-1.0, 2.0])).numpy()
    array([-0.5,  2. ], dtype=float32)
    """

    def __init__(self, negative_slope: float = 0.3, **options: Any) -> None:
        slope = options.pop("alpha", negative_slope)  # as Keras 2 calls it
        super().__init__(**options)
        self.negative_slope = within("negative_slope", slope, "[0, ∞)", "0.3 is usual.")

    def call(self, inputs: Any) -> Any:
        return leaky_relu(inputs, self.negative_slope)


class ELU(SameShape):
    """Numbers below 0 become `alpha` times (exp(x) - 1) (Clevert et al. 2015).

    >>> tf.keras.layers.ELU(2.0)(tf.constant([-100.0, -1.0, 2.0])).numpy().round(3)
    array([-2.   , -1.264,  2.   ], dtype=float32)
    """

    def __init__(self, alpha: float = 1.0, **options: Any) -> None:
        super().__init__(**options)
        self.alpha = alpha

    def call(self, inputs: Any) -> Any:
        return activations.elu(inputs, self.alpha)


class Softmax(SameShape):
    """Positive numbers that sum to 1 along an axis, or along several; what a `mask` leaves out becomes 0, all of it too.

    >>> tf.keras.layers.Softmax()(tf.constant([[0.0, 0.0, 1.0]])).numpy().round(3)
    array([[0.212, 0.212, 0.576]], dtype=float32)
    >>> tf.keras.layers.Softmax()(tf.constant([[0.0, 0.0, 1.0]]), mask=tf.constant([[True, True, False]])).numpy()
    array([[0.5, 0.5, 0. ]], dtype=float32)
    """

    def __init__(self, axis: Any = -1, **options: Any) -> None:
        super().__init__(**options)
        self.axis = axis

    def call(self, inputs: Any, mask: Any = None) -> Any:
        if mask is None:
            return self._softmax(inputs)
        shares = self._softmax(where(mask, inputs, least(inputs.dtype)))
        return where(mask, shares, zeros_like(shares))

    def _softmax(self, inputs: Any) -> Any:
        axes = [self.axis] if isinstance(self.axis, int) else list(self.axis)
        if len(axes) == 1:
            return softmax(inputs, axes[0])
        shape = tuple(inputs.shape)
        if sorted(axis % len(shape) for axis in axes) != list(range(len(shape) - len(axes), len(shape))):
            raise value_error(f"Softmax over axes {self.axis} of shape {shape}", "Several axes must be the last ones.")
        return reshape(softmax(reshape(inputs, (*shape[: -len(axes)], -1))), shape)


def least(dtype: Any) -> Any:
    """A number so far below all others that its softmax is 0.

    >>> float(least("float32")) < -1e38
    True
    """
    return convert(np.finfo(dtype.numpy_dtype if hasattr(dtype, "numpy_dtype") else dtype).min / 2, dtype)


class PReLU(SameShape):
    """Numbers below 0 are multiplied by alpha, a weight with a number for each position (He et al. 2015).

    Args: shared_axes, along which one number serves all positions.

    >>> tf.keras.layers.PReLU(alpha_initializer=tf.keras.initializers.Constant(0.5))(tf.constant([[-1.0, 2.0]])).numpy()
    array([[-0.5,  2. ]], dtype=float32)
    """

    starts = {"alpha": "zeros"}

    def __init__(self, shared_axes: Any = None, **options: Any) -> None:
        super().__init__(**options)
        self.shared_axes = [shared_axes] if isinstance(shared_axes, int) else shared_axes

    def build(self, input_shape: Any) -> None:
        shared = self.shared_axes or ()
        shape = tuple(1 if axis in shared else length for axis, length in enumerate(input_shape) if axis)
        self.alpha = self.weight("alpha", shape)

    def call(self, inputs: Any) -> Any:
        return relu(inputs) - self.alpha * relu(-inputs)


class Identity(SameShape):
    """Returns its input.

    >>> tf.keras.layers.Identity()(tf.constant([2.0])).numpy()
    array([2.], dtype=float32)
    """

    def call(self, inputs: Any) -> Any:
        return inputs


class ActivityRegularization(SameShape):
    """Returns its input, and adds l1 times the sum of its absolute values and l2 times that of its squares to the losses.

    >>> layer = tf.keras.layers.ActivityRegularization(l1=1.0)
    >>> layer(tf.constant([[2.0, -3.0]])).numpy(), float(layer.losses[0])
    (array([[ 2., -3.]], dtype=float32), 5.0)
    """

    _fixed = ("activity_regularizer",)

    def __init__(self, l1: float = 0.0, l2: float = 0.0, **options: Any) -> None:
        super().__init__(activity_regularizer=regularizers.L1L2(l1, l2), **options)
        self.l1, self.l2 = l1, l2

    def call(self, inputs: Any) -> Any:
        return inputs
