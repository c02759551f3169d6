"""The optimizers: a formula each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...record.refusal import described, value_error
from ...variable import Variable
from ..allowed import within
from .base import Optimizer
from .slope import by_slice


def _moved(mean: np.ndarray, value: np.ndarray, share: Any) -> np.ndarray:
    """A running mean, moved towards a value by a share of the distance."""
    return np.asarray(mean + (value - mean) * share)


class SGD(Optimizer):
    """Steps against the gradient; with momentum they add up along one direction (nesterov: with a look one step ahead).

    Raises ValueError for a momentum outside of [0, 1].

    >>> w = tf.Variable(1.0)
    >>> sgd = tf.keras.optimizers.SGD(0.1, momentum=0.9)
    >>> for step in range(2):
    ...     count = sgd.apply_gradients([(tf.constant(1.0), w)])
    >>> round(float(w), 2), int(sgd.iterations)
    (0.71, 2)
    """

    def __init__(self, learning_rate: Any = 0.01, momentum: float = 0.0, nesterov: bool = False, **common: Any) -> None:
        if not isinstance(momentum, float):
            raise value_error(
                f"`momentum` must be a float between [0, 1]. Received: momentum={described(momentum)}",
                "0.9 keeps nine tenths of the last step; of whole numbers 0.0 and 1.0 are floats.",
            )
        within("momentum", momentum, "[0, 1]", "0.9 keeps nine tenths of the last step.")
        super().__init__(learning_rate, **common)
        self.momentum, self.nesterov = momentum, nesterov
        self.slots = ("momentum",) if momentum else ()

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *slots: np.ndarray) -> Any:
        """w − rate × gradient, or w plus the momentum."""
        move = -rate * gradient
        if not slots:
            return weight + move
        decay = weight.dtype.type(self.momentum)
        speed = decay * slots[0] + move
        return weight + (decay * speed + move if self.nesterov else speed), speed


class _TwoMeans(Optimizer):
    """Keeps a running mean m of the gradient, with `beta_1`, and one of its size, with `beta_2`: by default v, of its square."""

    slots: tuple[str, ...] = ("momentum", "velocity")

    def __init__(
        self, learning_rate: Any = 0.001, beta_1: float = 0.9, beta_2: float = 0.999, epsilon: float = 1e-7, **common: Any
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, **common)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def _means(self, gradient: np.ndarray, slots: tuple[np.ndarray, ...], kind: Any) -> tuple[Any, Any, list[Any]]:
        """m and v after this step, and how far both have come from their start at 0."""
        m = _moved(slots[0], gradient, kind(1 - self.beta_1))
        v = _moved(slots[1], by_slice(np.square, gradient), kind(1 - self.beta_2))
        return m, v, [1 - kind(beta) ** kind(self._iterations) for beta in (self.beta_1, self.beta_2)]


class Adam(_TwoMeans):
    """Steps against the running mean of the gradient, divided by its root mean square (Kingma and Ba 2014).

    With `amsgrad` the divisor is the largest root mean square so far (Reddi et al. 2018).

    >>> w = tf.Variable([1.0, 1.0])
    >>> step = tf.keras.optimizers.Adam(0.1).apply_gradients([(tf.constant([0.001, 1000.0]), w)])
    >>> w.numpy().round(3)
    array([0.9, 0.9], dtype=float32)
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta_1: float = 0.9, beta_2: float = 0.999, epsilon: float = 1e-7,
        amsgrad: bool = False, **common: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, beta_1, beta_2, epsilon, **common)
        self.amsgrad = amsgrad
        self.slots = ("momentum", "velocity", *(("velocity_hat",) if amsgrad else ()))

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *slots: np.ndarray) -> Any:
        """w − rate × m / √v, with both means corrected for their start at 0."""
        kind = weight.dtype.type
        m, v, grown = self._means(gradient, slots, kind)
        most = np.maximum(slots[2], v) if self.amsgrad else v
        new = weight - m * (rate * np.sqrt(grown[1]) / grown[0]) / (np.sqrt(most) + kind(self.epsilon))
        return (new, m, v, most) if self.amsgrad else (new, m, v)


class AdamW(Adam):
    """Adam with weight decay: each step takes a small share of each weight away (Loshchilov and Hutter 2019).

    Raises ValueError for a `weight_decay` of None.

    >>> w = tf.Variable(2.0)
    >>> step = tf.keras.optimizers.AdamW(0.1, weight_decay=0.5).apply_gradients([(tf.constant(0.0), w)])  # away: 0.1 × 0.5 × w
    >>> w.numpy().round(3)
    np.float32(1.9)
    """

    def __init__(self, learning_rate: Any = 0.001, weight_decay: float = 0.004, *args: Any, **options: Any) -> None:
        super().__init__(learning_rate, *args, weight_decay=weight_decay, **options)
        within("weight_decay", weight_decay, "(-∞, ∞)", "Adam(learning_rate) has no decay.")


class Nadam(_TwoMeans):
    """Adam with a look one step ahead: the momentum that counts is already that of the next step (Dozat 2015).

    >>> w = tf.Variable([1.0, 1.0])
    >>> step = tf.keras.optimizers.Nadam(0.1).apply_gradients([(tf.constant([0.001, 1000.0]), w)])
    >>> w.numpy().round(3)
    array([0.894, 0.894], dtype=float32)
    """

    LESS = 0.96  # how the momentum's share grows from step to step

    def build(self, variables: Sequence[Any]) -> None:
        """Make the slots, and the product of the momentum's shares in all steps."""
        if variables and not self._own:
            start = np.ones((), variables[0].tag.dtype)
            self._own = [Variable(start, trainable=False, name="u_product")]
        super().build(variables)

    def begin(self, kind: Callable[[Any], Any]) -> None:
        """Update the product of the shares with this step's."""
        self._own[0].assign(kind(self._own[0].array_now) * self._share(kind, self._iterations))

    def _share(self, kind: Any, step: int) -> Any:
        return kind(self.beta_1) * (kind(1) - kind(0.5) * kind(self.LESS) ** kind(step))

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *slots: np.ndarray) -> Any:
        """As Adam, where a part of the momentum is already that of the next step."""
        kind = weight.dtype.type
        now, ahead = self._share(kind, self._iterations), self._share(kind, self._iterations + 1)
        product = kind(self._own[0].array_now)
        m = _moved(slots[0], gradient, 1 - kind(self.beta_1))
        v = _moved(slots[1], by_slice(np.square, gradient), 1 - kind(self.beta_2))
        towards = ahead * m / (1 - product * ahead) + (1 - now) * gradient / (1 - product)
        spread = v / (1 - kind(self.beta_2) ** kind(self._iterations))
        return weight - towards * rate / (np.sqrt(spread) + kind(self.epsilon)), m, v


class Adamax(_TwoMeans):
    """Adam that divides by the largest gradient so far instead of the root mean square (Kingma and Ba 2014).

    The largest fades from step to step, by `beta_2`.

    >>> w = tf.Variable([1.0, 1.0])
    >>> step = tf.keras.optimizers.Adamax(0.1).apply_gradients([(tf.constant([0.001, 1000.0]), w)])
    >>> w.numpy().round(3)
    array([0.9, 0.9], dtype=float32)
    """

    slots = ("momentum", "norm")

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *slots: np.ndarray) -> Any:
        """w − rate × m / largest, with a running mean m of the gradient, corrected for its start at 0."""
        kind = weight.dtype.type
        m = _moved(slots[0], gradient, kind(1 - self.beta_1))
        most = np.maximum(kind(self.beta_2) * slots[1], by_slice(np.abs, gradient))
        grown = 1 - kind(self.beta_1) ** kind(self._iterations)
        return weight - rate * m / (grown * (most + kind(self.epsilon))), m, most


class Lamb(_TwoMeans):
    """Adam with each weight's step scaled to the rate times the weight's length (You et al. 2019).

    >>> w = tf.Variable([3.0, 4.0])
    >>> step = tf.keras.optimizers.Lamb(0.1).apply_gradients([(tf.constant([0.001, 1000.0]), w)])  # 0.1 × 5 in all
    >>> w.numpy().round(3)
    array([2.646, 3.646], dtype=float32)
    """

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *slots: np.ndarray) -> Any:
        """w − rate × |w| / |u| × u, where u is Adam's step."""
        kind = weight.dtype.type
        m, v, grown = self._means(gradient, slots, kind)
        update = m / grown[0] / (np.sqrt(v / grown[1]) + kind(self.epsilon))
        norm, update_norm = [np.sqrt(np.sum(np.square(array))) for array in (weight, update)]
        return weight - (norm / update_norm if norm > 0 and update_norm > 0 else kind(1.0)) * rate * update, m, v


class RMSprop(Optimizer):
    """Steps against the gradient, divided by its root mean square; `centered` subtracts the squared mean under the root.

    >>> w = tf.Variable([1.0, 1.0])
    >>> step = tf.keras.optimizers.RMSprop(0.1, rho=0.0).apply_gradients([(tf.constant([0.01, 8.0]), w)])
    >>> w.numpy().round(3)
    array([0.9, 0.9], dtype=float32)
    """

    def __init__(
        self, learning_rate: Any = 0.001, rho: float = 0.9, momentum: float = 0.0, epsilon: float = 1e-7,
        centered: bool = False, **common: Any,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, **common)
        self.rho, self.momentum, self.epsilon, self.centered = rho, momentum, epsilon, centered
        used = {"velocity": True, "momentum": momentum > 0, "average_gradient": centered}
        self.slots = tuple(name for name, wanted in used.items() if wanted)

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *slots: np.ndarray) -> Any:
        """w − rate × gradient / √v, or w minus the momentum of that."""
        kind, table = weight.dtype.type, dict(zip(self.slots, slots, strict=True))
        keep, share = kind(self.rho), kind(1 - self.rho)
        table["velocity"] = spread = keep * table["velocity"] + share * by_slice(np.square, gradient)
        if self.centered:
            table["average_gradient"] = keep * table["average_gradient"] + share * gradient
            spread = spread - np.square(table["average_gradient"])
        move = rate * gradient / np.sqrt(spread + kind(self.epsilon))
        if self.momentum > 0:
            table["momentum"] = move = kind(self.momentum) * table["momentum"] + move
        return weight - move, *table.values()


class Adagrad(Optimizer):
    """Steps against the gradient, divided by the root of the sum of all its squares so far (Duchi et al. 2011).

    >>> w, adagrad = tf.Variable([1.0, 1.0]), tf.keras.optimizers.Adagrad(0.1, initial_accumulator_value=0.0)
    >>> for gradient in ([0.01, 8.0], [0.01, 8.0]):
    ...     step = adagrad.apply_gradients([(tf.constant(gradient), w)])
    >>> w.numpy().round(3)
    array([0.829, 0.829], dtype=float32)
    """

    slots = ("accumulator",)

    def __init__(
        self, learning_rate: Any = 0.001, initial_accumulator_value: float = 0.1, epsilon: float = 1e-7, **common: Any
    ) -> None:
        super().__init__(learning_rate, **common)
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon
        self.starts = initial_accumulator_value

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *slots: np.ndarray) -> Any:
        """w − rate × gradient / √sum."""
        total = slots[0] + by_slice(np.square, gradient)
        return weight - rate * gradient / np.sqrt(total + weight.dtype.type(self.epsilon)), total


class Adadelta(Optimizer):
    """Steps against the gradient, divided by its root mean square, times that of the steps so far (Zeiler 2012).

    So a step has the size of earlier ones, whatever the size of the gradient; the first ones are small.

    >>> w = tf.Variable([1.0, 1.0])
    >>> step = tf.keras.optimizers.Adadelta(1.0).apply_gradients([(tf.constant([1.0, 1000.0]), w)])
    >>> w.numpy().round(4)
    array([0.9986, 0.9986], dtype=float32)
    """

    slots = ("accumulated_grad", "accumulated_delta_var")

    def __init__(self, learning_rate: Any = 0.001, rho: float = 0.95, epsilon: float = 1e-7, **common: Any) -> None:
        super().__init__(learning_rate, **common)
        self.rho, self.epsilon = rho, epsilon

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *slots: np.ndarray) -> Any:
        """w − rate × gradient × √(mean square of the steps) / √(mean square of the gradients)."""
        kind = weight.dtype.type
        keep, share, small = kind(self.rho), kind(1 - self.rho), kind(self.epsilon)
        spread = keep * slots[0] + share * by_slice(np.square, gradient)
        ratio = np.sqrt(slots[1] + small) / np.sqrt(spread + small)
        squares = np.square(ratio) * by_slice(np.square, gradient)
        return weight - rate * ratio * gradient, spread, keep * slots[1] + share * squares
