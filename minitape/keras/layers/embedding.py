"""A row of numbers for each whole number."""

from __future__ import annotations

from typing import Any

from ...ops.elementwise import cast
from ...ops.indexing import gather
from ...record.refusal import refusal
from ...tensor import convert
from ..layer import Layer
from ..weight import Weight


class Embedding(Layer):
    """Looks up the row of a table for each index: shape [...] becomes [..., output_dim].

    >>> import minitape as tf
    >>> Embedding(3, 2, embeddings_initializer="ones")(tf.constant([[0, 2]])).shape
    TensorShape([1, 2, 2])
    """

    starts = {"embeddings": "uniform"}
    embeddings: Weight

    def __init__(self, input_dim: int, output_dim: int, mask_zero: bool = False, **options: Any) -> None:
        options.pop("input_length", None)  # of Keras 2, which needed it
        super().__init__(**options)
        self.input_dim, self.output_dim, self.mask_zero = input_dim, output_dim, mask_zero
        if mask_zero:
            raise refusal(
                NotImplementedError,
                "Embedding(mask_zero=True): masks do not travel from layer to layer here.",
                "Give the mask to the layer that needs it: lstm(embedded, mask=tf.not_equal(indices, 0)).",
            )

    def build(self, input_shape: Any = None) -> None:
        """Make the table; it does not depend on the input."""
        self.embeddings = self.weight("embeddings", (self.input_dim, self.output_dim))

    def call(self, inputs: Any) -> Any:
        """One look-up."""
        inputs = convert(inputs)
        return gather(self.embeddings, inputs if inputs.dtype.is_integer else cast(inputs, "int32"))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape with the length of a row at its end."""
        return (*input_shape, self.output_dim)
