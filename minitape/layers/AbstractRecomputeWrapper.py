"""`tf.layers.AbstractRecomputeWrapper`: a module of the same name as the class in it, as the document has it."""

from ..recompute.wrapper import AbstractRecomputeWrapper, RecomputeWrapper

__all__ = ["AbstractRecomputeWrapper", "RecomputeWrapper"]
