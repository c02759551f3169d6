"""Rows of linear algebra.  The rules for products of matrices are those of Giles (2008), "Collected matrix derivative results"."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..errors import InvalidArgumentError
from ..primitive import Bilinear
from ..tensor import Tensor, convert, make
from .elementwise import abs as abs_
from .elementwise import conj, pow, select, sqrt, square
from .reductions import reduce_max, reduce_sum
from .shapes import (
    _bordered,
    axis_within,
    diag_,
    diag_part_,
    expand_dims,
    reshape,
    reshape_,
    squeeze,
    stack,
    transpose,
    unstack,
)  # fmt: skip

# fmt: off
matmul_ = Bilinear("matmul", lambda x, y, transpose_a, transpose_b: np.matmul(_t(x, transpose_a), _t(y, transpose_b)),
                   lambda g, y, transpose_a, transpose_b: _mm(y, g, transpose_b, True) if transpose_a else _mm(g, y, False, not transpose_b),
                   lambda g, x, transpose_a, transpose_b: _mm(g, x, True, transpose_a) if transpose_b else _mm(x, g, not transpose_a, False),
                   sign="@", formula="x @ y", derivatives=("d @ yᵀ", "xᵀ @ d"), title="MatMul", source="Giles 2008, 2.2.1",
                   hint="The last axis of the left must match the first matrix axis of the right: (m, n) @ (n, p).")
outer_  = Bilinear("outer", lambda x, y: np.outer(x, y), lambda g, y: squeeze(_mm(g, expand_dims(y, 1), False, False), 1),
                   lambda g, x: squeeze(_mm(g, expand_dims(x, 1), True, False), 1),
                   sign="xyᵀ", formula="x yᵀ", derivatives=("d @ y", "dᵀ @ x"))
# fmt: on


def _t(x: np.ndarray, turn: bool) -> np.ndarray:
    return np.swapaxes(x, -1, -2) if turn else x


def _mm(x: Any, y: Any, transpose_a: bool, transpose_b: bool) -> Tensor:
    return matmul_(x, y, transpose_a=transpose_a, transpose_b=transpose_b)


def matmul(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False, adjoint_b: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The matrix product; leading axes are batches and broadcast.

    Raises InvalidArgumentError for vectors and for inner axes that differ.

    >>> matmul([[1.0, 2.0]], [[3.0], [4.0]]).numpy()
    array([[11.]], dtype=float32)
    """
    a = convert(a)
    b = convert(b, hint=a._tag.dtype)
    for one in (a, b):
        if one.ndim < 2:
            raise InvalidArgumentError(
                f"In[0] and In[1] ndims must be >= 2: {a.shape} and {b.shape} [Op:MatMul]\n"
                "  A vector is no matrix: make it a column with x[:, tf.newaxis], or use tf.linalg.matvec."
            )
    a, b = conj(a) if adjoint_a else a, conj(b) if adjoint_b else b
    return _mm(a, b, transpose_a or adjoint_a, transpose_b or adjoint_b)


def matvec(a: Any, b: Any, transpose_a: bool = False, name: str | None = None) -> Tensor:
    """The product of a matrix and a vector.

    >>> matvec([[1.0, 2.0], [3.0, 4.0]], [1.0, 0.0]).numpy()
    array([1., 3.], dtype=float32)
    """
    return squeeze(matmul(a, expand_dims(b, -1), transpose_a=transpose_a), -1)


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """The sum of products over the given axes: a number of them, or one list for each side.

    >>> tensordot([1.0, 2.0], [3.0, 4.0], 1).numpy()
    np.float32(11.0)
    """
    a, b = convert(a), convert(b)
    left = list(range(a.ndim - axes, a.ndim)) if isinstance(axes, int) else np.atleast_1d(axes[0]).tolist()
    right = list(range(axes)) if isinstance(axes, int) else np.atleast_1d(axes[1]).tolist()
    left, right = [axis_within(i, a.ndim) for i in left], [axis_within(i, b.ndim) for i in right]
    free_a, free_b = [i for i in range(a.ndim) if i not in left], [i for i in range(b.ndim) if i not in right]
    inner = int(np.prod([a.shape[i] for i in left], dtype=int))
    rows, columns = [a.shape[i] for i in free_a], [b.shape[i] for i in free_b]
    flat_a = reshape(transpose(a, free_a + left), [int(np.prod(rows, dtype=int)), inner])
    flat_b = reshape(transpose(b, right + free_b), [inner, int(np.prod(columns, dtype=int))])
    return reshape(matmul(flat_a, flat_b), rows + columns) if rows + columns else reshape_scalar(matmul(flat_a, flat_b))


def reshape_scalar(x: Tensor) -> Tensor:
    """A tensor of one element as a 0-d tensor."""
    return reshape_(x, shape=())


def norm(
    tensor: Any,
    ord: Any = "euclidean",  # noqa: A002
    axis: Any = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """The length of a vector (or of all numbers together): "euclidean", any p ≥ 1, infinity.

    Over two axes it is a matrix norm: "fro" (or "euclidean"), 1 (largest column) or infinity (largest row).

    >>> norm([3.0, 4.0]).numpy()
    np.float32(5.0)
    >>> norm([[1.0, 2.0], [3.0, 4.0]], ord=1, axis=[0, 1]).numpy()
    np.float32(6.0)
    """
    x = convert(tensor)
    matrix = isinstance(axis, list | tuple) and len(axis) == 2
    if ord == "euclidean" or (ord == "fro" and matrix) or (ord == 2 and not matrix):
        return sqrt(reduce_sum(x * conj(x) if x.dtype.is_complex else square(x), axis, keepdims))
    if matrix and ord in (1, np.inf):
        inner, outer = (axis[0], axis[1]) if ord == 1 else (axis[1], axis[0])
        longest = reduce_max(reduce_sum(abs_(x), inner, keepdims=True), outer, keepdims=True)
        return longest if keepdims else squeeze(longest, list(axis))
    if ord == np.inf:
        return reduce_max(abs_(x), axis, keepdims)
    if matrix or not isinstance(ord, int | float) or ord <= 0:
        raise ValueError(
            f"ord={ord!r}: the norms here are 'euclidean', 'fro', 1, 2, p > 0 and np.inf, of a matrix without 2"
        )
    if ord == 1:
        return reduce_sum(abs_(x), axis, keepdims)
    return pow(reduce_sum(pow(abs_(x), float(ord)), axis, keepdims), 1.0 / float(ord))


def normalize(
    tensor: Any,
    ord: Any = "euclidean",  # noqa: A002
    axis: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The tensor divided by its norm, and the norm.

    >>> [one.numpy().tolist() for one in normalize([3.0, 4.0])]
    [[0.6000000238418579, 0.800000011920929], [5.0]]
    """
    length = norm(tensor, ord, axis, keepdims=True)
    return convert(tensor) / length, length


def cross(a: Any, b: Any, name: str | None = None) -> Tensor:
    """The cross product of vectors of three.

    >>> cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).numpy()
    array([0., 0., 1.], dtype=float32)
    """
    a, b = convert(a), convert(b)
    (ax, ay, az), (bx, by, bz) = unstack(a, axis=-1), unstack(b, axis=-1)
    return stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], -1)


def set_diag(input: Any, diagonal: Any, name: str | None = None) -> Tensor:  # noqa: A002
    """The matrix with another diagonal.

    >>> set_diag([[1.0, 2.0], [3.0, 4.0]], [0.0, 9.0]).numpy()
    array([[0., 2.],
           [3., 9.]], dtype=float32)
    """
    x = convert(input)
    rows, columns = x._tag.shape[-2:]
    places = np.broadcast_to(np.eye(rows, columns, dtype=bool), x._tag.shape)
    laid = _bordered(diag_(convert(diagonal, hint=x._tag.dtype)), x._tag.shape)
    return select(places, laid, x)


def matrix_transpose(a: Any, name: str | None = None, conjugate: bool = False) -> Tensor:
    """The last two axes changed over.

    >>> matrix_transpose([[[1.0, 2.0]]]).shape
    TensorShape([1, 2, 1])
    """
    a = convert(a)
    return transpose(a, [*range(a.ndim - 2), a.ndim - 1, a.ndim - 2], conjugate)


def eye(
    num_rows: int,
    num_columns: int | None = None,
    batch_shape: Any = None,
    dtype: Any = "float32",
    name: str | None = None,
) -> Tensor:
    """The identity matrix.

    >>> eye(2).numpy()
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    one = np.eye(int(num_rows), None if num_columns is None else int(num_columns), dtype=as_dtype(dtype).numpy_dtype)
    return make(np.broadcast_to(one, (*(batch_shape or ()), *one.shape)).copy())


def trace(x: Any, name: str | None = None) -> Tensor:
    """The sum along the diagonal of the last two axes.

    >>> trace([[1.0, 2.0], [3.0, 4.0]]).numpy()
    np.float32(5.0)
    """
    return reduce_sum(diag_part_(x), axis=-1)


def diag(diagonal: Any, name: str | None = None) -> Tensor:
    """A matrix with the vector (the last axis, where there are several) on its diagonal.

    >>> diag([1.0, 2.0]).numpy()
    array([[1., 0.],
           [0., 2.]], dtype=float32)
    """
    return diag_(diagonal)


def tensor_diag(diagonal: Any, name: str | None = None) -> Tensor:
    """A matrix with the vector on its diagonal; only vectors.

    >>> tensor_diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    """
    diagonal = convert(diagonal)
    if diagonal.ndim != 1:
        raise NotImplementedError(
            f"tf.linalg.tensor_diag of shape {diagonal.shape}: only of a vector. tf.linalg.diag takes batches."
        )
    return diag_(diagonal)
