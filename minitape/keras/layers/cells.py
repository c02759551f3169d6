"""Cells: one step of a recurrent layer.

A cell is a layer whose call takes an input and its states, and returns an output and new states; `state_size` says how long
these are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ops.elementwise import add
from ...ops.joins import concat, split, unstack
from ...ops.linalg import matmul
from ...record.refusal import described, value_error
from ...tensor import Tensor, make
from .. import activations
from ..allowed import positive
from ..calls import calling
from ..config import revived
from ..layer import Layer
from ..random import SeedGenerator
from ..weight import Weight


class Cell(Layer):
    """What the cells below share: a kernel for the input, one for the state, a bias, and dropout while training, with one mask
    for all steps of a sequence."""

    starts = {"kernel": "glorot_uniform", "recurrent": "orthogonal", "bias": "zeros"}
    gates = 1  # how many vectors of `units` numbers the kernels make
    kernel: Weight
    recurrent_kernel: Weight
    bias: Weight | None = None

    def __init__(
        self, units: int, activation: Any = "tanh", use_bias: bool = True, dropout: float = 0.0, recurrent_dropout: float = 0.0,
        seed: int | None = None, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(**options)
        self.units, self.activation, self.use_bias = positive("units", units), activations.get(activation), use_bias
        self.dropout, self.recurrent_dropout, self.seed = dropout, recurrent_dropout, seed
        self.seed_generator = SeedGenerator(seed)
        self.kept: dict[str, Tensor] | None = None  # the masks of this sequence, while one is running

    @property
    def state_size(self) -> Any:
        """How long a state is."""
        return self.units

    @property
    def output_size(self) -> int:
        """How long an output is."""
        return self.units

    def get_initial_state(self, batch_size: int) -> list[Any]:
        """The states before the first step: zeros.

        >>> [state.shape.as_list() for state in tf.keras.layers.LSTMCell(3).get_initial_state(batch_size=2)]
        [[2, 3], [2, 3]]
        """
        return [make(np.zeros((batch_size, size), self._dtype.numpy_dtype)) for size in sizes(self)]

    def build(self, input_shape: Any) -> None:
        width = self.gates * self.units
        self.kernel = self.weight("kernel", (input_shape[-1], width))
        self.recurrent_kernel = self.weight("recurrent", (self.units, width), "recurrent_kernel")
        self.bias = self._bias(width) if self.use_bias else None

    def _bias(self, width: int) -> Weight:
        return self.weight("bias", (width,))

    def dropped(self, inputs: Any, state: Any, training: Any) -> tuple[Any, Any]:
        """Input and state after dropout."""
        if not training:
            return inputs, state
        return self._less(inputs, self.dropout, "input"), self._less(state, self.recurrent_dropout, "state")

    def _less(self, x: Any, rate: float, what: str) -> Any:
        if not rate:
            return x
        masks = {} if self.kept is None else self.kept
        if what not in masks:
            stays = self.seed_generator.uniform(tuple(x.shape)) >= rate
            masks[what] = make(np.asarray(stays / (1.0 - rate), x.tag.dtype))
        return x * masks[what]


class SimpleRNNCell(Cell):
    """One step of `SimpleRNN`: activation(x @ kernel + bias + h @ recurrent_kernel), which is output and new state h.

    >>> cell = tf.keras.layers.SimpleRNNCell(2, activation=None, kernel_initializer="ones", recurrent_initializer="ones")
    >>> output, [state] = cell(tf.constant([[1.0, 2.0, 3.0]]), [tf.constant([[10.0, 20.0]])])
    >>> output.numpy(), state is output
    (array([[36., 36.]], dtype=float32), True)
    """

    def call(self, inputs: Any, states: Any, training: bool = False) -> Any:
        """One step: the output is the new state."""
        before, several = one_of(states)
        inputs, state = self.dropped(inputs, before, training)
        h = matmul(inputs, self.kernel)
        h = h if self.bias is None else add(h, self.bias)
        h = self.activation(add(h, matmul(state, self.recurrent_kernel)))
        return h, [h] if several else h


class LSTMCell(Cell):
    """Long short-term memory (Hochreiter and Schmidhuber 1997): gates write to a carry, keep it, and read it.

    The kernels hold the gates in the order input, forget, carry, output; `unit_forget_bias` starts the second with ones.

    >>> cell = tf.keras.layers.LSTMCell(2)
    >>> output, [state, carry] = cell(tf.ones([1, 3]), [tf.zeros([1, 2]), tf.zeros([1, 2])])
    >>> output.shape, state is output, cell.state_size
    (TensorShape([1, 2]), True, [2, 2])
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
            return concat([first, make(np.ones(self.units, first.tag.dtype)), last], 0)

        return self.weight("bias", (width,), initializer=start)

    def call(self, inputs: Any, states: Any, training: bool = False) -> Any:
        """One step: the new output and carry."""
        if not isinstance(states, list | tuple) or len(states) != 2:
            raise value_error(
                f"{self.name} takes two states, the last output and the carry, got {described(states)}",
                "Write output, [h, c] = cell(x, [h, c]); both begin as tf.zeros([batch, units]).",
            )
        inputs, state = self.dropped(inputs, states[0], training)
        z = add(matmul(inputs, self.kernel), matmul(state, self.recurrent_kernel))
        into, forget, new, out = split(z if self.bias is None else add(z, self.bias), 4, axis=1)
        gate, activation = self.recurrent_activation, self.activation
        carry = gate(forget) * states[1] + gate(into) * activation(new)
        h = gate(out) * activation(carry)
        return h, [h, carry]


class GRUCell(Cell):
    """A gated recurrent unit (Cho et al. 2014): one gate mixes old and new state, another limits what the new state sees.

    The kernels hold the gates in the order update, reset, new state; with `reset_after` the reset is applied after the
    product, and there are two biases.

    >>> cell = tf.keras.layers.GRUCell(2)
    >>> output, [state] = cell(tf.ones([1, 3]), [tf.zeros([1, 2])])
    >>> output.shape, state is output, [weight.shape.as_list() for weight in cell.weights]
    (TensorShape([1, 2]), True, [[3, 6], [2, 6], [2, 6]])
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
        last, several = one_of(states)
        inputs, state = self.dropped(inputs, last, training)
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
        h = update * last + (1.0 - update) * self.activation(x_new + h_new)
        return h, [h] if several else h


class StackedRNNCells(Layer):
    """Several cells as one: each takes the output of the one before, and the last one's is that of all.

    >>> cell = tf.keras.layers.StackedRNNCells([tf.keras.layers.GRUCell(4), tf.keras.layers.LSTMCell(2)])
    >>> cell.state_size, tf.keras.layers.RNN(cell)(tf.ones([1, 5, 3])).shape
    ([4, 2, 2], TensorShape([1, 2]))
    """

    def __init__(self, cells: Sequence[Any], **options: Any) -> None:
        super().__init__(**options)
        self.cells = [revived(Layer, cell) for cell in cells]

    @property
    def state_size(self) -> list[int]:
        """How long all states are."""
        return [size for cell in self.cells for size in sizes(cell)]

    def build(self, input_shape: Any) -> None:
        for cell in self.cells:
            if not cell.built:
                cell.build(input_shape)
            input_shape = (input_shape[0], sizes(cell)[0])

    @property
    def output_size(self) -> Any:
        """How long an output is: that of the last cell."""
        return getattr(self.cells[-1], "output_size", sizes(self.cells[-1])[0])

    def get_initial_state(self, batch_size: int) -> list[Any]:
        """The states of all cells before the first step."""
        return [state for cell in self.cells for state in first_states(cell, batch_size, self._dtype)]

    def call(self, inputs: Any, states: Any, training: bool | None = None) -> Any:
        new: list[Any] = []
        with calling(training):
            for cell in self.cells:
                here = states[len(new) : len(new) + len(sizes(cell))]
                inputs, after = cell(inputs, here)
                new += after if isinstance(after, list | tuple) else [after]
        return inputs, new


def one_of(states: Any) -> tuple[Any, bool]:
    """The state of a cell that has one, and whether it came in a list: what comes back does so, too.

    >>> one_of([2.0]), one_of(2.0)
    ((2.0, True), (2.0, False))
    """
    return (states[0], True) if isinstance(states, list | tuple) else (states, False)


def sizes(cell: Any) -> list[int]:
    """How long a cell's states are.

    >>> sizes(LSTMCell(3))
    [3, 3]
    """
    size = cell.state_size
    return list(size) if isinstance(size, list | tuple) else [size]


def first_states(cell: Any, batch_size: int, dtype: Any) -> list[Any]:
    """The states of a cell before the first step: what it says itself, or zeros."""
    own = getattr(cell, "get_initial_state", None)
    if own is None:
        return [make(np.zeros((batch_size, size), dtype.numpy_dtype)) for size in sizes(cell)]
    states = own(batch_size=batch_size)
    return list(states) if isinstance(states, list | tuple) else [states]
