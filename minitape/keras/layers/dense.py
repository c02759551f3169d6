"""Every output from every input."""

from __future__ import annotations

from typing import Any

from ...ops.elementwise import add, cast
from ...ops.linalg import matmul
from ...record.refusal import refusal
from .. import activations, initializers
from ..input_spec import InputSpec
from ..layer import Layer
from ..weight import Weight


class Dense(Layer):
    """`activation(x @ kernel + bias)`; the kernel has shape [inputs, units], the bias [units].

    >>> import minitape as tf
    >>> dense = Dense(1, kernel_initializer="ones")
    >>> dense(tf.constant([[2.0, 3.0]])).numpy()
    array([[5.]], dtype=float32)
    """

    kernel: Weight
    bias: Weight | None

    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        if not isinstance(units, int) or units <= 0:
            raise refusal(
                ValueError,
                f"Received an invalid value for `units`, expected a positive integer. Received: units={units}",
                "It is the number of outputs: Dense(4).",
            )
        self.units = units
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_constraint, self.bias_constraint = kernel_constraint, bias_constraint
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape: Any) -> None:
        """Make kernel and bias for inputs of this length."""
        inputs = input_shape[-1]
        self.kernel = self.add_weight(
            (inputs, self.units), self.kernel_initializer, constraint=self.kernel_constraint, name="kernel"
        )
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                (self.units,), self.bias_initializer, constraint=self.bias_constraint, name="bias"
            )
        self.input_spec = InputSpec(min_ndim=2, axes={-1: inputs})

    def call(self, inputs: Any) -> Any:
        """Two ops, and one more where there is an activation."""
        y = matmul(cast(inputs, self.dtype), self.kernel)
        return self.activation(y if self.bias is None else add(y, self.bias))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape with the number of units at its end."""
        return (*input_shape[:-1], self.units)
