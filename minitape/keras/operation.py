"""Functions on symbols as layers of a model: arithmetic, slices, and those of `tf.keras.ops`.

Symbols get their arithmetic here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from .layer import Layer
from .names import unique
from .symbol import KerasTensor


class Operation(Layer):
    """A function as a layer, whose arguments are those of its call.

    >>> x = tf.keras.Input((2,))
    >>> model = tf.keras.Model(x, 2.0 * x[:, :1] + 1.0)
    >>> model(tf.constant([[3.0, 4.0]])).numpy()
    array([[7.]], dtype=float32)
    """

    def __init__(self, function: Callable[..., Any], name: str | None = None) -> None:
        called: str = getattr(function, "__name__", "operation")
        super().__init__(name=unique(NAMES.get(called, called).strip("_")) if name is None else name)
        self.function = function

    def call(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def _take(self, value: Any) -> Any:
        return value  # a function converts its arguments itself

    def _training(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return None

    @property
    def _class_name(self) -> str:
        called: str = getattr(self.function, "__name__", "operation")
        return "".join(part.capitalize() for part in NAMES.get(called, called).split("_"))

    def get_config(self) -> dict[str, Any]:
        return {"function": self.function, "name": self.name}


NAMES = {"sub": "subtract", "mul": "multiply", "truediv": "true_divide", "floordiv": "floor_divide", "pow": "power",
         "neg": "negative", "getitem": "get_item", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
         "abs": "absolute"}  # fmt: skip


def _forward(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: Operation(function)(*args)


def _reflected(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, other: Operation(function)(other, self)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
    setattr(KerasTensor, f"__{_name}__", _forward(getattr(operator, _name)))
    setattr(KerasTensor, f"__r{_name}__", _reflected(getattr(operator, _name)))
for _name in ("neg", "abs", "getitem", "lt", "le", "gt", "ge"):
    setattr(KerasTensor, f"__{_name}__", _forward(getattr(operator, _name)))
