"""Numbers to look at while training: a running total and a count, and what comes out when one is divided by the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ops.elementwise import cast, equal
from ..ops.reductions import argmax, reduce_sum
from ..ops.shapes import broadcast_to, squeeze
from ..record.refusal import refusal
from ..tensor import Tensor, constant, convert
from ..variable import Variable
from . import losses
from .names import snake

# ---- one number per example ------------------------------------------------------------------------------------------------


def accuracy(y_true: Any, y_pred: Any) -> Tensor:
    """1 where a prediction equals the truth, else 0.

    >>> accuracy([1.0, 2.0], [1.0, 3.0]).numpy()
    array([1., 0.], dtype=float32)
    """
    y_pred = convert(y_pred)
    y_true, y_pred = losses.same_rank(cast(convert(y_true), y_pred.dtype), y_pred)
    return cast(equal(y_true, y_pred), "float32")


def binary_accuracy(y_true: Any, y_pred: Any, threshold: float = 0.5) -> Tensor:
    """1 where a probability lies on the truth's side of the threshold, else 0.

    >>> binary_accuracy([1.0, 0.0], [0.7, 0.9]).numpy()
    array([1., 0.], dtype=float32)
    """
    return accuracy(y_true, cast(convert(y_pred) > threshold, "float32"))


def categorical_accuracy(y_true: Any, y_pred: Any) -> Tensor:
    """1 where the largest prediction stands in the place of a one-hot row's 1, else 0.

    >>> categorical_accuracy([[0.0, 1.0]], [[0.2, 0.8]]).numpy()
    array([1.], dtype=float32)
    """
    return accuracy(argmax(y_true, -1), argmax(y_pred, -1))


def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Tensor:
    """1 where the largest prediction stands in the place that the truth names, else 0.

    >>> sparse_categorical_accuracy([1, 0], [[0.2, 0.8], [0.1, 0.9]]).numpy()
    array([1., 0.], dtype=float32)
    """
    y_true, y_pred = convert(y_true), convert(y_pred)
    if len(y_true.shape) == len(y_pred.shape) and y_true.shape[-1] == 1:
        y_true = squeeze(y_true, -1)
    return accuracy(y_true, argmax(y_pred, -1))


# ---- running means ---------------------------------------------------------------------------------------------------------


class Metric:
    """Something measured batch after batch: subclass it and write `update_state`, `result` and `reset_state`.

    Its state are variables that no tape watches.
    """

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        self.name = name or snake(type(self).__name__)
        self.dtype = dtype or "float32"
        self.variables: list[Variable] = []

    def add_variable(
        self, shape: Any = (), initializer: Any = None, dtype: Any = None, name: str | None = None
    ) -> Variable:
        """Make a variable for the state, filled with zeros."""
        variable = Variable(np.zeros(tuple(shape), dtype or self.dtype), trainable=False, name=name)
        self.variables.append(variable)
        return variable

    add_weight = add_variable

    def update_state(self, *args: Any, **kwargs: Any) -> None:
        """Take another batch into account."""
        raise refusal(
            NotImplementedError,
            f"{type(self).__name__} must have a method update_state",
            "Write def update_state(self, y_true, y_pred, sample_weight=None): ...",
        )

    def result(self) -> Any:
        """The measure so far."""
        raise refusal(
            NotImplementedError,
            f"{type(self).__name__} must have a method result",
            "Write def result(self): ..., which returns the measure so far.",
        )

    def reset_state(self) -> None:
        """Start anew."""
        for one in self.variables:
            one.assign(np.zeros(tuple(one.shape)))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.update_state(*args, **kwargs)
        return self.result()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"


class Sum(Metric):
    """The sum of everything.

    >>> total = Sum()
    >>> total.update_state([1.0, 3.0])
    >>> total.result().numpy()
    np.float32(4.0)
    """

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.total = self.add_variable(name="total")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """Add these."""
        self.total.assign(self.total._array_now + _weighted(values, sample_weight)[0])

    def result(self) -> Tensor:
        """The sum so far."""
        return constant(self.total._array_now)


class Mean(Metric):
    """The mean of everything; 0 while there was nothing.

    >>> mean = Mean()
    >>> mean.update_state([1.0, 3.0])
    >>> mean.update_state(8.0)
    >>> mean.result().numpy()
    np.float32(4.0)
    """

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.total = self.add_variable(name="total")
        self.count = self.add_variable(name="count")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """Take these into the mean; with weights, each as often as its weight says."""
        total, count = _weighted(values, sample_weight)
        self.total.assign(self.total._array_now + total)
        self.count.assign(self.count._array_now + count)

    def result(self) -> Tensor:
        """The mean so far."""
        count = self.count._array_now
        return constant(self.total._array_now / count if count else np.zeros_like(count))


def _weighted(values: Any, sample_weight: Any) -> tuple[Any, Any]:
    """The weighted sum, and the sum of the weights."""
    values = cast(convert(values), "float32")
    if sample_weight is None:
        return reduce_sum(values)._array, np.float32(values._array.size)
    values, weight = losses.same_rank(values, cast(convert(sample_weight), "float32"))
    weight = broadcast_to(weight, values.shape)
    return reduce_sum(values * weight)._array, reduce_sum(weight)._array


class MeanMetricWrapper(Mean):
    """The mean of a function of (y_true, y_pred)."""

    def __init__(self, fn: Callable[..., Any], name: str | None = None, dtype: Any = None, **settings: Any) -> None:
        super().__init__(name or getattr(fn, "__name__", None), dtype)
        self.function, self.settings = fn, settings

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:  # type: ignore[override]
        """Compare a batch."""
        super().update_state(self.function(y_true, y_pred, **self.settings), sample_weight)


class Accuracy(MeanMetricWrapper):
    """How often predictions equal the truth.

    >>> float(Accuracy()([1, 2, 3, 4], [0, 2, 3, 4]))
    0.75
    """

    def __init__(self, name: str = "accuracy", dtype: Any = None) -> None:
        super().__init__(accuracy, name, dtype)


class BinaryAccuracy(MeanMetricWrapper):
    """How often a probability lies on the right side of the threshold."""

    def __init__(self, name: str = "binary_accuracy", dtype: Any = None, threshold: float = 0.5) -> None:
        super().__init__(binary_accuracy, name, dtype, threshold=threshold)


class CategoricalAccuracy(MeanMetricWrapper):
    """How often the most probable class is the right one, for one-hot truths."""

    def __init__(self, name: str = "categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(categorical_accuracy, name, dtype)


class SparseCategoricalAccuracy(MeanMetricWrapper):
    """How often the most probable class is the right one, for classes by number."""

    def __init__(self, name: str = "sparse_categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(sparse_categorical_accuracy, name, dtype)


class MeanSquaredError(MeanMetricWrapper):
    """The mean squared difference."""

    def __init__(self, name: str = "mean_squared_error", dtype: Any = None) -> None:
        super().__init__(losses.mean_squared_error, name, dtype)


class MeanAbsoluteError(MeanMetricWrapper):
    """The mean absolute difference."""

    def __init__(self, name: str = "mean_absolute_error", dtype: Any = None) -> None:
        super().__init__(losses.mean_absolute_error, name, dtype)


_BY_NAME: dict[str, Callable[[], Metric]] = {
    "mse": lambda: MeanSquaredError("mse"), "mean_squared_error": MeanSquaredError,
    "mae": lambda: MeanAbsoluteError("mae"), "mean_absolute_error": MeanAbsoluteError,
    "binary_accuracy": BinaryAccuracy, "categorical_accuracy": CategoricalAccuracy,
    "sparse_categorical_accuracy": SparseCategoricalAccuracy,
}  # fmt: skip


def get(identifier: Any) -> Any:
    """The metric for a name, a Metric, or a function of (y_true, y_pred); raises ValueError for anything else.

    >>> get("mae").name
    'mae'
    """
    if isinstance(identifier, Metric):
        return identifier
    if isinstance(identifier, str) and identifier in _BY_NAME:
        return _BY_NAME[identifier]()
    if callable(identifier):
        return MeanMetricWrapper(identifier)
    raise refusal(
        ValueError,
        f"Could not interpret metric identifier: {identifier}. Names are accuracy, {', '.join(_BY_NAME)}.",
        "A loss function does too: metrics=[tf.keras.losses.mean_squared_error].",
    )


def accuracy_for(y_true: Any, y_pred: Any) -> Metric:
    """The kind of accuracy that "accuracy" means for truths and predictions of these shapes.

    >>> type(accuracy_for(convert([0, 1]), convert([[0.1, 0.9], [0.2, 0.8]]))).__name__
    'SparseCategoricalAccuracy'
    """
    if y_pred.shape[-1:] == [1] or len(y_pred.shape) < 2:
        return BinaryAccuracy("accuracy")
    if len(y_true.shape) < len(y_pred.shape) or y_true.shape[-1] == 1:
        return SparseCategoricalAccuracy("accuracy")
    return CategoricalAccuracy("accuracy")
