"""KerasTensor: a symbol for a value that is not computed yet; it knows its shape, and the call that will compute it.

A layer that is called on a symbol computes nothing.  It makes its weights, finds the shape of its output, and returns another
symbol, which remembers the call; `functional.py` makes a model of the calls between symbols.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from .. import nest
from ..dtypes import as_dtype
from ..record.refusal import type_error, value_error
from .names import unique


class SymbolCall:
    """A layer's call on symbols, and the symbols that stand for what it returns."""

    def __init__(self, layer: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None) -> None:
        self.layer, self.args, self.kwargs = layer, args, kwargs or {}
        self.number = len(layer.symbol_calls)  # of this call, among those of the layer
        layer.symbol_calls.append(self)
        self.outputs: list[KerasTensor] = []


class KerasTensor:
    """A symbol for a value: made by `tf.keras.Input`, and by layers that are called on symbols.

    >>> tf.keras.KerasTensor((None, 3), name="pixels")
    <KerasTensor shape=(None, 3), dtype=float32, sparse=False, ragged=False, name=pixels>
    """

    def __init__(
        self,
        shape: Sequence[int | None],
        dtype: Any = "float32",
        name: str | None = None,
        call: SymbolCall | None = None,
    ) -> None:
        self.shape = tuple(shape)
        self.dtype = as_dtype(dtype).name  # a text, as a layer's
        self.name = name or unique("keras_tensor")
        self.call = call
        self.masked = 0  # how many axes a mask of it has; 0 without one

    @property
    def ndim(self) -> int:
        """How many axes."""
        return len(self.shape)

    def __repr__(self) -> str:
        kind = f"dtype={self.dtype}, sparse=False, ragged=False"
        return f"<KerasTensor shape={self.shape}, {kind}, name={self.name}>"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        raise value_error(
            "A KerasTensor cannot be used as input to a TensorFlow function: it has no numbers yet, and only layers take it.",
            "Take the function from tf.keras.ops, or make a layer of it: tf.keras.layers.Lambda(tf.sin)(x).",
        )

    def __bool__(self) -> NoReturn:
        raise type_error(
            "A symbolic KerasTensor cannot be used as a boolean: it has no numbers yet.",
            "tf.keras.ops.where(x > 0, x, -x) chooses number by number; an `if` belongs into the `call` of a layer of one's own.",
        )

    def __iter__(self) -> NoReturn:
        self.__array__()

    __array_priority__ = 100.0  # arrays leave arithmetic to symbols, which get it in `operation.py`


def symbols_in(structure: Any) -> list[KerasTensor]:
    """The symbols in a structure of anything.

    >>> symbols_in([1.0, {"x": KerasTensor((3,), name="x")}])
    [<KerasTensor shape=(3,), dtype=float32, sparse=False, ragged=False, name=x>]
    """
    return [leaf for leaf in nest.flatten(structure) if isinstance(leaf, KerasTensor)]
