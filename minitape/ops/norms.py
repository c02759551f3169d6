"""Norms of vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..notes import named
from ..record.refusal import value_error
from ..tensor import Tensor, convert
from .elementwise import abs as abs_
from .elementwise import conj, pow, sqrt, square
from .linalg_factors import singular_
from .reductions import reduce_max, reduce_sum
from .shapes import expand_dims, squeeze, transpose

_MATRIX_NORMS = ["euclidean", "fro", 1, 2, np.inf]


@named("norm linalg.norm")
def norm(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The length of a vector (or of all numbers together): "euclidean", any p > 0, infinity.

    Over two axes it is a matrix norm: "fro" (or "euclidean"), 1 (largest column), 2 (largest singular value) or infinity
    (largest row).  Raises ValueError for any other `ord`, and for axes that are neither None, one, nor two.

    >>> tf.norm([3.0, 4.0]).numpy()
    np.float32(5.0)
    >>> tf.norm([[1.0, 2.0], [3.0, 4.0]], ord=1, axis=[0, 1]).numpy()
    np.float32(6.0)
    """
    x = convert(tensor)
    matrix = isinstance(axis, list | tuple) and len(axis) == 2
    _checked(ord, axis, matrix)
    if ord in ("euclidean", "fro") or ord == 2 and not matrix:
        return sqrt(reduce_sum(x * conj(x) if x.dtype.is_complex else square(x), axis, keepdims))
    if matrix:
        longest = _spectral(x, *axis) if ord == 2 else _longest(x, *(axis if ord == 1 else reversed(axis)))
        return longest if keepdims else squeeze(longest, list(axis))
    if ord == np.inf:
        return reduce_max(abs_(x), axis, keepdims)
    if ord == 1:
        return reduce_sum(abs_(x), axis, keepdims)
    return pow(reduce_sum(pow(abs_(x), float(ord)), axis, keepdims), 1.0 / float(ord))


def _checked(ord: Any, axis: Any, matrix: bool) -> None:
    if matrix and axis[0] == axis[1] or not matrix and not isinstance(axis, int | np.integer | None):
        raise value_error(f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}")
    if matrix and ord not in _MATRIX_NORMS:
        raise value_error(f"'ord' must be a supported matrix norm in {_MATRIX_NORMS}, got {ord}")
    if not matrix and ord != "euclidean" and (isinstance(ord, str) or not ord > 0):
        raise value_error(
            f"'ord' must be a supported vector norm, got {ord}",
            "'euclidean', any number above 0, and np.inf; 'fro' is for matrices: norm(x, 'fro', axis=[0, 1]).",
        )


def _longest(x: Tensor, inner: int, outer: int) -> Tensor:
    """The largest of the sums along one axis."""
    return reduce_max(reduce_sum(abs_(x), inner, keepdims=True), outer, keepdims=True)


def _spectral(x: Tensor, rows: int, columns: int) -> Tensor:
    """The largest singular value, both axes kept."""
    first, second = rows % x.ndim, columns % x.ndim
    lead = [kept for kept in range(x.ndim) if kept not in (first, second)]
    order = [*lead, first, second]
    largest = reduce_max(singular_(transpose(x, order)), -1, keepdims=True)
    return transpose(expand_dims(largest, -1), list(np.argsort(order)))


@named("linalg.normalize")
def normalize(tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The tensor divided by its norm, and the norm.

    >>> [tensor.numpy().tolist() for tensor in tf.linalg.normalize([3.0, 4.0])]
    [[0.6000000238418579, 0.800000011920929], [5.0]]
    """
    length = norm(tensor, ord, axis, keepdims=True)
    return convert(tensor) / length, length
