"""`tf.image`, as far as the documents on gradients go."""

# Written by python -m tools.names; the names stand at their rows.

from ..ops.refused import adjust_contrast

__all__ = ["adjust_contrast"]
