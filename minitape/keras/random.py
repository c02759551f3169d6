"""`tf.keras.random`: random numbers for layers, and draws with Keras's arguments.

`seed` is a whole number, which gives the same draws each time, a `SeedGenerator`, whose draws go on from call to call, or None
for `tf.random`'s own generator.

>>> import minitape as tf
>>> first, second = (tf.keras.random.normal((2,), seed=1) for _ in range(2))
>>> bool(tf.reduce_all(first == second))
True
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..ops.draws import Source, draw_categorical, draw_normal, draw_truncated, draw_uniform, draws
from ..ops.indexing import gather
from ..record.refusal import value_error
from ..tensor import Tensor, convert, created, make
from .names import floatx


class SeedGenerator:
    """Draws for one layer: from a seed of its own, or from `tf.random`'s generator, so that `tf.random.set_seed` governs it.

    >>> tf.keras.random.SeedGenerator(1).uniform((2,)).shape
    (2,)
    """

    def __init__(self, seed: int | None = None) -> None:
        if seed is not None and not isinstance(seed, int | np.integer):  # NumPy crashes on a list that contains itself
            raise value_error(f"seed is a whole number or None, got {type(seed).__name__}", "Write seed=1.")
        self.seed = seed
        self._own = None if seed is None else Source(np.random.default_rng(seed))

    @property
    def generator(self) -> np.random.Generator:
        """Where the draws come from."""
        return draws() if self._own is None else self._own.draw

    def uniform(self, shape: tuple[int, ...]) -> np.ndarray:
        """Numbers from [0, 1)."""
        return self.generator.random(shape)


def _from(seed: Any) -> np.random.Generator:
    if isinstance(seed, SeedGenerator):
        return seed.generator
    return draws() if seed is None else np.random.default_rng(int(seed))


def _lengths(shape: Any) -> tuple[int, ...]:
    return tuple(int(length) for length in shape)


def normal(shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None) -> Tensor:
    """Draws of a normal distribution.

    >>> tf.keras.random.normal((2, 3), seed=1).shape
    TensorShape([2, 3])
    """
    return draw_normal(_from(seed), _lengths(shape), mean, stddev, as_dtype(dtype or floatx()))


def truncated_normal(shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None) -> Tensor:
    """Draws of a normal distribution, each within two standard deviations of the mean.

    >>> bool((abs(tf.keras.random.truncated_normal((99,), seed=1).numpy()) <= 2).all())
    True
    """
    return draw_truncated(_from(seed), _lengths(shape), mean, stddev, as_dtype(dtype or floatx()))


def uniform(shape: Any, minval: float = 0.0, maxval: float = 1.0, dtype: Any = None, seed: Any = None) -> Tensor:
    """Numbers from [minval, maxval).

    >>> bool((tf.keras.random.uniform((99,), 2.0, 3.0, seed=1).numpy() >= 2).all())
    True
    """
    return draw_uniform(_from(seed), _lengths(shape), minval, maxval, as_dtype(dtype or floatx()))


def randint(shape: Any, minval: int, maxval: int, dtype: Any = "int32", seed: Any = None) -> Tensor:
    """Whole numbers from minval to maxval - 1.

    >>> sorted(set(tf.keras.random.randint((50,), 1, 3, seed=1).numpy().tolist()))
    [1, 2]
    """
    return draw_uniform(_from(seed), _lengths(shape), minval, maxval, as_dtype(dtype))


def categorical(logits: Any, num_samples: int, dtype: Any = "int32", seed: Any = None) -> Tensor:
    """Class numbers for each row of logits, with the probabilities of their softmax.

    >>> tf.keras.random.categorical([[0.0, -1000.0]], 3, seed=1).numpy()
    array([[0, 0, 0]], dtype=int32)
    """
    return draw_categorical(_from(seed), logits, num_samples, as_dtype(dtype))


def shuffle(x: Any, axis: int = 0, seed: Any = None) -> Tensor:
    """The slices along an axis in another order.

    >>> sorted(tf.keras.random.shuffle([1, 2, 3], seed=1).numpy().tolist())
    [1, 2, 3]
    """
    x = convert(x)
    return gather(x, _from(seed).permutation(x.shape[axis]), axis=axis)


def dropout(inputs: Any, rate: float, noise_shape: Any = None, seed: Any = None) -> Any:
    """Each number dropped with probability `rate`, and the others grown so that the sum is kept on average.

    >>> sorted(set(tf.keras.random.dropout([1.0] * 50, 0.5, seed=1).numpy().tolist()))
    [0.0, 2.0]
    """
    inputs = convert(inputs)
    kept = stays(inputs, rate, noise_shape, seed)
    return inputs * make(np.asarray(kept * (1.0 / (1.0 - rate) if rate < 1 else 0.0), inputs.tag.dtype))


def stays(inputs: Tensor, rate: float, noise_shape: Any, seed: Any) -> np.ndarray:
    """Which numbers a dropout keeps: one draw for each element of `noise_shape`, where None stands for the input's length.

    >>> stays(convert([[1.0, 2.0]]), 0.0, (None, 1), None)
    array([[ True]])
    """
    lengths = tuple(a if b is None else b for a, b in zip(inputs.shape, noise_shape or inputs.shape, strict=True))
    return _from(seed).random(lengths) >= rate


def gamma(shape: Any, alpha: Any, dtype: Any = None, seed: Any = None) -> Tensor:
    """Draws of gamma distributions with rate 1; no gradient goes to alpha.

    >>> tf.keras.random.gamma((2,), 3.0, seed=1).shape
    TensorShape([2])
    """
    return _made(_from(seed).standard_gamma(_array(alpha), _lengths(shape)), dtype)


def beta(shape: Any, alpha: Any, beta: Any, dtype: Any = None, seed: Any = None) -> Tensor:
    """Draws of beta distributions; no gradient goes to alpha and beta.

    >>> tf.keras.random.beta((2,), 3.0, 1.0, seed=1).shape
    TensorShape([2])
    """
    return _made(_from(seed).beta(_array(alpha), _array(beta), _lengths(shape)), dtype)


def binomial(shape: Any, counts: Any, probabilities: Any, dtype: Any = None, seed: Any = None) -> Tensor:
    """Draws of binomial distributions: successes among `counts` trials with that probability.

    >>> tf.keras.random.binomial((2,), 3, 1.0, seed=1).numpy()
    array([3., 3.], dtype=float32)
    """
    return _made(_from(seed).binomial(_array(counts).astype(int), _array(probabilities), _lengths(shape)), dtype)


def _array(value: Any) -> np.ndarray:
    return np.asarray(convert(value).array)


def _made(drawn: np.ndarray, dtype: Any) -> Tensor:
    return created(np.asarray(drawn, as_dtype(dtype or floatx()).numpy_dtype))


__all__ = [
    "SeedGenerator", "beta", "binomial", "categorical", "dropout", "gamma", "normal", "randint", "shuffle",
    "truncated_normal", "uniform",
]  # fmt: skip
