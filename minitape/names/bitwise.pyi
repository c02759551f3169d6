# `tf.bitwise`.
#
# Written by python -m tools.names; the names stand at their rows.

from ..names.accepted import TensorLike
from ..tensor import Tensor

def bitwise_and(x: TensorLike, y: TensorLike, name: str | None = ...) -> Tensor: """x & y, element by element."""
def bitwise_or(x: TensorLike, y: TensorLike, name: str | None = ...) -> Tensor: """x | y, element by element."""
def bitwise_xor(x: TensorLike, y: TensorLike, name: str | None = ...) -> Tensor: """x ^ y, element by element."""
def invert(x: TensorLike, name: str | None = ...) -> Tensor: """~ x, element by element."""
def left_shift(x: TensorLike, y: TensorLike, name: str | None = ...) -> Tensor: """x << y, element by element."""
def right_shift(x: TensorLike, y: TensorLike, name: str | None = ...) -> Tensor: """x >> y, element by element."""

__all__ = ["bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"]
