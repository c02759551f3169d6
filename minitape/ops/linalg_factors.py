"""Rows that take a matrix apart: Q and R, singular values, eigenvalues.

Singular values: Giles (2008), section 3.2, and Townsend (2016), "Differentiating the singular value decomposition", for the
vectors.  Eigenvalues: Giles (2008), 3.1.  Q and R: Walter and Lehmann (2010).  Where two values are equal their vectors have no
derivative of their own: what they would contribute counts as 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..kinds import General
from ..notes import Notes, named, written
from ..record.refusal import refusal
from ..tensor import Tensor, convert
from .elementwise import cast, divide_no_nan, select, square
from .joins import concat_
from .linalg import eye
from .linalg_solve import (
    _h,
    _into,
    _matrix,
    _onto,
    _triangular,
    below_,
    both_,
    cholesky,
    cholesky_solve,
    lower_half_,
    skew_,
)
from .padding import diag_, diag_part_
from .reductions import reduce_max, reduce_sum, sum_
from .shapes import expand_dims, getitem_

# fmt: off
qr_ = General("qr", lambda x, full: tuple(np.linalg.qr(x, "complete" if full else "reduced")),
    vjp=[lambda g, out0, out1: _qr_back(g[0], g[1], out0, out1)],
    jvp=[lambda t, out0, out1: _qr_push(t, out0, out1)], outputs=2,
    notes=Notes(phrase="Q and R with Q @ R = x, R a triangle", kinds="f", source="Walter and Lehmann 2010, 3"))
svd_ = General("svd", lambda x, full: _svd(x, full),
    vjp=[lambda g, out0, out1, out2: _svd_back(g, out0, out1, out2)],
    jvp=[lambda t, out0, out1, out2: _svd_push(t, out0, out1, out2)], outputs=3,
    notes=Notes(phrase="s, U and V with U @ diag(s) @ Vᵀ = x", sign="UΣVᵀ", kinds="f",
        source="Giles 2008, 3.2; Townsend 2016"))
singular_ = General("singular_values", lambda x: np.linalg.svd(x, compute_uv=False),
    vjp=[lambda g, x: _rebuilt(g, *svd_(x, full=False)[1:])],
    jvp=[lambda t, x: _seen(t, *svd_(x, full=False)[1:])],
    notes=Notes(phrase="the singular values of x", sign="σ", title="Svd", kinds="f", source="Giles 2008, 3.2"))
eigh_ = General("eigh", lambda x: tuple(np.linalg.eigh(x)),
    vjp=[lambda g, out0, out1: _eigh_back(g[0], g[1], out0, out1)],
    jvp=[lambda t, out0, out1: _eigh_push(t, out0, out1)], outputs=2,
    notes=Notes(phrase="e and V with V @ diag(e) @ Vᵀ = x, x symmetric", sign="VΛVᵀ", title="SelfAdjointEigV2",
        kinds="f", source="Giles 2008, 3.1"))
gaps_ = General("one_over_gaps", lambda x: _one_over_gaps(x),
    vjp=[lambda g, out, out_shape: sum_(skew_(g * out * out), axis=(len(out_shape) - 1,), keepdims=False)],
    jvp=[lambda t, out: out * out * _less(t)],
    notes=Notes(phrase="1 ÷ (xⱼ − xᵢ), 0 where both are the same", sign="1/Δ", kinds="f", quiet=True))
# fmt: on


# ---- Q and R --------------------------------------------------------------------------------------------------------


def _over(x: Tensor, r: Tensor, adjoint: bool) -> Tensor:
    """x R⁻ᵀ, or x R⁻¹."""
    return _h(_triangular(r, _h(x), False, not adjoint))


def _split(r: Tensor) -> tuple[Tensor, Tensor]:
    """R of a matrix that is wider than high: the triangle, and the columns beside it."""
    rows = r.tag.shape[-2]
    return getitem_(r, key=("...", ("slice", None, rows, None))), getitem_(r, key=("...", ("slice", rows, None, None)))


def _deep(q: Tensor, r: Tensor) -> bool:
    """Whether R is square; raises NotImplementedError where Q has columns that the matrix does not determine."""
    rows, columns = r.tag.shape[-2:]
    if rows > columns:
        raise refusal(
            NotImplementedError,
            "QrGrad not implemented when nrows > ncols and full_matrices is true: the last columns of Q are any that fit.",
            "Leave out full_matrices=True.",
        )
    return rows == columns


def _qr_back(dq: Tensor, dr: Tensor, q: Tensor, r: Tensor) -> Tensor:
    if not _deep(q, r):  # the columns beside the triangle are Q @ beside, whatever they are
        (triangle, beside), (d_triangle, d_beside) = _split(r), _split(dr)
        dq = dq + q @ _onto(beside, d_beside)
        return concat_(_qr_back(dq, d_triangle, q, triangle), q @ d_beside, axis=r.ndim - 1)
    inside = _into(q, dq)
    moved = q @ (dr + _over(below_(skew_(inside + _onto(r, dr))), r, True))
    return moved if _square(q) else moved + _over(dq - q @ inside, r, True)


def _qr_push(t: Tensor, q: Tensor, r: Tensor) -> tuple[Tensor, Tensor]:
    if not _deep(q, r):
        (triangle, beside), (t_triangle, t_beside) = _split(r), _split(t)
        dq, dr = _qr_push(t_triangle, q, triangle)
        return dq, concat_(dr, _into(dq, q) @ beside + _into(q, t_beside), axis=r.ndim - 1)
    moved = _over(t, r, False)
    inside = _into(q, moved)
    turn = skew_(below_(inside))
    return q @ turn if _square(q) else q @ turn + (moved - q @ inside), (inside - turn) @ r


# ---- singular values and eigenvalues --------------------------------------------------------------------------------


def _svd(x: np.ndarray, full: bool) -> tuple[np.ndarray, ...]:
    u, s, vh = np.linalg.svd(x, full_matrices=full)
    return s, u, np.swapaxes(vh, -1, -2)


def _one_over(x: Tensor) -> Tensor:
    return divide_no_nan(1.0, x)


def _one_over_gaps(values: np.ndarray) -> np.ndarray:
    gaps = values[..., None, :] - values[..., :, None]
    return np.divide(1.0, gaps, out=np.zeros_like(gaps), where=gaps != 0)


def _less(x: Tensor) -> Tensor:
    """xᵢ − xⱼ, in row i and column j."""
    return getitem_(x, key=("...", None)) - getitem_(x, key=("...", None, ("slice", None, None, None)))


def _square(x: Tensor) -> bool:
    """Whether the columns are a whole basis, so that nothing lies outside of them."""
    return x.tag.shape[-2] == x.tag.shape[-1]


def _rebuilt(s: Tensor, u: Tensor, v: Tensor) -> Tensor:
    return _onto(u * expand_dims(s, -2), v)


def _seen(t: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """The change of each singular value when the matrix changes by t."""
    return diag_part_(_into(u, t) @ v)


def _reduced(u: Tensor, v: Tensor) -> None:
    if u.tag.shape[-1] != v.tag.shape[-1]:
        raise refusal(
            NotImplementedError,
            "svd gradient is not implemented for full_matrices=True of a matrix that is not square: the last columns are any "
            "that fit.",
            "Leave out full_matrices=True.",
        )


def _svd_back(g: tuple[Tensor, ...], s: Tensor, u: Tensor, v: Tensor) -> Tensor:
    _reduced(u, v)
    ds, du, dv = g
    across, down, gaps = expand_dims(s, -2), expand_dims(s, -1), gaps_(square(s))
    left, right = _into(u, du), _into(v, dv)
    dx = u @ _onto(diag_(ds) + gaps * skew_(left) * across + down * (gaps * skew_(right)), v)
    if not _square(u):
        dx = dx + _onto((du - u @ left) * _one_over(across), v)
    return dx if _square(v) else dx + _onto(u, (dv - v @ right) * _one_over(across))


def _svd_push(t: Tensor, s: Tensor, u: Tensor, v: Tensor) -> tuple[Tensor, ...]:
    _reduced(u, v)
    across, down, gaps = expand_dims(s, -2), expand_dims(s, -1), gaps_(square(s))
    left, right = t @ v, _into(t, u)
    inside = _into(u, left)
    du = u @ (gaps * (inside * across + down * _h(inside)))
    dv = v @ (gaps * (down * inside + _h(inside) * across))
    if not _square(u):
        du = du + (left - u @ inside) * _one_over(across)
    if not _square(v):
        dv = dv + (right - v @ _h(inside)) * _one_over(across)
    return diag_part_(inside), du, dv


@written(phrase="v @ (diag(de) + one_over_gaps(e) × (vᵀ @ dv)) @ vᵀ, its lower triangle")
def _eigh_back(de: Tensor, dv: Tensor, e: Tensor, v: Tensor) -> Tensor:
    return lower_half_(both_(_onto(v @ (diag_(de) + gaps_(e) * _into(v, dv)), v)))  # only the lower triangle is read


def _eigh_push(t: Tensor, e: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    inside = _into(v, both_(lower_half_(t))) @ v
    return diag_part_(inside), v @ (gaps_(e) * inside)


# ---- the public functions -------------------------------------------------------------------------------------------


class Qr(NamedTuple):
    """What `qr` answers."""

    q: Tensor
    r: Tensor


@named("linalg.qr")
def qr(input: Any, full_matrices: bool = False, name: str | None = None) -> Qr:
    """A matrix with orthonormal columns and an upper triangle, whose product is the input.

    With `full_matrices` the first is square; its derivative then raises NotImplementedError for more rows than columns.

    >>> q, r = tf.linalg.qr([[3.0, 1.0], [4.0, 1.0]])
    >>> (q @ r).numpy().round(4).tolist()
    [[3.0, 1.0], [4.0, 1.0]]
    """
    return Qr(*qr_(_matrix(input, square=False), full=bool(full_matrices)))


@named("linalg.svd")
def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None) -> Any:
    """Singular values from the largest on, and the matrices U and V with U @ diag(s) @ Vᵀ = tensor.

    Without `compute_uv` the values alone.  The derivative of U and V with `full_matrices` raises NotImplementedError for a
    matrix that is not square.

    >>> s, u, v = tf.linalg.svd([[3.0, 0.0], [0.0, 2.0]])
    >>> s.numpy()
    array([3., 2.], dtype=float32)
    """
    matrix = _matrix(tensor, square=False)
    return svd_(matrix, full=bool(full_matrices)) if compute_uv else singular_(matrix)


@named("linalg.eigh")
def eigh(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Eigenvalues of a symmetric matrix from the smallest on, and the eigenvectors as columns; only the lower triangle is read.

    >>> e, v = tf.linalg.eigh([[2.0, 0.0], [0.0, 1.0]])
    >>> e.numpy()
    array([1., 2.], dtype=float32)
    """
    e, v = eigh_(_matrix(tensor))
    return e, v


@named("linalg.eigvalsh")
def eigvalsh(tensor: Any, name: str | None = None) -> Tensor:
    """The eigenvalues of a symmetric matrix, from the smallest on.

    >>> tf.linalg.eigvalsh([[2.0, 0.0], [0.0, 1.0]]).numpy()
    array([1., 2.], dtype=float32)
    """
    return eigh(tensor)[0]


@named("linalg.matrix_rank")
def matrix_rank(a: Any, tol: Any = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """How many singular values are above `tol`, by default above what rounding leaves of a zero.

    >>> int(tf.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]))
    1
    """
    a = _matrix(a, square=False)
    s = singular_(a)
    least = np.finfo(a.tag.dtype).eps * max(a.tag.shape[-2:]) * reduce_max(s, -1, keepdims=True) if tol is None else tol
    return reduce_sum(cast(s > least, "int32"), -1)


@named("linalg.pinv")
def pinv(a: Any, rcond: Any = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The pseudo-inverse of Moore and Penrose; singular values below `rcond` times the largest count as zero.

    >>> tf.linalg.pinv([[2.0, 0.0], [0.0, 0.0]]).numpy()
    array([[0.5, 0. ],
           [0. , 0. ]], dtype=float32)
    """
    a = _matrix(a, square=False)
    s, u, v = svd(a)
    small = 10.0 * max(a.tag.shape[-2:]) * float(np.finfo(a.tag.dtype).eps) if rcond is None else rcond
    kept = s > small * reduce_max(s, -1, keepdims=True)
    return v @ (expand_dims(select(kept, _one_over(s), 0.0 * s), -1) * _h(u))


@named("linalg.lstsq")
def lstsq(matrix: Any, rhs: Any, l2_regularizer: float = 0.0, fast: bool = True, name: str | None = None) -> Tensor:
    """The x for which `matrix @ x` comes nearest to `rhs` (a matrix, a column per problem); of several the shortest.

    `fast` solves the normal equations, where a positive `l2_regularizer` keeps x short; otherwise singular values are used.

    >>> tf.linalg.lstsq([[1.0], [1.0]], [[1.0], [3.0]]).numpy()
    array([[2.]], dtype=float32)
    """
    a = _matrix(matrix, square=False)
    if not fast:
        return pinv(a) @ rhs
    rows, columns = a.tag.shape[-2:]
    ridge = l2_regularizer * eye(min(rows, columns), dtype=a.dtype)
    if rows >= columns:
        return cholesky_solve(cholesky(_h(a) @ a + ridge), _h(a) @ rhs)
    return _h(a) @ cholesky_solve(cholesky(a @ _h(a) + ridge), convert(rhs, hint=a.tag.dtype))


@named("linalg.expm")
def expm(input: Any, name: str | None = None) -> Tensor:
    """The exponential of a square matrix, by a power series of a small part of it and repeated squaring (Moler, Van Loan 2003).

    >>> tf.linalg.expm([[0.0, 1.0], [0.0, 0.0]]).numpy()
    array([[1., 1.],
           [0., 1.]], dtype=float32)
    """
    x = _matrix(input)
    size = float(np.abs(x.array).sum(-2).max(initial=0.0))
    halvings = max(0, int(np.ceil(np.log2(size))) + 1) if 0.0 < size < np.inf else 0
    part = x / 2.0**halvings
    identity = eye(x.tag.shape[-1], dtype=x.dtype)
    total = identity + part / 16.0
    for count in range(15, 0, -1):  # Horner's scheme: each term is the one before times part / count
        total = identity + part @ total / float(count)
    for _ in range(halvings):
        total = total @ total
    return total
