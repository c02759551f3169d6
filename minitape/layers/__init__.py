"""`tf.layers`: the documented path of the recompute wrapper."""

from ..errors import refuses
from . import AbstractRecomputeWrapper

__all__ = ["AbstractRecomputeWrapper"]

__getattr__ = refuses("layers", __all__)
