"""Model: a layer that can be trained."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..record.refusal import refusal, value_error
from . import saving
from .layer import Layer
from .summary import summary
from .training import Trainer


class Model(Trainer, Layer):
    """A layer of layers, with a training loop: subclass it, make the layers in `__init__`, and write `call`.

    Or call layers on `tf.keras.Input(shape)`: `Model(inputs, outputs)` is all that lies between.

    >>> class Line(tf.keras.Model):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.dense = tf.keras.layers.Dense(1, kernel_initializer="zeros")
    ...     def call(self, x):
    ...         return self.dense(x)
    >>> line = Line()
    >>> line.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss="mse")
    >>> x = tf.constant([[0.0], [1.0]])
    >>> seen = line.fit(x, 2 * x + 1, epochs=100, verbose=0)
    >>> float(line.predict([[2.0]])[0, 0]) > 4.5
    True
    """

    _functional: Any = None  # the class of Model(inputs, outputs); functional.py puts it here

    _also = ("inputs", "outputs")

    def __new__(cls, *args: Any, **options: Any) -> Any:
        return super().__new__(cls._functional if cls is Model and (args or "inputs" in options) else cls)

    if TYPE_CHECKING:  # of Model(inputs, outputs), which is a class of its own
        inputs: Any
        outputs: Any

    def __init__(self, *ends: Any, **options: Any) -> None:  # ends: the inputs and outputs, where it has them
        if (ends or "inputs" in options) and not isinstance(self, self._functional):
            self._between(type(self))
            self._functional.__init__(self, *ends, **options)
            return
        super().__init__(*ends, **options)
        self._not_compiled()

    def _between(self, kind: type) -> None:
        """Make a subclass that was called with inputs and outputs a functional model, as Keras does."""
        for base in kind.__bases__:
            if base is not Model and issubclass(base, Model):
                self._between(base)
        kind.__bases__ = tuple(self._functional if base is Model else base for base in kind.__bases__)

    # ---- what it consists of ---------------------------------------------------------------------------------------------

    @property
    def layers(self) -> list[Layer]:
        """The layers that it consists of."""
        return self._sublayers()

    def get_layer(self, name: str | None = None, index: int | None = None) -> Layer:
        """The layer of this name or number; raises ValueError where there is none.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(2, name="first"), tf.keras.layers.Dense(1, name="last")])
        >>> model.get_layer("last").units, model.get_layer(index=0).name
        (1, 'first')
        """
        layers = self.layers
        if index is not None:
            return layers[index]
        for layer in layers:
            if layer.name == name:
                return layer
        raise value_error(
            f"No such layer: {name}. Existing layers are: {[layer.name for layer in layers]}.",
            "model.summary() shows them.",
        )

    def build(self, input_shape: Any) -> None:
        """Make the weights of all layers, by an unobserved call on zeros."""
        self.built = True
        self._shapes = tuple(input_shape), self.compute_output_shape(input_shape)

    def _first_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if type(self).build is Model.build:  # the call builds layer by layer
            self.built = True
        else:
            super()._first_call(args, kwargs)

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Any:
        """Another model: of such layers and calls, where the description is that of a model of symbols."""
        if cls is Model and "calls" in config:
            return cls._functional.from_config(config)
        return super().from_config(config)

    def summary(
        self, line_length: int | None = None, positions: Sequence[float] | None = None,
        print_fn: Callable[[str], Any] | None = None, expand_nested: bool = False, show_trainable: bool = False,
        layer_range: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        """Print the layers, the shapes of their outputs, and how many numbers they hold; or pass the text to a function.

        Args: line_length, of the table, and positions, the shares of it where columns end; expand_nested, layers in
        layers too; show_trainable, which of them train; layer_range, the names of the first and the last layer to show.

        >>> tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2, name="dense")], name="small").summary()
        Model: "small"
        ┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
        ┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
        ┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
        │ dense (Dense)                   │ (None, 2)              │             8 │
        └─────────────────────────────────┴────────────────────────┴───────────────┘
         Total params: 8 (32.00 B)
         Trainable params: 8 (32.00 B)
         Non-trainable params: 0 (0.00 B)
        """
        (print_fn or print)(summary(self, line_length, positions, expand_nested, show_trainable, layer_range))

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_steps": self.optimizer.memory() if self.optimizer is not None else None}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        steps = kept["_steps"]
        super().__setstate__({name: value for name, value in kept.items() if name != "_steps"})
        if steps is not None:
            self.optimizer.remember(steps)

    # ---- what is kept of it -----------------------------------------------------------------------------------------------

    def save_weights(self, filepath: Any, overwrite: bool = True) -> None:
        """Write the numbers of all weights into a file, in their order: `load_weights` reads them.

        The file is NumPy's (an archive of arrays), whatever its name ends with.
        """
        saving.save_weights(self, filepath, overwrite)

    def load_weights(self, filepath: Any, skip_mismatch: bool = False) -> None:
        """Put the numbers of such a file into the weights; raises ValueError where they do not fit."""
        saving.load_weights(self, filepath, skip_mismatch)

    def save(self, *args: Any, **options: Any) -> None:
        """Raises NotImplementedError: a model is not saved as a whole, because it consists of your program."""
        raise refusal(
            NotImplementedError,
            "A model is not saved as a whole.",
            "model.save_weights(path) keeps its numbers; model.get_config() says what it consists of.",
        )
