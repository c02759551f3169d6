"""What derivatives are computed with: tensors, plain arrays, and batches of either.

The rules are the same.  What the kinds of row add to them (sums, broadcasting and its undoing) stands here, once for all.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from .rule import Bound
from .tensor import Tag
from .trace import Application


class Space:
    """What a derivative is computed with: tensors where somebody listens; where nobody does, plain arrays."""

    def __init__(self, arrays: bool) -> None:
        self.arrays = arrays
        self.add: Any
        self.conj: Any
        self.sum_to: Any
        self.broadcast_to: Any
        self.zeros_like_tag: Any

    def row(self, row: Any) -> Any:
        """The row as a function over this space."""
        return row.bare if self.arrays else row

    def total(self, parts: Sequence[Any]) -> Any:
        """The sum of the parts that are not None; None if there are none."""
        total = None
        for part in parts:
            if part is not None:
                total = part if total is None else self.add(total, part)
        return total

    def through(self, rule: Bound, change: Any, values: Any, application: Application) -> Any:
        """What a rule of the backward pass answers; for complex numbers it is conjugated.

        TensorFlow's convention for a holomorphic f is g * conj(f'): conjugating around a linear rule gives just that.
        """
        if application.outputs[0].dtype.kind != "c":
            return rule(change, values, application, self.arrays)
        return self.conj(rule(self.conj(change), values, application, self.arrays))

    def back_to(self, part: Any, tag: Tag) -> Any:
        """What comes back to a value, summed along the axes along which it was broadcast."""
        return part if self.shape(part) == tag.shape else self.sum_to(part, shape=tag.shape)

    def spread_to(self, part: Any, tag: Tag) -> Any:
        """What goes on to a value, repeated along the axes along which the op broadcasts; None stays None."""
        return part if part is None or self.shape(part) == tag.shape else self.broadcast_to(part, shape=tag.shape)

    def shape(self, value: Any) -> tuple[int, ...]:
        """The lengths of the axes."""
        found: tuple[int, ...] = value.shape if self.arrays else value.tag.shape
        return found

    def filled(self, changes: Sequence[Any], tags: Sequence[Tag]) -> tuple[Any, ...]:
        """The changes, with zeros in place of None."""
        return tuple(
            [self.zeros_like_tag(tag) if change is None else change for change, tag in zip(changes, tags, strict=True)]
        )


class Batch(Space):
    """The same for many tangents at once, stacked along one more axis in front."""

    reshape: Any

    def spread_to(self, part: Any, tag: Tag) -> Any:
        """What goes on to a value, with the axis of the tangents in front of the value's own."""
        if part is None:
            return None
        shape = (self.shape(part)[0], *tag.shape)
        return part if self.shape(part) == shape else self.broadcast_to(part, shape=shape)

    def in_line(self, tangents: Sequence[Any], rank: int) -> list[Any]:
        """The tangents with axes of length 1 put in behind the first, so that their other axes line up with those of a value."""
        return [None if tangent is None else self._in_line(tangent, rank) for tangent in tangents]

    def _in_line(self, tangent: Any, rank: int) -> Any:
        count, *own = self.shape(tangent)
        shape = (count, *[1] * (rank - len(own)), *own)
        return tangent if len(own) == rank else self.reshape(tangent, shape=shape)


TENSORS, ARRAYS = Space(arrays=False), Space(arrays=True)
TENSOR_BATCH, ARRAY_BATCH = Batch(arrays=False), Batch(arrays=True)


def provide(zeros_like_tag: Any, **rows: Any) -> None:
    """Give all spaces what the kinds of row need: add, conj, sum_to, broadcast_to and reshape, and zeros."""
    for space in (TENSORS, TENSOR_BATCH, ARRAYS, ARRAY_BATCH):
        space.zeros_like_tag = (lambda tag: np.zeros(tag.shape, tag.dtype)) if space.arrays else zeros_like_tag
        for name, row in rows.items():
            setattr(space, name, space.row(row))
        if space.arrays:
            space.add = operator.add  # which, unlike np.add, reuses the memory of a sum that nobody else has
