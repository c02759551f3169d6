"""Every output from every input."""

from __future__ import annotations

from typing import Any

from ...ops.einsum import einsum
from ...ops.elementwise import add, cast
from ...ops.linalg import matmul
from ...record.refusal import value_error
from .. import activations
from ..allowed import positive
from ..input_spec import InputSpec
from ..layer import Layer
from ..weight import Weight


class Dense(Layer):
    """`activation(x @ kernel + bias)`; [..., inputs] becomes [..., units].

    The kernel has shape [inputs, units], the bias [units].  Args: kernel_initializer, bias_initializer, and ..._regularizer
    and ..._constraint of both.  Raises ValueError where `units` is no whole number above 0.

    >>> dense = tf.keras.layers.Dense(1, kernel_initializer="ones")
    >>> dense(tf.constant([[2.0, 3.0]])).numpy()
    array([[5.]], dtype=float32)
    """

    starts = {"kernel": "glorot_uniform", "bias": "zeros"}
    supports_masking = True
    kernel: Weight
    bias: Weight | None = None

    def __init__(self, units: int, activation: Any = None, use_bias: bool = True, **options: Any) -> None:
        super().__init__(**options)
        self.units = positive("units", units)
        self.activation, self.use_bias = activations.get(activation), use_bias
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape: Any) -> None:
        inputs = input_shape[-1]
        self.kernel = self.weight("kernel", (inputs, self.units))
        self.bias = self.weight("bias", (self.units,)) if self.use_bias else None
        self.input_spec = InputSpec(min_ndim=2, axes={-1: inputs})

    def call(self, inputs: Any, training: bool | None = None) -> Any:
        y = matmul(cast(inputs, self.dtype), self.kernel)
        return self.activation(y if self.bias is None else add(y, self.bias))

    def compute_output_shape(self, input_shape: Any) -> Any:
        return (*input_shape[:-1], self.units)


class EinsumDense(Layer):
    """`activation(einsum(equation, x, kernel) + bias)`, where letters say which axes are summed over.

    Args: output_shape, the lengths of the output without the batch, None where they are the input's; bias_axes, the
    letters of the axes that the bias has, or None.  Raises ValueError for a letter of the kernel that is in neither
    input nor output.

    >>> heads = tf.keras.layers.EinsumDense("abc,cde->abde", output_shape=(None, 4, 2), bias_axes="de")
    >>> heads(tf.ones([1, 3, 5])).shape, heads.kernel.shape, heads.bias.shape
    (TensorShape([1, 3, 4, 2]), TensorShape([5, 4, 2]), TensorShape([4, 2]))
    """

    starts = {"kernel": "glorot_uniform", "bias": "zeros"}
    _kept_as = {"output_shape": "partial_output_shape"}
    kernel: Weight
    bias: Weight | None = None

    def __init__(
        self, equation: str, output_shape: Any, activation: Any = None, bias_axes: str | None = None, **options: Any
    ) -> None:
        super().__init__(**options)
        self.equation, self.bias_axes, self.activation = equation, bias_axes, activations.get(activation)
        self.partial_output_shape = (output_shape,) if isinstance(output_shape, int) else tuple(output_shape)

    def build(self, input_shape: Any) -> None:
        left, _, result = self.equation.replace(" ", "").replace("...", "").partition("->")
        given, asked = left.split(",")
        lengths = dict(zip(reversed(result), reversed(self.partial_output_shape), strict=False))
        lengths = {letter: length for letter, length in lengths.items() if length is not None}
        lengths.update(zip(reversed(given), reversed(tuple(input_shape)), strict=False))
        missing = [letter for letter in asked if lengths.get(letter) is None]
        if missing:
            raise value_error(
                f"Weight dimension {missing[0]!r} did not have a match in either the input spec {given!r} or the output spec "
                f"{result!r}. For this layer, the weight must be fully specified.",
                "Write its length into output_shape.",
            )
        self.kernel = self.weight("kernel", tuple(lengths[letter] for letter in asked))
        if self.bias_axes is not None:
            first = min(result.index(letter) for letter in self.bias_axes)
            shape = tuple(lengths[letter] if letter in self.bias_axes else 1 for letter in result[first:])
            self.bias = self.weight("bias", shape)

    def call(self, inputs: Any, training: bool | None = None) -> Any:
        y = einsum(self.equation, cast(inputs, self.dtype), self.kernel)
        return self.activation(y if self.bias is None else add(y, self.bias))
