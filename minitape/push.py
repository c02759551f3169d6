"""The way forward, one op at a time, on plain arrays: for an accumulator that nobody listens to.

The twin of what `walk.py` does on the way back: the same rules, the same numbers, at a third of the cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .ops.shapes import broadcast_to_
from .rule import OnKept
from .tensor import Tensor
from .trace import Application

# From the tangents of the inputs (arrays; None where one does not move), the inputs and outputs, and the application: the
# tangent of the output, as an array or a bare NumPy number.
Push = Callable[[Sequence[Any], Sequence[Tensor], Application], Any]


def over_arrays(application: Application, moving: tuple[bool, ...]) -> Push | None:
    """How a tangent gets through the op from the inputs that move, or None where that needs more than plain numbers."""
    primitive = application.primitive
    if not primitive.listed or primitive.outputs != 1 or application.outputs[0].dtype.kind != "f":
        return None
    found = primitive.pushes
    if moving not in found:
        found[moving] = _find(primitive, moving)
    return found[moving]


def _find(primitive: Any, moving: tuple[bool, ...]) -> Push | None:
    if primitive.kind == "linear":
        return _through_the_op
    if primitive.kind == "bilinear":
        return _by_the_product_rule
    rules = getattr(primitive, "push", ())
    chosen = [(i, rule) for i, (moves, rule) in enumerate(zip(moving, rules)) if moves and rule is not None]
    if not chosen or not all([rule.reads_arrays() for _, rule in chosen]):
        return None
    count = len(moving)
    return _Summed([(i, rule.over(range(count + 1), count)) for i, rule in chosen])


class _Summed:
    """What each input that moves adds, by its rule."""

    def __init__(self, rules: Sequence[tuple[int, OnKept]]) -> None:
        self._rules = rules

    def __call__(self, tangents: Sequence[Any], values: Sequence[Tensor], application: Application) -> Any:
        total: Any = None
        for position, rule in self._rules:
            part = rule(tangents[position], values, application)
            total = part if total is None else total + part
        shape = application.outputs[0].shape
        return total if total.shape == shape else broadcast_to_.bare(total, shape)


def _through_the_op(tangents: Sequence[Any], values: Sequence[Tensor], application: Application) -> Any:
    """A linear op is its own derivative; what does not move counts as zeros, what has no derivative as it is."""
    primitive, moved = application.primitive, []
    for position, (tangent, tag) in enumerate(zip(tangents, application.inputs, strict=True)):
        if tangent is None:
            tangent = values[position]._array if position in primitive.inert else np.zeros(tag.shape, tag.dtype)
        moved.append(tangent)
    return primitive.bare(*moved, **application.params)


def _by_the_product_rule(tangents: Sequence[Any], values: Sequence[Tensor], application: Application) -> Any:
    dx, dy = tangents
    forward, params = application.primitive.bare, application.params
    left = None if dx is None else forward(dx, values[1]._array, **params)
    right = None if dy is None else forward(values[0]._array, dy, **params)
    return right if left is None else left if right is None else left + right
