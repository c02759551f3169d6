"""Layers around a layer."""

from __future__ import annotations

from typing import Any

from ... import nest
from ...ops.joins import concat, stack, unstack
from ...ops.shapes import reverse
from ...record.refusal import value_error
from ..allowed import one_of
from ..calls import calling
from ..config import described, revived
from ..layer import Layer


def _layer(layer: Any, around: str) -> Layer:
    layer = revived(Layer, layer)
    if not isinstance(layer, Layer):
        raise value_error(
            f"Please initialize `{around}` layer with a `keras.layers.Layer` instance. Received: {layer}",
            f"Write {around}(tf.keras.layers.LSTM(4)).",
        )
    return layer


class Bidirectional(Layer):
    """A recurrent layer and a copy that runs backwards; `merge_mode` says how their outputs become one: "concat", "sum",
    "mul", "ave", or None to return both.

    Raises ValueError for another mode, and for what is no layer.

    >>> both = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(4, return_sequences=True))
    >>> both(tf.ones([2, 3, 5])).shape, len(both.weights)
    (TensorShape([2, 3, 8]), 6)
    """

    stateful: bool
    return_sequences: bool
    return_state: bool

    def __init__(
        self, layer: Any, merge_mode: str | None = "concat", backward_layer: Any = None, **options: Any
    ) -> None:
        super().__init__(**options)
        ways = ("concat", "sum", "mul", "ave", None)
        self.merge_mode = one_of("merge_mode", merge_mode, ways, '"concat" puts both outputs side by side.')
        layer = _layer(layer, "Bidirectional")
        if not hasattr(layer, "return_sequences"):
            raise value_error(
                f"Bidirectional takes a layer that goes through steps, got {layer!r}",
                "Write Bidirectional(tf.keras.layers.LSTM(4)); other layers see all steps at once.",
            )
        self.forward_layer = _renamed(layer, "forward")
        self.backward_layer: Any = (
            _renamed(layer, "backward", go_backwards=True)
            if backward_layer is None
            else _layer(backward_layer, "Bidirectional")
        )
        for what in ("stateful", "return_sequences", "return_state"):
            setattr(self, what, getattr(self.forward_layer, what))
            if getattr(self.backward_layer, what) != getattr(self.forward_layer, what):
                raise value_error(
                    "Forward layer and backward layer are expected to have the same value for attribute "
                    f'"{what}", got "{getattr(self.forward_layer, what)}" for forward layer and '
                    f'"{getattr(self.backward_layer, what)}" for backward layer',
                    "Or leave backward_layer out: it is made like the first.",
                )
        for side in (self.forward_layer, self.backward_layer):
            setattr(side, "zero_output_for_mask", self.return_sequences)  # noqa: B010  a layer of any kind
        self.input_spec = layer.input_spec

    def build(self, input_shape: Any) -> None:
        self.forward_layer.build(input_shape)
        self.backward_layer.build(input_shape)

    def call(self, sequences: Any, initial_state: Any = None, mask: Any = None, training: bool | None = None) -> Any:
        """One layer, the other, and a merge."""
        half = 0 if initial_state is None else len(initial_state) // 2
        first, second = (None, None) if initial_state is None else (initial_state[:half], initial_state[half:])
        with calling(training):
            there = self.forward_layer(sequences, initial_state=first, mask=mask)
            back = self.backward_layer(sequences, initial_state=second, mask=mask)
        states: tuple[Any, ...] = ()
        if self.return_state:
            (there, *states), (back, *other) = there, back
            states = (*states, *other)
        if self.return_sequences:
            back = reverse(back, [1])
        if self.merge_mode is None:
            return (there, back, *states)
        if self.merge_mode == "concat":
            merged = concat([there, back], -1)
        elif self.merge_mode == "mul":
            merged = there * back
        else:
            merged = there + back if self.merge_mode == "sum" else (there + back) / 2.0
        return (merged, *states) if states else merged

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the input where every step has an output."""
        found = nest.flatten(mask)[0] if self.return_sequences else None
        return [found, found] if self.merge_mode is None else found

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of one, twice as wide where both stand side by side; and the states of both."""
        found = self.forward_layer.compute_output_shape(input_shape)
        shape, *states = found if self.return_state else (found,)
        merged = [shape, shape] if self.merge_mode is None else [shape]
        if self.merge_mode == "concat":
            merged = [(*shape[:-1], 2 * shape[-1])]
        return merged[0] if len(merged) == 1 and not states else (*merged, *states, *states)

    def reset_state(self) -> None:
        """Begin anew with the next call."""
        self.forward_layer.reset_state()
        self.backward_layer.reset_state()

    reset_states = reset_state

    def get_config(self) -> dict[str, Any]:
        settings = {"name": self.name, "trainable": self._trainable, "merge_mode": self.merge_mode}
        return {**settings, "layer": described(self.forward_layer), "backward_layer": described(self.backward_layer)}


def _renamed(layer: Layer, side: str, **changes: Any) -> Any:
    name = f"{side}_{layer.name.removeprefix(f'{side}_')}"
    return type(layer).from_config({**layer.get_config(), "name": name, **changes})


class Wrapper(Layer):
    """A layer around a layer, to be subclassed: it keeps the other as `layer`, and builds it.

    Raises ValueError for what is no layer.

    >>> class Twice(tf.keras.layers.Wrapper):
    ...     def call(self, x):
    ...         return 2.0 * self.layer(x)
    >>> Twice(tf.keras.layers.Dense(1, kernel_initializer="ones"))(tf.constant([[3.0, 4.0]])).numpy()
    array([[14.]], dtype=float32)
    """

    def __init__(self, layer: Any, **options: Any) -> None:
        super().__init__(**options)
        self.layer = _layer(layer, type(self).__name__)

    def build(self, input_shape: Any = None) -> None:
        if not self.layer.built:
            self.layer.build(input_shape)


class TimeDistributed(Wrapper):
    """Calls a layer for each step of [batch, steps, ...].

    Raises ValueError for what is no layer, and for inputs of fewer than three axes.

    >>> each = tf.keras.layers.TimeDistributed(tf.keras.layers.Dense(1, kernel_initializer="ones"))
    >>> each(tf.constant([[[1.0, 2.0], [3.0, 4.0]]])).numpy()
    array([[[3.],
            [7.]]], dtype=float32)
    """

    supports_masking = True

    def build(self, input_shape: Any = None) -> None:
        super().build(_step(input_shape))

    def call(self, inputs: Any, training: bool | None = None, mask: Any = None) -> Any:
        with calling(training):
            return stack([self.layer(step) for step in unstack(inputs, axis=1)], axis=1)

    def compute_output_shape(self, input_shape: Any) -> Any:
        batch, *rest = self.layer.compute_output_shape(_step(input_shape))
        return (batch, input_shape[1], *rest)


def _step(shape: Any) -> tuple[Any, ...]:
    if len(shape) < 3:
        raise value_error(
            f"`TimeDistributed` Layer should be passed an `input_shape` with at least 3 dimensions, received: {tuple(shape)}",
            "They are [batch, steps, features].",
        )
    return (shape[0], *shape[2:])
