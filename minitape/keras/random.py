"""Chance for layers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ops.random import draws
from ..recompute import chance


class SeedGenerator:
    """Draws for one layer: from a seed of its own, or else from `tf.random`, so that `tf.random.set_seed` governs it.

    >>> SeedGenerator(1).uniform((2,)).shape
    (2,)
    """

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed
        self._own = None if seed is None else np.random.default_rng(seed)
        if self._own is not None:
            chance.follow(self)  # a recompute region draws the same mask again

    @property
    def generator(self) -> np.random.Generator:
        """Where the draws come from."""
        return draws() if self._own is None else self._own

    def uniform(self, shape: tuple[int, ...]) -> np.ndarray:
        """Numbers from [0, 1)."""
        return self.generator.random(shape)

    @property
    def state(self) -> Any:
        """Where the draws have come to; set it to have the same draws again."""
        return self.generator.bit_generator.state

    @state.setter
    def state(self, value: Any) -> None:
        self.generator.bit_generator.state = value
