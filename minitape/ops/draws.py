"""The generators of random numbers, and the distributions that are drawn from them.

`set_seed` starts everything anew.  All ops without a seed draw from one generator; each seed has a stream of its own; a
`Source` is an object with a generator of its own.  A recompute region notes the states of all three.
"""

from __future__ import annotations

import numbers
import weakref
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..notes import Notes, named
from ..primitive import flat
from ..record.refusal import invalid_argument, type_error, value_error
from ..tensor import Operand, Tensor, convert, created, to_array
from .creation import _listed

# fmt: off
# The largest of logits plus Gumbel noise falls on each class with its own probability.
categorical_ = flat("categorical", lambda logits, noise, dtype: _largest(logits, noise).astype(dtype),
    arguments=("logits", "noise"),
    notes=Notes(phrase="the place of the largest of logits + noise", same_dtype=False))
# fmt: on

# For ops without a seed; made at the first draw, because NumPy's random module takes long to load.
_generator: np.random.Generator | None = None
_seed: int | None = None
streams: dict[Any, np.random.Generator] = {}  # by seed, for ops with a seed


@named("random.set_seed")
def set_seed(seed: int) -> None:
    """Start all draws anew: the same seed gives the same draws.

    >>> tf.random.set_seed(1)
    >>> first = tf.random.uniform([2])
    >>> tf.random.set_seed(1)
    >>> bool(tf.reduce_all(tf.random.uniform([2]) == first))
    True
    """
    global _generator, _seed
    if not isinstance(seed, numbers.Integral):
        raise type_error(f"a seed is a whole number, got {seed!r}", "Write tf.random.set_seed(1).")
    _seed = int(seed)
    _generator = np.random.default_rng(seed)
    streams.clear()


def chosen_seed() -> int | None:
    """The last seed given to `set_seed`."""
    return _seed


def draws(seed: Any = None) -> np.random.Generator:
    """The generator for an op: the common one, or that of its seed, which goes on from call to call."""
    global _generator
    if seed is None:
        _generator = _generator or np.random.default_rng()
        return _generator
    if seed not in streams:
        streams[seed] = np.random.default_rng([abs(int(part)) for part in (_seed, seed) if part is not None])
    return streams[seed]


class Source:
    """Draws from a generator of its own, which a recompute region puts back for its rerun."""

    known: weakref.WeakSet[Source] = weakref.WeakSet()

    def __init__(self, draw: np.random.Generator) -> None:
        self.draw = draw
        self.began = self.position
        Source.known.add(self)

    @property
    def position(self) -> Any:
        """The state of the generator; set it to have the same draws again."""
        return self.draw.bit_generator.state

    @position.setter
    def position(self, value: Any) -> None:
        self.draw.bit_generator.state = value


# ---- what can be drawn; each takes the generator to draw from -------------------------------------------------------


def floating(dtype: Any) -> Any:
    """NumPy's dtype for numbers that are not whole; TypeError for any other, which would cut them off."""
    kind = as_dtype(dtype)
    if not kind.is_floating:
        raise type_error(
            f"numbers of this distribution are no {kind.name}: it would cut them off",
            "Draw them as tf.float32; whole numbers are tf.random.uniform(shape, 0, 10, tf.int32), of booleans that is < 5.",
        )
    return kind.numpy_dtype


def draw_normal(draw: np.random.Generator, shape: Any, mean: Any, stddev: Any, dtype: Any) -> Tensor:
    """Draws from a normal distribution; a mean or a deviation that is a tensor is differentiated."""
    return _placed(draw.standard_normal(_listed(shape)).astype(floating(dtype)), stddev, mean)


def draw_truncated(draw: np.random.Generator, shape: Any, mean: Any, stddev: Any, dtype: Any) -> Tensor:
    """Draws from a normal distribution, each repeated until it lies within two deviations."""
    drawn = within_two(draw, _listed(shape)).astype(floating(dtype))
    return _placed(drawn, stddev, mean)


def within_two(draw: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draws from the standard normal distribution, each repeated until it lies between −2 and 2."""
    drawn = draw.standard_normal(shape)
    while (far := np.abs(drawn) > 2.0).any():
        drawn = np.where(far, draw.standard_normal(shape), drawn)
    return drawn


def draw_uniform(draw: np.random.Generator, shape: Any, minval: Any, maxval: Any, dtype: Any) -> Tensor:
    """Draws from an even distribution over [minval, maxval)."""
    kind = as_dtype(dtype).numpy_dtype
    if kind.kind not in "iu":
        floating(dtype)
    else:
        if maxval is None:
            raise value_error(
                "Must specify maxval for integer dtype: tf.random.uniform(shape, maxval=10, dtype=tf.int32)"
            )
        if int(minval) >= int(maxval):
            raise invalid_argument(
                f"Need minval < maxval, got {int(minval)} >= {int(maxval)}",
                "Whole numbers are drawn from minval up to, not including, maxval.",
            )
        return created(np.asarray(draw.integers(int(minval), int(maxval), _listed(shape), dtype=kind)))
    drawn, high = draw.random(_listed(shape)).astype(kind), 1 if maxval is None else maxval
    if isinstance(minval, Operand) or isinstance(high, Operand):
        return created(drawn) * (high - convert(minval, hint=kind)) + minval
    low, high = to_array(minval).astype(kind), to_array(high).astype(kind)
    return created(np.asarray(drawn * (high - low) + low, kind))


def _placed(drawn: np.ndarray, stddev: Any, mean: Any) -> Tensor:
    if isinstance(stddev, Operand) or isinstance(mean, Operand):
        return created(drawn) * stddev + mean
    return created(np.asarray(drawn * convert(stddev, drawn.dtype).array + convert(mean, drawn.dtype).array))


def _largest(logits: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Of one draw for each row the noise is a matrix, too."""
    return (logits + noise).argmax(-1)[:, None] if noise.ndim == 2 else (logits[:, None] + noise).argmax(-1)


def draw_categorical(draw: np.random.Generator, logits: Any, count: int, dtype: Any) -> Tensor:
    """For each row of logits, `count` classes."""
    logits = convert(logits)
    if logits.ndim != 2:
        raise invalid_argument(
            f"logits should be a matrix, got shape {list(logits.shape)}",
            "One row per draw: a single row is logits[tf.newaxis].",
        )
    noise = draw.gumbel(size=(logits.shape[0], int(count), logits.shape[1]))
    return categorical_(logits, noise[:, 0] if int(count) == 1 else noise, dtype=as_dtype(dtype).numpy_dtype)
