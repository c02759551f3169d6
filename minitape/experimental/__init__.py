"""`tf.experimental`: NumPy's names for tensors, in `tf.experimental.numpy`."""

from ..record.refusal import answering
from . import numpy

__all__ = ["numpy"]
answering(globals(), "tf.experimental", __all__)
