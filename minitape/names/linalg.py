"""`tf.linalg`."""

# Written by python -m tools.names; the names stand at their rows.

from ..ops.clip import global_norm
from ..ops.einsum import einsum
from ..ops.linalg import (
    cross, diag, diag_part, eye, matmul, matrix_transpose, matvec, set_diag, tensor_diag, tensor_diag_part, tensordot,
    trace,
)  # fmt: skip
from ..ops.linalg_factors import eigh, eigvalsh, expm, lstsq, matrix_rank, pinv, qr, svd
from ..ops.linalg_solve import (
    adjoint, band_part, cholesky, cholesky_solve, det, inv, logdet, slogdet, solve, triangular_solve,
    tridiagonal_matmul, tridiagonal_solve,
)  # fmt: skip
from ..ops.nn import l2_normalize
from ..ops.norms import norm, normalize

__all__ = [
    "adjoint", "band_part", "cholesky", "cholesky_solve", "cross", "det", "diag", "diag_part", "eigh", "eigvalsh",
    "einsum", "expm", "eye", "global_norm", "inv", "l2_normalize", "logdet", "lstsq", "matmul", "matrix_rank",
    "matrix_transpose", "matvec", "norm", "normalize", "pinv", "qr", "set_diag", "slogdet", "solve", "svd",
    "tensor_diag", "tensor_diag_part", "tensordot", "trace", "triangular_solve", "tridiagonal_matmul",
    "tridiagonal_solve",
]  # fmt: skip
