"""`tf.raw_ops`, as far as the documents on gradients go."""

# Written by python -m tools.names; the names stand at their rows.

from ..ops.refused import prevent_gradient as PreventGradient

__all__ = ["PreventGradient"]
