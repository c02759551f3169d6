"""Jacobians: one backward pass per element of the target, and the rows put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ops.joins import stack
from ..ops.shapes import reshape
from ..record.ledger import PYTHON
from ..record.refusal import value_error
from ..tensor import Tensor, make

# Walks back from a target once per seed, and tells what came back to each of the sources.
Walks = Callable[[Any, np.ndarray, list[Any]], list[list[Tensor | None]]]


def whole(walks: Walks, target: Any, sources: list[Any], zero: bool) -> list[Tensor | None]:
    """The Jacobian by each source, of shape `target.shape + source.shape`; unconnected: None, or zeros if `zero`."""
    shape, size = target.tag.shape, int(np.prod(target.tag.shape, dtype=int))
    seeds = (
        np.eye(size, dtype=target.tag.dtype).reshape(size, *shape) if size else np.zeros((1, *shape), target.tag.dtype)
    )
    columns = _columns(walks(target, seeds, sources), sources)
    answers: list[Tensor | None] = []
    for source, column in zip(sources, columns, strict=True):
        full = (*shape, *source.tag.shape)
        if column and size:
            answers.append(_shaped(stack(column), full))
        elif column or zero:  # a target without elements has a Jacobian without rows, where a path leads to the source
            answers.append(make(np.zeros(full, source.tag.dtype), PYTHON))
        else:
            answers.append(None)
    return answers


def by_example(walks: Walks, target: Any, source: Any) -> Tensor:
    """One Jacobian per example of a batch: shape `[b, *target.shape[1:], *source.shape[1:]]`."""
    for shape in (target.shape, source.shape):
        if len(shape) < 2:
            raise value_error(
                f"Shape {shape} must have rank at least 2: the first axis is the batch.",
                "For tensors without a batch use tape.jacobian(y, x).",
            )
    if target.shape[0] != source.shape[0]:
        raise value_error(
            f"Need first dimension of target shape ({target.shape}) and source shape ({source.shape}) to match. "
            "The first axis is the batch; for tensors without one use jacobian."
        )
    batch, inner = target.tag.shape[0], target.tag.shape[1:]
    size = int(np.prod(inner, dtype=int))
    # The same element of every example is seeded at once: what comes back to an example is its own row only.
    seeds = np.repeat(np.eye(size, dtype=target.tag.dtype)[:, None], batch, 1).reshape(size, batch, *inner)
    (column,) = _columns(walks(target, seeds, [source]), [source])
    full = (batch, *inner, *source.tag.shape[1:])
    if not column:
        return make(np.zeros(full, source.tag.dtype), PYTHON)
    return _shaped(stack(column, axis=1), full)


def _shaped(rows: Tensor, full: tuple[int, ...]) -> Tensor:
    return rows if rows.tag.shape == full else reshape(rows, full)


def _columns(walks: list[list[Tensor | None]], sources: list[Any]) -> list[list[Tensor] | None]:
    """The rows of each source, zeros where one element of the target does not depend on it; None where none does."""
    columns: list[list[Tensor] | None] = []
    for position, source in enumerate(sources):
        column = [walk[position] for walk in walks]
        if walks and all(row is None for row in column):
            columns.append(None)
            continue
        shape, dtype = source.tag.shape, source.tag.dtype
        columns.append([make(np.zeros(shape, dtype), PYTHON) if row is None else row for row in column])
    return columns
