"""`tf.bitwise`."""

# Written by python -m tools.names; the names stand at their rows.

from ..ops.bits import bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift

__all__ = ["bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"]
