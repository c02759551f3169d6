"""Masks: which steps of a sequence count.

A mask is a bool tensor [batch, steps], True where a step counts.  It is attached to the tensor that it describes.  Layers that
support masking find the masks of their inputs and attach one to their output.  Ops drop masks, so a mask ends where a program
computes something of its own.
"""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable
from typing import Any

from .. import nest
from ..ops.elementwise import cast
from ..ops.reductions import reduce_sum
from ..tensor import Operand
from .names import parameters

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


def given(call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The mask of the first input of a call.  A `call` of one tensor is given it as `mask`, one of several as `..._mask`."""
    names = parameters(call)[1:]
    if not any(name.endswith("mask") for name in names):
        return of(next(iter((*args, *kwargs.values())), None))
    arguments = {**dict(zip(names, args, strict=False)), **kwargs}
    tensors = [name for name, value in arguments.items() if _holds_tensors(value)]
    for name in tensors:
        its = "mask" if len(tensors) == 1 else f"{name}_mask"
        if its in names[len(args) :] and arguments.get(its) is None:
            kwargs[its] = of(arguments[name])
    return kwargs["mask"] if kwargs.get("mask") is not None else of(next(iter(arguments.values()), None))


def _holds_tensors(value: Any) -> bool:
    leaves = nest.flatten(value) if nest.is_nested(value) else [value]
    return any(isinstance(leaf, Operand) for leaf in leaves)


def hand_on(answer: Any, masks: Any) -> None:
    """Attach a layer's masks to what it returned, but for outputs that have one already."""
    for output, mask in zip(nest.flatten(answer), nest.flatten(masks), strict=False):
        if mask is not None and isinstance(output, Operand) and of(output) is None:
            put(output, mask)


def warn_of_loss(layer: Any) -> None:
    """Warn that a layer does not hand on the mask of its input."""
    warnings.warn(
        f"Layer {layer.name!r} (of type {type(layer).__name__}) was passed an input with a mask attached to it. However, this "
        "layer does not support masking and will therefore destroy the mask information. Downstream layers will not see the "
        "mask.",
        stacklevel=3,
    )


def weights(mask: Any, dtype: Any, spread: bool) -> Any:
    """A mask as weights; with `spread` they are scaled so that the mean over all is the mean over what counts."""
    answer = cast(mask, dtype)
    if not spread:
        return answer
    count = 1
    for length in answer.shape:
        count *= length
    return answer * (float(count) / (reduce_sum(answer) + 1e-7))
