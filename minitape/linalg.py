# ruff: noqa: I001  a name per line would bury what there is
"""`tf.linalg`."""

from .ops.clip import global_norm
from .ops.einsum import einsum
from .ops.linalg import (
    cross, diag, eye, matmul, matrix_transpose, matvec, norm, normalize, set_diag, tensor_diag, tensordot, trace,
)  # fmt: skip
from .ops.linalg_solve import (
    adjoint, band_part, cholesky, cholesky_solve, det, inv, logdet, qr, slogdet, solve, triangular_solve,
)  # fmt: skip
from .ops.nn import l2_normalize
from .ops.shapes import diag_part_ as diag_part

tensor_diag_part = diag_part

__all__ = [
    "adjoint", "band_part", "cholesky", "cholesky_solve", "cross", "det", "diag", "diag_part", "einsum", "eye", "global_norm",
    "inv", "l2_normalize", "logdet", "matmul", "matrix_transpose", "matvec", "norm", "normalize", "qr", "set_diag", "slogdet",
    "solve", "tensor_diag", "tensor_diag_part", "tensordot", "trace", "triangular_solve",
]  # fmt: skip
