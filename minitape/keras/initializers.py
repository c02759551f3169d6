"""`tf.keras.initializers`: the first values of weights, as callables from a shape to a tensor.

A random initializer draws from its own seed, or from `tf.random`'s generator, so that `tf.random.set_seed` governs it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..ops.draws import draws, within_two
from ..record.refusal import value_error
from ..tensor import Tensor, created
from .allowed import one_of, within
from .config import Configured, pick, stored
from .names import floatx


class Initializer(Configured):
    """Fills a shape with numbers.

    >>> tf.initializers.Ones()([2]).numpy()
    array([1., 1.], dtype=float32)
    """

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """A tensor of this shape."""
        lengths = tuple(int(length) for length in shape)
        return created(np.asarray(self.draw(lengths), as_dtype(dtype or floatx()).numpy_dtype))

    def draw(self, shape: tuple[int, ...]) -> np.ndarray:
        """The numbers, as an array."""
        raise NotImplementedError


class Constant(Initializer):
    """The same number everywhere, or an array that broadcasts to the shape.

    >>> tf.initializers.Constant(0.5)([2]).numpy()
    array([0.5, 0.5], dtype=float32)
    """

    def __init__(self, value: Any = 0.0) -> None:
        self.value = value

    def draw(self, shape: tuple[int, ...]) -> np.ndarray:
        return np.broadcast_to(np.asarray(self.value), shape).copy()


class Zeros(Constant):
    """Zeros.

    >>> tf.initializers.Zeros()([2, 2]).numpy()
    array([[0., 0.],
           [0., 0.]], dtype=float32)
    """

    def __init__(self) -> None:
        super().__init__(0.0)


class Ones(Constant):
    """Ones.

    >>> tf.initializers.Ones()([2, 2]).numpy()
    array([[1., 1.],
           [1., 1.]], dtype=float32)
    """

    def __init__(self) -> None:
        super().__init__(1.0)


class _Random(Initializer):
    """Random numbers: the same ones each time if it has a seed."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed

    def generator(self) -> np.random.Generator:
        """Where the draws come from."""
        return draws() if self.seed is None else np.random.default_rng(self.seed)


class RandomNormal(_Random):
    """Draws of a normal distribution.

    >>> drawn = tf.initializers.RandomNormal(mean=3.0, stddev=2.0, seed=1)([10_000]).numpy()
    >>> drawn.mean().round(1), drawn.std().round(1)
    (np.float32(3.0), np.float32(2.0))
    """

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: int | None = None) -> None:
        super().__init__(seed)
        self.mean, self.stddev = mean, stddev

    def draw(self, shape: tuple[int, ...]) -> np.ndarray:
        return self.generator().normal(self.mean, self.stddev, shape)


class RandomUniform(_Random):
    """Draws of an even distribution between two bounds.

    >>> drawn = tf.initializers.RandomUniform(1.0, 2.0, seed=1)([10_000]).numpy()
    >>> drawn.min().round(2), drawn.max().round(2)
    (np.float32(1.0), np.float32(2.0))
    """

    def __init__(self, minval: float = -0.05, maxval: float = 0.05, seed: int | None = None) -> None:
        super().__init__(seed)
        self.minval, self.maxval = minval, maxval

    def draw(self, shape: tuple[int, ...]) -> np.ndarray:
        return self.generator().uniform(self.minval, self.maxval, shape)


class TruncatedNormal(RandomNormal):
    """Draws of a normal distribution; one that lies more than two standard deviations from the mean is drawn again.

    >>> drawn = tf.initializers.TruncatedNormal(stddev=1.0, seed=1)([10_000]).numpy()
    >>> drawn.min().round(1), drawn.max().round(1)
    (np.float32(-2.0), np.float32(2.0))
    """

    def draw(self, shape: tuple[int, ...]) -> np.ndarray:
        """Draws around the mean, each within two standard deviations."""
        return self.mean + self.stddev * within_two(self.generator(), shape)


class VarianceScaling(_Random):
    """Draws whose variance is `scale` over the number of inputs, of outputs, or of their average.

    So a signal keeps its size on the way through many layers (Glorot and Bengio 2010, He et al. 2015).  Args: mode, "fan_in",
    "fan_out" or "fan_avg"; distribution, "uniform", "truncated_normal", which is cut off at two standard deviations, or
    "untruncated_normal".  Raises ValueError for others, and for a scale that is not positive.

    >>> kernel = tf.initializers.VarianceScaling(scale=2.0, mode="fan_in", seed=1)([200, 50]).numpy()  # a variance of 2 / 200
    >>> kernel.std().round(2)
    np.float32(0.1)
    """

    def __init__(
        self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal", seed: int | None = None
    ) -> None:
        super().__init__(seed)
        distribution = "truncated_normal" if distribution.lower() == "normal" else distribution.lower()
        self.scale = within("scale", scale, "(0, ∞)", "1.0 is usual.")
        self.mode = one_of("mode", mode, ("fan_in", "fan_out", "fan_avg"))
        ways = ("truncated_normal", "untruncated_normal", "uniform")
        self.distribution = one_of("distribution", distribution, ways)

    def draw(self, shape: tuple[int, ...]) -> np.ndarray:
        into, out = fans(shape)
        count = {"fan_in": into, "fan_out": out, "fan_avg": (into + out) / 2}[self.mode]
        variance = self.scale / max(1.0, count)
        if self.distribution == "uniform":
            return self.generator().uniform(-math.sqrt(3 * variance), math.sqrt(3 * variance), shape)
        if self.distribution == "untruncated_normal":
            return self.generator().normal(0.0, math.sqrt(variance), shape)
        # The standard deviation of a normal distribution that is cut off at two.
        return math.sqrt(variance) / 0.87962566103423978 * within_two(self.generator(), shape)


class _Named(VarianceScaling):
    """A variance scaling with fixed settings and a name of its own: the example is made of these."""

    settings: tuple[float, str, str]

    def __init_subclass__(cls, settings: tuple[float, str, str] | None = None) -> None:
        super().__init_subclass__()
        if settings is not None:
            cls.settings = settings
            scale, mode, _ = settings
            rows = 150 if mode == "fan_avg" else int(100 * scale)  # for a variance of 1 / 100
            call = f"tf.initializers.{cls.__name__}(seed=1)([{rows}, 50])"
            cls.__doc__ = cls.__doc__ and f"{cls.__doc__}\n\n>>> {call}.numpy().std().round(2)\nnp.float32(0.1)"

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(*self.settings, seed)


# fmt: off
class GlorotUniform(_Named, settings=(1.0, "fan_avg", "uniform")):
    """The usual one for kernels: draws of an even distribution, with a variance of 1 over the mean of inputs and outputs."""
class GlorotNormal(_Named, settings=(1.0, "fan_avg", "truncated_normal")):
    """As `GlorotUniform`, with draws of a normal distribution that is cut off at two standard deviations."""
class HeUniform(_Named, settings=(2.0, "fan_in", "uniform")):
    """For layers that a relu follows: draws of an even distribution, with a variance of 2 over the number of inputs."""
class HeNormal(_Named, settings=(2.0, "fan_in", "truncated_normal")):
    """As `HeUniform`, with draws of a normal distribution that is cut off at two standard deviations."""
class LecunUniform(_Named, settings=(1.0, "fan_in", "uniform")):
    """Draws of an even distribution, with a variance of 1 over the number of inputs (LeCun et al. 1998)."""
class LecunNormal(_Named, settings=(1.0, "fan_in", "truncated_normal")):
    """For layers that a selu follows: `LecunUniform` with a normal distribution, cut off at two standard deviations."""
# fmt: on


class Orthogonal(_Random):
    """Rows (or columns, whichever are fewer) of length `gain` that stand at right angles to each other (Saxe et al. 2013).

    Raises ValueError for fewer than two axes; of more than two all but the last count as rows.

    >>> kernel = tf.initializers.Orthogonal(seed=1)([2, 3]).numpy()
    >>> (kernel @ kernel.T).round(3) + 0.0
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None) -> None:
        super().__init__(seed)
        self.gain = gain

    def draw(self, shape: tuple[int, ...]) -> np.ndarray:
        """The orthogonal part of a random matrix, all axes but the last taken as one."""
        if len(shape) < 2:
            raise value_error(
                f"The tensor to initialize must be at least two-dimensional. Received: shape={shape}",
                "A vector has no angles: Zeros() or RandomNormal() fill it.",
            )
        rows, columns = math.prod(shape[:-1]), shape[-1]
        q, r = np.linalg.qr(self.generator().standard_normal((max(rows, columns), min(rows, columns))))
        q = q * np.sign(np.diag(r))  # so that all orthogonal matrices are equally likely
        return self.gain * (q if rows >= columns else q.T).reshape(shape)


class Identity(Initializer):
    """A matrix with `gain` on the diagonal and zeros elsewhere, which need not be square; raises ValueError for other ranks.

    >>> tf.initializers.Identity(gain=2.0)([2, 3]).numpy()
    array([[2., 0., 0.],
           [0., 2., 0.]], dtype=float32)
    """

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def draw(self, shape: tuple[int, ...]) -> np.ndarray:
        """The matrix, which need not be square."""
        if len(shape) != 2:
            raise value_error(
                f"Identity matrix initializer can only be used for 2D matrices. Received: shape={shape}",
                "GlorotUniform() takes any shape.",
            )
        return self.gain * np.eye(*shape)


def fans(shape: Sequence[int]) -> tuple[int, int]:
    """How many numbers go into one output of a kernel of this shape, and out of one input.

    >>> fans((3, 2)), fans((5, 5, 3, 8))
    ((3, 2), (75, 200))
    """
    if len(shape) < 2:
        return (shape[0], shape[0]) if shape else (1, 1)
    window = math.prod(shape[:-2])
    return window * shape[-2], window * shape[-1]


_SHORT: dict[str, Callable[[], Initializer]] = {
    "normal": RandomNormal, "uniform": RandomUniform, "identity_initializer": Identity,
}  # fmt: skip


def get(identifier: Any) -> Any:
    """The initializer for a name, a class or a description; a callable comes back as it is; raises ValueError for others.

    >>> type(tf.initializers.get("zeros")).__name__
    'Zeros'
    """
    return pick(
        Initializer, identifier, _SHORT, "tf.keras.initializers.Constant(0.5) starts with a number of your own."
    )


constant, zeros, ones, identity, orthogonal = Constant, Zeros, Ones, Identity, Orthogonal
random_normal, random_uniform, truncated_normal = RandomNormal, RandomUniform, TruncatedNormal
glorot_uniform, glorot_normal, he_uniform, he_normal = GlorotUniform, GlorotNormal, HeUniform, HeNormal
lecun_uniform, lecun_normal, variance_scaling = LecunUniform, LecunNormal, VarianceScaling

serialize, deserialize = stored("initializers", get, "initializer", "HeNormal()")

__all__ = [
    "Constant", "GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform", "Identity", "Initializer", "LecunNormal",
    "LecunUniform", "Ones", "Orthogonal", "RandomNormal", "RandomUniform", "TruncatedNormal", "VarianceScaling", "Zeros",
    "constant", "deserialize", "get", "glorot_normal", "glorot_uniform", "he_normal", "he_uniform", "identity",
    "lecun_normal", "lecun_uniform", "ones", "orthogonal", "random_normal", "random_uniform", "serialize",
    "truncated_normal", "variance_scaling", "zeros",
]  # fmt: skip
