"""Vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops import einsum as letters
from ...ops import elementwise as e
from ...ops import (
    fourier,
    indexing,
    joins,
    like_numpy,
    linalg,
    linalg_factors,
    linalg_solve,
    norms,
    padding,
    reductions,
    shapes,
)  # fmt: skip
from ...ops.composed import complex as complex_of
from ...record.refusal import value_error
from .arrays import diagonal
from .operands import Rows, alike, expanded, flat, floats, is_number, together


def _matmul(x1: Any, x2: Any) -> Any:
    x1, x2 = together(x1, x2)
    if x1.ndim > 1 and x2.ndim > 1:
        return linalg.matmul(x1, x2)
    return like_numpy.dot(x1, x2) if x2.ndim == 1 else linalg.tensordot(x1, x2, 1)


def _dot(x1: Any, x2: Any) -> Any:
    return e.multiply(*alike(x1, x2)) if is_number(x1) or is_number(x2) else like_numpy.dot(*together(x1, x2))


def _tensordot(x1: Any, x2: Any, axes: Any = 2) -> Any:
    x1, x2 = together(x1, x2)
    return linalg.tensordot(x1, x2, axes)


def _inner(x1: Any, x2: Any) -> Any:
    x1, x2 = together(x1, x2)
    return linalg.tensordot(x1, x2, [[x1.ndim - 1], [x2.ndim - 1]]) if x1.ndim and x2.ndim else x1 * x2


def _vdot(x1: Any, x2: Any) -> Any:
    x1, x2 = together(flat(x1), flat(x2))
    return linalg.tensordot(e.conj(x1), x2, 1)


def _kron(x1: Any, x2: Any) -> Any:
    x1, x2 = together(x1, x2)
    rank = max(x1.ndim, x2.ndim)
    first, second = ([1] * (rank - x.ndim) + list(x.shape) for x in (x1, x2))
    apart = [n for pair in zip(first, [1] * rank) for n in pair], [n for pair in zip([1] * rank, second) for n in pair]
    product = shapes.reshape(x1, apart[0]) * shapes.reshape(x2, apart[1])
    return shapes.reshape(product, [a * b for a, b in zip(first, second)])


def _cross(x1: Any, x2: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Any:
    if axis is not None:
        axisa = axisb = axisc = axis
    x1, x2 = together(x1, x2)
    first, second = (like_numpy.moveaxis(x, at, -1) for x, at in ((x1, axisa), (x2, axisb)))
    lengths = first.shape[-1], second.shape[-1]
    if not set(lengths) <= {2, 3}:
        raise value_error(
            f"ops.cross: both vectors have 2 or 3 numbers along their axis, got {lengths[0]} and {lengths[1]}, of shapes "
            f"{x1.shape} and {x2.shape}",
            "axis says along which axis they lie: ops.cross(a, b, axis=0).",
        )
    a, b = ([x[..., at] for at in range(x.shape[-1])] for x in (first, second))
    if lengths == (2, 2):
        return a[0] * b[1] - a[1] * b[0]
    a, b = (
        [*parts, shapes_zero] if len(parts) == 2 else parts for parts, shapes_zero in ((a, a[0] * 0), (b, b[0] * 0))
    )
    found = [a[i] * b[j] - a[j] * b[i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return like_numpy.moveaxis(joins.stack(found, -1), -1, axisc)


def _correlate(x1: Any, x2: Any, mode: str = "valid") -> Any:
    """Sums of products at each shift of one row against another."""
    x1, x2 = together(floats(x1), floats(x2))
    n, m = x1.shape[0], x2.shape[0]
    if m > n:
        return like_numpy.flip(_correlate(x2, x1, mode))
    before = {"valid": 0, "same": m // 2, "full": m - 1}[mode]
    after = {"valid": 0, "same": m - 1 - m // 2, "full": m - 1}[mode]
    longer = padding.pad(x1, [[before, after]])
    starts = np.arange(n + before + after - m + 1)
    return linalg.tensordot(indexing.gather(longer, starts[:, None] + np.arange(m)), x2, 1)


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:  # noqa: A002
    x = floats(x)
    if axis is None and ord is not None and x.ndim == 2:
        axis = (0, 1)  # that of a matrix, as NumPy has it
    matrix = isinstance(axis, list | tuple) and len(axis) == 2
    if matrix and ord in ("nuc", -1, -2, -np.inf):
        found = _least(x, ord, *axis)
        return expanded(found, sorted(place % x.ndim for place in axis)) if keepdims else found
    if not matrix and ord == 0:
        return reductions.reduce_sum(e.cast(e.not_equal(x, 0), x.dtype), axis, keepdims=keepdims)
    if not matrix and ord == -np.inf:
        return reductions.reduce_min(e.abs(x), axis, keepdims=keepdims)
    if not matrix and is_number(ord) and ord < 0:
        return e.pow(reductions.reduce_sum(e.pow(e.abs(x), float(ord)), axis, keepdims=keepdims), 1.0 / ord)
    return norms.norm(x, "euclidean" if ord is None else ord, axis, keepdims)


def _least(x: Any, order: Any, rows: int, columns: int) -> Any:
    """Norms of matrices by their singular values, or by the smallest sum of a row or column."""
    x = like_numpy.moveaxis(x, (rows, columns), (-2, -1))
    if order in ("nuc", -2):
        values = linalg_factors.svd(x, compute_uv=False)
        return reductions.reduce_sum(values, -1) if order == "nuc" else reductions.reduce_min(values, -1)
    return reductions.reduce_min(reductions.reduce_sum(e.abs(x), -2 if order == -1 else -1), -1)


def _normalize(x: Any, axis: int = -1, order: float = 2, epsilon: float | None = None) -> Any:
    x = floats(x)
    return x / e.maximum(norms.norm(x, order, axis, keepdims=True), 1e-7 if epsilon is None else epsilon)


def _cdist(x: Any, y: Any) -> Any:
    x, y = together(floats(x), floats(y))
    return e.sqrt(reductions.reduce_sum(e.square(x[..., :, None, :] - y[..., None, :, :]), -1))


def _with_vectors(row: Any) -> Any:
    """A row that solves for the columns of a matrix, for a vector too."""

    def solve(a: Any, b: Any, *rest: Any) -> Any:
        a, b = together(floats(a), floats(b))
        vector = b.ndim == a.ndim - 1
        found = row(a, b[..., None] if vector else b, *rest)
        return shapes.squeeze(found, -1) if vector else found

    return solve


_solve = _with_vectors(linalg_solve.solve)
_solve_triangular = _with_vectors(linalg_solve.triangular_solve)
_lstsq = _with_vectors(lambda a, b: linalg.matmul(linalg_factors.pinv(a), b))


def _cholesky(x: Any, upper: bool = False) -> Any:
    found = linalg_solve.cholesky(floats(x))
    return linalg_solve.adjoint(found) if upper else found


def _cholesky_inverse(x: Any, upper: bool = False) -> Any:
    factor = floats(x)
    factor = linalg_solve.band_part(linalg_solve.adjoint(factor) if upper else factor, -1, 0)
    return linalg_solve.cholesky_solve(factor, linalg.eye(factor.shape[-1], dtype=factor.dtype))


def _qr(x: Any, mode: str = "reduced") -> Any:
    if mode not in ("reduced", "complete"):
        raise value_error(
            f"`mode` argument value not supported. Expected one of {{'reduced', 'complete'}}. Received: mode={mode}",
            'mode="reduced" has as many columns as the matrix.',
        )
    return tuple(linalg_factors.qr(floats(x), full_matrices=mode == "complete"))


def _svd(x: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    found = linalg_factors.svd(floats(x), full_matrices, compute_uv)
    return (found[1], found[0], linalg_solve.adjoint(found[2])) if compute_uv else found


def _parts(row: Any) -> Any:
    """A transform of complex numbers, which Keras holds as a pair of their parts."""

    def transformed(x: Any) -> Any:
        real, imag = x
        found = row(complex_of(floats(real), floats(imag)))
        return e.real(found), e.imag(found)

    return transformed


def _rfft(x: Any, fft_length: int | None = None) -> Any:
    found = fourier.rfft(floats(x), None if fft_length is None else [fft_length])
    return e.real(found), e.imag(found)


def _irfft(x: Any, fft_length: int | None = None) -> Any:
    real, imag = x
    return fourier.irfft(complex_of(floats(real), floats(imag)), None if fft_length is None else [fft_length])


def _trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    return reductions.reduce_sum(diagonal(x, offset, axis1, axis2), -1)


ROWS: Rows = {
    "matmul": _matmul, "einsum": lambda subscripts, *operands: letters.einsum(subscripts, *together(*operands)),
    "tensordot": _tensordot, "dot": _dot, "inner": _inner, "vdot": _vdot,
    "outer": lambda x1, x2: _tensordot(flat(x1), flat(x2), 0), "kron": _kron, "cross": _cross,
    "correlate": _correlate, "cdist": _cdist, "norm": _norm, "normalize": _normalize, "trace": _trace,
    "diag": like_numpy.diag, "diagflat": lambda x, k=0: like_numpy.diag(flat(x), k),
    "det": lambda x: linalg_solve.det(floats(x)), "inv": lambda x: linalg_solve.inv(floats(x)),
    "logdet": lambda x: linalg_solve.logdet(floats(x)), "slogdet": lambda x: tuple(linalg_solve.slogdet(floats(x))),
    "pinv": lambda x, rcond=None: linalg_factors.pinv(floats(x), rcond),
    "matrix_rank": lambda x, tol=None: linalg_factors.matrix_rank(floats(x), tol),
    "solve": lambda a, b: _solve(a, b), "solve_triangular": lambda a, b, lower=False: _solve_triangular(a, b, lower),
    "lstsq": lambda a, b, rcond=None: _lstsq(a, b), "cholesky": _cholesky, "cholesky_inverse": _cholesky_inverse,
    "qr": _qr, "svd": _svd, "eigh": lambda x: linalg_factors.eigh(floats(x)),
    "fft": _parts(fourier.fft), "fft2": _parts(fourier.fft2d), "ifft2": _parts(fourier.ifft2d), "rfft": _rfft, "irfft": _irfft,
}  # fmt: skip
