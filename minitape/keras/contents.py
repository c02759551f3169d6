"""What a layer consists of: the variables and layers in its attributes, searched for each time somebody asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..module import Module
from ..record.refusal import value_error
from ..variable import Variable
from .weight import Weight


class Contents(Module):
    """An object with variables and layers in its attributes, also inside lists and dicts.

    It is a `tf.Module`, so other modules find what is in it; as in Keras it answers in lists, its own variables first.

    >>> class Pair(Contents):
    ...     def __init__(self):
    ...         self.w = Variable([1.0, 2.0])
    >>> Pair().count_params()
    2
    """

    built = False
    _trainable = True

    def _searched(self) -> list[Any]:
        """Where a `tf.Module` that contains it looks for variables."""
        return [*self._own(), *self._sublayers()]

    def _own(self) -> list[Any]:
        """The variables in the attributes of this layer itself, the trainable ones first."""
        return sorted(
            unique(found(vars(self), Variable)),
            key=lambda variable: not getattr(variable, "learns", variable.trainable),
        )

    def _sublayers(self) -> list[Any]:
        return unique(found(vars(self), Contents))

    @property
    def variables(self) -> list[Any]:
        """All variables: its own, then those of the layers inside."""
        return unique([*self._own(), *(variable for layer in self._sublayers() for variable in layer.variables)])

    weights = variables

    @property
    def trainable_variables(self) -> list[Any]:
        """The variables that training may change: none where the layer is frozen (`trainable = False`)."""
        if not self._trainable:
            return []
        inner = (variable for layer in self._sublayers() for variable in layer.trainable_variables)
        return unique([*(variable for variable in self._own() if variable.trainable), *inner])

    trainable_weights = trainable_variables

    @property
    def non_trainable_variables(self) -> list[Any]:
        """All other variables."""
        trained = {id(variable) for variable in self.trainable_variables}
        return [variable for variable in self.variables if id(variable) not in trained]

    non_trainable_weights = non_trainable_variables

    @property
    def trainable(self) -> bool:
        """Whether training may change it.  A frozen layer freezes the layers inside it, and tapes do not watch its weights."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)
        for variable in self._own():
            if isinstance(variable, Weight) and variable.learns:
                variable.trainable = value
        for layer in self._sublayers():
            layer.trainable = value

    @property
    def submodules(self) -> tuple[Any, ...]:
        """All layers inside, at any depth."""
        return tuple(unique([child for layer in self._sublayers() for child in (layer, *layer.submodules)]))

    def count_params(self) -> int:
        """How many numbers its weights hold; raises ValueError where they are still to be made, and nobody knows yet."""
        if self._waits():
            raise value_error(
                f"You tried to call `count_params` on layer {getattr(self, 'name', '')!r}, but the layer isn't built. "
                "You can build it manually via: `layer.build(input_shape)`.",
                "Or call it once on data.",
            )
        return sum(int(np.prod(variable.shape, dtype=int)) for variable in self.variables)

    def _waits(self) -> bool:
        """Whether weights are still to be made: it is not built, and a layer inside of it makes some when it is."""
        return not self.built and not self.variables and any(layer._waits() for layer in self._sublayers())

    def get_weights(self) -> list[np.ndarray]:
        """The numbers of all weights, as arrays."""
        return [np.array(variable.array_now) for variable in self.variables]

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Put these numbers into the weights; raises ValueError where counts or shapes differ.

        >>> layer = tf.keras.layers.Dense(1)
        >>> layer.build((None, 2))
        >>> layer.set_weights([np.array([[1.0], [2.0]]), np.zeros(1)])
        >>> layer(tf.ones([1, 2])).numpy()
        array([[3.]], dtype=float32)
        """
        variables = self.variables
        if len(variables) != len(weights):
            raise value_error(
                f"You called `set_weights(weights)` on layer {self.name!r} with a weight list of length {len(weights)}, "
                f"but the layer was expecting {len(variables)} weights."
                + ("" if self.built else " It is not built yet: call it once, or its build.")
            )
        for variable, value in zip(variables, weights, strict=True):
            if tuple(variable.shape) != np.shape(value):
                raise value_error(
                    f"Layer {self.name} weight shape {tuple(variable.shape)} is not compatible with provided weight shape "
                    f"{np.shape(value)}.",
                    "layer.get_weights() shows the order and the shapes.",
                )
            variable.assign(value)


def found(value: Any, kind: type) -> Iterator[Any]:
    """The objects of this class in lists, tuples and dicts.

    >>> list(found({"a": [1, 2.0], "b": (3,)}, int))
    [1, 3]
    """
    if isinstance(value, kind):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from found(part, kind)
    elif isinstance(value, dict):
        for part in value.values():
            yield from found(part, kind)


def unique(values: Any) -> list[Any]:
    """Each object once, in order of appearance; by identity, because `==` of variables compares numbers.

    >>> len(unique([tf, tf, np]))
    2
    """
    return list({id(part): part for part in values}.values())
