"""Rows on the bits of whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..errors import InvalidArgumentError
from ..notes import Notes, named
from ..primitive import flat
from ..tensor import Tensor, convert
from .refused import Refused

# fmt: off
bitwise_and = flat("bitwise_and", np.bitwise_and, arguments=("x", "y"),
    notes=Notes(phrase="x & y", sign="&", tf="bitwise.bitwise_and", kinds="iu"))
bitwise_or = flat("bitwise_or", np.bitwise_or, arguments=("x", "y"),
    notes=Notes(phrase="x | y", sign="|", tf="bitwise.bitwise_or", kinds="iu"))
bitwise_xor = flat("bitwise_xor", np.bitwise_xor, arguments=("x", "y"),
    notes=Notes(phrase="x ^ y", sign="^", tf="bitwise.bitwise_xor", kinds="iu"))
invert = flat("invert", np.invert, notes=Notes(phrase="~ x", sign="~", tf="bitwise.invert", kinds="iu"))
left_shift = flat("left_shift", lambda x, y: np.left_shift(x, _shifts(y)), arguments=("x", "y"),
    notes=Notes(phrase="x << y", sign="<<", tf="bitwise.left_shift", kinds="iu"))
right_shift = flat("right_shift", lambda x, y: np.right_shift(x, _shifts(y)), arguments=("x", "y"),
    notes=Notes(phrase="x >> y", sign=">>", tf="bitwise.right_shift", kinds="iu"))
bitcast_ = Refused("bitcast", lambda x, dtype: _recast(x, dtype),
    lambda dtype: "gradient registry has no entry for: Bitcast",
    notes=Notes(phrase="the bits of x, read as dtype", kinds="iufc"))
# fmt: on


def _shifts(y: np.ndarray) -> np.ndarray:
    """How many bits to shift by: never more than the dtype can be shifted."""
    return np.clip(y, 0, y.dtype.itemsize * 8 - 1)


def _recast(x: np.ndarray, dtype: np.dtype[Any]) -> np.ndarray:
    before, after = x.dtype.itemsize, dtype.itemsize
    if before == after:
        return x.view(dtype)
    if before > after:  # one number becomes several, along a new last axis
        return np.array(x, order="C")[..., None].view(dtype)
    if not x.ndim or x.shape[-1] * before != after:
        raise InvalidArgumentError(f"Cannot bitcast from {x.dtype} with shape {list(x.shape)} to {dtype}")
    return np.ascontiguousarray(x).view(dtype)[..., 0]


@named("bitcast")
def bitcast(input: Any, type: Any, name: str | None = None) -> Tensor:
    """The same bits, read as numbers of another dtype; a smaller one adds a last axis, a larger one removes it.

    >>> hex(int(tf.bitcast(1.0, "int32")))
    '0x3f800000'
    """
    return bitcast_(convert(input), dtype=as_dtype(type).numpy_dtype)
