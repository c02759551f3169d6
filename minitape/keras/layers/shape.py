"""Layers without weights that give each example another shape, and `Lambda`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...ops.padding import tile
from ...ops.shapes import expand_dims, reshape, transpose
from ...record.refusal import needs_function, value_error
from ..input_spec import InputSpec
from ..layer import Layer


class Flatten(Layer):
    """All axes after the first become one.

    >>> tf.keras.layers.Flatten()(tf.ones([2, 3, 4])).shape
    TensorShape([2, 12])
    """

    input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Any) -> Any:
        return reshape(inputs, (inputs.shape[0], math.prod(inputs.shape[1:])))

    def compute_output_shape(self, input_shape: Any) -> Any:
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
        if isinstance(target_shape, int):
            raise value_error(
                f"Reshape: target_shape is a tuple, got {target_shape}",
                f"Write Reshape(({target_shape},)), without the batch.",
            )
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
            raise value_error(
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
            raise value_error(
                "Invalid permutation argument `dims` for Permute Layer. The set of indices in `dims` must be consecutive and "
                f"start from 1. Received dims={dims}",
                "(2, 1) turns a matrix round; the batch is not counted.",
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs: Any) -> Any:
        return transpose(inputs, (0, *self.dims))

    def compute_output_shape(self, input_shape: Any) -> Any:
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
        return (input_shape[0], self.n, input_shape[1])


class Lambda(Layer):
    """Any function as a layer.

    >>> tf.keras.layers.Lambda(lambda x: x * 2.0)(tf.constant([3.0])).numpy()
    array([6.], dtype=float32)
    """

    _kept_as = {"output_shape": "given_output_shape"}

    def __init__(
        self, function: Callable[..., Any], output_shape: Any = None, mask: Any = None,
        arguments: dict[str, Any] | None = None, **options: Any,
    ) -> None:  # fmt: skip
        needs_function(function, "tf.keras.layers.Lambda: function", "tf.keras.layers.Lambda(lambda x: x * 2.0)")
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
