"""Tensors made from nothing: they have no history, so no tape follows them unless it is told to."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..record.events import emit, state
from ..tensor import Tensor, convert, make, to_array


def _made(array: np.ndarray) -> Tensor:
    tensor = make(array)
    if state.listeners:
        emit("made", (tensor,), tag=tensor._tag, kind="constant", implicit=False)
    return tensor


def _shape(shape: Any) -> tuple[int, ...]:
    return tuple(int(one) for one in np.atleast_1d(to_array(shape)).reshape(-1))


def zeros(shape: Any, dtype: Any = "float32", name: str | None = None) -> Tensor:
    """Zeros.

    >>> zeros([2]).numpy()
    array([0., 0.], dtype=float32)
    """
    return _made(np.zeros(_shape(shape), as_dtype(dtype).numpy_dtype))


def ones(shape: Any, dtype: Any = "float32", name: str | None = None) -> Tensor:
    """Ones.

    >>> ones([2], "int32").numpy()
    array([1, 1], dtype=int32)
    """
    return _made(np.ones(_shape(shape), as_dtype(dtype).numpy_dtype))


def fill(dims: Any, value: Any, name: str | None = None) -> Tensor:
    """One number, everywhere.

    >>> fill([2], 7.0).numpy()
    array([7., 7.], dtype=float32)
    """
    number = to_array(value)
    return _made(np.full(_shape(dims), number, number.dtype))


def zeros_like(input: Any, dtype: Any = None, name: str | None = None) -> Tensor:  # noqa: A002
    """Zeros of the same shape and dtype.

    >>> zeros_like([1, 2]).numpy()
    array([0, 0], dtype=int32)
    """
    like = convert(input)
    return _made(np.zeros(like.shape, like._tag.dtype if dtype is None else as_dtype(dtype).numpy_dtype))


def ones_like(input: Any, dtype: Any = None, name: str | None = None) -> Tensor:  # noqa: A002
    """Ones of the same shape and dtype.

    >>> ones_like([1.0, 2.0]).numpy()
    array([1., 1.], dtype=float32)
    """
    like = convert(input)
    return _made(np.ones(like.shape, like._tag.dtype if dtype is None else as_dtype(dtype).numpy_dtype))


def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Tensor:  # noqa: A001
    """Numbers from start up to (not including) limit, in steps of delta.

    >>> range(3).numpy()
    array([0, 1, 2], dtype=int32)
    >>> range(1.0, 2.0, 0.5).numpy()
    array([1. , 1.5], dtype=float32)
    """
    start, limit = (0, start) if limit is None else (start, limit)
    parts: list[Any] = [to_array(one) for one in (start, limit, delta)]
    # As in TensorFlow the widest of the three decides, in this order: a float32 beside an int32 gives float32.
    widest = max((one.dtype for one in parts), key=lambda kind: (kind.kind == "f", kind.itemsize))
    kind = widest if dtype is None else as_dtype(dtype).numpy_dtype
    return _made(np.arange(*parts).astype(kind))


def linspace(start: Any, stop: Any, num: int, name: str | None = None, axis: int = 0) -> Tensor:
    """`num` numbers from start to stop, both included, at even distances.

    >>> linspace(0.0, 1.0, 3).numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    first = to_array(start)
    first = first if first.dtype.kind == "f" else first.astype(np.float64)
    return _made(np.linspace(first, to_array(stop), int(num), axis=axis).astype(first.dtype))


def shape(input: Any, out_type: Any = "int32", name: str | None = None) -> Tensor:  # noqa: A002
    """The shape, as a tensor of whole numbers.

    >>> shape([[1, 2, 3]]).numpy()
    array([1, 3], dtype=int32)
    """
    return _made(np.array(convert(input)._tag.shape, as_dtype(out_type).numpy_dtype))


def size(input: Any, out_type: Any = "int32", name: str | None = None) -> Tensor:  # noqa: A002
    """How many numbers there are.

    >>> int(size([[1, 2, 3]]))
    3
    """
    return _made(np.array(convert(input)._array.size, as_dtype(out_type).numpy_dtype))


def rank(input: Any, name: str | None = None) -> Tensor:  # noqa: A002
    """How many axes there are.

    >>> int(rank([[1, 2, 3]]))
    2
    """
    return _made(np.array(convert(input).ndim, np.int32))
