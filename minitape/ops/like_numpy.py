"""What NumPy can do with axes and TensorFlow has no name for: for `tf.keras.ops` and `tf.experimental.numpy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import Tensor, convert
from . import elementwise
from .elementwise import where, zeros_
from .joins import split as split_
from .linalg import diag as matrix_of
from .linalg import diag_part, tensordot
from .shapes import in_order, reverse

# NumPy's names of rows of `elementwise` that TensorFlow calls otherwise.
_RENAMED = {
    "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan",
    "arctan2": "atan2", "arctanh": "atanh", "conjugate": "conj", "floor_divide": "floordiv", "isfinite": "is_finite",
    "isinf": "is_inf", "isnan": "is_nan", "mod": "floormod", "power": "pow", "remainder": "floormod", "true_divide": "divide",
}  # fmt: skip


def row_of(name: str) -> Any:
    """The row that computes what NumPy calls so, number by number."""
    return getattr(elementwise, _RENAMED.get(name, name))


def swapaxes(x: Any, axis1: int, axis2: int) -> Tensor:
    """Two axes exchanged.

    >>> tf.keras.ops.swapaxes([[1, 2]], 0, 1).shape
    TensorShape([2, 1])
    """
    x = convert(x)
    order = list(range(x.ndim))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return in_order(x, order)


def moveaxis(x: Any, source: Any, destination: Any) -> Tensor:
    """Axes moved to other positions.

    >>> tf.keras.ops.moveaxis([[[1, 2]]], -1, 0).shape
    TensorShape([2, 1, 1])
    """
    x = convert(x)
    order = np.moveaxis(np.empty(range(x.ndim)), source, destination).shape  # an axis has its own number as its length
    return in_order(x, order)


def flip(x: Any, axis: Any = None) -> Tensor:
    """The numbers in the opposite order along some axes, or along all.

    >>> tf.keras.ops.flip([1, 2]).numpy()
    array([2, 1], dtype=int32)
    """
    x = convert(x)
    return reverse(x, list(range(x.ndim)) if axis is None else [axis] if isinstance(axis, int) else list(axis))


def split(x: Any, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    """Equal parts, given their number, or the parts between these indices.

    >>> [part.numpy().tolist() for part in tf.keras.ops.split([1, 2, 3], [1])]
    [[1], [2, 3]]
    """
    x = convert(x)
    if isinstance(indices_or_sections, int):
        return split_(x, indices_or_sections, axis)
    places = [0, *[int(index) for index in indices_or_sections], x.shape[axis]]
    return split_(x, [after - before for before, after in zip(places, places[1:])], axis)


def dot(x1: Any, x2: Any) -> Tensor:
    """The sum of products along the last axis of x1 and the last but one of x2 (of a vector the only one).

    >>> tf.keras.ops.dot([1.0, 2.0], [3.0, 4.0]).numpy()
    np.float32(11.0)
    """
    x1, x2 = convert(x1), convert(x2)
    return tensordot(x1, x2, [[x1.ndim - 1], [max(x2.ndim - 2, 0)]]) if x1.ndim and x2.ndim else x1 * x2


def diag(x: Any, k: int = 0) -> Tensor:
    """A matrix with the numbers of a vector on its diagonal, or on the line `k` above it; of a matrix, the numbers there.

    >>> tf.keras.ops.diag([1.0, 2.0]).numpy()
    array([[1., 0.],
           [0., 2.]], dtype=float32)
    >>> tf.keras.ops.diag([[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([1., 4.], dtype=float32)
    """
    x = convert(x)
    if x.ndim == 1:
        return matrix_of(x, k=k)
    return diag_part(x, k=k) if -x.shape[-2] < k < x.shape[-1] else zeros_(x)[:0, 0]


def tril(x: Any, k: int = 0) -> Tensor:
    """Matrices with zeros above the diagonal, or above the line `k` above it.

    >>> tf.keras.ops.tril([[1, 2], [3, 4]]).numpy()
    array([[1, 0],
           [3, 4]], dtype=int32)
    """
    x = convert(x)
    return where(np.tri(x.shape[-2], x.shape[-1], k, dtype=bool), x, zeros_(x))


def triu(x: Any, k: int = 0) -> Tensor:
    """Matrices with zeros below the diagonal, or below the line `k` above it.

    >>> tf.keras.ops.triu([[1, 2], [3, 4]]).numpy()
    array([[1, 2],
           [0, 4]], dtype=int32)
    """
    x = convert(x)
    return where(np.tri(x.shape[-2], x.shape[-1], k - 1, dtype=bool), zeros_(x), x)
