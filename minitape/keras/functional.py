"""Functional models, `tf.keras.Model(inputs, outputs)`: the layers between two sets of symbols.

Each symbol remembers the call that made it, so the model is found once by walking back from its outputs.  A call of the model
repeats the layers' calls on tensors, in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import nest
from ..dtypes import as_dtype
from ..ops.shapes import expand_dims, squeeze
from ..record.refusal import value_error
from ..tensor import Operand
from . import masks
from .calls import calling
from .config import described, revived
from .layer import Layer
from .model import Model
from .names import floatx
from .operation import Operation
from .symbol import KerasTensor, SymbolCall, symbols_in


class InputLayer(Layer):
    """Stands for an input of a model; computes nothing.

    >>> tf.keras.layers.InputLayer((3,), name="pixels").output
    <KerasTensor shape=(None, 3), dtype=float32, sparse=False, ragged=False, name=pixels>
    """

    def __init__(
        self, shape: Sequence[int | None] | None = None, batch_size: int | None = None, dtype: Any = None,
        name: str | None = None, input_shape: Sequence[int | None] | None = None,
        batch_shape: Sequence[int | None] | None = None,
    ) -> None:  # fmt: skip
        if isinstance(shape, int):
            raise value_error(
                f"Cannot convert '{shape}' to a shape.",
                f"A shape is a tuple, without the batch: tf.keras.Input(({shape},)).",
            )
        super().__init__(dtype=as_dtype(dtype or floatx()).name, name=name)
        if batch_shape is not None:
            batch_size, *shape = batch_shape
        self.shape, self.batch_size = tuple((shape if input_shape is None else input_shape) or ()), batch_size
        self.batch_shape = (batch_size, *self.shape)
        call = SymbolCall(self)
        call.outputs = [KerasTensor(self.batch_shape, self.dtype, name, call)]
        self._shapes, self.built = (self.batch_shape, self.batch_shape), True

    def get_config(self) -> dict[str, Any]:
        """Its shape with the batch, which says all of them."""
        return {"name": self.name, "dtype": self.dtype, "batch_shape": self.batch_shape}

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "symbol_calls": self.symbol_calls[:1]}  # its own symbol

    @property
    def input(self) -> KerasTensor:
        """The symbol itself."""
        answer: KerasTensor = self.output
        return answer

    def call(self, inputs: Any) -> Any:
        return inputs


def Input(
    shape: Sequence[int | None] | None = None, batch_size: int | None = None, dtype: Any = None, name: str | None = None,
    batch_shape: Sequence[int | None] | None = None,
) -> KerasTensor:  # fmt: skip
    """A symbol for an input, with the `shape` of one example: for `Model(inputs, outputs)`, or first in a `Sequential`.

    >>> pixels = tf.keras.Input((3,), name="pixels")
    >>> tf.keras.layers.Dense(2)(pixels).shape
    (None, 2)
    """
    answer: KerasTensor = InputLayer(shape, batch_size, dtype, name, batch_shape=batch_shape).output
    return answer


class Between(Model):
    """What models of symbols have in common: the symbols that they begin and end with, and the layers between these."""

    _stack: list[Layer]

    def symbols(self) -> Any:
        """The symbols before the first layer and after the last, in their structures."""
        raise NotImplementedError

    @property
    def inputs(self) -> list[KerasTensor]:
        """The symbols that it begins with."""
        return nest.flatten(self.symbols()[0])

    @property
    def outputs(self) -> list[KerasTensor]:
        """The symbols that it ends with."""
        return nest.flatten(self.symbols()[1])

    @property
    def input(self) -> Any:
        """The symbols that it begins with, in the structure that was given."""
        return self.symbols()[0]

    @property
    def output(self) -> Any:
        """The symbols that it ends with, in the structure that was given."""
        return self.symbols()[1]

    @property
    def layers(self) -> list[Layer]:
        """The layers in the order in which they run; those of the inputs too, where each is a layer."""
        return list(self._stack)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """None: the layers inside give the outputs their masks."""
        return None


class Functional(Between):
    """The layers between `inputs` and `outputs`, symbols or structures of symbols: what `tf.keras.Model(inputs, outputs)` is.

    Raises ValueError for what are no symbols, and for outputs that do not come from the inputs.

    >>> x = tf.keras.Input((3,))
    >>> hidden = tf.keras.layers.Dense(4, activation="relu")(x)
    >>> model = tf.keras.Model(inputs=x, outputs=[hidden, tf.keras.layers.Dense(1)(hidden)])
    >>> [y.shape.as_list() for y in model(tf.ones([2, 3]))]
    [[2, 4], [2, 1]]
    """

    def __init__(self, inputs: Any, outputs: Any, name: str | None = None, trainable: bool = True) -> None:
        super().__init__(name=name, trainable=trainable)
        for what, symbols in (("inputs", inputs), ("outputs", outputs)):
            for item in nest.flatten(symbols):
                if not isinstance(item, KerasTensor):
                    raise value_error(
                        f"All `{what}` values must be KerasTensors. Received: {what}={symbols!r}",
                        "Start with x = tf.keras.Input(shape), and call layers on it.",
                    )
        self._from, self._to = inputs, outputs
        self._calls = _in_order(nest.flatten(inputs), nest.flatten(outputs))
        self._stack = list(dict.fromkeys(item.layer for item in self._calls))
        self._shapes, self.built = (_shapes(inputs), _shapes(outputs)), True

    def symbols(self) -> tuple[Any, Any]:
        return self._from, self._to

    @property
    def operations(self) -> list[Layer]:
        """Its layers and the functions between them, in the order of their calls."""
        return list(self._stack)

    @property
    def layers(self) -> list[Layer]:
        """The layers that it consists of, without functions of symbols."""
        return [layer for layer in super().layers if not isinstance(layer, Operation)]

    @property
    def output_names(self) -> list[str]:
        """The layers that the outputs come from."""
        return [item.call.layer.name for item in self.outputs if item.call is not None]

    def connections(self) -> dict[Layer, list[str]] | None:
        """From which calls each layer takes its inputs; None where the layers form a chain."""
        takes = [symbols_in((item.args, item.kwargs)) for item in self._calls]
        chain = all(len(takes[i]) == 1 and takes[i][0] in self._calls[i - 1].outputs for i in range(1, len(takes)))
        if chain and len(self._stack) == len(self._calls):
            return None
        made = {id(symbol): item for item in self._calls for symbol in item.outputs}
        names: dict[Layer, list[str]] = {layer: [] for layer in self._stack}
        for item in self._calls:
            for symbol in symbols_in((item.args, item.kwargs)):
                source = made[id(symbol)]
                position = [id(output) for output in source.outputs].index(id(symbol))
                names[item.layer].append(f"{source.layer.name}[{source.number}][{position}]")
        return names

    def build(self, input_shape: Any) -> None:
        """There is nothing left to make."""

    def call(self, inputs: Any, training: bool | None = None, mask: Any = None) -> Any:
        """Repeat the layers' calls on tensors; what a layer was told of training where the model was made stands."""
        masks.hand_on(inputs, mask)
        given = _ordered(self._from, inputs)
        if len(given) != len(self.inputs):
            raise value_error(
                f"Layer {self.name!r} expects {len(self.inputs)} input(s), but it received {len(given)} input tensors.",
                f"Give it values for {[item.name for item in self.inputs]}, in this structure.",
            )
        pairs = enumerate(zip(self.inputs, given, strict=True))
        values = {id(symbol): fitted(value, symbol, self.name, number) for number, (symbol, value) in pairs}
        with calling(training):
            return self._again(values, lambda layer: layer)

    def _again(self, values: dict[int, Any], layer_for: Callable[[Layer], Any]) -> Any:
        """Repeat every call on other values; returns those of the outputs, in their structure."""

        def valued(item: Any) -> Any:
            return values[id(item)] if isinstance(item, KerasTensor) else item

        for item in self._calls:
            if isinstance(item.layer, InputLayer):
                continue
            args, kwargs = nest.map_structure(valued, (item.args, item.kwargs))
            answer = nest.flatten(layer_for(item.layer)(*args, **kwargs))
            values.update((id(symbol), value) for symbol, value in zip(item.outputs, answer, strict=True))
        return nest.map_structure(valued, self._to)

    def __setstate__(self, kept: dict[str, Any]) -> None:
        super().__setstate__(kept)
        for call in self._calls:  # layers are copied without their calls on symbols
            if call not in call.layer.symbol_calls:
                call.layer.symbol_calls.append(call)

    def _copied(self, copy: Callable[[Layer], Layer]) -> Functional:
        """A model of the same calls with copies of the layers."""
        twins = {layer: copy(layer) for layer in self._stack}
        begins = {
            id(call.outputs[0]): twins[call.layer].output for call in self._calls if isinstance(call.layer, InputLayer)
        }
        inputs = nest.map_structure(lambda item: begins[id(item)], self._from)
        return Functional(inputs, self._again(begins, twins.__getitem__), name=self.name)

    def get_config(self) -> dict[str, Any]:
        """Its layers and their calls; a symbol is written as the number of its call and of the output of that."""
        numbers = {id(item): [i, j] for i, call in enumerate(self._calls) for j, item in enumerate(call.outputs)}

        def numbered(value: Any) -> Any:
            return {"symbol": numbers[id(value)]} if isinstance(value, KerasTensor) else described(value)

        calls = [
            {"layer": call.layer.name, **nest.map_structure(numbered, {"args": call.args, "kwargs": call.kwargs})}
            for call in self._calls
        ]
        ends = {"inputs": nest.map_structure(numbered, self._from), "outputs": nest.map_structure(numbered, self._to)}
        return {
            "name": self.name,
            "trainable": self._trainable,
            "layers": described(self._stack),
            "calls": calls,
            **ends,
        }

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Any:
        """A model of such layers and calls, with weights of its own."""
        layers = {item["config"]["name"]: revived(Layer, item) for item in config["layers"]}
        made: list[list[Any]] = []

        def symbol(value: Any) -> Any:
            if isinstance(value, dict):
                if value.keys() == {"symbol"}:
                    return made[value["symbol"][0]][value["symbol"][1]]
                return {name: symbol(item) for name, item in value.items()}
            return type(value)(symbol(item) for item in value) if isinstance(value, list | tuple) else value

        for call in config["calls"]:
            layer = layers[call["layer"]]
            begins = isinstance(layer, InputLayer)
            made.append(
                [layer.output] if begins else nest.flatten(layer(*symbol(call["args"]), **symbol(call["kwargs"])))
            )
        return Functional(symbol(config["inputs"]), symbol(config["outputs"]), name=config["name"])


def fitted(value: Any, symbol: KerasTensor, model: str, number: int = 0) -> Any:
    """An input with as many axes as its symbol: a last axis of length 1 is added, or left out, as Keras does it.

    Raises ValueError where it has other axes.

    >>> fitted(tf.ones([5]), tf.keras.Input((1,)), "model").shape
    TensorShape([5, 1])
    """
    if not isinstance(value, Operand) or len(value.shape) == len(symbol.shape):
        return value
    more = len(value.shape) - len(symbol.shape)
    if more == 1 and value.shape[-1] == 1:
        return squeeze(value, -1)
    if more == -1 and symbol.shape[-1] == 1:
        return expand_dims(value, -1)
    name = symbol.name if symbol.call is None else symbol.call.layer.name
    raise value_error(
        f"Input {number} with name {name!r} of layer {model!r} is incompatible with the layer: expected "
        f"shape={symbol.shape}, found shape={tuple(value.shape)}",
        "The first axis is the batch: one example alone is x[tf.newaxis].",
    )


def _ordered(structure: Any, inputs: Any) -> list[Any]:
    """The inputs in the order of the symbols; a dict may have their names as keys.  Raises ValueError where one is missing."""
    if not isinstance(inputs, dict):
        return nest.flatten(inputs)
    names = list(structure) if isinstance(structure, dict) else [item.name for item in nest.flatten(structure)]
    missing = next((name for name in names if name not in inputs), None)
    if missing is not None:
        raise value_error(
            f'Missing data for input "{missing}". You passed a data dictionary with keys {list(inputs)}. Expected the following '
            f"keys: {names}",
            "An input has the name that tf.keras.Input(shape, name=...) gives it.",
        )
    return nest.flatten(inputs) if isinstance(structure, dict) else [inputs[name] for name in names]


Model._functional = Functional  # so that Model(inputs, outputs) is one


def _in_order(inputs: list[KerasTensor], outputs: list[KerasTensor]) -> list[SymbolCall]:
    """The calls between the symbols, each after those that it needs; in Keras's order, by distance from the outputs."""
    begins = {id(item): _beginning(item) for item in inputs}
    depths: dict[SymbolCall, int] = {}  # in the order of the calls

    def source(symbol: KerasTensor) -> SymbolCall:
        call = begins.get(id(symbol), symbol.call)
        if call is None or isinstance(call.layer, InputLayer) and id(symbol) not in begins:
            raise value_error(
                f"Output with name {symbol.name!r} is not connected to `inputs`",
                f"Put it into inputs too, or use only {[item.name for item in inputs]}.",
            )
        return call

    def visit(call: SymbolCall) -> None:
        if call not in depths:
            for item in sources(call):
                visit(item)
            depths[call] = 0

    def sources(call: SymbolCall) -> list[SymbolCall]:
        return [source(item) for item in symbols_in((call.args, call.kwargs))]

    for item in outputs:
        visit(source(item))
    for call in reversed(list(depths)):
        for before in sources(call):
            depths[before] = max(depths[before], depths[call] + 1)
    return sorted(depths, key=lambda call: -depths[call])


def _beginning(symbol: KerasTensor) -> SymbolCall:
    """The call that stands for an input; a model that begins in the middle of another gets an input layer of its own."""
    if symbol.call is not None and isinstance(symbol.call.layer, InputLayer):
        return symbol.call
    call = SymbolCall(InputLayer(symbol.shape[1:], symbol.shape[0], symbol.dtype))
    call.outputs = [symbol]
    return call


def _shapes(symbols: Any) -> Any:
    """The shape of one, or those of several as a list, whatever structure they stand in."""
    shapes = [symbol.shape for symbol in nest.flatten(symbols)]
    return shapes[0] if len(shapes) == 1 else shapes
