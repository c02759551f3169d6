"""`tf.keras.backend`: the little of it that documented programs use."""

from .names import clear_session


def epsilon() -> float:
    """How far probabilities are kept from 0 and 1.

    >>> epsilon()
    1e-07
    """
    return 1e-7


def floatx() -> str:
    """The dtype of weights.

    >>> floatx()
    'float32'
    """
    return "float32"


__all__ = ["clear_session", "epsilon", "floatx"]
