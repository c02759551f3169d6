"""The value in your hand: an immutable array with a dtype, a shape, and a tag that recorders know it by.

It knows nothing of tapes or derivatives.  Read `tag` first, then `value`, a handle on what a tag describes; `operand` is
what a variable can do as well, `conversion` how Python's numbers become tensors.
"""

from __future__ import annotations

from .conversion import constant, convert, has_tensors, to_array
from .operand import Operand, Reference
from .shape import TensorShape, UnknownShape
from .tag import Place, Tag, moment, serials
from .value import Literal, Tensor, created, fresh, make

__all__ = [
    "Literal", "Operand", "Place", "Reference", "Tag", "Tensor", "TensorShape", "UnknownShape", "constant", "convert",
    "created", "fresh", "has_tensors", "make", "moment", "serials", "to_array",
]  # fmt: skip
