"""Numbers drawn by chance, from one generator that `set_seed` starts anew."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..tensor import Tensor, to_array
from .creation import _made, _shape

_generator = np.random.default_rng()


def set_seed(seed: int) -> None:
    """Start the generator anew: the same seed gives the same draws.

    >>> set_seed(1)
    >>> first = normal([2]).numpy()
    >>> set_seed(1)
    >>> bool((normal([2]).numpy() == first).all())
    True
    """
    global _generator
    _generator = np.random.default_rng(seed)


def _draws(seed: int | None) -> np.random.Generator:
    return _generator if seed is None else np.random.default_rng(seed)


def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = "float32",
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Draws from a normal distribution.

    >>> normal([2, 3]).shape
    TensorShape([2, 3])
    """
    kind = as_dtype(dtype).numpy_dtype
    return _made((_draws(seed).standard_normal(_shape(shape)) * to_array(stddev) + to_array(mean)).astype(kind))


def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = "float32",
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Draws from an even distribution over [minval, maxval); whole numbers need a maxval.

    >>> uniform([2], 0, 10, dtype="int32").dtype
    tf.int32
    """
    kind = as_dtype(dtype).numpy_dtype
    if kind.kind in "iu":
        if maxval is None:
            raise ValueError(
                "Must specify maxval for integer dtype: tf.random.uniform(shape, maxval=10, dtype=tf.int32)"
            )
        return _made(_draws(seed).integers(int(minval), int(maxval), _shape(shape), dtype=kind))
    low, high = to_array(minval), to_array(1 if maxval is None else maxval)
    return _made((_draws(seed).random(_shape(shape)) * (high - low) + low).astype(kind))
