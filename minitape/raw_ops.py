"""`tf.raw_ops`, as far as the documents on gradients go."""

from .ops.refused import prevent_gradient as PreventGradient

__all__ = ["PreventGradient"]
