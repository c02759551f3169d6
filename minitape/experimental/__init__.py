"""`tf.experimental`: NumPy's names for tensors, in `tf.experimental.numpy`."""

from . import numpy

__all__ = ["numpy"]
