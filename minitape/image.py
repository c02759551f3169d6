"""`tf.image`, as far as the documents on gradients go."""

from .ops.refused import adjust_contrast

__all__ = ["adjust_contrast"]
