"""`tf.version`: which one is at work."""

from ..about import VERSION

__all__ = ["VERSION"]
