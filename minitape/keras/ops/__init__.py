"""`tf.keras.ops`: NumPy's functions by NumPy's names, on tensors and on symbols.

Each is a row of the table, or a few; on symbols it becomes a layer of the model.

>>> import minitape as tf
>>> float(tf.keras.ops.mean([[1.0, 2.0], [3.0, 6.0]]))
3.0
>>> x = tf.keras.Input((3,))
>>> tf.keras.Model(x, tf.keras.ops.sum(x, axis=-1))(tf.ones([2, 3])).numpy()
array([3., 3.], dtype=float32)
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...examples import example
from ..operation import Operation
from ..symbol import symbols_in
from . import arrays, loops, made, matrices, nets, numbers, statistics

_AS_IT_IS = ("shape", "ndim", "dtype", "is_tensor", "cond", "custom_gradient")  # what can be said of a symbol too


def _offered(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function, assigned=())  # a row would write its own docstring for it
    def op(*args: Any, **kwargs: Any) -> Any:
        if name not in _AS_IT_IS and symbols_in((args, kwargs)):
            return Operation(op)(*args, **kwargs)
        return function(*args, **kwargs)

    op.__name__ = op.__qualname__ = name
    op.__module__ = __name__
    whose = "NumPy" if hasattr(np, name) else "Keras"
    op.__doc__ = f"{whose}'s `{name}`, on tensors and symbols.\n\n{example('tf.keras.ops', name)}"
    return op


__all__: list[str] = []
for _rows in (numbers.ROWS, statistics.ROWS, arrays.ROWS, made.ROWS, matrices.ROWS, nets.ROWS, loops.ROWS):
    for _name, _function in _rows.items():
        globals()[_name] = _offered(_name, _function)
        __all__.append(_name)
__all__.sort()

if TYPE_CHECKING:  # the loop above gives the names

    def __getattr__(name: str) -> Callable[..., Any]: ...
