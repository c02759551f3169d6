"""`tf.compat.v1`: the one old name that programs on gradients still use, `tf.compat.v1.nn.fused_batch_norm`."""

from . import nn

__all__ = ["nn"]
