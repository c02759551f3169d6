"""Random numbers without state: the same seed always gives the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..notes import named
from ..record.refusal import invalid_argument
from ..tensor import Tensor, convert, created, to_array
from .draws import draw_categorical, draw_normal, draw_truncated, draw_uniform
from .indexing import gather


def _from(seed: Any) -> np.random.Generator:
    numbers = [int(number) for number in to_array(seed).reshape(-1)]
    if len(numbers) != 2:
        raise invalid_argument(f"a stateless seed is two whole numbers, seed=[1, 2], got {numbers}")
    return np.random.Generator(np.random.Philox(key=[number % 2**64 for number in numbers]))


@named("random.stateless_normal")
def stateless_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", name: str | None = None, alg: Any = None
) -> Tensor:  # fmt: skip
    """Draws from a normal distribution; the same seed [a, b] always gives the same.

    >>> bool((tf.random.stateless_normal([2], [1, 2]).numpy() == tf.random.stateless_normal([2], [1, 2]).numpy()).all())
    True
    """
    return draw_normal(_from(seed), shape, mean, stddev, dtype)


@named("random.stateless_truncated_normal")
def stateless_truncated_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", name: str | None = None, alg: Any = None
) -> Tensor:  # fmt: skip
    """Draws within two deviations; the same seed always gives the same.

    >>> tf.random.stateless_truncated_normal([2], [1, 2]).shape
    TensorShape([2])
    """
    return draw_truncated(_from(seed), shape, mean, stddev, dtype)


@named("random.stateless_uniform")
def stateless_uniform(
    shape: Any, seed: Any, minval: Any = 0, maxval: Any = None, dtype: Any = "float32", name: str | None = None, alg: Any = None
) -> Tensor:  # fmt: skip
    """Draws from an even distribution; the same seed always gives the same.

    >>> tf.random.stateless_uniform([2], [1, 2]).shape
    TensorShape([2])
    """
    return draw_uniform(_from(seed), shape, minval, maxval, dtype)


@named("random.stateless_categorical")
def stateless_categorical(
    logits: Any, num_samples: int, seed: Any, dtype: Any = "int64", name: str | None = None
) -> Tensor:
    """Classes drawn with their probabilities; the same seed always gives the same.

    >>> tf.random.stateless_categorical([[0.0, -1000.0]], 2, [1, 2]).numpy()
    array([[0, 0]])
    """
    return draw_categorical(_from(seed), logits, num_samples, dtype)


@named("random.stateless_shuffle")
def stateless_shuffle(value: Any, seed: Any, name: str | None = None) -> Tensor:
    """The slices along the first axis in another order; the same seed always gives the same.

    >>> sorted(tf.random.stateless_shuffle([3, 1, 2], [1, 2]).numpy().tolist())
    [1, 2, 3]
    """
    value = convert(value)
    return gather(value, _from(seed).permutation(value.shape[0]))


@named("random.split")
def split(seed: Any, num: int = 2, alg: Any = None) -> Tensor:
    """Several seeds from one, shape [num, 2].

    >>> tf.random.split([1, 2], 3).shape
    TensorShape([3, 2])
    """
    return created(_from(seed).integers(0, 2**31, (num, 2)).astype(np.int32))


@named("random.fold_in")
def fold_in(seed: Any, data: Any, alg: Any = None) -> Tensor:
    """Another seed, made of a seed and a number.

    >>> tf.random.fold_in([1, 2], 7).shape
    TensorShape([2])
    """
    first, second = (int(number) for number in to_array(seed).reshape(-1))
    mixed = np.random.SeedSequence([first % 2**32, second % 2**32, int(data) % 2**32]).generate_state(2)
    return created((mixed >> 1).astype(np.int32))
