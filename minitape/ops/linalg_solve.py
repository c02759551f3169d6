"""Rows about solving for a matrix: inverse, determinant, factors.

The rules are those of Giles (2008), "Collected matrix derivative results for forward and reverse mode"; for the factors
also Murray (2016), "Differentiation of the Cholesky decomposition", and Walter and Lehmann (2010), "Algorithmic
differentiation of linear algebra functions".  Matrices stand in the last two axes; all axes before them are a batch.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..kinds import General, Linear
from ..notes import Notes, named, written
from ..record.refusal import invalid_argument, value_error
from ..tensor import Tensor, convert
from .elementwise import conj, log
from .joins import unstack
from .linalg import diag, matmul_, matrix_transpose, trace
from .padding import diag_part_
from .reductions import _conjugate, reduce_sum
from .shapes import expand_dims, transpose_

# fmt: off
inverse_ = General("inverse", lambda x: np.linalg.inv(x), vjp=[lambda g, out: -_onto(_into(out, g), out)],
    jvp=[lambda t, out: -(out @ t @ out)],
    notes=Notes(phrase="the inverse of x", sign="x⁻¹", title="MatrixInverse", kinds="fc", source="Giles 2008, 2.2.3",
        hint="A matrix with an inverse is square, and no row follows from the others."))
_COLUMN = "x is [..., n, n] and y [..., n, k]: a vector b is solved for as b[:, tf.newaxis]."
solve_ = General("solve", lambda x, y, adjoint: _solve(_turned(x, adjoint), y),
    vjp=[lambda g, x, out, adjoint: -_outer(_solved(x, g, not adjoint), out, adjoint),
          lambda g, x, adjoint: _solved(x, g, not adjoint)],
    jvp=[lambda t, x, out, adjoint: -_solved(x, (_h(t) if adjoint else t) @ out, adjoint),
          lambda t, x, adjoint: _solved(x, t, adjoint)],
    notes=Notes(phrase="the solution of x @ out = y", sign="x⁻¹y", title="MatrixSolve", kinds="fc",
        source="Giles 2008, 2.3.1",
        hint=_COLUMN))
triangular_solve_ = General("triangular_solve",
    lambda x, y, lower, adjoint: _solve(_turned(_triangle(x, lower), adjoint), y),
    vjp=[lambda g, x, out, lower, adjoint:
              -_part(_outer(_triangular(x, g, lower, not adjoint), out, adjoint), lower),
          lambda g, x, lower, adjoint: _triangular(x, g, lower, not adjoint)],
    jvp=[lambda t, x, out, lower, adjoint:
              -_triangular(x, (_h(_part(t, lower)) if adjoint else _part(t, lower)) @ out, lower, adjoint),
          lambda t, x, lower, adjoint: _triangular(x, t, lower, adjoint)],
    notes=Notes(phrase="the solution of x @ out = y, x a triangle", sign="x⁻¹y", title="MatrixTriangularSolve",
        kinds="fc", source="Giles 2008, 2.3.1", hint=_COLUMN))
det_ = General("det", lambda x: _det(x), vjp=[lambda g, x, out: _wide(g * _conjugate(out)) * _h(inverse_(x))],
    jvp=[lambda t, x, out: out * trace(inverse_(x) @ t)],
    notes=Notes(phrase="the determinant of x", title="MatrixDeterminant", kinds="fc",
        source="Giles 2008, 2.2.4"))
slogdet_ = General("slogdet", lambda x: tuple(np.linalg.slogdet(x)),
    vjp=[lambda g, x: _wide(g[1]) * _h(inverse_(x))],
    jvp=[lambda t, x: (None, trace(inverse_(x) @ t))], outputs=2,
    notes=Notes(phrase="sign and log of |det x|", sign="log det", title="LogMatrixDeterminant", kinds="f",
        source="Giles 2008, 2.2.4"))
cholesky_ = General("cholesky", lambda x: np.linalg.cholesky((x + _turned(x, True)) / 2),
    vjp=[lambda g, out: _symmetric(_within(out, lower_half_(_into(out, g)), True))],
    jvp=[lambda t, out: out @ lower_half_(_within(out, _symmetric(t), False))],
    notes=Notes(phrase="the triangle L with L @ Lᵀ = x", sign="LLᵀ", kinds="f", source="Murray 2016, 3.1",
        hint="A matrix with a Cholesky factor is symmetric and positive definite."))
band_part_ = Linear("band_part", lambda x, lower, upper: np.where(_band(x.shape, lower, upper), x, x.dtype.type(0)),
    lambda g, lower, upper: band_part_(g, lower=lower, upper=upper),
    notes=Notes(phrase="x near its diagonal", title="MatrixBandPart"))
# What the ways back of factors are made of.  All are their own transposes.
both_ = Linear("both_triangles", lambda x: x + x.swapaxes(-1, -2), lambda g: both_(g),
    notes=Notes(phrase="x + xᵀ", sign="+ᵀ", kinds="f"))
skew_ = Linear("skew", lambda x: x - x.swapaxes(-1, -2), lambda g: skew_(g),
    notes=Notes(phrase="x − xᵀ", sign="−ᵀ", kinds="f"))
lower_half_ = Linear("lower_half", lambda x: (np.tril(x) + np.tril(x, -1)) / x.dtype.type(2), lambda g: lower_half_(g),
    notes=Notes(phrase="the triangle of x below its diagonal, and half of the diagonal", sign="◣", kinds="f"))
below_ = Linear("below_diagonal", lambda x: np.tril(x, -1), lambda g: below_(g),
    notes=Notes(phrase="the triangle of x below its diagonal", sign="◣", kinds="f"))
# fmt: on


# ---- in NumPy -------------------------------------------------------------------------------------------------------


def _turned(x: np.ndarray, adjoint: bool) -> np.ndarray:
    return np.conj(np.swapaxes(x, -1, -2)) if adjoint else x


def _solve(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    if y.ndim < 2:
        raise ValueError("the right side must be a matrix, one column per system")
    if x.shape[:-2] != y.shape[:-2]:
        raise ValueError("the batch axes of both sides must be the same")
    return np.linalg.solve(x, y)


def _triangle(x: np.ndarray, lower: bool) -> np.ndarray:
    return np.tril(x) if lower else np.triu(x)


def _det(x: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.det(x), x.dtype)


def _band(shape: tuple[int, ...], lower: int, upper: int) -> np.ndarray:
    below = np.arange(shape[-2])[:, None] - np.arange(shape[-1])
    return ((lower < 0) | (below <= lower)) & ((upper < 0) | (-below <= upper))


# ---- in the rules ---------------------------------------------------------------------------------------------------


@written("xᵀ")
def _h(x: Tensor) -> Tensor:
    """The conjugate transpose."""
    axes = tuple(range(x.ndim - 2))
    turned = transpose_(x, perm=(*axes, x.ndim - 1, x.ndim - 2))
    return conj(turned) if x.dtype.is_complex else turned


@written("x")
def _wide(x: Tensor) -> Tensor:
    """A number per matrix, to multiply the matrix with."""
    return expand_dims(expand_dims(x, -1), -1)


@written(lambda x, y, adjoint: "solve(xᵀ, y)" if adjoint else "solve(x, y)")
def _solved(x: Tensor, y: Tensor, adjoint: bool) -> Tensor:
    return solve_(x, y, adjoint=adjoint)


@written(lambda x, y, lower, adjoint: f"triangular_solve({'xᵀ' if adjoint else 'x'}, y)")
def _triangular(x: Tensor, y: Tensor, lower: bool, adjoint: bool) -> Tensor:
    return triangular_solve_(x, y, lower=lower, adjoint=adjoint)


@written(lambda back, out, adjoint: "out @ backᵀ" if adjoint else "back @ outᵀ")
def _outer(back: Tensor, out: Tensor, adjoint: bool) -> Tensor:
    return _onto(out, back) if adjoint else _onto(back, out)


@written("triangle(x)")
def _part(x: Tensor, lower: bool) -> Tensor:
    return band_part_(x, lower=-1 if lower else 0, upper=0 if lower else -1)


@written("xᵀ @ y")
def _into(x: Tensor, y: Tensor) -> Tensor:
    return matmul_(_conjugate(x), y, transpose_a=True, transpose_b=False)


@written("x @ yᵀ")
def _onto(x: Tensor, y: Tensor) -> Tensor:
    return matmul_(x, _conjugate(y), transpose_a=False, transpose_b=True)


@written(lambda x, y, adjoint: "inverse(x)ᵀ @ y @ inverse(x)" if adjoint else "inverse(x) @ y @ inverse(x)ᵀ")
def _within(x: Tensor, y: Tensor, adjoint: bool) -> Tensor:
    """A matrix between the inverse of a lower triangle and its transpose, itself transposed: whoever asks makes it symmetric."""
    return _triangular(x, _h(_triangular(x, y, True, adjoint)), True, adjoint)


@written("symmetric(x)")
def _symmetric(x: Tensor) -> Tensor:
    return 0.5 * both_(x)


# ---- the public functions -------------------------------------------------------------------------------------------


def _matrix(x: Any, square: bool = True) -> Tensor:
    matrix = convert(x)
    if matrix.ndim < 2 or square and matrix.shape[-1] != matrix.shape[-2]:
        raise invalid_argument(
            f"Input must be a {'square ' * square}matrix, got shape {matrix.shape}",
            "Its last two axes are rows and columns; those before them are a batch.",
        )
    return matrix


@named("linalg.inv")
def inv(input: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverse matrix; raises InvalidArgumentError where there is none.

    >>> tf.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)
    """
    inverse = inverse_(_matrix(input))
    return _h(inverse) if adjoint else inverse


@named("linalg.solve")
def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The x with `matrix @ x = rhs`; both sides are matrices (or batches of them).

    >>> tf.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [[2.0], [2.0]]).numpy()
    array([[1. ],
           [0.5]], dtype=float32)
    """
    return solve_(_matrix(matrix), rhs, adjoint=bool(adjoint))


@named("linalg.tridiagonal_solve")
def tridiagonal_solve(
    diagonals: Any, rhs: Any, diagonals_format: str = "compact", transpose_rhs: bool = False, conjugate_rhs: bool = False,
    name: str | None = None, partial_pivoting: bool = True, perturb_singular: bool = False,
) -> Tensor:  # fmt: skip
    """The x with `matrix @ x = rhs` for a matrix with three diagonals: the one above, the main one and the one below.

    The diagonals are rows of one tensor, of which the first lacks its last number and the third its first ("compact"), a list
    of three ("sequence"), or stand in a whole matrix ("matrix").  It is solved as any matrix is.

    >>> tf.linalg.tridiagonal_solve([[1.0, 1.0, 0.0], [4.0, 4.0, 4.0], [0.0, 1.0, 1.0]], [5.0, 6.0, 5.0]).numpy().round(3)
    array([1., 1., 1.], dtype=float32)
    """
    matrix, side = _three_diagonals(diagonals, diagonals_format), convert(rhs)
    side = conj(side) if conjugate_rhs else side
    vector = side.ndim < matrix.ndim
    if vector or transpose_rhs:
        side = side[..., None] if vector else matrix_transpose(side)
    if side.shape[-2] != matrix.shape[-1]:
        raise value_error(
            "Expected number of left-hand sided and right-hand sides to be equal, got "
            f"{matrix.shape[-1]} and {side.shape[-2]}.",
            "rhs has a row for each number of the main diagonal; transpose_rhs=True takes it as columns.",
        )
    answer: Tensor = solve_(matrix, side, adjoint=False)
    return answer[..., 0] if vector else answer


@named("linalg.tridiagonal_matmul")
def tridiagonal_matmul(diagonals: Any, rhs: Any, diagonals_format: str = "compact", name: str | None = None) -> Tensor:
    """The product of a matrix with three diagonals, given as `tridiagonal_solve` takes them, and another matrix.

    >>> tf.linalg.tridiagonal_matmul([[1.0, 0.0], [4.0, 4.0], [0.0, 1.0]], [[1.0], [2.0]]).numpy()
    array([[6.],
           [9.]], dtype=float32)
    """
    return _three_diagonals(diagonals, diagonals_format) @ convert(rhs)


def _three_diagonals(given: Any, form: str) -> Tensor:
    if form == "matrix":
        return band_part_(_matrix(given, square=True), lower=1, upper=1)  # nothing else in it is read
    if form not in ("compact", "sequence"):
        raise value_error(f"Expected diagonals_format to be one of 'matrix', 'sequence', 'compact', got {form!r}.")
    parts = [convert(part) for part in given] if form == "sequence" else unstack(given, axis=-2)
    if len(parts) != 3:
        raise value_error(f"Expected 3 diagonals got {len(parts)}", "The one above, the main one and the one below.")
    above, main, below = parts
    length = main.tag.shape[-1] - 1
    return diag(main) + diag(above[..., :length], k=1) + diag(below[..., below.tag.shape[-1] - length :], k=-1)


@named("linalg.triangular_solve")
def triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """The x with `matrix @ x = rhs`, of which only one triangle is read.

    >>> tf.linalg.triangular_solve([[2.0, 9.0], [0.0, 4.0]], [[2.0], [2.0]]).numpy()
    array([[1. ],
           [0.5]], dtype=float32)
    """
    return triangular_solve_(_matrix(matrix), rhs, lower=bool(lower), adjoint=bool(adjoint))


@named("linalg.det")
def det(input: Any, name: str | None = None) -> Tensor:
    """The determinant.

    >>> tf.linalg.det([[2.0, 0.0], [0.0, 4.0]]).numpy()
    np.float32(8.0)
    """
    return det_(_matrix(input))


class LogMatrixDeterminant(NamedTuple):
    """What `slogdet` answers."""

    sign: Tensor
    log_abs_determinant: Tensor


@named("linalg.slogdet")
def slogdet(input: Any, name: str | None = None) -> LogMatrixDeterminant:
    """The sign of the determinant, and the logarithm of its size.

    >>> [float(part) for part in tf.linalg.slogdet([[-1.0, 0.0], [0.0, 1.0]])]
    [-1.0, 0.0]
    """
    return LogMatrixDeterminant(*slogdet_(_matrix(input)))


@named("linalg.logdet")
def logdet(matrix: Any, name: str | None = None) -> Tensor:
    """The logarithm of the determinant of a symmetric, positive definite matrix.

    >>> round(float(tf.linalg.logdet([[2.0, 0.0], [0.0, 4.0]])), 4)
    2.0794
    """
    return 2.0 * reduce_sum(log(diag_part_(cholesky(matrix))), axis=-1)


@named("linalg.cholesky")
def cholesky(input: Any, name: str | None = None) -> Tensor:
    """The lower triangle L with L @ Lᵀ = input, for a symmetric positive definite matrix.

    >>> tf.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]]).numpy()
    array([[2., 0.],
           [1., 2.]], dtype=float32)
    """
    return cholesky_(_matrix(input))


@named("linalg.band_part")
def band_part(input: Any, num_lower: int, num_upper: int, name: str | None = None) -> Tensor:
    """A matrix with zeros outside a band about its diagonal; -1 keeps a whole triangle.

    >>> tf.linalg.band_part([[1, 2], [3, 4]], -1, 0).numpy()
    array([[1, 0],
           [3, 4]], dtype=int32)
    """
    return band_part_(_matrix(input, square=False), lower=int(num_lower), upper=int(num_upper))


@named("linalg.cholesky_solve")
def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Tensor:
    """The x with `A @ x = rhs`, given the Cholesky factor of A.

    >>> tf.linalg.cholesky_solve([[2.0, 0.0], [0.0, 1.0]], [[4.0], [1.0]]).numpy()
    array([[1.],
           [1.]], dtype=float32)
    """
    return triangular_solve(chol, triangular_solve(chol, rhs), adjoint=True)


@named("linalg.adjoint")
def adjoint(matrix: Any, name: str | None = None) -> Tensor:
    """The transpose of the last two axes, conjugated.

    >>> tf.linalg.adjoint([[1.0, 2.0]]).numpy()
    array([[1.],
           [2.]], dtype=float32)
    """
    return _h(_matrix(matrix, square=False))
