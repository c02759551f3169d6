"""`tf.test`, as far as gradients go."""

from .testing import compute_gradient

__all__ = ["compute_gradient"]
