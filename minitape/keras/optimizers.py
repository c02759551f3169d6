"""From gradients to new weights.

An update is arithmetic on arrays and one `assign` per weight: nobody watches it, so it needs no ops.  A tape that is still
listening sees the weight start afresh, as after any assignment.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..record.refusal import refusal
from ..tensor import Tensor, constant, convert
from ..variable import Variable
from .names import snake


def _kind(value: Any) -> str:
    if isinstance(value, tuple | list):
        return f"({', '.join(_kind(one) for one in value)})"
    return type(value).__name__


class Optimizer:
    """Changes weights by their gradients: subclass it and write `step`.

    What an optimizer remembers of each weight (a momentum, say) are variables too, and their bytes are counted like all
    others.
    """

    remembers: tuple[str, ...] = ()  # the names of what is kept beside each weight

    def __init__(self, learning_rate: Any = 0.01, name: str | None = None) -> None:
        self.name = name or snake(type(self).__name__)
        try:
            rate = np.float32(learning_rate)
        except (TypeError, ValueError):
            raise refusal(
                ValueError,
                f"learning_rate of {type(self).__name__} must be a number, got {learning_rate!r}",
                f"Write tf.keras.optimizers.{type(self).__name__}(0.01).",
            ) from None
        self._learning_rate = Variable(rate, trainable=False, name="learning_rate")
        self._iterations = 0
        self._beside: dict[Any, tuple[Variable, ...]] = {}

    @property
    def learning_rate(self) -> Variable:
        """How far a step goes; a variable, so that it can be assigned to, or simply set."""
        return self._learning_rate

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        self._learning_rate.assign(value)

    @property
    def iterations(self) -> Tensor:
        """How many steps were made."""
        return constant(self._iterations, "int64")

    @property
    def variables(self) -> list[Variable]:
        """The learning rate, and what is remembered of the weights."""
        return [self._learning_rate, *(one for kept in self._beside.values() for one in kept)]

    def build(self, variables: Sequence[Any]) -> None:
        """Make what is remembered of these weights, as far as it is not there yet."""
        for one in variables:
            if one.ref() not in self._beside:
                zeros = [np.zeros(tuple(one.shape), one._tag.dtype) for _ in self.remembers]
                kept = zip(zeros, self.remembers, strict=True)
                self._beside[one.ref()] = tuple(Variable(zero, trainable=False, name=name) for zero, name in kept)

    def apply_gradients(self, grads_and_vars: Iterable[tuple[Any, Any]]) -> Tensor:
        """One step: change each weight by its gradient; returns how many steps were made.

        Raises ValueError where every gradient is None; warns, and leaves those weights alone, where some are.

        >>> import minitape as tf
        >>> w = tf.Variable(1.0)
        >>> step = SGD(0.5).apply_gradients([(tf.constant(4.0), w)])
        >>> w.numpy()
        np.float32(-1.0)
        """
        pairs = list(grads_and_vars)
        if not all(isinstance(one, tuple | list) and len(one) == 2 and isinstance(one[1], Variable) for one in pairs):
            raise refusal(
                ValueError,
                f"apply_gradients takes pairs of a gradient and its variable, got {[_kind(one) for one in pairs]}",
                "Write optimizer.apply_gradients(zip(gradients, variables)).",
            )
        used = [(gradient, variable) for gradient, variable in pairs if gradient is not None]
        if not used:
            raise refusal(
                ValueError,
                "No gradients provided for any variable. Was the loss computed inside the tape's `with` block, from these "
                "variables?",
                "Ask tape.why(loss, variable).",
            )
        if len(used) < len(pairs):
            missing = [getattr(one, "path", one.name) for gradient, one in pairs if gradient is None]
            warnings.warn(f"Gradients do not exist for variables {missing} when minimizing the loss.", stacklevel=2)
        self.build([variable for _, variable in used])
        self._iterations += 1
        for gradient, variable in used:
            kind = variable._tag.dtype.type
            rate = kind(self._learning_rate._array_now)
            slope = convert(gradient)._array
            if slope.shape != variable._tag.shape:
                raise refusal(
                    ValueError,
                    f"a gradient of shape {slope.shape} does not fit {getattr(variable, 'path', variable.name)} of shape "
                    f"{variable._tag.shape}",
                    "A gradient has its variable's shape: are gradients and variables in the same order?",
                )
            new = self.step(variable._array_now, slope.astype(kind), rate, *self._beside[variable.ref()])
            variable.assign(new if variable.constraint is None else variable.constraint(convert(new)))
        return self.iterations

    def apply(self, grads: Sequence[Any], trainable_variables: Sequence[Any]) -> Tensor:
        """The same, from two lists."""
        return self.apply_gradients(zip(grads, trainable_variables, strict=True))

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *beside: Variable) -> np.ndarray:
        """The new weight; `beside` are the variables of `remembers`, to be assigned to."""
        raise refusal(
            NotImplementedError,
            f"{type(self).__name__} must have a method step",
            "It is given arrays, and returns the change of one variable.",
        )


class SGD(Optimizer):
    """Against the gradient; with momentum, the more so the longer it goes in one direction (nesterov: looking one step ahead).

    >>> import minitape as tf
    >>> w = tf.Variable(1.0)
    >>> sgd = SGD(0.1, momentum=0.9)
    >>> for step in range(2):
    ...     count = sgd.apply_gradients([(tf.constant(1.0), w)])
    >>> round(float(w), 2), int(sgd.iterations)
    (0.71, 2)
    """

    def __init__(
        self, learning_rate: Any = 0.01, momentum: float = 0.0, nesterov: bool = False, name: str | None = None
    ) -> None:
        if not 0 <= momentum <= 1:
            raise refusal(
                ValueError,
                f"`momentum` must be a float between [0, 1], got {momentum}",
                "0.9 keeps nine tenths of the last step.",
            )
        super().__init__(learning_rate, name)
        self.momentum, self.nesterov = momentum, nesterov
        self.remembers = ("momentum",) if momentum else ()

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *beside: Variable) -> np.ndarray:
        """w − rate × gradient, or w plus the momentum."""
        move = -rate * gradient
        if not beside:
            return weight + move
        decay = weight.dtype.type(self.momentum)
        speed = beside[0].assign(decay * beside[0]._array_now + move)._array_now
        return weight + (decay * speed + move if self.nesterov else speed)


class Adam(Optimizer):
    """Against the mean gradient, in steps whose length does not depend on its size (Kingma and Ba 2014).

    >>> import minitape as tf
    >>> w = tf.Variable([1.0, 1.0])
    >>> step = Adam(0.1).apply_gradients([(tf.constant([0.001, 1000.0]), w)])
    >>> w.numpy().round(3)
    array([0.9, 0.9], dtype=float32)
    """

    remembers = ("momentum", "velocity")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, name)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *beside: Variable) -> np.ndarray:
        """w − rate × m / √v, with running means m of the gradient and v of its square, corrected for their start at 0."""
        kind, (momentum, velocity) = weight.dtype.type, beside
        m, v = momentum._array_now, velocity._array_now
        m = momentum.assign(m + (gradient - m) * kind(1 - self.beta_1))._array_now
        v = velocity.assign(v + (np.square(gradient) - v) * kind(1 - self.beta_2))._array_now
        grown = [1 - kind(beta) ** kind(self._iterations) for beta in (self.beta_1, self.beta_2)]
        return weight - m * (rate * np.sqrt(grown[1]) / grown[0]) / (np.sqrt(v) + kind(self.epsilon))


class RMSprop(Optimizer):
    """Against the gradient, divided by the root of its running mean square.

    >>> import minitape as tf
    >>> w = tf.Variable(1.0)
    >>> step = RMSprop(0.1, rho=0.0).apply_gradients([(tf.constant(8.0), w)])
    >>> round(float(w), 4)
    0.9
    """

    remembers = ("velocity",)

    def __init__(
        self, learning_rate: Any = 0.001, rho: float = 0.9, epsilon: float = 1e-7, name: str | None = None
    ) -> None:
        super().__init__(learning_rate, name)
        self.rho, self.epsilon = rho, epsilon

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *beside: Variable) -> np.ndarray:
        """w − rate × gradient / √v."""
        kind = weight.dtype.type
        v = kind(self.rho) * beside[0]._array_now + kind(1 - self.rho) * np.square(gradient)
        beside[0].assign(v)
        return weight - rate * gradient / np.sqrt(v + kind(self.epsilon))


_BY_NAME: dict[str, type[Optimizer]] = {"sgd": SGD, "adam": Adam, "rmsprop": RMSprop}


def get(identifier: Any) -> Optimizer:
    """The optimizer for a name, or an Optimizer; raises ValueError for anything else.

    >>> get("adam").name
    'adam'
    """
    if isinstance(identifier, Optimizer):
        return identifier
    if isinstance(identifier, str) and identifier.lower() in _BY_NAME:
        return _BY_NAME[identifier.lower()]()
    raise refusal(
        ValueError,
        f"Could not interpret optimizer identifier: {identifier}. Names are {', '.join(_BY_NAME)}.",
        "Or make one: tf.keras.optimizers.SGD(0.1).",
    )
