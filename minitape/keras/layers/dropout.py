"""Random changes of the input while training: dropout and noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tensor import convert, make
from ..allowed import within
from ..random import SeedGenerator, dropout, stays
from .activation import SameShape


class _ByChance(SameShape):
    """Returns its input as it is, and `changed` while training, unless the amount of change is 0."""

    _amount = "rate"  # the argument that says how much

    def __init__(self, seed: int | None, **options: Any) -> None:
        super().__init__(**options)
        self.seed, self.seed_generator = seed, SeedGenerator(seed)

    def call(self, inputs: Any, training: bool = False) -> Any:
        return self.changed(convert(inputs)) if training and getattr(self, self._amount) else inputs

    def changed(self, inputs: Any) -> Any:
        """The input, changed by a draw."""
        raise NotImplementedError

    def _normal(self, inputs: Any, mean: float, deviation: float) -> Any:
        drawn = self.seed_generator.generator.normal(mean, deviation, tuple(inputs.shape))
        return make(np.asarray(drawn, inputs.tag.dtype))


class Dropout(_ByChance):
    """While training each number is dropped with probability `rate`, and the others grow so that the sum is kept on average.

    Raises ValueError for a rate outside of [0, 1].

    >>> drop = tf.keras.layers.Dropout(0.5, seed=1)
    >>> drop(tf.constant([1.0, 2.0])).numpy()
    array([1., 2.], dtype=float32)
    >>> sorted(set(drop(tf.ones([50]), training=True).numpy().tolist()))
    [0.0, 2.0]
    """

    def __init__(self, rate: float, noise_shape: Any = None, seed: int | None = None, **options: Any) -> None:
        super().__init__(seed, **options)
        self.rate = within("rate", rate, "[0, 1]", "It is the part that is dropped: Dropout(0.2) keeps four of five.")
        self.noise_shape = noise_shape

    def changed(self, inputs: Any) -> Any:
        """One multiplication by a mask of zeros and 1 / (1 - rate)."""
        return dropout(inputs, self.rate, self.noise_shape, self.seed_generator)


class SpatialDropout2D(Dropout):
    """Drops whole channels of images [batch, rows, columns, channels].

    >>> dropped = tf.keras.layers.SpatialDropout2D(0.5)(tf.ones([1, 4, 4, 50]), training=True).numpy()
    >>> sorted(set(dropped.sum((1, 2)).ravel().tolist()))  # all 16 positions of a channel together
    [0.0, 32.0]
    """

    _fixed = ("noise_shape",)
    _shape: tuple[int | None, ...] = (None, 1, 1, None)  # None for a length of the input's

    def __init__(self, rate: float, seed: int | None = None, **options: Any) -> None:
        super().__init__(rate, self._shape, seed, **options)


class SpatialDropout1D(SpatialDropout2D):
    """Drops whole channels of sequences [batch, steps, channels].

    >>> dropped = tf.keras.layers.SpatialDropout1D(0.5)(tf.ones([1, 4, 50]), training=True).numpy()
    >>> sorted(set(dropped.sum(1).ravel().tolist()))  # all 4 steps of a channel together
    [0.0, 8.0]
    """

    _shape = (None, 1, None)


class GaussianNoise(_ByChance):
    """While training, draws of a normal distribution around 0 are added, with the standard deviation `stddev`.

    >>> noise, x = tf.keras.layers.GaussianNoise(2.0, seed=1), tf.zeros([10_000])
    >>> noise(x).numpy().std(), noise(x, training=True).numpy().std().round(1)
    (np.float32(0.0), np.float32(2.0))
    """

    _amount = "stddev"

    def __init__(self, stddev: float, seed: int | None = None, **options: Any) -> None:
        super().__init__(seed, **options)
        self.stddev = stddev

    def changed(self, inputs: Any) -> Any:
        """One sum."""
        return inputs + self._normal(inputs, 0.0, self.stddev)


class GaussianDropout(_ByChance):
    """While training, numbers are multiplied by draws around 1, with the standard deviation √(rate / (1 - rate)).

    >>> drop, x = tf.keras.layers.GaussianDropout(0.5, seed=1), tf.ones([10_000])
    >>> drop(x).numpy().std(), drop(x, training=True).numpy().std().round(1)
    (np.float32(0.0), np.float32(1.0))
    """

    def __init__(self, rate: float, seed: int | None = None, **options: Any) -> None:
        super().__init__(seed, **options)
        self.rate = rate

    def changed(self, inputs: Any) -> Any:
        """One product."""
        return inputs * self._normal(inputs, 1.0, np.sqrt(self.rate / (1.0 - self.rate)))


class AlphaDropout(Dropout):
    """Dropout for selu: what is dropped becomes selu's lowest value, and mean and variance are kept (Klambauer et al. 2017).

    >>> drop, x = tf.keras.layers.AlphaDropout(0.5, seed=1), tf.constant(np.random.default_rng(1).normal(size=10_000))
    >>> dropped = drop(x, training=True).numpy()
    >>> abs(dropped.mean().round(1)), dropped.std().round(1)
    (np.float32(0.0), np.float32(1.0))
    """

    def changed(self, inputs: Any) -> Any:
        """A product and two sums."""
        lowest = -1.6732632423543772 * 1.0507009873554805
        kept = stays(inputs, self.rate, self.noise_shape, self.seed_generator)
        grown = ((1.0 - self.rate) * (1.0 + self.rate * lowest**2)) ** -0.5
        mask = np.asarray(kept, inputs.tag.dtype)
        return grown * (inputs * make(mask) + make(lowest * (1 - mask))) - grown * lowest * self.rate
