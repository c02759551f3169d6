"""`tf.keras.utils`."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from ..ops.draws import set_seed
from .names import clear_session


def to_categorical(x: Any, num_classes: int | None = None) -> np.ndarray:
    """Whole numbers as one-hot rows.

    >>> to_categorical([0, 2])
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    numbers = np.asarray(x, int)
    return np.eye(int(numbers.max()) + 1 if num_classes is None else num_classes)[numbers]


def set_random_seed(seed: int) -> None:
    """Start every generator anew: Python's, NumPy's and `tf.random`'s.

    >>> set_random_seed(1)
    """
    random.seed(seed)
    np.random.seed(seed)
    set_seed(seed)


__all__ = ["clear_session", "set_random_seed", "to_categorical"]
