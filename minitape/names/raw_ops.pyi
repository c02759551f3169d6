# `tf.raw_ops`, as far as the documents on gradients go.
#
# Written by python -m tools.names; the names stand at their rows.

from ..names.accepted import TensorLike
from ..tensor import Tensor

def PreventGradient(input: TensorLike, message: str = ..., name: str | None = ...) -> Tensor: ...

__all__ = ["PreventGradient"]
