# What a call accepts, for editors and type checkers.  Nothing here runs.
#
# A learner's program is held to these words before it runs: `tf.sin("a")`, `tf.reduce_sum(x, axis="0")`, `tape.gradient(y)`.

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from ..dtypes import DType
from ..tape.question import UnconnectedGradients
from ..tensor import Operand, TensorShape

# One value: a tensor, a variable, a number of Python's or NumPy's, an array.
Number: TypeAlias = Operand | complex | np.ndarray | np.generic

# What becomes a tensor: a value, or lists of values, as deep as people write them by hand.
TensorLike: TypeAlias = (
    Number
    | Sequence[Number]
    | Sequence[Sequence[Number]]
    | Sequence[Sequence[Sequence[Number]]]
    | Sequence[Sequence[Sequence[Sequence[Number]]]]
)

# A whole number, or several: axes, sizes, strides.
Integer: TypeAlias = int | np.integer | Operand
Integers: TypeAlias = Integer | Sequence[Integer] | np.ndarray
IntegerPairs: TypeAlias = Sequence[Sequence[Integer]] | Operand | np.ndarray

# What one asks about: a value, or a structure of values.
Structure: TypeAlias = Operand | complex | list[Any] | tuple[Any, ...] | Mapping[Any, Any] | None
Unconnected: TypeAlias = UnconnectedGradients | str

ShapeLike: TypeAlias = TensorShape | Integers | Sequence[int | None]
DTypeLike: TypeAlias = DType | np.dtype | type | str
