"""Masks: which steps of a sequence count.

A mask is a bool tensor [batch, steps], True where a step counts.  It goes with the tensor that it speaks of, beside the
numbers: a layer that knows masks finds those of its inputs, and gives its output one.  Ops know nothing of them, so a mask ends
where a program computes something of its own.
"""

from __future__ import annotations

import weakref
from typing import Any

from .. import nest
from ..ops.elementwise import cast
from ..ops.reductions import reduce_sum
from ..tensor import Operand

_kept: dict[int, tuple[weakref.ref[Any], Any]] = {}  # by the tensor's id; its death takes the mask away


def put(tensor: Any, mask: Any) -> None:
    """Let a mask go with a tensor.

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
    """A mask as weights of examples; `spread` makes the mean over all of them the mean over those that count."""
    answer = cast(mask, dtype)
    if not spread:
        return answer
    count = 1
    for length in answer.shape:
        count *= length
    return answer * (float(count) / (reduce_sum(answer) + 1e-7))
