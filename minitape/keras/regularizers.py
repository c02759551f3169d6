"""Penalties on large weights, which are added to the loss."""

from __future__ import annotations

from typing import Any

from ..ops.elementwise import abs as abs_
from ..ops.elementwise import square
from ..ops.reductions import reduce_sum
from ..tensor import Tensor, constant, convert
from .allowed import within
from .config import Configured, pick, stored


class Regularizer(Configured):
    """A function from a weight to a number; subclass it and write `__call__`.

    >>> layer = tf.keras.layers.Dense(1, kernel_regularizer=tf.keras.regularizers.L2(0.5), kernel_initializer="ones")
    >>> layer(tf.constant([[1.0, 2.0]])).numpy(), [float(penalty) for penalty in layer.losses]
    (array([[3.]], dtype=float32), [1.0])
    """

    def __call__(self, x: Any) -> Any:
        return 0.0


class L1L2(Regularizer):
    """`l1` times the sum of the absolute values, plus `l2` times the sum of the squares; a factor of 0 leaves its term out.

    Raises ValueError for a factor that is negative, or no finite number.

    >>> tf.keras.regularizers.L1L2(l1=1.0, l2=10.0)([1.0, -2.0]).numpy()
    np.float32(53.0)
    """

    def __init__(self, l1: float | None = 0.0, l2: float | None = 0.0) -> None:
        factors = [float(within(name, x or 0.0, "[0, ∞)", "0.01 is usual.")) for name, x in (("l1", l1), ("l2", l2))]
        self.l1, self.l2 = factors

    def __call__(self, x: Any) -> Tensor:
        x = convert(x)
        parts = [self.l1 * reduce_sum(abs_(x))] if self.l1 else []
        parts += [self.l2 * reduce_sum(square(x))] if self.l2 else []
        return sum(parts[1:], parts[0]) if parts else constant(0.0, x.dtype)


class L1(L1L2):
    """`l1` times the sum of the absolute values: a penalty that drives weights to exactly 0.

    >>> tf.keras.regularizers.L1(0.5)([1.0, -2.0]).numpy()
    np.float32(1.5)
    """

    def __init__(self, l1: float | None = 0.01) -> None:
        super().__init__(l1=0.01 if l1 is None else l1)


class L2(L1L2):
    """`l2` times the sum of the squares: a penalty that keeps weights small.

    >>> tf.keras.regularizers.L2(0.5)([1.0, -2.0]).numpy()
    np.float32(2.5)
    """

    def __init__(self, l2: float | None = 0.01) -> None:
        super().__init__(l2=0.01 if l2 is None else l2)


def get(identifier: Any) -> Any:
    """The regularizer for a name, a class or a function; None is none.

    >>> tf.keras.regularizers.get("l2").l2
    0.01
    """
    short = {"l1": L1, "l2": L2, "l1_l2": lambda: L1L2(0.01, 0.01)}
    return pick(Regularizer, identifier, short, "Any function does too: kernel_regularizer=tf.nn.l2_loss.")


l1, l2, l1_l2 = L1, L2, L1L2

serialize, deserialize = stored("regularizers", get, "regularizer", "L1()")

__all__ = ["L1", "L2", "L1L2", "Regularizer", "deserialize", "get", "serialize", "l1", "l1_l2", "l2"]
