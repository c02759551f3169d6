"""What Keras makes of operands before a row meets them: floats of whole numbers, one dtype of two, int32 of what is counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...dtypes import as_dtype
from ...ops import elementwise as e
from ...ops import shapes
from ...tensor import Tensor, convert, created

Rows = dict[str, Callable[..., Any]]  # by Keras' name


def floats(x: Any) -> Tensor:
    """The value as a tensor of floats, float32 for whole numbers and truths; complex numbers stay.

    >>> floats([1, 2]).dtype, floats([1j]).dtype
    (tf.float32, tf.complex128)
    """
    x = convert(x)
    return x if x.dtype.is_floating or x.dtype.is_complex else e.cast(x, "float32")


def counted(x: Any) -> Tensor:
    """The value as what can be added up: truths and small whole numbers in 32 bits.

    >>> counted([True, False]).dtype, counted([1.0]).dtype
    (tf.int32, tf.float32)
    """
    x = convert(x)
    kind = x.tag.dtype
    small = kind.kind == "b" or kind.kind in "iu" and kind.itemsize < 4
    return e.cast(x, "uint32" if kind.kind == "u" else "int32") if small else x


def is_number(x: Any) -> bool:
    """Whether it is a number of Python's, which brings no width.

    >>> is_number(2), is_number(True)
    (True, False)
    """
    return isinstance(x, int | float) and not isinstance(x, bool)


def alike(x: Any, y: Any) -> tuple[Any, Any]:
    """Two operands of one dtype: that of the floats where only one has them; a number of Python's brings no width.

    >>> [part.dtype for part in alike([1, 2], [0.5, 1.0])]
    [tf.float32, tf.float32]
    """
    if is_number(x) and is_number(y):
        x, y = convert(x), convert(y)
    for number, other in ((x, y), (y, x)):
        if is_number(number):
            other = floats(other) if isinstance(number, float) else convert(other)
            return (number, other) if number is x else (other, number)
    x, y = together(x, y)
    return x, y


def together(*xs: Any) -> list[Any]:
    """Tensors of one dtype: that of the widest floats, where any has floats.

    >>> [x.dtype for x in together([True], [1], [0.5])]
    [tf.float32, tf.float32, tf.float32]
    """
    tensors = [convert(x) for x in xs]
    kinds = {x.tag.dtype for x in tensors}
    if len(kinds) == 1:
        return tensors
    with_points = [kind for kind in kinds if kind.kind not in "biu"]
    dtype = as_dtype(np.result_type(*(with_points or kinds)))
    return [e.cast(x, dtype) for x in tensors]


def two(row: Callable[..., Any]) -> Callable[..., Any]:
    """A row of two operands, of one dtype."""
    return lambda x1, x2: row(*alike(x1, x2))


def two_floats(row: Callable[..., Any]) -> Callable[..., Any]:
    """A row of two operands, of floats."""
    return lambda x1, x2: row(*together(floats(x1), floats(x2)))


def of_floats(row: Callable[..., Any]) -> Callable[..., Any]:
    """A row of one operand, of floats."""
    return lambda x: row(floats(x))


def one(row: Callable[..., Any]) -> Callable[..., Any]:
    """A row of one operand, as it is, which Keras calls x."""
    return lambda x: row(x)


def truths(x: Any) -> Tensor:
    """The value as what is true, where all but 0 is.

    >>> truths([0.0, 0.5]).numpy()
    array([False,  True])
    """
    return e.cast(x, "bool")


def plain(value: Any) -> Tensor:
    """What NumPy counted, without a slope: whole numbers in int32.

    >>> plain(np.array([1, 2])).dtype
    tf.int32
    """
    array = np.asarray(value)
    return created(array.astype(np.int32) if array.dtype == np.int64 else array)


def shape_of(x: Any) -> tuple[Any, ...]:
    """The lengths of the axes, also of a symbol's.

    >>> shape_of([[1, 2]])
    (1, 2)
    """
    return tuple(x.shape if hasattr(x, "shape") else convert(x).shape)


def flat(x: Any) -> Tensor:
    """All numbers along one axis.

    >>> flat([[1, 2]]).numpy()
    array([1, 2], dtype=int32)
    """
    return shapes.in_shape(convert(x), [-1])


def expanded(x: Any, axis: Any) -> Tensor:
    """New axes of length 1, one or several.

    >>> expanded([1, 2], (0, 2)).shape
    TensorShape([1, 2, 1])
    """
    if isinstance(axis, int):
        return shapes.expand_dims(x, axis)
    x = convert(x)
    return shapes.reshape(x, np.expand_dims(np.empty(x.tag.shape, bool), tuple(axis)).shape)
