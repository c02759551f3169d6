"""Vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops import indexing, like_numpy, linalg, shapes
from ...ops.creation import _made
from ...ops.einsum import einsum as _einsum
from ...tensor import Tensor
from .arrays import alike, asarray
from .reductions import sum
from .shapes import ravel, reshape


def dot(a: Any, b: Any) -> Any:
    """Sums of products along the last axis of the first and the last but one of the second."""
    return like_numpy.dot(*alike(a, b))


def matmul(x1: Any, x2: Any) -> Tensor:
    """The product of matrices, of a vector and a matrix, of two vectors."""
    x1, x2 = alike(x1, x2)
    if x1.ndim == 1 and x2.ndim == 1:
        return linalg.tensordot(x1, x2, 1)
    if x1.ndim == 1:
        return shapes.squeeze(linalg.matmul(shapes.expand_dims(x1, 0), x2), [-2])
    if x2.ndim == 1:
        return shapes.squeeze(linalg.matmul(x1, shapes.expand_dims(x2, -1)), [-1])
    return linalg.matmul(x1, x2)


def tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    """Sums of products along some axes of both."""
    a, b = alike(a, b)
    return linalg.tensordot(a, b, axes)


def outer(a: Any, b: Any) -> Tensor:
    """Each number of one times each of the other."""
    a, b = alike(a, b)
    return reshape(a, (-1, 1)) * reshape(b, (1, -1))


def inner(a: Any, b: Any) -> Tensor:
    """Sums of products along the last axes."""
    a, b = alike(a, b)
    return a * b if not a.ndim or not b.ndim else linalg.tensordot(a, b, [[a.ndim - 1], [b.ndim - 1]])


def einsum(subscripts: str, *operands: Any) -> Tensor:
    """Sums of products, by letters."""
    return _einsum(subscripts, *alike(*operands))


def diag(v: Any, k: int = 0) -> Tensor:
    """A matrix of its diagonal, or the diagonal of a matrix."""
    v = asarray(v)
    if v.ndim == 1:
        return reshape(v, (-1, 1)) * _made(np.eye(len(v.array), dtype=v.tag.dtype)) if not k else _off(v, k)
    indices = np.arange(v.array.size).reshape(v.array.shape).diagonal(k)
    return indexing.gather(ravel(v), indices)


def _off(v: Tensor, k: int) -> Tensor:
    """A matrix with these numbers on its k-th diagonal."""
    count = v.shape[0] + int(np.abs(k))
    picked = np.diag(np.ones(v.shape[0]), k).astype(v.tag.dtype)
    rows = np.maximum(np.arange(count) - int(np.maximum(-k, 0)), 0).clip(0, v.shape[0] - 1)
    return reshape(indexing.gather(v, rows), (-1, 1)) * _made(picked)


def trace(a: Any) -> Tensor:
    """The sum of the diagonal."""
    return sum(diag(a))


def tril(m: Any, k: int = 0) -> Tensor:
    """Zeros above a diagonal."""
    return like_numpy.tril(asarray(m), k)


def triu(m: Any, k: int = 0) -> Tensor:
    """Zeros below a diagonal."""
    return like_numpy.triu(asarray(m), k)
