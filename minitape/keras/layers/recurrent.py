"""Recurrent layers, which call a cell step after step and pass its states on: `RNN` for any cell, and the named layers."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from ... import nest
from ...ops.elementwise import cast, where
from ...ops.joins import stack, unstack
from ...ops.shapes import expand_dims
from ...record.refusal import invalid_argument, value_error
from ...tensor import Operand, Tensor, convert
from ...variable import Variable
from ..config import arguments, revived
from ..input_spec import InputSpec
from ..layer import Layer, unrecognized
from ..names import snake
from .cells import Cell, GRUCell, LSTMCell, SimpleRNNCell, StackedRNNCells, first_states, sizes


class _States:
    """The states that a stateful layer keeps from call to call; they are no weights."""

    def __init__(self, values: list[Any]) -> None:
        self.variables = [Variable(value, trainable=False, name="rnn_state") for value in values]


class RNN(Layer):
    """Calls a cell for each step of [batch, steps, features]; returns the last output, or with `return_sequences` all.

    Args: return_state, to return the states too; go_backwards, from the last step to the first; stateful, so that a
    call goes on where the last one ended, until `reset_state()`.  The `mask` of a call [batch, steps] is False for
    steps that change nothing.  Raises ValueError for a cell without `state_size`.

    >>> class Total(tf.keras.layers.Layer):
    ...     state_size = 1
    ...     def call(self, x, states):
    ...         return states[0] + x, [states[0] + x]
    >>> tf.keras.layers.RNN(Total(), return_sequences=True)(tf.constant([[[1.0], [2.0], [3.0]]])).numpy().ravel()
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
            raise value_error(
                f"The RNN cell should have a `state_size` attribute (single integer or list of integers). Received: cell={cell}",
                "Write self.state_size = units in its __init__.",
            )
        self.return_sequences, self.return_state, self.go_backwards = return_sequences, return_state, go_backwards
        self.stateful, self.unroll, self.zero_output_for_mask = stateful, unroll, zero_output_for_mask
        self.input_spec = InputSpec(min_ndim=3)
        self._states: _States | None = None

    def build(self, input_shape: Any) -> None:
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell.build((input_shape[0], *input_shape[2:]))

    supports_masking = True

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the input where every step has an output."""
        return nest.flatten(mask)[0] if self.return_sequences else None

    def get_initial_state(self, batch_size: int) -> list[Any]:
        """The states before the first step: the cell's own initial state, or zeros."""
        return first_states(self.cell, batch_size, self._dtype)

    @property
    def states(self) -> list[Variable] | None:
        """The states of a stateful layer."""
        return None if self._states is None else self._states.variables

    def reset_state(self) -> None:
        """Begin anew with the next call."""
        for state in self.states or ():
            state.assign(np.zeros(tuple(state.shape), state.tag.dtype))

    reset_states = reset_state

    def call(self, sequences: Any, initial_state: Any = None, mask: Any = None, training: bool = False) -> Any:
        x = cast(sequences, self._dtype) if convert(sequences).dtype.is_floating else convert(sequences)
        states = self._begin(initial_state, x.shape[0])
        steps = unstack(x, axis=1)
        kept = (
            [None] * len(steps)
            if mask is None
            else [expand_dims(step, -1) for step in unstack(cast(mask, "bool"), axis=1)]
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
            for state, value in zip(self._states.variables, states, strict=True):
                state.assign(value)
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
            states = list(given) if isinstance(given, list | tuple) else [given]
            self._must_fit(states, batch)
            return states
        if not self.stateful:
            return self.get_initial_state(batch)
        if self._states is None:
            self._states = _States(self.get_initial_state(batch))
        if self._states.variables[0].shape[0] != batch:
            raise value_error(
                "If an RNN is stateful, the batch size of the input sequences must be the same as the batch size of the initial "
                f"state. Expected {self._states.variables[0].shape[0]}, received {batch}",
                "Each example goes on where the one in its place ended.",
            )
        return [state.value() for state in self._states.variables]

    def _must_fit(self, states: list[Any], batch: int) -> None:
        lengths = sizes(self.cell)
        if not all(isinstance(part, Operand) for part in states) or not all(isinstance(one, int) for one in lengths):
            return  # a cell of the learner's own, whose states only it knows
        wanted, found = [[batch, length] for length in lengths], [part.shape.as_list() for part in states]
        # A state of one row is that of all examples, and a state too many is nobody's.
        fits = [
            have[-1:] == want[-1:] and len(have) == 2 and have[0] in (1, batch) for have, want in zip(found, wanted)
        ]
        if len(found) < len(wanted) or not all(fits):
            raise invalid_argument(
                f"initial_state of {self.name} has {'the shape' if len(found) == 1 else 'the shapes'} "
                f"{', '.join(map(str, found))}, and {type(self.cell).__name__} needs {', '.join(map(str, wanted))}",
                f"[batch, units], {'one tensor' if len(wanted) == 1 else f'a list of {len(wanted)}'}: "
                f"initial_state={'[' * (len(wanted) > 1)}{', '.join([f'tf.zeros({want})' for want in wanted])}"
                f"{']' * (len(wanted) > 1)} is what it begins with by itself.",
            )

    def _masks(self, kept: dict[str, Tensor] | None) -> None:
        for cell in [self.cell, *getattr(self.cell, "cells", ())]:
            if isinstance(cell, Cell):
                cell.kept = None if kept is None else dict(kept)

    def compute_output_shape(self, input_shape: Any) -> Any:
        batch, length = input_shape[:2]
        lengths = sizes(self.cell)
        width = getattr(self.cell, "output_size", None) or lengths[-1 if isinstance(self.cell, StackedRNNCells) else 0]
        shape = (batch, length, width) if self.return_sequences else (batch, width)
        return (shape, *((batch, size) for size in lengths)) if self.return_state else shape


class _Named(RNN):
    """An RNN of one kind of cell: it takes the arguments of the cell, and those of `RNN`."""

    kind: type[Cell]

    def __init__(self, units: int, *args: Any, **options: Any) -> None:
        around = [*inspect.signature(RNN.__init__).parameters][2:-1]
        common = ("name", "trainable", "dtype", "activity_regularizer", "input_shape")
        own = {name: options.pop(name) for name in (*around, *common) if name in options}
        for ignored in ("implementation", "use_cudnn", "time_major", "reset_after" if self.kind is not GRUCell else ""):
            options.pop(ignored, None)
        same = {name: own[name] for name in ("trainable", "dtype") if name in own}
        made: Any = self.kind
        known = arguments(made)
        if unknown := {name: value for name, value in options.items() if name not in known}:
            raise unrecognized(type(self), unknown, *known, *around)
        super().__init__(made(units, *args, name=snake(made.__name__), **same, **options), **own)
        self.input_spec = InputSpec(ndim=3)

    def __getattr__(self, name: str) -> Any:
        cell = vars(self).get("cell")
        if cell is None or name.startswith("_") or name not in ("state_size", *cell.get_config()):
            return super().__getattr__(name)
        return getattr(cell, name)

    def get_config(self) -> dict[str, Any]:
        """What it and its cell were made with."""
        config = super().get_config()
        del config["cell"]
        return {**self.cell.get_config(), **config}


class SimpleRNN(_Named):
    """Each step mixes the input with the last output: activation(x @ kernel + h @ recurrent_kernel + bias).

    >>> tf.keras.layers.SimpleRNN(4)(tf.ones([2, 3, 5])).shape
    TensorShape([2, 4])
    """

    kind = SimpleRNNCell


class LSTM(_Named):
    """Long short-term memory: outputs, and a carry that goes along (Hochreiter and Schmidhuber 1997).

    Args: units; activation, recurrent_activation; kernel_initializer, recurrent_initializer, bias_initializer, and
    ..._regularizer and ..._constraint of these; dropout, recurrent_dropout; and what `RNN` takes.

    >>> lstm = tf.keras.layers.LSTM(4, return_sequences=True, return_state=True, name="lstm")
    >>> y, last, carry = lstm(tf.ones([2, 3, 5]))
    >>> y.shape, last.shape, [weight.path for weight in lstm.weights][1]
    (TensorShape([2, 3, 4]), TensorShape([2, 4]), 'lstm/lstm_cell/recurrent_kernel')
    """

    kind = LSTMCell


class GRU(_Named):
    """A gated recurrent unit (Cho et al. 2014).

    >>> gru = tf.keras.layers.GRU(4)
    >>> gru(tf.ones([2, 3, 5])).shape, [weight.shape.as_list() for weight in gru.weights]
    (TensorShape([2, 4]), [[5, 12], [4, 12], [2, 12]])
    """

    kind = GRUCell
