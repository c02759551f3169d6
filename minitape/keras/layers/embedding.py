"""Embeddings, which look up a row of numbers for each index, and masks of steps."""

from __future__ import annotations

from typing import Any

from ...ops.elementwise import cast, not_equal
from ...ops.indexing import gather
from ...ops.reductions import reduce_any
from ...tensor import convert
from ..layer import Layer
from ..weight import Weight
from .activation import SameShape


class Embedding(Layer):
    """Looks up the row of a table [input_dim, output_dim] for each index: [...], whole numbers, becomes [..., output_dim].

    With mask_zero=True index 0 marks steps that do not count: the layers that follow leave them out.

    >>> table = tf.keras.layers.Embedding(3, 2)
    >>> table.build()
    >>> table.set_weights([[[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]]])
    >>> table(tf.constant([[0, 2]])).numpy()
    array([[[ 1., 10.],
            [ 3., 30.]]], dtype=float32)
    """

    starts = {"embeddings": "uniform"}
    embeddings: Weight

    def __init__(self, input_dim: int, output_dim: int, mask_zero: bool = False, **options: Any) -> None:
        options.pop("input_length", None)  # of Keras 2, which needed it
        super().__init__(**options)
        self.input_dim, self.output_dim, self.mask_zero = input_dim, output_dim, mask_zero

    def build(self, input_shape: Any = None) -> None:
        self.embeddings = self.weight("embeddings", (self.input_dim, self.output_dim))

    def call(self, inputs: Any) -> Any:
        inputs = convert(inputs)
        return gather(self.embeddings, inputs if inputs.dtype.is_integer else cast(inputs, "int32"))

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """True where the index is not 0, with `mask_zero`."""
        return not_equal(inputs, 0) if self.mask_zero else None

    def compute_output_shape(self, input_shape: Any) -> Any:
        return (*input_shape, self.output_dim)


class Masking(SameShape):
    """Masks the steps of [batch, steps, features] in which all numbers are `mask_value`: later layers leave them out.

    >>> steps = tf.constant([[[1.0], [0.0], [2.0]]])
    >>> rnn = tf.keras.layers.SimpleRNN(1, kernel_initializer="ones", activation=None, return_sequences=True)
    >>> rnn(tf.keras.layers.Masking()(steps)).numpy().ravel()[:2]
    array([1., 1.], dtype=float32)
    """

    def __init__(self, mask_value: float = 0.0, **options: Any) -> None:
        super().__init__(**options)
        self.mask_value = mask_value

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """True where a step holds something else."""
        return reduce_any(not_equal(inputs, self.mask_value), -1)

    def call(self, inputs: Any) -> Any:
        """Zeros where a step does not count."""
        counts = reduce_any(not_equal(inputs, self.mask_value), -1, keepdims=True)
        return inputs * cast(counts, inputs.dtype)
