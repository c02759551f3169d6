"""Rows of linear algebra.

The rules for products of matrices are those of Giles (2008), "Collected matrix derivative results".
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..errors import InvalidArgumentError
from ..kinds import Bilinear
from ..notes import Notes, named
from ..record.refusal import invalid_argument, refusal, value_error
from ..tensor import Operand, Tensor, convert, created
from .elementwise import conj, select
from .joins import stack, unstack
from .padding import diag_, diag_part_, pad_
from .reductions import reduce_sum
from .shapes import axis_within, expand_dims, getitem_, in_order, in_shape, reshape_, squeeze, transpose


def _product(x: np.ndarray, y: np.ndarray, transpose_a: bool, transpose_b: bool) -> np.ndarray:
    return np.matmul(x.swapaxes(-1, -2) if transpose_a else x, y.swapaxes(-1, -2) if transpose_b else y)


# fmt: off
matmul_ = Bilinear("matmul", _product,
    lambda g, y, transpose_a, transpose_b:
        matmul_(y, g, transpose_a=transpose_b, transpose_b=True) if transpose_a else
        matmul_(g, y, transpose_a=False, transpose_b=not transpose_b),
    lambda g, x, transpose_a, transpose_b:
        matmul_(g, x, transpose_a=True, transpose_b=transpose_a) if transpose_b else
        matmul_(x, g, transpose_a=not transpose_a, transpose_b=False),
    notes=Notes("x @ y", sign="@", title="MatMul", kinds="ifc", source="Giles 2008, 2.2.1", takes_batches=True,
        hint="The last axis of the left must match the first matrix axis of the right: (m, n) @ (n, p).",
        misfit=lambda x, y, transpose_a, transpose_b: _unlike(x, y, transpose_a, transpose_b)))
# fmt: on


def _how_they_fit(x: list[int], y: list[int], already: bool) -> str:
    """How the two would fit: on a line of its own, which becomes part of the hint."""
    if already or min(len(x), len(y)) < 2:
        return ""
    if x[-1] == y[-1]:
        return f"\nBoth have {x[-1]} columns: tf.matmul(a, b, transpose_b=True) turns the right one."
    if x[-2] == y[-2]:
        return f"\nBoth have {x[-2]} rows: tf.matmul(a, b, transpose_a=True) turns the left one."
    return "\nThe other way round they fit." if y[-1] == x[-2] else ""


def _unlike(x: list[int], y: list[int], transpose_a: bool, transpose_b: bool) -> str:
    """Which part of two shapes does not match for a product: the matrices or their batches."""
    first, second = (str(axes).replace(" ", "") for axes in (x, y))
    if x[-2 if transpose_a else -1] != y[-1 if transpose_b else -2]:
        return f"Matrix size-incompatible: In[0]: {first}, In[1]: {second}{_how_they_fit(x, y, transpose_a or transpose_b)}"
    return f"In[0] and In[1] must have compatible batch dimensions: {first} vs. {second}"


@named("matmul linalg.matmul")
def matmul(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False, adjoint_b: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The matrix product; leading axes are batches and broadcast.

    Raises InvalidArgumentError for vectors and for inner axes that differ.

    >>> tf.matmul([[1.0, 2.0]], [[3.0], [4.0]]).numpy()
    array([[11.]], dtype=float32)
    """
    if not (isinstance(a, Operand) and isinstance(b, Operand)):
        a = convert(a)
        b = convert(b, hint=a.tag.dtype)
    if len(a.tag.shape) < 2 or len(b.tag.shape) < 2:
        raise invalid_argument(
            f"In[0] and In[1] ndims must be >= 2: {a.shape} and {b.shape} [Op:MatMul]",
            "Each number of a tensor times one number is x * 3.0."
            if not (a.tag.shape and b.tag.shape)
            else "A vector is no matrix: make it a column with x[:, tf.newaxis], or use tf.linalg.matvec.",
        )
    if not (adjoint_a or adjoint_b):
        return matmul_.run(a, b, params={"transpose_a": transpose_a, "transpose_b": transpose_b})
    for letter, turned, conjugated in (("a", transpose_a, adjoint_a), ("b", transpose_b, adjoint_b)):
        if turned and conjugated:
            raise value_error(
                f"Only one of `transpose_{letter}` and `adjoint_{letter}` can be True. "
                f"Received `transpose_{letter}`=True, `adjoint_{letter}`=True.",
                "The adjoint is the transpose, conjugated.",
            )
    a, b = conj(a) if adjoint_a else a, conj(b) if adjoint_b else b
    return matmul_(a, b, transpose_a=transpose_a or adjoint_a, transpose_b=transpose_b or adjoint_b)


@named("linalg.matvec")
def matvec(a: Any, b: Any, transpose_a: bool = False, adjoint_a: bool = False, name: str | None = None) -> Tensor:
    """The product of a matrix and a vector.

    >>> tf.linalg.matvec([[1.0, 2.0], [3.0, 4.0]], [1.0, 0.0]).numpy()
    array([1., 3.], dtype=float32)
    """
    return squeeze(matmul(a, expand_dims(b, -1), transpose_a=transpose_a, adjoint_a=adjoint_a), -1)


@named("tensordot linalg.tensordot")
def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """The sum of products over the given axes: a number of them, or one list for each side.

    >>> tf.tensordot([1.0, 2.0], [3.0, 4.0], 1).numpy()
    np.float32(11.0)
    """
    a, b = convert(a), convert(b)
    _checked_axes(axes, a.ndim)
    left = list(range(a.ndim - axes, a.ndim)) if isinstance(axes, int) else np.atleast_1d(axes[0]).tolist()
    right = list(range(axes)) if isinstance(axes, int) else np.atleast_1d(axes[1]).tolist()
    left, right = [axis_within(i, a.ndim) for i in left], [axis_within(i, b.ndim) for i in right]
    free_a, free_b = [i for i in range(a.ndim) if i not in left], [i for i in range(b.ndim) if i not in right]
    summed_a, summed_b = (int(np.prod([x.shape[i] for i in axes], dtype=int)) for x, axes in ((a, left), (b, right)))
    rows, columns = [a.shape[i] for i in free_a], [b.shape[i] for i in free_b]
    flat_a = in_shape(in_order(a, free_a + left), [int(np.prod(rows, dtype=int)), summed_a])
    flat_b = in_shape(in_order(b, right + free_b), [summed_b, int(np.prod(columns, dtype=int))])
    return in_shape(matmul(flat_a, flat_b), rows + columns)


def _checked_axes(axes: Any, ndim: int) -> None:
    if isinstance(axes, int):
        if axes < 0:
            raise value_error(f"`axes` must be at least 0. Received: {axes}.", "It counts the axes to sum over.")
        if axes > ndim:
            raise value_error(
                f"`axes` must not be larger than the number of dimensions of the tensor. Received {axes}, vs {ndim}.",
                "It counts the axes to sum over.",
            )
    elif len(axes) != 2:
        raise value_error(
            f"`axes` must be an integer or have length 2. Received {axes}.",
            "One list of axes for each side: [[1], [0]] is the product of matrices.",
        )


@named("linalg.cross")
def cross(a: Any, b: Any, name: str | None = None) -> Tensor:
    """The cross product of vectors of three.

    >>> tf.linalg.cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).numpy()
    array([0., 0., 1.], dtype=float32)
    """
    a, b = convert(a), convert(b)
    if a.shape[-1:] != (3,) or b.shape[-1:] != (3,):
        raise invalid_argument(
            f"cross takes vectors of three, got shapes {list(a.shape)} and {list(b.shape)}",
            "Their last axis has length 3.",
        )
    (ax, ay, az), (bx, by, bz) = unstack(a, axis=-1), unstack(b, axis=-1)
    return stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], -1)


@named("linalg.set_diag")
def set_diag(input: Any, diagonal: Any, name: str | None = None, k: int = 0) -> Tensor:
    """The matrix with a new diagonal, the main one or the `k`-th above it.

    >>> tf.linalg.set_diag([[1.0, 2.0], [3.0, 4.0]], [0.0, 9.0]).numpy()
    array([[0., 2.],
           [3., 9.]], dtype=float32)
    """
    x = convert(input)
    line, (rows, columns) = convert(diagonal, hint=x.tag.dtype), x.tag.shape[-2:]
    place = np.eye(rows, columns, k, dtype=bool)
    if line.shape != (*x.shape[:-2], place.sum()) or line.dtype != x.dtype:
        raise invalid_argument(
            f"the {line.dtype.name} diagonal of shape {line.shape} does not fit the {x.dtype.name} matrix of shape {x.shape}",
            f"It needs the shape {[*x.shape[:-2], int(place.sum())]} and the matrix's dtype.",
        )
    return select(np.broadcast_to(place, x.tag.shape), _laid(line, k, rows, columns), x)


@named("linalg.matrix_transpose")
def matrix_transpose(a: Any, name: str | None = None, conjugate: bool = False) -> Tensor:
    """The last two axes exchanged.

    >>> tf.linalg.matrix_transpose([[[1.0, 2.0]]]).shape
    TensorShape([1, 2, 1])
    """
    a = convert(a)
    return transpose(a, [*range(a.ndim - 2), a.ndim - 1, a.ndim - 2], conjugate)


@named("eye linalg.eye")
def eye(
    num_rows: int,
    num_columns: int | None = None,
    batch_shape: Any = None,
    dtype: Any = "float32",
    name: str | None = None,
) -> Tensor:
    """The identity matrix.

    >>> tf.eye(2).numpy()
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    for count in (num_rows, num_columns):
        odd = isinstance(count, float | str | list | tuple)
        if count is not None and (odd or int(count) < 0):
            raise refusal(
                TypeError if odd else InvalidArgumentError,
                f"Arguments `num_rows` and `num_columns` must be positive integer values. Received: {count}",
                "tf.eye(2) has two rows and two columns, tf.eye(2, 3) has three columns.",
            )
    identity = np.eye(
        int(num_rows), None if num_columns is None else int(num_columns), dtype=as_dtype(dtype).numpy_dtype
    )
    return created(np.broadcast_to(identity, (*(batch_shape or ()), *identity.shape)).copy())


@named("linalg.trace")
def trace(x: Any, name: str | None = None) -> Tensor:
    """The sum along the diagonal of the last two axes.

    >>> tf.keras.ops.trace([[1.0, 2.0], [3.0, 4.0]]).numpy()
    np.float32(5.0)
    """
    return reduce_sum(diag_part_(x), axis=-1)


@named("linalg.diag")
def diag(
    diagonal: Any, name: str | None = None, k: int = 0, num_rows: int = -1, num_cols: int = -1, padding_value: float = 0
) -> Tensor:
    """A matrix with the vector (the last axis, if there are several) on its diagonal, the main one or the `k`-th above it.

    >>> tf.keras.ops.diag([1.0, 2.0]).numpy()
    array([[1., 0.],
           [0., 2.]], dtype=float32)
    """
    line = _line(diagonal)
    length = line.shape[-1]
    least = (length + abs(k),) * 2 if num_rows == num_cols == -1 else (length + max(-k, 0), length + max(k, 0))
    rows, columns = least[0] if num_rows == -1 else num_rows, least[1] if num_cols == -1 else num_cols
    if not padding_value:
        return _laid(line, k, rows, columns)
    field = np.full((*line.tag.shape[:-1], rows, columns), padding_value, line.tag.dtype)
    return set_diag(field, line, k=k)


def _laid(line: Tensor, k: int, rows: int, columns: int) -> Tensor:
    """A matrix of zeros with a vector on its k-th diagonal."""
    before = (max(-k, 0), max(k, 0))
    after = (rows - line.tag.shape[-1] - before[0], columns - line.tag.shape[-1] - before[1])
    square = diag_(line)
    if not any((*before, *after)):
        return square
    return pad_(square, paddings=(*[(0, 0)] * (line.ndim - 1), *zip(before, after, strict=True)), value=0)


@named("linalg.diag_part")
def diag_part(input: Any, name: str | None = None, k: int = 0) -> Tensor:
    """The diagonal of the last two axes, the main one or the `k`-th above it.

    >>> tf.linalg.diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)
    >>> tf.linalg.diag_part([[1, 2], [3, 4]], k=1).numpy()
    array([2], dtype=int32)
    """
    x = convert(input)
    if k and not -x.shape[-2] < k < x.shape[-1]:
        raise invalid_argument(
            f"lower_diag_index is out of bound: {k}. It must be between {-x.shape[-2]} and {x.shape[-1]}",
            "k counts the places above the diagonal, negative ones those below.",
        )
    if k:
        x = getitem_(x, key=("...", ("slice", max(-k, 0), None, None), ("slice", max(k, 0), None, None)))
    return diag_part_(x)


@named("linalg.tensor_diag_part")
def tensor_diag_part(input: Any, name: str | None = None) -> Tensor:
    """The diagonal of a matrix, or of a tensor with twice as many axes: what `tensor_diag` was made of.

    >>> tf.linalg.tensor_diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)
    """
    x = convert(input)
    half = x.tag.shape[: x.ndim // 2]
    if not half or half + half != x.tag.shape:
        raise invalid_argument(
            f"a diagonal needs the same lengths twice, got shape {x.shape}",
            "tf.linalg.diag_part takes batches, and matrices that are not square.",
        )
    if len(half) == 1:
        return diag_part_(x)
    count = math.prod(half)
    return reshape_(diag_part_(reshape_(x, shape=(count, count))), shape=half)


@named("linalg.tensor_diag")
def tensor_diag(diagonal: Any, name: str | None = None) -> Tensor:
    """Zeros with the tensor on the diagonal: of a vector a matrix, of a matrix a tensor with four axes.

    >>> tf.linalg.tensor_diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    """
    diagonal = _line(diagonal)
    lengths = diagonal.tag.shape
    return (
        diag_(diagonal)
        if len(lengths) == 1
        else reshape_(diag_(reshape_(diagonal, shape=(-1,))), shape=lengths + lengths)
    )


def _line(diagonal: Any) -> Tensor:
    line = convert(diagonal)
    if not line.ndim:
        raise invalid_argument("diagonal must be at least 1-dim, received shape: []", "One number alone is [x].")
    return line
