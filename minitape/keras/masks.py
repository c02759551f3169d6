"""Masks: which steps of a sequence count.

A mask is a bool tensor [batch, steps], True where a step counts.  It is attached to the tensor that it describes.  Layers that
support masking find the masks of their inputs and attach one to their output.  Ops drop masks, so a mask ends where a program
computes something of its own.
"""

from __future__ import annotations

import weakref
from typing import Any

from .. import nest
from ..ops.elementwise import cast
from ..ops.reductions import reduce_sum
from ..tensor import Operand

_kept: dict[int, tuple[weakref.ref[Any], Any]] = {}  # by the tensor's id; removed when the tensor is freed


def put(tensor: Any, mask: Any) -> None:
    """Attach a mask to a tensor.

    >>> from minitape import constant
    >>> x = constant([[1.0, 0.0]])
    >>> put(x, constant([[True, False]]))
    >>> of(x).numpy()
    array([[ True, False]])
    """
    key = id(tensor)
    _kept[key] = weakref.ref(tensor, lambda _: _kept.pop(key, None)), mask


def of(tensors: Any) -> Any:
    """The mask of a tensor, or the masks of a structure of tensors; None where there is none."""
    if not _kept:
        return None
    if isinstance(tensors, Operand):
        return _kept[id(tensors)][1] if id(tensors) in _kept else None
    found = nest.map_structure(lambda tensor: of(tensor) if isinstance(tensor, Operand) else None, tensors)
    return found if known(found) else None


def known(masks: Any) -> bool:
    """Whether there is a mask in a structure of masks."""
    return any(mask is not None for mask in nest.flatten(masks))


def weights(mask: Any, dtype: Any, spread: bool) -> Any:
    """A mask as weights; with `spread` they are scaled so that the mean over all is the mean over what counts."""
    answer = cast(mask, dtype)
    if not spread:
        return answer
    count = 1
    for length in answer.shape:
        count *= length
    return answer * (float(count) / (reduce_sum(answer) + 1e-7))
