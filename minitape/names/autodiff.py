"""`tf.autodiff`."""

from ..forward import ForwardAccumulator
from ..tape import GradientTape

__all__ = ["ForwardAccumulator", "GradientTape"]
