# `tf.compat.v1.nn`, as far as programs on gradients still use it.
#
# Written by python -m tools.names; the names stand at their rows.

from ...names.accepted import TensorLike
from ...tensor import Tensor

def fused_batch_norm(x: TensorLike, scale: TensorLike, offset: TensorLike, mean: TensorLike | None = ..., variance: TensorLike | None = ..., epsilon: float = ..., data_format: str = ..., is_training: bool = ..., name: str | None = ..., exponential_avg_factor: float = ...) -> tuple[Tensor, Tensor, Tensor]: ...

__all__ = ["fused_batch_norm"]
