"""Vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops import indexing, like_numpy, linalg, shapes
from ...ops.einsum import einsum
from ...tensor import Tensor, created
from .arrays import Rows, alike, asarray
from .reductions import added
from .shapes import ravel, reshape


def _matmul(x1: Any, x2: Any) -> Tensor:
    x1, x2 = alike(x1, x2)
    if x1.ndim == 1 and x2.ndim == 1:
        return linalg.tensordot(x1, x2, 1)
    if x1.ndim == 1:
        return shapes.squeeze(linalg.matmul(shapes.expand_dims(x1, 0), x2), [-2])
    if x2.ndim == 1:
        return shapes.squeeze(linalg.matmul(x1, shapes.expand_dims(x2, -1)), [-1])
    return linalg.matmul(x1, x2)


def _tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    a, b = alike(a, b)
    return linalg.tensordot(a, b, axes)


def _outer(a: Any, b: Any) -> Tensor:
    a, b = alike(a, b)
    return reshape(a, (-1, 1)) * reshape(b, (1, -1))


def _inner(a: Any, b: Any) -> Tensor:
    a, b = alike(a, b)
    return a * b if not a.ndim or not b.ndim else linalg.tensordot(a, b, [[a.ndim - 1], [b.ndim - 1]])


def _diag(v: Any, k: int = 0) -> Tensor:
    v = asarray(v)
    if v.ndim == 1:
        return reshape(v, (-1, 1)) * created(np.eye(len(v.array), dtype=v.tag.dtype)) if not k else _off(v, k)
    indices = np.arange(v.array.size).reshape(v.array.shape).diagonal(k)
    return indexing.gather(ravel(v), indices)


def _off(v: Tensor, k: int) -> Tensor:
    """A matrix with these numbers on its k-th diagonal."""
    count = v.shape[0] + int(np.abs(k))
    picked = np.diag(np.ones(v.shape[0]), k).astype(v.tag.dtype)
    rows = np.maximum(np.arange(count) - int(np.maximum(-k, 0)), 0).clip(0, v.shape[0] - 1)
    return reshape(indexing.gather(v, rows), (-1, 1)) * created(picked)


ROWS: Rows = {
    "dot": (
        lambda a, b: like_numpy.dot(*alike(a, b)),
        "Sums of products along the last axis of the first and the last but one of the second.",
    ),
    "matmul": (_matmul, "The product of matrices, of a vector and a matrix, of two vectors."),
    "tensordot": (_tensordot, "Sums of products along some axes of both."),
    "outer": (_outer, "Each number of one times each of the other."),
    "inner": (_inner, "Sums of products along the last axes."),
    "einsum": (lambda subscripts, *operands: einsum(subscripts, *alike(*operands)), "Sums of products, by letters."),
    "diag": (_diag, "A matrix of its diagonal, or the diagonal of a matrix."),
    "trace": (lambda a: added(_diag(a)), "The sum of the diagonal."),
    "tril": (lambda m, k=0: like_numpy.tril(asarray(m), k), "Zeros above a diagonal."),
    "triu": (lambda m, k=0: like_numpy.triu(asarray(m), k), "Zeros below a diagonal."),
}
