"""`tf.compat.v1`: the one old name that programs on gradients still use, `tf.compat.v1.nn.fused_batch_norm`."""

from ...absent import refuses
from . import nn

__getattr__ = refuses("tf.compat.v1")
setattr(nn, "__getattr__", __getattr__)  # noqa: B010  its file is written by a tool

__all__ = ["nn"]
