"""A layer's variable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tensor import Tensor
from ..variable import Variable


class Weight(Variable):
    """A `tf.Variable` that knows its layer: it has a path, Keras's short name, and a `trainable` that can be switched.

    >>> weight = Weight([1.0, 2.0], "dense/bias")
    >>> weight
    <Variable path=dense/bias, shape=(2,), dtype=float32, value=[1. 2.]>
    >>> weight.name, weight.path
    ('bias', 'dense/bias')
    """

    __slots__ = ("learns", "path", "regularizer")

    def __init__(
        self, initial_value: Any, path: str, trainable: bool = True, constraint: Callable[[Any], Any] | None = None,
        called: str = "",
    ) -> None:  # fmt: skip
        self.path = path
        self.learns = trainable  # whether it was made trainable; `trainable` is False while its layer is frozen
        self.regularizer: Callable[[Any], Any] | None = None
        # Messages and pictures call it so.  A weight is told by the layer that uses it; a state that no op takes has nobody.
        super().__init__(initial_value, trainable, name=called or path.rpartition("/")[2], constraint=constraint)

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rpartition("/")[2]

    @property
    def trainable(self) -> bool:
        """Whether tapes watch it by themselves."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)

    # `kernel += x` makes a tensor, as in Keras, where a weight is no `tf.Variable`.
    __iadd__ = __isub__ = __imul__ = __itruediv__ = __ipow__ = lambda self, value: NotImplemented

    # Keras's `weight.value` is the variable, and TensorFlow's `variable.value()` reads it.  Documented programs use both, so the
    # property returns something that can be called.
    @property
    def value(self) -> Weight:
        """The variable itself, as in Keras; `weight.value()` is its present value, as in TensorFlow."""
        return self

    def __call__(self) -> Tensor:
        return self.read_value()

    def __repr__(self) -> str:
        numbers = self._text(False)
        return f"<Variable path={self.path}, shape={self.shape}, dtype={self.dtype.name}, value={numbers.lstrip()}>"
