"""Random numbers, from generators that `set_seed` starts anew."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..notes import named
from ..record.refusal import invalid_argument
from ..tensor import Tensor, convert, created, to_array
from .creation import _listed
from .draws import draw_categorical, draw_normal, draw_truncated, draw_uniform, draws, floating
from .indexing import gather


@named("random.normal")
def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", seed: Any = None, name: str | None = None
) -> Tensor:
    """Draws from a normal distribution.

    >>> tf.random.normal([2, 3]).shape
    TensorShape([2, 3])
    """
    return draw_normal(draws(seed), shape, mean, stddev, dtype)


@named("random.truncated_normal")
def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", seed: Any = None, name: str | None = None
) -> Tensor:
    """Draws from a normal distribution, none further out than two deviations.

    >>> bool(abs(tf.random.truncated_normal([100]).numpy()).max() <= 2)
    True
    """
    return draw_truncated(draws(seed), shape, mean, stddev, dtype)


@named("random.uniform")
def uniform(
    shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = "float32", seed: Any = None, name: str | None = None
) -> Tensor:
    """Draws from an even distribution over [minval, maxval); whole numbers need a maxval.

    >>> tf.random.uniform([2], 0, 10, dtype="int32").dtype
    tf.int32
    """
    return draw_uniform(draws(seed), shape, minval, maxval, dtype)


@named("random.categorical")
def categorical(
    logits: Any, num_samples: int, dtype: Any = "int64", seed: Any = None, name: str | None = None
) -> Tensor:
    """For each row of logits so many class numbers, drawn with the probabilities of its softmax.

    >>> tf.random.categorical([[0.0, -1000.0]], 3).numpy()
    array([[0, 0, 0]])
    """
    return draw_categorical(draws(seed), logits, num_samples, dtype)


@named("random.shuffle")
def shuffle(value: Any, seed: Any = None, name: str | None = None) -> Tensor:
    """The slices along the first axis in a random order.

    >>> sorted(tf.random.shuffle([3, 1, 2]).numpy().tolist())
    [1, 2, 3]
    """
    value = convert(value)
    if not value.ndim:
        raise invalid_argument("shuffle needs at least one axis, got shape ()", "Its first axis is put in order.")
    return gather(value, draws(seed).permutation(value.shape[0]))


@named("random.gamma")
def gamma(
    shape: Any, alpha: Any, beta: Any = None, dtype: Any = "float32", seed: Any = None, name: str | None = None
) -> Tensor:
    """Draws from a gamma distribution; they have no derivative by its parameters here.

    >>> tf.random.gamma([2], 1.0).shape
    TensorShape([2])
    """
    kind, rate = floating(dtype), 1.0 if beta is None else to_array(beta)
    parameters = np.broadcast_shapes(np.shape(to_array(alpha)), np.shape(rate))
    return created(
        np.asarray(
            draws(seed).gamma(to_array(alpha), 1.0 / rate, (*_listed(shape), *parameters)),
            kind,
        )
    )


@named("random.poisson")
def poisson(shape: Any, lam: Any, dtype: Any = "float32", seed: Any = None, name: str | None = None) -> Tensor:
    """Draws from a Poisson distribution.

    >>> tf.random.poisson([2], 3.0).shape
    TensorShape([2])
    """
    kind, rate = as_dtype(dtype).numpy_dtype, to_array(lam)
    return created(draws(seed).poisson(rate, (*_listed(shape), *rate.shape)).astype(kind))
