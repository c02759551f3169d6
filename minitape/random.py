"""`tf.random`."""

from .ops.random import normal, set_seed, uniform

__all__ = ["normal", "set_seed", "uniform"]
