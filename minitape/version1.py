"""`tf.compat.v1`: the one old name that programs on gradients still use, `tf.compat.v1.nn.fused_batch_norm`."""

from __future__ import annotations

from types import SimpleNamespace

from .ops.batch_norm import fused_batch_norm

nn = SimpleNamespace(fused_batch_norm=fused_batch_norm)

__all__ = ["nn"]
