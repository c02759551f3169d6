"""A cell that is called step after step, and hands its states on: `RNN`, and the cells and layers that have names.

A cell is a layer whose call takes an input and its states, and returns an output and new states; `state_size` says how long
these are.  `RNN` does the rest, for cells of your own too.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ops.elementwise import add, cast, where
from ...ops.linalg import matmul
from ...ops.shapes import concat, expand_dims, split, stack, unstack
from ...record.refusal import refusal
from ...tensor import Tensor, convert, make
from ...variable import Variable
from .. import activations
from ..config import revived
from ..input_spec import InputSpec
from ..layer import Layer
from ..names import snake
from ..random import SeedGenerator
from ..weight import Weight
from .dense import positive


class Cell(Layer):
    """What the cells below have in common: a kernel for the input, one for the state, a bias, and numbers that are dropped
    while training, the same ones in every step of a sequence."""

    starts = {"kernel": "glorot_uniform", "recurrent_kernel": "orthogonal", "bias": "zeros"}
    gates = 1  # how many vectors of `units` numbers the kernels make
    kernel: Weight
    recurrent_kernel: Weight
    bias: Weight | None = None

    def __init__(
        self, units: int, activation: Any = "tanh", use_bias: bool = True, dropout: float = 0.0, recurrent_dropout: float = 0.0,
        seed: int | None = None, **options: Any,
    ) -> None:  # fmt: skip
        for weight in self.starts:  # recurrent_initializer, not recurrent_kernel_initializer
            for what in ("initializer", "regularizer", "constraint"):
                if weight == "recurrent_kernel" and f"recurrent_{what}" in options:
                    options[f"{weight}_{what}"] = options.pop(f"recurrent_{what}")
        super().__init__(**options)
        self.units, self.activation, self.use_bias = positive("units", units), activations.get(activation), use_bias
        self.dropout, self.recurrent_dropout, self.seed = dropout, recurrent_dropout, seed
        self.seed_generator = SeedGenerator(seed)
        self.kept: dict[str, Tensor] | None = None  # the masks of this sequence, while one is running

    @property
    def state_size(self) -> Any:
        """How long a state is."""
        return self.units

    def build(self, input_shape: Any) -> None:
        """Make the kernels and the bias."""
        width = self.gates * self.units
        self.kernel = self.weight("kernel", (input_shape[-1], width))
        self.recurrent_kernel = self.weight("recurrent_kernel", (self.units, width))
        self.bias = self._bias(width) if self.use_bias else None

    def _bias(self, width: int) -> Weight:
        return self.weight("bias", (width,))

    def dropped(self, inputs: Any, state: Any, training: Any) -> tuple[Any, Any]:
        """Input and state without what is dropped."""
        if not training:
            return inputs, state
        return self._less(inputs, self.dropout, "input"), self._less(state, self.recurrent_dropout, "state")

    def _less(self, x: Any, rate: float, what: str) -> Any:
        if not rate:
            return x
        masks = {} if self.kept is None else self.kept
        if what not in masks:
            stays = self.seed_generator.uniform(tuple(x.shape)) >= rate
            masks[what] = make(np.asarray(stays / (1.0 - rate), x._tag.dtype))
        return x * masks[what]


class SimpleRNNCell(Cell):
    """activation(x @ kernel + bias + h @ recurrent_kernel)."""

    def call(self, inputs: Any, states: Any, training: bool = False) -> Any:
        """One step: the output is the new state."""
        inputs, state = self.dropped(inputs, states[0], training)
        h = matmul(inputs, self.kernel)
        h = h if self.bias is None else add(h, self.bias)
        h = self.activation(add(h, matmul(state, self.recurrent_kernel)))
        return h, [h]


class LSTMCell(Cell):
    """Long short-term memory (Hochreiter and Schmidhuber 1997): a carry that gates write to, keep, and read.

    The kernels hold the gates in the order input, forget, carry, output; `unit_forget_bias` starts the second with ones.
    """

    gates = 4

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "sigmoid", use_bias: bool = True,
        unit_forget_bias: bool = True, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(units, activation, use_bias, **options)
        self.recurrent_activation = activations.get(recurrent_activation)
        self.unit_forget_bias = unit_forget_bias

    @property
    def state_size(self) -> Any:
        """How long output and carry are."""
        return [self.units, self.units]

    def _bias(self, width: int) -> Weight:
        if not self.unit_forget_bias:
            return super()._bias(width)

        fill = getattr(self, "bias_initializer")  # noqa: B009  made by the table of `starts`

        def start(shape: Any, dtype: Any = None) -> Any:
            first, last = fill((self.units,), dtype), fill((2 * self.units,), dtype)
            return concat([first, make(np.ones(self.units, first._tag.dtype)), last], 0)

        return self.weight("bias", (width,), initializer=start)

    def call(self, inputs: Any, states: Any, training: bool = False) -> Any:
        """One step: the new output and carry."""
        inputs, state = self.dropped(inputs, states[0], training)
        z = add(matmul(inputs, self.kernel), matmul(state, self.recurrent_kernel))
        into, forget, new, out = split(z if self.bias is None else add(z, self.bias), 4, axis=1)
        gate, activation = self.recurrent_activation, self.activation
        carry = gate(forget) * states[1] + gate(into) * activation(new)
        h = gate(out) * activation(carry)
        return h, [h, carry]


class GRUCell(Cell):
    """A gated recurrent unit (Cho et al. 2014): one gate mixes the old state with a new one, another says what the new one sees.

    The kernels hold them in the order update, reset, new state; with `reset_after` the reset comes behind the product, and
    there are two biases.
    """

    gates = 3

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "sigmoid", use_bias: bool = True,
        reset_after: bool = True, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(units, activation, use_bias, **options)
        self.recurrent_activation, self.reset_after = activations.get(recurrent_activation), reset_after

    def _bias(self, width: int) -> Weight:
        return self.weight("bias", (2, width) if self.reset_after else (width,))

    def call(self, inputs: Any, states: Any, training: bool = False) -> Any:
        """One step: the output is the new state."""
        inputs, state = self.dropped(inputs, states[0], training)
        gate = self.recurrent_activation
        before: Any = self.bias
        recurrent: Any = None
        if self.bias is not None and self.reset_after:
            before, recurrent = unstack(self.bias)
        x = matmul(inputs, self.kernel)
        x_update, x_reset, x_new = split(x if before is None else add(x, before), 3, axis=-1)
        if self.reset_after:
            inner = matmul(state, self.recurrent_kernel)
            h_update, h_reset, h_new = split(inner if recurrent is None else add(inner, recurrent), 3, axis=-1)
            update, h_new = gate(x_update + h_update), gate(x_reset + h_reset) * h_new
        else:
            of_gates, of_new = split(self.recurrent_kernel, [2 * self.units, self.units], axis=-1)
            h_update, h_reset = split(matmul(state, of_gates), 2, axis=-1)
            update, h_new = gate(x_update + h_update), matmul(gate(x_reset + h_reset) * state, of_new)
        h = update * states[0] + (1.0 - update) * self.activation(x_new + h_new)
        return h, [h]


class StackedRNNCells(Layer):
    """Cells one after the other, as one cell: each takes the output of the one before."""

    def __init__(self, cells: Sequence[Any], **options: Any) -> None:
        super().__init__(**options)
        self.cells = [revived(Layer, one) for one in cells]

    @property
    def state_size(self) -> list[int]:
        """How long all states are."""
        return [size for cell in self.cells for size in _sizes(cell)]

    def build(self, input_shape: Any) -> None:
        """Build all cells."""
        for cell in self.cells:
            if not cell.built:
                cell.build(input_shape)
            input_shape = (input_shape[0], _sizes(cell)[0])

    def call(self, inputs: Any, states: Any) -> Any:
        """One step of all cells."""
        new: list[Any] = []
        for cell in self.cells:
            here = states[len(new) : len(new) + len(_sizes(cell))]
            inputs, after = cell(inputs, here)
            new += after if isinstance(after, list | tuple) else [after]
        return inputs, new


def _sizes(cell: Any) -> list[int]:
    size = cell.state_size
    return list(size) if isinstance(size, list | tuple) else [size]


class _States:
    """What a stateful layer keeps from call to call; no weights of it."""

    def __init__(self, values: list[Any]) -> None:
        self.variables = [Variable(one, trainable=False, name="rnn_state") for one in values]


class RNN(Layer):
    """A cell, called for each step of [batch, steps, features]; gives the last output, or with `return_sequences` all.

    Args: return_state, the states too; go_backwards, from the last step to the first; stateful, the next call goes on where
    this one ends, until `reset_state()`; `mask` of a call [batch, steps], False where a step leaves everything as it is.

    >>> import minitape as tf
    >>> class Total(tf.keras.layers.Layer):
    ...     state_size = 1
    ...     def call(self, x, states):
    ...         return states[0] + x, [states[0] + x]
    >>> RNN(Total(), return_sequences=True)(tf.constant([[[1.0], [2.0], [3.0]]])).numpy().ravel()
    array([1., 3., 6.], dtype=float32)
    """

    def __init__(
        self, cell: Any, return_sequences: bool = False, return_state: bool = False, go_backwards: bool = False,
        stateful: bool = False, unroll: bool = False, zero_output_for_mask: bool = False, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(**options)
        cell = revived(Layer, cell)
        self.cell = StackedRNNCells(cell) if isinstance(cell, list | tuple) else cell
        if not hasattr(self.cell, "state_size"):
            raise refusal(
                ValueError,
                f"The RNN cell should have a `state_size` attribute (single integer or list of integers). Received: cell={cell}",
                "Write self.state_size = units in its __init__.",
            )
        self.return_sequences, self.return_state, self.go_backwards = return_sequences, return_state, go_backwards
        self.stateful, self.unroll, self.zero_output_for_mask = stateful, unroll, zero_output_for_mask
        self.input_spec = InputSpec(min_ndim=3)
        self._states: _States | None = None

    def build(self, input_shape: Any) -> None:
        """Build the cell for one step."""
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell.build((input_shape[0], *input_shape[2:]))

    def get_initial_state(self, batch_size: int) -> list[Any]:
        """The states before the first step: what the cell says, else zeros."""
        own = getattr(self.cell, "get_initial_state", None)
        if own is not None:
            states = own(batch_size=batch_size)
            return list(states) if isinstance(states, list | tuple) else [states]
        return [make(np.zeros((batch_size, size), self._dtype.numpy_dtype)) for size in _sizes(self.cell)]

    @property
    def states(self) -> list[Variable] | None:
        """The states of a stateful layer."""
        return None if self._states is None else self._states.variables

    def reset_state(self) -> None:
        """Begin anew with the next call."""
        for one in self.states or ():
            one.assign(np.zeros(tuple(one.shape), one._tag.dtype))

    reset_states = reset_state

    def call(self, sequences: Any, initial_state: Any = None, mask: Any = None, training: bool = False) -> Any:
        """The cell's ops, once for each step."""
        x = cast(sequences, self._dtype) if convert(sequences).dtype.is_floating else convert(sequences)
        states = self._begin(initial_state, x.shape[0])
        steps = unstack(x, axis=1)
        kept = (
            [None] * len(steps)
            if mask is None
            else [expand_dims(one, -1) for one in unstack(cast(mask, "bool"), axis=1)]
        )
        pairs = list(zip(steps, kept, strict=True))
        outputs: list[Any] = []
        self._masks({})
        for step, here in reversed(pairs) if self.go_backwards else pairs:
            output, new = self.cell(step, states)
            new = list(new) if isinstance(new, list | tuple) else [new]
            if here is not None:
                before = outputs[-1] if outputs and not self.zero_output_for_mask else output * 0.0
                output = where(here, output, before)
                new = [where(here, after, old) for after, old in zip(new, states, strict=True)]
            outputs.append(output)
            states = new
        self._masks(None)
        if self._states is not None:
            for place, value in zip(self._states.variables, states, strict=True):
                place.assign(value)
        answer = stack(outputs, axis=1) if self.return_sequences else self._last(outputs, states, kept)
        return (answer, *states) if self.return_state else answer

    def _last(self, outputs: list[Any], states: list[Any], kept: list[Any]) -> Any:
        if not self.zero_output_for_mask or kept[0] is None:
            return outputs[-1]
        last = outputs[0]
        for output, here in zip(outputs[1:], kept[1:] if not self.go_backwards else kept[-2::-1], strict=True):
            last = where(here, output, last)
        return last

    def _begin(self, given: Any, batch: int) -> list[Any]:
        if given is not None:
            return list(given) if isinstance(given, list | tuple) else [given]
        if not self.stateful:
            return self.get_initial_state(batch)
        if self._states is None:
            self._states = _States(self.get_initial_state(batch))
        if self._states.variables[0].shape[0] != batch:
            raise refusal(
                ValueError,
                "If an RNN is stateful, the batch size of the input sequences must be the same as the batch size of the initial "
                f"state. Expected {self._states.variables[0].shape[0]}, received {batch}",
                "Each example goes on where the one in its place ended.",
            )
        return [one.value() for one in self._states.variables]

    def _masks(self, kept: dict[str, Tensor] | None) -> None:
        for cell in [self.cell, *getattr(self.cell, "cells", ())]:
            if isinstance(cell, Cell):
                cell.kept = None if kept is None else dict(kept)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The last output or all of them, and the states where they are wanted."""
        batch, length = input_shape[:2]
        sizes = _sizes(self.cell)
        width = getattr(self.cell, "output_size", None) or sizes[-1 if isinstance(self.cell, StackedRNNCells) else 0]
        shape = (batch, length, width) if self.return_sequences else (batch, width)
        return (shape, *((batch, size) for size in sizes)) if self.return_state else shape


class _Named(RNN):
    """An RNN around a cell with a name: its arguments are the cell's, and those of `RNN`."""

    kind: type[Cell]

    def __init__(self, units: int, *args: Any, **options: Any) -> None:
        around = [*inspect.signature(RNN.__init__).parameters][2:-1]
        common = ("name", "trainable", "dtype", "activity_regularizer", "input_shape")
        own = {name: options.pop(name) for name in (*around, *common) if name in options}
        for ignored in ("implementation", "use_cudnn", "time_major", "reset_after" if self.kind is not GRUCell else ""):
            options.pop(ignored, None)
        same = {name: own[name] for name in ("trainable", "dtype") if name in own}
        made: Any = self.kind
        super().__init__(made(units, *args, name=snake(made.__name__), **same, **options), **own)
        self.input_spec = InputSpec(ndim=3)

    def __getattr__(self, name: str) -> Any:
        cell = vars(self).get("cell")
        if cell is None or name.startswith("_") or name not in cell.get_config():
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(cell, name)

    def get_config(self) -> dict[str, Any]:
        """What it and its cell were made with."""
        config = super().get_config()
        del config["cell"]
        return {**self.cell.get_config(), **config}


class SimpleRNN(_Named):
    """Each step mixes the input with the last output: activation(x @ kernel + h @ recurrent_kernel + bias).

    >>> import minitape as tf
    >>> SimpleRNN(4)(tf.ones([2, 3, 5])).shape
    TensorShape([2, 4])
    """

    kind = SimpleRNNCell


class LSTM(_Named):
    """Long short-term memory: outputs, and a carry that goes along (Hochreiter and Schmidhuber 1997).

    Args: units; activation, recurrent_activation; kernel_initializer, recurrent_initializer, bias_initializer, and
    ..._regularizer and ..._constraint of these; dropout, recurrent_dropout; and what `RNN` takes.

    >>> import minitape as tf
    >>> lstm = LSTM(4, return_sequences=True, return_state=True, name="lstm")
    >>> y, last, carry = lstm(tf.ones([2, 3, 5]))
    >>> y.shape, last.shape, [one.path for one in lstm.weights][1]
    (TensorShape([2, 3, 4]), TensorShape([2, 4]), 'lstm/lstm_cell/recurrent_kernel')
    """

    kind = LSTMCell


class GRU(_Named):
    """A gated recurrent unit (Cho et al. 2014).

    >>> import minitape as tf
    >>> [one.shape.as_list() for one in GRU(4, name="gru").weights], GRU(4)(tf.ones([2, 3, 5])).shape
    ([], TensorShape([2, 4]))
    """

    kind = GRUCell
