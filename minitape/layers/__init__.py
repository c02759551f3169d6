"""`tf.layers`: the documented path of the recompute wrapper."""

from . import AbstractRecomputeWrapper

__all__ = ["AbstractRecomputeWrapper"]
