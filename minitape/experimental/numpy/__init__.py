"""`tf.experimental.numpy`: NumPy's functions on tensors, under NumPy's names and with its dtypes, so that tapes follow them.

Python's numbers are float64 and int64 here, dtypes promote as in NumPy, and every result is a tensor.  Most functions are those
of `tf` after a promotion, and are made from the tables in `numbers.py`.

>>> import minitape as tf
>>> tnp = tf.experimental.numpy
>>> x = tnp.array([1.0, 2.0])
>>> with tf.GradientTape() as tape:
...     tape.watch(x)
...     y = tnp.sum(tnp.divide(x**2, [1, 2]))
>>> tape.gradient(y, x).numpy()
array([2., 2.])
"""

# ruff: noqa: I001  a name per line would bury what there is
import typing as _typing
from collections.abc import Callable as _Callable
from types import FunctionType as _FunctionType, ModuleType as _ModuleType
from typing import Any as _Any

import numpy as np

from ...examples import example as _example
from ...record.refusal import answering as _answering, refusal as _refusal
from ...tensor import Tensor as ndarray
from . import random
from .arrays import (
    asarray, array, copy, result_type, zeros, ones, empty, full, eye, identity, arange, linspace, logspace, geomspace, tri,
    full_like, zeros_like, ones_like, empty_like,
)  # fmt: skip
from . import matrices as _matrices, numbers as _numbers, reductions as _reductions, shapes as _shapes

newaxis, pi, e, inf = None, np.pi, np.e, np.inf
float16, float32, float64, int8, int16, int32, int64 = (
    np.float16, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64,
)  # fmt: skip
uint8, uint16, uint32, uint64, bool_, complex64, complex128 = (
    np.uint8, np.uint16, np.uint32, np.uint64, np.bool_, np.complex64, np.complex128,
)  # fmt: skip
iinfo, finfo, issubdtype, promote_types = np.iinfo, np.finfo, np.issubdtype, np.promote_types

for _rows in (_shapes.ROWS, _reductions.ROWS, _numbers.ROWS, _matrices.ROWS):
    for _name, (_function, _says) in _rows.items():
        _function.__name__ = _function.__qualname__ = _name
        _function.__doc__ = _says
        globals()[_name] = _function

if _typing.TYPE_CHECKING:  # the loop gives the names

    def __getattr__(name: str) -> _Callable[..., _Any]: ...


def experimental_enable_numpy_behavior(prefer_float32: bool = False, dtype_conversion_mode: _Any = None) -> None:
    """Raises NotImplementedError: `tf`'s own tensors keep TensorFlow's ways here.

    >>> tf.experimental.numpy.experimental_enable_numpy_behavior()
    Traceback (most recent call last):
        ...
    NotImplementedError: tensors do not change their ways here...
    """
    raise _refusal(
        NotImplementedError,
        "tensors do not change their ways here",
        "Write tnp.reshape(x, shape) instead of x.reshape(shape), and tnp.add(x, y) where dtypes shall promote",
    )


__all__ = ["random"]
__all__ += [name for name, found in globals().items() if name[0] != "_" and not isinstance(found, _ModuleType)]
for _names, _space, _path in (
    (__all__, globals(), "tf.experimental.numpy"), (random.__all__, vars(random), "tf.experimental.numpy.random"),
):  # fmt: skip
    for _name in _names:
        _found = _space[_name]
        _ours = isinstance(_found, _FunctionType) and _found.__module__.startswith(__name__)
        if _ours and _found.__doc__ and ">>>" not in _found.__doc__:
            _found.__doc__ = f"{_found.__doc__}\n\n{_example(_path, _name)}"
    _answering(_space, _path, _names)
