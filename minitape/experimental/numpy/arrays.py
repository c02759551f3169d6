"""Tensors with NumPy's dtypes, and tensors made of lengths and numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops import elementwise as number_by_number
from ...ops import joins, shapes
from ...ops.shapes import identity as identity_
from ...tensor import Operand, Tensor, created, to_array

Rows = dict[str, tuple[Callable[..., Any], str]]  # by NumPy's name: the function, and what it is


def asarray(a: Any, dtype: Any = None) -> Tensor:
    """The value as a tensor, with NumPy's default dtypes; a tensor comes back as it is."""
    if isinstance(a, Operand):
        tensor = a.tensor_now
    elif isinstance(a, list | tuple) and _holds_tensors(a):
        tensor = joins.stack(alike(*a))
    else:
        tensor = created(to_array(np.asarray(a)))  # which keeps NumPy's dtypes
    return tensor if dtype is None else number_by_number.cast(tensor, dtype_of(dtype))


def _holds_tensors(a: Any) -> bool:
    return True in (_holds_tensors(part) if isinstance(part, list | tuple) else isinstance(part, Operand) for part in a)


def dtype_of(dtype: Any) -> Any:
    return dtype.numpy_dtype if hasattr(dtype, "numpy_dtype") else np.dtype(dtype)


def result_type(*values: Any) -> np.dtype[Any]:
    """The dtype of a result of these values, by NumPy's promotion."""
    return np.result_type(*[value.tag.dtype if isinstance(value, Operand) else value for value in values])


def alike(*values: Any) -> list[Tensor]:
    """The values as tensors of one dtype, by NumPy's promotion."""
    weak = [
        value if isinstance(value, int | float | complex | Operand) else np.asarray(asarray(value)) for value in values
    ]
    kind = result_type(*weak)
    return [asarray(value, kind) for value in values]


def floats(*values: Any) -> list[Tensor]:
    """`alike`, with whole numbers converted to floats."""
    tensors = alike(*values)
    whole = tensors[0].tag.dtype.kind in "biu"
    return [number_by_number.cast(tensor, np.dtype("float64")) for tensor in tensors] if whole else tensors


def array(val: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Tensor:
    """A tensor with these numbers."""
    tensor = asarray(val, dtype)
    return (
        tensor if tensor.ndim >= ndmin else shapes.reshape(tensor, (1,) * (ndmin - tensor.ndim) + tuple(tensor.shape))
    )


def copy(a: Any) -> Tensor:
    """The same numbers in a tensor of its own."""
    return identity_(asarray(a))


def _made_by(function: Callable[..., np.ndarray], name: str) -> Callable[..., Tensor]:
    """One of NumPy's functions that make an array of lengths and numbers."""

    def call(*args: Any, dtype: Any = None, **options: Any) -> Tensor:
        plain = [argument.numpy() if isinstance(argument, Operand) else argument for argument in args]
        kind = {} if dtype is None else {"dtype": dtype_of(dtype)}
        return created(np.array(function(*plain, **kind, **options)))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"NumPy's `{name}`."
    return call


zeros, ones, empty, full, eye, identity, arange, linspace, logspace, geomspace, tri = (
    _made_by(getattr(np, name), name)
    for name in ("zeros", "ones", "zeros", "full", "eye", "identity", "arange", "linspace", "logspace", "geomspace", "tri")
)  # fmt: skip


def full_like(a: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    """One number in the shape of another tensor."""
    a = asarray(a)
    return full(tuple(a.shape), fill_value, dtype=a.tag.dtype if dtype is None else dtype)


def zeros_like(a: Any, dtype: Any = None) -> Tensor:
    """Zeros in the shape of another tensor."""
    return full_like(a, 0, dtype)


def ones_like(a: Any, dtype: Any = None) -> Tensor:
    """Ones in the shape of another tensor."""
    return full_like(a, 1, dtype)


empty_like = zeros_like
