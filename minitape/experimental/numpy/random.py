"""Random numbers, from the generator of `tf.random`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.draws import draws, set_seed
from ...tensor import Tensor, created
from .arrays import dtype_of


def seed(s: int) -> None:
    """Start all draws anew."""
    set_seed(s)


def rand(*size: int) -> Tensor:
    """Draws of the uniform distribution over [0, 1)."""
    return created(np.array(draws().random(size)))


def randn(*size: int) -> Tensor:
    """Draws of the standard normal distribution."""
    return created(np.array(draws().standard_normal(size)))


random = rand


def uniform(low: float = 0.0, high: float = 1.0, size: Any = ()) -> Tensor:
    """Draws of the uniform distribution over [low, high)."""
    return created(np.array(draws().uniform(low, high, () if size is None else size)))


def randint(low: int, high: int | None = None, size: Any = None, dtype: Any = np.int64) -> Tensor:
    """Random whole numbers from `low` to `high` - 1, or below `low` if it stands alone."""
    return created(np.array(draws().integers(low, high, size, dtype=dtype_of(dtype))))


__all__ = ["rand", "randint", "randn", "random", "seed", "uniform"]
