"""The properties of a layer: its name and dtype, its losses, the symbols and shapes of its input and output."""

from __future__ import annotations

from typing import Any

from ..record.refusal import refusal
from ..tensor import TensorShape
from .config import Configured
from .contents import Contents, found, unique
from .metrics.base import Metric
from .symbol import SymbolCall, symbols_in


class Inspectable(Contents, Configured):
    """The properties of a layer; `Layer` adds its call.

    >>> layer = tf.keras.layers.Dense(4, name="first")
    >>> y = layer(tf.keras.Input((3,)))
    >>> layer.output is y, layer.input_shape, layer.output_shape, layer.dtype
    (True, (None, 3), (None, 4), 'float32')
    """

    _losses: list[Any]
    _dtype: Any
    _home: Any
    _shapes: tuple[Any, Any] | None
    symbol_calls: list[SymbolCall]

    @property
    def name(self) -> str:
        """Its name, unique unless it was given."""
        if "_name" not in vars(self):
            raise refusal(
                RuntimeError,
                f"In layer {type(self).__name__!r}, you forgot to call `super().__init__()` as the first statement "
                "in the `__init__()` method.",
            )
        return self._name

    @property
    def _class_name(self) -> str:  # as a summary shows it
        return type(self).__name__

    @property
    def dtype(self) -> str:
        """The dtype of its weights and floating inputs."""
        return str(self._dtype.name)

    compute_dtype = variable_dtype = dtype

    @property
    def losses(self) -> list[Any]:
        """What the last call added with `add_loss`, here and in the layers inside, and the present regularization losses."""
        penalties = (
            variable for variable in self.trainable_variables if getattr(variable, "regularizer", None) is not None
        )
        return [*self._added(), *(variable.regularizer(variable) for variable in penalties)]

    def _added(self) -> list[Any]:
        return [*self._losses, *(loss for layer in self._sublayers() for loss in layer._added())]

    @property
    def metrics(self) -> list[Metric]:
        """The metrics in its attributes, and those of the layers inside.

        >>> class Watched(tf.keras.layers.Layer):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.mean = tf.keras.metrics.Mean("activity")
        >>> Watched().metrics
        [<Mean name=activity>]
        """
        return unique([*self._measures(), *self._measures_inside()])

    def _measures(self) -> list[Metric]:
        own = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        return list(found(own, Metric))

    def _measures_inside(self) -> list[Metric]:
        inside: list[Metric] = []
        for layer in self._sublayers():
            own = [] if hasattr(type(layer), "fit") else layer._measures()  # those of a model are for its own training
            inside += [*own, *layer._measures_inside()]
        return inside

    def _forget_losses(self) -> None:
        self._losses = []
        for layer in self._sublayers():
            layer._forget_losses()

    @property
    def input(self) -> Any:
        """The symbol that it was called on, or a list of them; raises AttributeError where there was none, or several calls."""
        return _alone(symbols_in((self._symbol_call().args, self._symbol_call().kwargs)))

    @property
    def output(self) -> Any:
        """The symbol that its call on a symbol gave, or a list; raises AttributeError where there was none, or several calls."""
        return _alone(self._symbol_call().outputs)

    def _symbol_call(self) -> SymbolCall:
        home = self._home() if self._home is not None else None
        if not self.symbol_calls and home is not None:
            home.symbols()
        if len(self.symbol_calls) != 1:
            never = (
                f"The layer {self.name!r} has never been called on a symbol and thus has no defined input or output."
            )
            often = (
                f"The layer {self.name!r} was called on {len(self.symbol_calls)} symbols; which of them is not said."
            )
            raise AttributeError(
                f"{often} Keep what each call returns."
                if self.symbol_calls
                else f"{never} Call it on tf.keras.Input(shape)."
            )
        return self.symbol_calls[0]

    @property
    def input_shape(self) -> Any:
        """The shape of its input; raises AttributeError before it was built or called."""
        return self._known(0, "input")

    @property
    def output_shape(self) -> Any:
        """The shape of its output; raises AttributeError before it was built or called."""
        return self._known(1, "output")

    def _known(self, side: int, what: str) -> Any:
        if self._shapes is None or self._shapes[side] is None:
            raise AttributeError(
                f"The layer {self.name!r} has never been called and thus has no defined {what} shape: call it once."
            )
        shape = self._shapes[side]
        return tuple(shape) if isinstance(shape, TensorShape) else shape


def _alone(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values
