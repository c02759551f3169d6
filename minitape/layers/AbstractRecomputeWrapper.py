"""`tf.layers.AbstractRecomputeWrapper`: a module of the same name as the class in it, as the document has it."""

from ..recompute.run_again import RecomputeWrapper
from ..recompute.wrapper import AbstractRecomputeWrapper

__all__ = ["AbstractRecomputeWrapper", "RecomputeWrapper"]
