"""`tf.keras.utils`."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
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


def normalize(x: Any, axis: int = -1, order: float = 2) -> np.ndarray:
    """Vectors divided by their length; what is 0 stays 0.

    >>> normalize([[3.0, 4.0]])
    array([[0.6, 0.8]])
    """
    numbers = np.asarray(x, float)
    length = np.linalg.norm(numbers, order, axis, keepdims=True)
    return numbers / np.where(length == 0, 1, length)


def pad_sequences(
    sequences: Sequence[Sequence[Any]], maxlen: int | None = None, dtype: Any = "int32", padding: str = "pre",
    truncating: str = "pre", value: float = 0.0,
) -> np.ndarray:  # fmt: skip
    """Lists of different lengths as rows of one: shorter ones are filled up, longer ones cut, at their beginning or ("post") end.

    >>> pad_sequences([[1, 2, 3], [4]], padding="post")
    array([[1, 2, 3],
           [4, 0, 0]], dtype=int32)
    """
    length = max(map(len, sequences)) if maxlen is None else maxlen
    rows = np.full((len(sequences), length), value, dtype)
    for row, sequence in zip(rows, sequences, strict=True):
        kept = sequence[-length:] if truncating == "pre" else sequence[:length]
        if len(kept) and length:
            row[slice(length - len(kept), None) if padding == "pre" else slice(len(kept))] = kept
    return rows


def register_keras_serializable(package: str = "Custom", name: str | None = None) -> Callable[[Any], Any]:
    """Does nothing to a class: classes are found by their names here.

    >>> @register_keras_serializable()
    ... class Own: ...
    """
    return lambda cls: cls


__all__ = [
    "clear_session", "normalize", "pad_sequences", "register_keras_serializable", "set_random_seed", "to_categorical",
]  # fmt: skip
