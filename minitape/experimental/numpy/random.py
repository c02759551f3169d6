"""Draws, from the generators of `tf.random`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.creation import _made
from ...ops.draws import draws, set_seed
from ...tensor import Tensor
from .arrays import dtype_of


def seed(s: int) -> None:
    """Start all draws anew."""
    set_seed(s)


def rand(*size: int) -> Tensor:
    """Between 0 and 1, evenly."""
    return _made(np.array(draws().random(size)))


def randn(*size: int) -> Tensor:
    """From a normal distribution."""
    return _made(np.array(draws().standard_normal(size)))


random = rand


def uniform(low: float = 0.0, high: float = 1.0, size: Any = ()) -> Tensor:
    """Between two numbers, evenly."""
    return _made(np.array(draws().uniform(low, high, () if size is None else size)))


def randint(low: int, high: int | None = None, size: Any = None, dtype: Any = np.int64) -> Tensor:
    """Whole numbers below `high`."""
    return _made(np.array(draws().integers(low, high, size, dtype=dtype_of(dtype))))
