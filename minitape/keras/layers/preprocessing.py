"""Input scaled before a model sees it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...ops.elementwise import cast
from ...record.refusal import value_error
from ...tensor import make
from ..metrics.base import array_of
from .activation import SameShape


class Rescaling(SameShape):
    """x × scale + offset.

    >>> tf.keras.layers.Rescaling(1.0 / 2, offset=-1.0)(tf.constant([0.0, 4.0])).numpy()
    array([-1.,  1.], dtype=float32)
    """

    def __init__(self, scale: Any, offset: Any = 0.0, **options: Any) -> None:
        super().__init__(**options)
        self.scale, self.offset = scale, offset

    def call(self, inputs: Any) -> Any:
        return cast(inputs, self._dtype) * self.scale + self.offset


class Normalization(SameShape):
    """(x − mean) ÷ √variance, both given or taken from data by `adapt`, with one mean for each position along `axis`.

    What is taken from data is kept in weights that do not train.  Until then the layer changes nothing, and warns.

    >>> layer = tf.keras.layers.Normalization()
    >>> layer.adapt(np.array([[1.0], [3.0]]))
    >>> layer(tf.constant([[5.0]])).numpy(), layer.mean.numpy()
    (array([[3.]], dtype=float32), array([[2.]], dtype=float32))
    """

    _kept_as = {"mean": "given_mean", "variance": "given_variance"}
    _wide: tuple[int, ...] = ()  # the shape in which mean and variance meet an input

    def __init__(
        self, axis: Any = -1, mean: Any = None, variance: Any = None, invert: bool = False, **options: Any
    ) -> None:
        super().__init__(**options)
        if (mean is None) != (variance is None):
            raise value_error(
                f"When setting values directly, both `mean` and `variance` must be set. Received: mean={mean} and "
                f"variance={variance}",
                "Give both, or neither, and layer.adapt(x_train).",
            )
        self.axis, self.given_mean, self.given_variance, self.invert = axis, mean, variance, invert
        self._warned = False

    def _kept(self, rank: int) -> list[int]:
        """The axes along which each position has a mean of its own."""
        return sorted(axis % rank for axis in ([self.axis] if isinstance(self.axis, int) else self.axis or ()))

    def build(self, input_shape: Any) -> None:
        kept = self._kept(len(input_shape))
        self._wide = tuple(length if axis in kept else 1 for axis, length in enumerate(input_shape))
        if self.given_mean is None:
            shape = [input_shape[axis] for axis in kept]
            self.adapt_mean = self.add_weight(shape, "zeros", trainable=False, name="mean")
            self.adapt_variance = self.add_weight(shape, "ones", trainable=False, name="variance")
            self.count = self.add_weight((), "zeros", "int64", trainable=False, name="count")  # Keras has it, too

    def adapt(self, data: Any, batch_size: int | None = None, steps: int | None = None) -> None:
        """Take mean and variance from an array, or from all batches of an iterable."""
        whole = hasattr(data, "shape") or isinstance(data, list)
        numbers = array_of(data, "float64") if whole else np.concatenate([array_of(batch, "float64") for batch in data])
        if self.given_mean is not None:
            raise value_error(
                "Cannot `adapt` a Normalization layer that is initialized with static `mean` and `variance`.",
                "Leave them out: tf.keras.layers.Normalization(), and adapt.",
            )
        if not self.built:
            self.build((None, *numbers.shape[1:]))
        kept = self._kept(numbers.ndim)
        others = tuple(axis for axis in range(numbers.ndim) if axis not in kept)
        self.adapt_mean.assign(numbers.mean(others).astype(self._dtype.numpy_dtype))
        self.adapt_variance.assign(numbers.var(others).astype(self._dtype.numpy_dtype))

    def _spread(self, name: str) -> np.ndarray:
        """Mean or variance, as they meet an input."""
        given = getattr(self, f"given_{name}")
        numbers = (
            getattr(self, f"adapt_{name}").array_now if given is None else np.asarray(given, self._dtype.numpy_dtype)
        )
        lengths = [self._wide[axis] for axis in self._kept(len(self._wide))]
        return np.broadcast_to(np.squeeze(numbers), lengths).reshape(self._wide)

    @property
    def mean(self) -> Any:
        """What is taken away, in the shape in which it meets an input; None before the layer is built."""
        return make(self._spread("mean")) if self.built else None

    @property
    def variance(self) -> Any:
        """Whose square root divides, in the shape in which it meets an input; None before the layer is built."""
        return make(self._spread("variance")) if self.built else None

    def call(self, inputs: Any) -> Any:
        mean, variance = self._spread("mean"), self._spread("variance")
        if self.given_mean is None and not self._warned and not mean.any() and (variance == 1.0).all():
            self._warned = True
            warnings.warn(
                "Normalization knows no mean and no variance, and changes nothing: layer.adapt(x_train) takes them from data.",
                stacklevel=2,
            )
        x, width = cast(inputs, self._dtype), make(np.maximum(np.sqrt(variance), 1e-7))
        return x * width + make(mean) if self.invert else (x - make(mean)) / width
