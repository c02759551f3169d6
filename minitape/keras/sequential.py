"""Sequential: one layer after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..record.refusal import refusal
from .functional import InputLayer
from .layer import Layer
from .model import Model
from .symbol import KerasTensor


class Sequential(Model):
    """A model whose layers follow each other.  Without an `Input` its weights are made by the first call.

    >>> import minitape as tf
    >>> model = Sequential([tf.keras.layers.Dense(2, activation="relu"), tf.keras.layers.Dense(1)], name="model")
    >>> model(tf.ones([4, 3])).shape
    TensorShape([4, 1])
    >>> len(model.trainable_variables), model.layers[0].kernel.shape
    (4, TensorShape([3, 2]))
    """

    def __init__(self, layers: Sequence[Any] | None = None, trainable: bool = True, name: str | None = None) -> None:
        super().__init__(name=name)
        self._trainable = trainable
        self._stack: list[Layer] = []
        self._shape: Any = None  # of the output, while it is known
        for layer in layers or ():
            self.add(layer)

    def add(self, layer: Any) -> None:
        """Put another layer at the end; raises ValueError for anything else than a layer."""
        if isinstance(layer, InputLayer):
            layer = layer.output
        if isinstance(layer, KerasTensor):
            self._given_shape = self._shape = layer.shape
            return
        if not isinstance(layer, Layer):
            raise refusal(
                ValueError,
                "Only instances of `keras.Layer` can be added to a Sequential model. "
                f"Received: {layer!r} (of type {type(layer)}). "
                "A plain function becomes one with tf.keras.layers.Lambda.",
            )
        if not self._stack and self._shape is None:
            self._given_shape = self._shape = layer._given_shape
        self._stack.append(layer)
        if self._shape is not None:
            self._extend(layer)
            self.built, self._shapes = True, (self._given_shape, self._shape)

    def pop(self) -> Layer:
        """Take the last layer away."""
        layer = self._stack.pop()
        if self._shape is not None:
            self._shape = self._stack[-1]._shapes[1] if self._stack and self._stack[-1]._shapes else self._given_shape
        return layer

    def build(self, input_shape: Any) -> None:
        """Make all weights for inputs of this shape."""
        self._given_shape = self._shape = tuple(input_shape)
        for layer in self._stack:
            self._extend(layer)
        self._shapes = self._given_shape, self._shape

    def _extend(self, layer: Layer) -> None:
        """Build a layer for what comes out before it."""
        with self._inside():
            if not layer.built:
                layer.build(self._shape)
            before, self._shape = self._shape, tuple(layer.compute_output_shape(self._shape))
        layer._shapes = before, self._shape

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape after the last layer."""
        for layer in self._stack:
            input_shape = layer.compute_output_shape(input_shape)
        return tuple(input_shape)

    def _first_call(self, inputs: Any) -> None:
        self.built = True  # each layer is built as the call comes to it

    @property
    def layers(self) -> list[Layer]:
        """The layers in their order."""
        return list(self._stack)

    def call(self, inputs: Any) -> Any:
        """One layer after the other."""
        for layer in self._stack:
            inputs = layer(inputs)
        return inputs
