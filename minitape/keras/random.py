"""Chance for layers."""

from __future__ import annotations

import numpy as np

from ..ops.draws import Source, draws


class SeedGenerator:
    """Draws for one layer: from a seed of its own, or else from `tf.random`, so that `tf.random.set_seed` governs it.

    >>> SeedGenerator(1).uniform((2,)).shape
    (2,)
    """

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed
        self._own = None if seed is None else Source(np.random.default_rng(seed))

    @property
    def generator(self) -> np.random.Generator:
        """Where the draws come from."""
        return draws() if self._own is None else self._own.draw

    def uniform(self, shape: tuple[int, ...]) -> np.ndarray:
        """Numbers from [0, 1)."""
        return self.generator.random(shape)
