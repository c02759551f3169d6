"""Numbers drawn by chance, from generators that `set_seed` starts anew."""

from __future__ import annotations

import numbers
import weakref
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..errors import InvalidArgumentError
from ..record.refusal import refusal
from ..tensor import Operand, Tensor, convert, to_array
from .creation import _lengths, _made
from .indexing import gather

# For ops without a seed of their own; made with the first draw, because NumPy takes its time to load what draws.
_generator: np.random.Generator | None = None
_seed: int | None = None
_streams: dict[Any, np.random.Generator] = {}


def set_seed(seed: int) -> None:
    """Start all draws anew: the same seed gives the same draws.

    >>> set_seed(1)
    >>> first = normal([2]).numpy()
    >>> set_seed(1)
    >>> bool((normal([2]).numpy() == first).all())
    True
    """
    global _generator, _seed
    if not isinstance(seed, numbers.Integral):
        raise refusal(TypeError, f"a seed is a whole number, got {seed!r}", "Write tf.random.set_seed(1).")
    _seed = int(seed)
    _generator = np.random.default_rng(seed)
    _streams.clear()


def draws(seed: Any = None) -> np.random.Generator:
    """The generator for an op: one for all, or one per seed of an op's own, which goes on from call to call."""
    global _generator
    if seed is None:
        _generator = _generator or np.random.default_rng()
        return _generator
    if seed not in _streams:
        _streams[seed] = np.random.default_rng([abs(int(one)) for one in (_seed, seed) if one is not None])
    return _streams[seed]


# ---- what can be drawn; each takes the generator to draw from ---------------------------------------------------------------


def draw_normal(draw: np.random.Generator, shape: Any, mean: Any, stddev: Any, dtype: Any) -> Tensor:
    """Draws from a normal distribution; a mean or a deviation that is a tensor is differentiated."""
    kind = as_dtype(dtype).numpy_dtype
    return _placed(draw.standard_normal(_lengths(shape)).astype(kind), stddev, mean)


def draw_truncated(draw: np.random.Generator, shape: Any, mean: Any, stddev: Any, dtype: Any) -> Tensor:
    """Draws from a normal distribution, each repeated until it lies within two deviations."""
    kind, whole = as_dtype(dtype).numpy_dtype, _lengths(shape)
    drawn = draw.standard_normal(whole)
    while (far := np.abs(drawn) > 2.0).any():
        drawn = np.where(far, draw.standard_normal(whole), drawn)
    return _placed(np.asarray(drawn, kind), stddev, mean)


def draw_uniform(draw: np.random.Generator, shape: Any, minval: Any, maxval: Any, dtype: Any) -> Tensor:
    """Draws from an even distribution over [minval, maxval)."""
    kind = as_dtype(dtype).numpy_dtype
    if kind.kind in "iu":
        if maxval is None:
            raise refusal(
                ValueError, "Must specify maxval for integer dtype: tf.random.uniform(shape, maxval=10, dtype=tf.int32)"
            )
        if int(minval) >= int(maxval):
            raise refusal(
                InvalidArgumentError,
                f"Need minval < maxval, got {int(minval)} >= {int(maxval)}",
                "Whole numbers are drawn from minval up to, not including, maxval.",
            )
        return _made(np.asarray(draw.integers(int(minval), int(maxval), _lengths(shape), dtype=kind)))
    drawn, high = draw.random(_lengths(shape)).astype(kind), 1 if maxval is None else maxval
    if isinstance(minval, Operand) or isinstance(high, Operand):
        return _made(drawn) * (high - convert(minval, hint=kind)) + minval
    low, high = to_array(minval).astype(kind), to_array(high).astype(kind)
    return _made(np.asarray(drawn * (high - low) + low, kind))


def _placed(drawn: np.ndarray, stddev: Any, mean: Any) -> Tensor:
    if isinstance(stddev, Operand) or isinstance(mean, Operand):
        return _made(drawn) * stddev + mean
    return _made(np.asarray(drawn * to_array(stddev).astype(drawn.dtype) + to_array(mean).astype(drawn.dtype)))


def draw_categorical(draw: np.random.Generator, logits: Any, count: int, dtype: Any) -> Tensor:
    """For each row of logits, `count` classes."""
    weights = to_array(logits).astype(np.float64)
    if weights.ndim != 2:
        raise refusal(
            InvalidArgumentError,
            f"logits should be a matrix, got shape {list(weights.shape)}",
            "One row per draw: a single row is logits[tf.newaxis].",
        )
    # The largest of logits plus Gumbel noise falls on each class with its own probability.
    noise = draw.gumbel(size=(weights.shape[0], int(count), weights.shape[1]))
    return _made((weights[:, None] + noise).argmax(-1).astype(as_dtype(dtype).numpy_dtype))


# ---- the public functions -------------------------------------------------------------------------------------------------


def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", seed: Any = None, name: str | None = None
) -> Tensor:
    """Draws from a normal distribution.

    >>> normal([2, 3]).shape
    TensorShape([2, 3])
    """
    return draw_normal(draws(seed), shape, mean, stddev, dtype)


def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", seed: Any = None, name: str | None = None
) -> Tensor:
    """Draws from a normal distribution, none further out than two deviations.

    >>> bool(abs(truncated_normal([100]).numpy()).max() <= 2)
    True
    """
    return draw_truncated(draws(seed), shape, mean, stddev, dtype)


def uniform(
    shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = "float32", seed: Any = None, name: str | None = None
) -> Tensor:
    """Draws from an even distribution over [minval, maxval); whole numbers need a maxval.

    >>> uniform([2], 0, 10, dtype="int32").dtype
    tf.int32
    """
    return draw_uniform(draws(seed), shape, minval, maxval, dtype)


def categorical(
    logits: Any, num_samples: int, dtype: Any = "int64", seed: Any = None, name: str | None = None
) -> Tensor:
    """For each row of logits, that many classes, drawn with their probabilities.

    >>> categorical([[0.0, -1000.0]], 3).numpy()
    array([[0, 0, 0]])
    """
    return draw_categorical(draws(seed), logits, num_samples, dtype)


def shuffle(value: Any, seed: Any = None, name: str | None = None) -> Tensor:
    """The slices along the first axis in an order drawn by chance.

    >>> sorted(shuffle([3, 1, 2]).numpy().tolist())
    [1, 2, 3]
    """
    value = convert(value)
    if not value.ndim:
        raise refusal(
            InvalidArgumentError, "shuffle needs at least one axis, got shape ()", "Its first axis is put in order."
        )
    return gather(value, draws(seed).permutation(value.shape[0]))


def gamma(
    shape: Any, alpha: Any, beta: Any = None, dtype: Any = "float32", seed: Any = None, name: str | None = None
) -> Tensor:
    """Draws from a gamma distribution; they have no derivative by its parameters here.

    >>> gamma([2], 1.0).shape
    TensorShape([2])
    """
    kind, rate = as_dtype(dtype).numpy_dtype, 1.0 if beta is None else to_array(beta)
    parameters = np.broadcast_shapes(np.shape(to_array(alpha)), np.shape(rate))
    return _made(np.asarray(draws(seed).gamma(to_array(alpha), 1.0 / rate, (*_lengths(shape), *parameters)), kind))


def poisson(shape: Any, lam: Any, dtype: Any = "float32", seed: Any = None, name: str | None = None) -> Tensor:
    """Draws from a Poisson distribution.

    >>> poisson([2], 3.0).shape
    TensorShape([2])
    """
    kind, rate = as_dtype(dtype).numpy_dtype, to_array(lam)
    return _made(draws(seed).poisson(rate, (*_lengths(shape), *rate.shape)).astype(kind))


# ---- without state: the seed says it all ------------------------------------------------------------------------------------


def _from(seed: Any) -> np.random.Generator:
    numbers = [int(one) for one in to_array(seed).reshape(-1)]
    if len(numbers) != 2:
        raise refusal(InvalidArgumentError, f"a stateless seed is two whole numbers, seed=[1, 2], got {numbers}")
    return np.random.Generator(np.random.Philox(key=[one % 2**64 for one in numbers]))


def stateless_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", name: str | None = None, alg: Any = None
) -> Tensor:  # fmt: skip
    """Draws from a normal distribution; the same seed [a, b] always gives the same.

    >>> bool((stateless_normal([2], [1, 2]).numpy() == stateless_normal([2], [1, 2]).numpy()).all())
    True
    """
    return draw_normal(_from(seed), shape, mean, stddev, dtype)


def stateless_truncated_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", name: str | None = None, alg: Any = None
) -> Tensor:  # fmt: skip
    """Draws within two deviations; the same seed always gives the same.

    >>> stateless_truncated_normal([2], [1, 2]).shape
    TensorShape([2])
    """
    return draw_truncated(_from(seed), shape, mean, stddev, dtype)


def stateless_uniform(
    shape: Any, seed: Any, minval: Any = 0, maxval: Any = None, dtype: Any = "float32", name: str | None = None, alg: Any = None
) -> Tensor:  # fmt: skip
    """Draws from an even distribution; the same seed always gives the same.

    >>> stateless_uniform([2], [1, 2]).shape
    TensorShape([2])
    """
    return draw_uniform(_from(seed), shape, minval, maxval, dtype)


def stateless_categorical(
    logits: Any, num_samples: int, seed: Any, dtype: Any = "int64", name: str | None = None
) -> Tensor:
    """Classes drawn with their probabilities; the same seed always gives the same.

    >>> stateless_categorical([[0.0, -1000.0]], 2, [1, 2]).numpy()
    array([[0, 0]])
    """
    return draw_categorical(_from(seed), logits, num_samples, dtype)


def stateless_shuffle(value: Any, seed: Any, name: str | None = None) -> Tensor:
    """The slices along the first axis in another order; the same seed always gives the same.

    >>> sorted(stateless_shuffle([3, 1, 2], [1, 2]).numpy().tolist())
    [1, 2, 3]
    """
    value = convert(value)
    return gather(value, _from(seed).permutation(value.shape[0]))


def split(seed: Any, num: int = 2, alg: Any = None) -> Tensor:
    """Several seeds from one, shape [num, 2].

    >>> split([1, 2], 3).shape
    TensorShape([3, 2])
    """
    return _made(_from(seed).integers(0, 2**31, (num, 2)).astype(np.int32))


def fold_in(seed: Any, data: Any, alg: Any = None) -> Tensor:
    """Another seed, made of a seed and a number.

    >>> fold_in([1, 2], 7).shape
    TensorShape([2])
    """
    first, second = (int(one) for one in to_array(seed).reshape(-1))
    mixed = np.random.SeedSequence([first % 2**32, second % 2**32, int(data) % 2**32]).generate_state(2)
    return _made((mixed >> 1).astype(np.int32))


class Source:
    """Draws from a generator of its own, which a recompute region puts back for its rerun."""

    known: weakref.WeakSet[Source] = weakref.WeakSet()

    def __init__(self, draw: np.random.Generator) -> None:
        self.draw = draw
        self.began = self.place
        Source.known.add(self)

    @property
    def place(self) -> Any:
        """Where the draws have come to; set it to have the same draws again."""
        return self.draw.bit_generator.state

    @place.setter
    def place(self, value: Any) -> None:
        self.draw.bit_generator.state = value


class Generator(Source):
    """A source of draws with a state of its own.

    >>> one, two = Generator.from_seed(1), Generator.from_seed(1)
    >>> bool((one.normal([3]).numpy() == two.normal([3]).numpy()).all())
    True
    """

    def __init__(self, seed: Any = None) -> None:
        super().__init__(np.random.default_rng(seed))

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """A source that always starts with the same draws."""
        return cls([int(one) for one in to_array(seed).reshape(-1)])

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A source that starts anywhere."""
        return cls()

    def reset_from_seed(self, seed: Any) -> None:
        """Start anew."""
        self.place = Generator.from_seed(seed).place

    def split(self, count: int = 1) -> list[Generator]:
        """More sources, whose draws have nothing to do with each other's."""
        return [Generator(int(one)) for one in self.draw.integers(0, 2**63 - 1, count)]

    def make_seeds(self, count: int = 1) -> Tensor:
        """Seeds for stateless draws, shape [2, count]."""
        return _made(self.draw.integers(0, 2**31, (2, count)))

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
        return _made(np.asarray(self.draw.integers(kind.min, kind.max, _lengths(shape), kind.dtype, endpoint=True)))


_global: Generator | None = None


def get_global_generator() -> Generator:
    """The source that everybody shares.

    >>> get_global_generator().normal([2]).shape
    TensorShape([2])
    """
    global _global
    _global = _global or Generator()
    return _global


def set_global_generator(generator: Generator) -> None:
    """Put another source in its place."""
    global _global
    _global = generator
