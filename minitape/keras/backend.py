"""`tf.keras.backend`: the little of it that documented programs use."""

from ..errors import refuses
from .names import clear_session, floatx, set_floatx


def epsilon() -> float:
    """How far probabilities are kept from 0 and 1.

    >>> epsilon()
    1e-07
    """
    return 1e-7


__all__ = ["clear_session", "epsilon", "floatx", "set_floatx"]

__getattr__ = refuses("keras.backend", __all__)
