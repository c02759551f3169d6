"""`tf.bitwise`."""

# Written by python -m tools.names; the names stand at their rows.

from ..errors import refuses as _refuses
from ..ops.bits import bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift

__all__ = ["bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"]

__getattr__ = _refuses("bitwise", __all__)
