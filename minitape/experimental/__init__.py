"""`tf.experimental`: NumPy's names for tensors, in `tf.experimental.numpy`."""

from ..errors import refuses
from ..record.refusal import answering
from . import numpy

__all__ = ["numpy"]

__getattr__ = refuses("experimental", __all__)
answering(globals(), "tf.experimental", __all__)
