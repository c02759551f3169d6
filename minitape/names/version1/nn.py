"""`tf.compat.v1.nn`, as far as programs on gradients still use it."""

# Written by python -m tools.names; the names stand at their rows.

from ...ops.batch_norm import fused_batch_norm

__all__ = ["fused_batch_norm"]
