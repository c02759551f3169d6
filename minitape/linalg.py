"""`tf.linalg`."""

from .ops.linalg import diag, eye, matmul, matvec, norm, tensor_diag, tensordot
from .ops.shapes import diag_part_ as diag_part

__all__ = ["diag", "diag_part", "eye", "matmul", "matvec", "norm", "tensor_diag", "tensordot"]
