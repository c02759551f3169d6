"""`tf.random.Generator`: a generator of random numbers as an object."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..notes import named
from ..tensor import Tensor, created, to_array
from .creation import _lengths
from .draws import Source, draw_normal, draw_truncated, draw_uniform


@named("random.Generator")
class Generator(Source):
    """A source of draws with a state of its own.

    >>> first, second = tf.random.Generator.from_seed(1), tf.random.Generator.from_seed(1)
    >>> bool((first.normal([3]).numpy() == second.normal([3]).numpy()).all())
    True
    """

    def __init__(self, seed: Any = None) -> None:
        # `to_array` refuses a list that contains itself, which crashes NumPy.
        numbers = None if seed is None else [int(number) for number in to_array(seed).reshape(-1)]
        super().__init__(np.random.default_rng(numbers))

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """A source that always starts with the same draws."""
        return cls([int(number) for number in to_array(seed).reshape(-1)])

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A source that starts anywhere."""
        return cls()

    def reset_from_seed(self, seed: Any) -> None:
        """Start anew."""
        self.position = Generator.from_seed(seed).position

    def split(self, count: int = 1) -> list[Generator]:
        """More generators, whose draws are independent of each other's."""
        return [Generator(int(number)) for number in self.draw.integers(0, 2**63 - 1, count)]

    def make_seeds(self, count: int = 1) -> Tensor:
        """Seeds for stateless draws, shape [2, count]."""
        return created(self.draw.integers(0, 2**31, (2, count)))

    def normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", name: Any = None
    ) -> Tensor:
        """Draws from a normal distribution."""
        return draw_normal(self.draw, shape, mean, stddev, dtype)

    def truncated_normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", name: Any = None
    ) -> Tensor:
        """Draws from a normal distribution, none further out than two deviations."""
        return draw_truncated(self.draw, shape, mean, stddev, dtype)

    def uniform(
        self, shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = "float32", name: Any = None
    ) -> Tensor:
        """Draws from an even distribution."""
        return draw_uniform(self.draw, shape, minval, maxval, dtype)

    def uniform_full_int(self, shape: Any, dtype: Any = "uint64", name: Any = None) -> Tensor:
        """Whole numbers over all that the dtype can hold."""
        kind = np.iinfo(as_dtype(dtype).numpy_dtype)
        return created(np.asarray(self.draw.integers(kind.min, kind.max, _lengths(shape), kind.dtype, endpoint=True)))


_global: Generator | None = None


@named("random.get_global_generator")
def get_global_generator() -> Generator:
    """The generator that all share.

    >>> tf.random.get_global_generator().normal([2]).shape
    TensorShape([2])
    """
    global _global
    _global = _global or Generator()
    return _global


@named("random.set_global_generator")
def set_global_generator(generator: Generator) -> None:
    """Replace the generator that `get_global_generator` gives to all.

    >>> before = tf.random.get_global_generator()
    >>> tf.random.set_global_generator(tf.random.Generator.from_seed(7))
    >>> first = tf.random.get_global_generator().normal([2]).numpy()
    >>> bool((first == tf.random.Generator.from_seed(7).normal([2]).numpy()).all())
    True
    >>> tf.random.set_global_generator(before)
    """
    global _global
    _global = generator
