"""Layers without weights of their own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...ops.shapes import reshape
from ..input_spec import InputSpec
from ..layer import Layer


class Flatten(Layer):
    """All axes behind the first become one.

    >>> import minitape as tf
    >>> Flatten()(tf.ones([2, 3, 4])).shape
    TensorShape([2, 12])
    """

    input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Any) -> Any:
        """One change of shape."""
        return reshape(inputs, (inputs.shape[0], math.prod(inputs.shape[1:])))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The batch, and everything else."""
        rest = input_shape[1:]
        return (input_shape[0], None if None in rest else math.prod(rest))


class Lambda(Layer):
    """Any function as a layer.

    >>> import minitape as tf
    >>> Lambda(lambda x: x * 2.0)(tf.constant([3.0])).numpy()
    array([6.], dtype=float32)
    """

    def __init__(
        self,
        function: Callable[..., Any],
        output_shape: Any = None,
        arguments: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.function, self.arguments = function, arguments or {}
        self._known_shape = output_shape

    def call(self, inputs: Any) -> Any:
        """The function."""
        return self.function(inputs, **self.arguments)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """`output_shape` where it was given, else what the function makes of zeros."""
        if self._known_shape is None:
            return super().compute_output_shape(input_shape)
        return (input_shape[0], *self._known_shape)
