"""Tensors that are made of lengths and numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...dtypes import as_dtype
from ...ops import creation, elementwise, indexing, reductions
from ...tensor import Operand, Tensor, convert
from .operands import Rows, alike, floats


def _linspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Any:
    ends = [convert(end, dtype) if dtype and not isinstance(end, Operand) else floats(end) for end in (start, stop)]
    first, last = alike(*ends)
    found = creation.linspace(first, last if endpoint else last - (last - first) / num, num, axis=axis)
    return found if dtype is None else elementwise.cast(found, dtype)


def _logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: float = 10, dtype: Any = None, axis: int = 0
) -> Any:
    found = elementwise.pow(float(base), _linspace(floats(start), floats(stop), num, endpoint, axis=axis))
    return found if dtype is None else elementwise.cast(found, dtype)


def _geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Any:
    first, last = (elementwise.log(floats(end)) / math.log(10.0) for end in (start, stop))
    return _logspace(first, last, num, endpoint, 10.0, dtype, axis)


def _of_lengths(function: Callable[..., np.ndarray]) -> Callable[..., Any]:
    """One of NumPy's functions that make a matrix of two lengths."""

    def made(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Tensor:
        return convert(function(N, M, k, as_dtype(dtype or "float32").numpy_dtype))

    return made


def _window(function: Callable[..., np.ndarray]) -> Callable[..., Any]:
    return lambda x: convert(function(int(x)).astype(np.float32))


def _filled(number: float) -> Callable[..., Any]:
    return lambda shape, dtype=None: convert(np.full(shape, number, as_dtype(dtype or "float32").numpy_dtype))


def _full(shape: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    return creation.fill(shape, convert(fill_value, as_dtype(dtype or "float32").numpy_dtype))


def _like(number: float) -> Callable[..., Any]:
    def like(x: Any, dtype: Any = None) -> Tensor:
        x = convert(x)
        return convert(np.full(x.tag.shape, number, as_dtype(dtype or x.dtype).numpy_dtype))

    return like


def _one_hot(x: Any, num_classes: int, axis: int = -1, dtype: Any = None, sparse: bool = False) -> Any:
    return indexing.one_hot(x, num_classes, axis=axis, dtype=dtype or "float32")


def _multi_hot(inputs: Any, num_classes: int, axis: int = -1, dtype: Any = None, sparse: bool = False) -> Any:
    x = elementwise.cast(inputs, "int32")
    return reductions.reduce_max(_one_hot(x, num_classes, axis, dtype), 1 if x.ndim > 1 else 0)


def _vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    x = convert(x)
    powers = np.arange(x.shape[0] if N is None else N).astype(x.tag.dtype)
    return elementwise.pow(x[:, None], powers if increasing else powers[::-1].copy())


def _meshgrid(*x: Any, indexing: str = "xy") -> Any:
    return creation.meshgrid(*x, indexing=indexing)


def _to_numpy(x: Any) -> np.ndarray:
    return x.numpy() if isinstance(x, Operand) else np.asarray(x)


ROWS: Rows = {
    "zeros": _filled(0.0), "ones": _filled(1.0), "empty": _filled(0.0), "full": _full, "zeros_like": _like(0.0),
    "ones_like": _like(1.0), "empty_like": _like(0.0),
    "full_like": lambda x, fill_value, dtype=None: _like(fill_value)(x, dtype), "linspace": _linspace, "logspace": _logspace,
    "geomspace": _geomspace,
    "arange": lambda start, stop=None, step=1, dtype=None:
        creation.range(0 if stop is None else start, start if stop is None else stop, step, dtype=dtype),
    "eye": _of_lengths(np.eye), "tri": _of_lengths(np.tri), "identity": lambda n, dtype=None: _of_lengths(np.eye)(n, dtype=dtype),
    "bartlett": _window(np.bartlett), "blackman": _window(np.blackman), "hamming": _window(np.hamming),
    "hanning": _window(np.hanning), "kaiser": lambda x, beta: convert(np.kaiser(int(x), float(beta)).astype(np.float32)),
    "one_hot": _one_hot, "multi_hot": _multi_hot, "vander": _vander, "meshgrid": _meshgrid,
    "convert_to_tensor": lambda x, dtype=None, sparse=None, ragged=None: convert(x, dtype), "convert_to_numpy": _to_numpy,
    "array": lambda x, dtype=None: convert(x, dtype), "is_tensor": lambda x: isinstance(x, Operand),
}  # fmt: skip
