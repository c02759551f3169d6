"""Sequential: one layer after the other."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import nest
from ..record.refusal import refusal, type_error, value_error
from ..tensor import Tensor
from . import masks
from .calls import calling
from .config import described, revived
from .functional import Between, InputLayer, fitted
from .layer import Layer
from .symbol import KerasTensor


def _as_a_layer(given: Any) -> str:
    """What to write for something that was meant as a layer."""
    if isinstance(given, type):
        needs = [item.name for item in inspect.signature(given).parameters.values() if item.default is item.empty]
        taken = ", ".join(name for name in needs if name not in ("args", "options", "kwargs", "unknown"))
        return f"It is a class: with brackets it makes a layer, tf.keras.layers.{given.__name__}({taken})."
    if isinstance(given, list | tuple):
        return "model.add takes one layer at a time; tf.keras.Sequential([first, second]) takes a list."
    if isinstance(given, str):
        return f"A function by its name is a layer with tf.keras.layers.Activation({given!r})."
    return "A plain function becomes one with tf.keras.layers.Lambda."


class Sequential(Between):
    """A model whose layers follow each other.  Without an `Input` its weights are made by the first call.

    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(2, activation="relu"), tf.keras.layers.Dense(1)], name="model")
    >>> model(tf.ones([4, 3])).shape
    TensorShape([4, 1])
    >>> len(model.trainable_variables), model.layers[0].kernel.shape
    (4, TensorShape([3, 2]))
    """

    def __init__(self, layers: Sequence[Any] | None = None, trainable: bool = True, name: str | None = None) -> None:
        super().__init__(name=name)
        if isinstance(layers, Layer) or isinstance(trainable, Layer):
            kind = TypeError if isinstance(layers, Layer) and not isinstance(trainable, Layer) else ValueError
            raise refusal(kind, "Sequential takes its layers as one list.", "tf.keras.Sequential([first, second])")
        self._trainable = trainable
        self._stack: list[Layer] = []
        self._ends: list[KerasTensor] = []  # the symbols before the first layer and after the last, once they are known
        for layer in layers or ():
            self.add(layer)

    def add(self, layer: Any) -> None:
        """Put another layer at the end; raises ValueError for anything else than a layer.

        >>> model = tf.keras.Sequential()
        >>> model.add(tf.keras.layers.Dense(2, name="first"))
        >>> [layer.name for layer in model.layers]
        ['first']
        """
        if isinstance(layer, InputLayer):
            layer = layer.output
        if isinstance(layer, KerasTensor):
            self._begin(layer)
            return
        if not isinstance(layer, Layer):
            raise value_error(
                "Only instances of `keras.Layer` can be added to a Sequential model. "
                f"Received: {layer!r} (of type {type(layer)}).",
                _as_a_layer(layer),
            )
        if not self._stack and not self._ends and layer._given_shape is not None:
            self._begin(_place(layer._given_shape))
        self._stack.append(layer)
        layer._home = weakref.ref(self)
        if self._ends:
            self._extend(layer)

    def pop(self) -> Layer:
        """Take the last layer away."""
        layer = self._stack.pop()
        if self._ends:
            self._ends[1] = self._stack[-1].symbol_calls[-1].outputs[0] if self._stack else self._ends[0]
        return layer

    def build(self, input_shape: Any) -> None:
        """Make all weights for inputs of this shape."""
        self._begin(_place(tuple(input_shape)))
        for layer in self._stack:
            self._extend(layer)

    def _begin(self, symbol: KerasTensor) -> None:
        self._given_shape = symbol.shape
        self._ends = [symbol, symbol]

    def _extend(self, layer: Layer) -> None:
        """Build a layer for the output of the one before it."""
        with self._inside():
            before, self._ends[1] = self._ends[1], layer(self._ends[1])
        layer._shapes = before.shape, _shape(self._ends[1])
        self.built, self._shapes = True, (self._ends[0].shape, layer._shapes[1])

    def symbols(self) -> list[KerasTensor]:
        """The symbols before the first layer and after the last; raises AttributeError where no shape is known yet."""
        if not self._ends:
            shape = self._stack[0]._shapes if self._stack else None
            if not self.built or shape is None or shape[0] is None:
                raise AttributeError(
                    f"Sequential model {self.name!r} has no defined inputs yet: call it once, or begin with an Input."
                )
            self._begin(_place((None, *shape[0][1:])))
            for layer in self._stack:
                self._extend(layer)
        return self._ends

    @property
    def input_shape(self) -> Any:
        """The shape of its inputs, with None for the batch; raises AttributeError before it was built or called."""
        return self.symbols()[0].shape

    @property
    def output_shape(self) -> Any:
        """The shape of its outputs; raises AttributeError before it was built or called."""
        return _shape(self.symbols()[1])

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape after the last layer."""
        for layer in self._stack:
            input_shape = layer.compute_output_shape(input_shape)
        return tuple(input_shape)

    def _first_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.built = True  # the call builds layer by layer

    def call(self, inputs: Any, training: bool | None = None, mask: Any = None) -> Any:
        if not self._stack and not self._ends:
            raise value_error(
                f"Sequential model {self.name} cannot be built because it has no layers.",
                "Call `model.add(layer)`, as in model.add(tf.keras.layers.Dense(1)).",
            )
        if isinstance(training, Tensor) and training.ndim:
            raise type_error(
                f"Sequential model {self.name} takes one input, and a second one of shape {tuple(training.shape)} was given",
                "tf.keras.layers.Concatenate()([x, y]) makes one of two; tf.keras.Model(inputs=[a, b], …) takes two.",
            )
        masks.hand_on(inputs, mask)
        if self._ends:
            inputs = fitted(inputs, self._ends[0], self.name)
        with calling(training):
            for layer in self._stack:
                inputs = layer(inputs)
        return inputs

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_ends": [self._ends[0].shape] if self._ends else []}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        shapes = kept["_ends"]
        super().__setstate__({**kept, "_ends": []})
        for layer in self._stack:
            layer._home = weakref.ref(self)
        for shape in shapes:
            self.build(shape)

    def _copied(self, copy: Callable[[Layer], Layer]) -> Sequential:
        """Other layers in the same order."""
        model = Sequential([copy(layer) for layer in self._stack], name=self.name)
        if self._ends:
            model.build(self._ends[0].shape)
        return model

    def get_config(self) -> dict[str, Any]:
        """Its layers, and the shape for which it was built."""
        config = {"name": self.name, "trainable": self._trainable, "layers": described(self._stack)}
        return {**config, "build_input_shape": self._ends[0].shape} if self._ends else config

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Any:
        """A model of such layers, with weights of its own."""
        model = cls([revived(Layer, layer) for layer in config["layers"]], name=config.get("name"))
        if config.get("build_input_shape") is not None:
            model.build(config["build_input_shape"])
        return model


def _place(shape: Any) -> KerasTensor:
    answer: KerasTensor = InputLayer(shape[1:], shape[0]).output
    return answer


def _shape(symbols: Any) -> Any:
    return nest.map_structure(lambda symbol: symbol.shape, symbols)
