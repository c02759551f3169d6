"""What is measured over batches: a state in variables, and a number computed from it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...dtypes import as_dtype
from ...record.events import state, within
from ...record.refusal import refusal, value_error
from ...tensor import Operand, Tensor, constant, convert
from ...variable import Variable
from .. import initializers, masks
from ..allowed import called_with, made_first, unwritten
from ..config import Configured, OfFunction
from ..losses import same_rank
from ..losses.shapes import check_weights
from ..names import floatx, snake, unique
from ..weight import Weight


class Metric(Configured):
    """A measure over batches: subclass it and write `update_state` and `result`.

    Its state is in variables that no tape watches; `add_weight` makes one.

    >>> class Largest(tf.keras.metrics.Metric):
    ...     def __init__(self, name="largest"):
    ...         super().__init__(name=name)
    ...         self.seen = self.add_weight(name="seen", initializer="zeros")
    ...     def update_state(self, y_true, y_pred, sample_weight=None):
    ...         self.seen.assign(tf.maximum(self.seen, tf.reduce_max(y_pred)))
    ...     def result(self):
    ...         return self.seen.value()
    >>> float(Largest()([0.0, 0.0], [3.0, 1.0]))
    3.0
    """

    usual_name: str | None = None  # without one the name is the class's, made unique
    _takes = "y_true, y_pred"

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        made_first(type(self), name, "metrics", self._takes)
        self.name = name or self.usual_name or unique(snake(type(self).__name__))
        self.dtype = as_dtype(dtype or floatx()).name
        self._variables: list[Variable] = []

    @property
    def variables(self) -> list[Variable]:
        """Its state, and that of the metrics in its attributes."""
        inner = [item for part in vars(self).values() if isinstance(part, Metric) for item in part.variables]
        return [*self._variables, *inner]

    def add_variable(
        self, shape: Any = (), initializer: Any = None, dtype: Any = None, name: str | None = None,
        aggregation: Any = None,
    ) -> Variable:  # fmt: skip
        """Make a variable for the state, filled with zeros unless an initializer says otherwise."""
        if "_variables" not in vars(self):
            raise refusal(
                RuntimeError,
                f"{type(self).__name__} makes a weight before it is a metric: `super().__init__()` was not called",
                'Write super().__init__(name="...") first in __init__.',
            )
        if isinstance(shape, str):  # the name first, as programs for Keras 2 have it
            shape, name = (), shape
        start = initializers.get(initializer or "zeros")
        value = start(tuple(shape), dtype=as_dtype(dtype or self.dtype))
        with within(scope=f"{state.context.scope}/{self.name}".lstrip("/")):
            path = f"{self.name}/{name or 'variable'}"
            variable = Weight(value, path, trainable=False, called=path)
        self._variables.append(variable)
        return variable

    add_weight = add_variable

    def update_state(self, *args: Any, **kwargs: Any) -> None:
        """Take another batch into account; raises NotImplementedError where a subclass does not say how."""
        raise unwritten(self, "update_state", "Write def update_state(self, y_true, y_pred, sample_weight=None): ...")

    def result(self) -> Any:
        """The measure so far."""
        raise unwritten(self, "result", "Write def result(self): ..., which returns the measure so far.")

    def reset_state(self) -> None:
        """Start anew."""
        for item in self.variables:
            if item.array_now.any():
                item.assign(np.zeros(tuple(item.shape), item.tag.dtype))

    reset_states = reset_state

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.update_state(*args, **kwargs)
        return self.result()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"

    def _add(self, variable: Variable, value: Any) -> None:
        variable.assign(np.asarray(variable.array_now + value, variable.tag.dtype))


class Sum(Metric):
    """The sum of all values.

    >>> total = tf.keras.metrics.Sum()
    >>> total.update_state([1.0, 3.0])
    >>> total.result().numpy()
    np.float32(4.0)
    """

    usual_name, _takes = "sum", "values"

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.total = self.add_variable(name="total")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        self._add(self.total, _by_sample(values, sample_weight, np.sum, self.dtype)[0].sum())

    def result(self) -> Tensor:
        return constant(self.total.array_now)


class Mean(Metric):
    """The mean of all values; 0 before the first.

    >>> mean = tf.keras.metrics.Mean()
    >>> mean.update_state([1.0, 3.0])
    >>> mean.update_state(8.0)
    >>> mean.result().numpy()
    np.float32(4.0)
    """

    usual_name, _takes = "mean", "values"

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.total = self.add_variable(name="total")
        self.count = self.add_variable(name="count")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """Take these values into account, each times its weight if there are weights."""
        values, weights = _by_sample(values, sample_weight, np.mean, self.dtype)
        self._add(self.total, values.sum())
        self._add(self.count, np.size(values) if weights is None else weights.sum())

    def result(self) -> Tensor:
        return constant(ratio(self.total.array_now, self.count.array_now))


def ratio(top: Any, bottom: Any) -> np.ndarray:
    """A quotient that is 0 where the divisor is 0.

    >>> ratio(np.array([1.0, 1.0]), np.array([2.0, 0.0]))
    array([0.5, 0. ])
    """
    top, bottom = np.broadcast_arrays(top, bottom)
    return np.asarray(np.divide(top, bottom, out=np.zeros(top.shape, top.dtype), where=bottom != 0))


def array_of(value: Any, dtype: Any) -> np.ndarray:
    """A value as an array of this dtype; recorders do not see a variable being read.

    >>> array_of([1, 2], "float32")
    array([1., 2.], dtype=float32)
    """
    array = value.array_now if isinstance(value, Operand) else convert(value).array
    return np.asarray(array, as_dtype(dtype).numpy_dtype)


def _by_sample(
    values: Any, weight: Any, reduce: Callable[..., Any], dtype: str
) -> tuple[np.ndarray, np.ndarray | None]:
    """One number per example, times its weight; and the weights, one per example too."""
    values = array_of(values, dtype)
    if weight is not None:
        a, b = same_rank(convert(values), convert(array_of(weight, dtype)))
        values, weight = a.array, b.array
        values = reduce(values, axis=tuple(range(weight.ndim, values.ndim)))
        check_weights(weight.shape, values.shape)
        weight = np.broadcast_to(weight, values.shape)
        values = values * weight
        weight = reduce(weight, axis=tuple(range(1, weight.ndim)))
    return np.asarray(reduce(values, axis=tuple(range(1, values.ndim)))), weight


def _counted(y_pred: Any, weight: Any) -> Any:
    """The weights, set to 0 for the steps that the mask of the predictions leaves out."""
    mask = masks.of(y_pred) if isinstance(y_pred, Operand) else None
    if mask is None:
        return weight
    counts = masks.weights(mask, "float32", False)
    if weight is None:
        return counts
    a, b = same_rank(convert(array_of(weight, "float32")), counts)
    return a * b


class MeanMetricWrapper(Mean):
    """The mean of a function of (y_true, y_pred).

    >>> float(tf.keras.metrics.MeanMetricWrapper(lambda y, p: tf.abs(y - p), name="off")(tf.ones([2]), tf.constant([1.0, 3.0])))
    1.0
    """

    def __init__(self, fn: Callable[..., Any], name: str | None = None, dtype: Any = None, **settings: Any) -> None:
        called_with(partial(fn, **settings), ("y_true", "y_pred"), "a metric", "def metric(y_true, y_pred): ...")
        super().__init__(name or getattr(fn, "__name__", None), dtype)
        self.fn, self.settings = fn, settings

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:  # type: ignore[override]
        values, weights = self.fn(y_true, y_pred, **self.settings), _counted(y_pred, sample_weight)
        if np.ndim(values) == 0 and weights is not None and np.ndim(array_of(weights, "float32")):
            raise value_error(
                f"a metric that is masked or weighted gives a number for each example or step: {self.name} gave one for all",
                "Leave out its tf.reduce_mean, or call it on model.predict(x) after the training.",
            )
        super().update_state(values, weights)


class FunctionMetric(OfFunction, Mean):
    """The mean of one of our functions, whose further arguments are the metric's settings."""

    _means = "The mean of `{}` over all examples so far."
    _takes = "y_true, y_pred"
    _common = {"name": None, "dtype": None}
    _settings_last = True

    def __init__(self, *args: Any, **options: Any) -> None:
        Mean.__init__(self, **self._settle(args, options))

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:  # type: ignore[override]
        super().update_state(self._of(y_true, y_pred), _counted(y_pred, sample_weight))
