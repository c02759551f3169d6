"""Vectors and matrices."""

from __future__ import annotations

from typing import Any

from ...ops import like_numpy, linalg, shapes
from ...ops.einsum import einsum
from ...tensor import Tensor
from .arrays import Rows, alike, asarray
from .reductions import added
from .shapes import reshape


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
    "diag": (lambda v, k=0: like_numpy.diag(asarray(v), k), "A matrix of its diagonal, or the diagonal of a matrix."),
    "trace": (lambda a: added(like_numpy.diag(asarray(a))), "The sum of the diagonal."),
    "tril": (lambda m, k=0: like_numpy.tril(asarray(m), k), "Zeros above a diagonal."),
    "triu": (lambda m, k=0: like_numpy.triu(asarray(m), k), "Zeros below a diagonal."),
}
