"""Layers that are one function."""

from __future__ import annotations

from typing import Any

from ...ops.elementwise import leaky_relu, minimum, relu
from ...ops.nn import softmax
from .. import activations
from ..layer import Layer


class _SameShape(Layer):
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's own shape."""
        return tuple(input_shape)


class Activation(_SameShape):
    """A function by its name, or any function of one tensor.

    >>> import minitape as tf
    >>> Activation("relu")(tf.constant([-1.0, 2.0])).numpy()
    array([0., 2.], dtype=float32)
    """

    def __init__(self, activation: Any, **options: Any) -> None:
        super().__init__(**options)
        self.activation = activations.get(activation)

    def call(self, inputs: Any) -> Any:
        """The function."""
        return self.activation(inputs)


class ReLU(_SameShape):
    """What is below zero becomes zero, or `negative_slope` times itself; what is above `max_value` becomes that.

    >>> import minitape as tf
    >>> ReLU(max_value=6.0)(tf.constant([-1.0, 2.0, 9.0])).numpy()
    array([0., 2., 6.], dtype=float32)
    """

    def __init__(self, max_value: float | None = None, negative_slope: float = 0.0, **options: Any) -> None:
        super().__init__(**options)
        self.max_value, self.negative_slope = max_value, negative_slope

    def call(self, inputs: Any) -> Any:
        """One op, and one more where there is a greatest value."""
        y = leaky_relu(inputs, self.negative_slope) if self.negative_slope else relu(inputs)
        return y if self.max_value is None else minimum(y, self.max_value)


class Softmax(_SameShape):
    """Positive numbers that sum to 1 along an axis.

    >>> import minitape as tf
    >>> Softmax()(tf.constant([[0.0, 0.0]])).numpy()
    array([[0.5, 0.5]], dtype=float32)
    """

    def __init__(self, axis: int = -1, **options: Any) -> None:
        super().__init__(**options)
        self.axis = axis

    def call(self, inputs: Any) -> Any:
        """One op."""
        return softmax(inputs, self.axis)
