# ruff: noqa: I001  a name per line would bury what there is
"""`tf.keras.metrics`: numbers to look at while training.

Most are the mean of a function of truth and prediction (`base.py`, `accuracy.py`); those of `counts.py` count true and false
positives and negatives at thresholds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...ops.reductions import reduce_sum
from ...tensor import Tensor, constant
from .. import losses
from ..config import pick, stored
from ..losses import (
    binary_crossentropy, binary_focal_crossentropy, categorical_crossentropy, categorical_focal_crossentropy,
    categorical_hinge, hinge, huber, kl_divergence, mean_absolute_error, mean_absolute_percentage_error,
    mean_squared_error, mean_squared_logarithmic_error, poisson, sparse_categorical_crossentropy, squared_hinge,
)  # fmt: skip
from ..losses.errors import unit
from ..losses.shapes import alike
from .accuracy import (
    accuracy, accuracy_by_shape, binary_accuracy, categorical_accuracy, crossentropy_by_shape,
    sparse_categorical_accuracy, sparse_top_k_categorical_accuracy, top_k_categorical_accuracy,
)  # fmt: skip
from .base import FunctionMetric, Mean, MeanMetricWrapper, Metric, Sum
from .counts import AUC, FalseNegatives, FalsePositives, Precision, Recall, TrueNegatives, TruePositives
from .scores import F1Score, MeanIoU, R2Score

mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error
mape = MAPE = mean_absolute_percentage_error
msle = MSLE = mean_squared_logarithmic_error
kld = KLD = kullback_leibler_divergence = kl_divergence


def cosine(y_true: Any, y_pred: Any, axis: int = -1) -> Tensor:
    """The cosine of the angle between truth and prediction, along an axis.

    >>> cosine([[3.0, 0.0], [0.0, 2.0]], [[2.0, 0.0], [1.0, 0.0]]).numpy()
    array([1., 0.], dtype=float32)
    """
    y_true, y_pred = alike(y_true, y_pred)
    return reduce_sum(unit(y_true, axis) * unit(y_pred, axis), axis)


# A table, as that of the losses: each is the mean of its function.
# fmt: off
class Accuracy(FunctionMetric, function=accuracy): ...
class BinaryAccuracy(FunctionMetric, function=binary_accuracy): ...
class CategoricalAccuracy(FunctionMetric, function=categorical_accuracy): ...
class SparseCategoricalAccuracy(FunctionMetric, function=sparse_categorical_accuracy): ...
class TopKCategoricalAccuracy(FunctionMetric, function=top_k_categorical_accuracy, settings_last=False): ...
class SparseTopKCategoricalAccuracy(FunctionMetric, function=sparse_top_k_categorical_accuracy, settings_last=False): ...
class MeanSquaredError(FunctionMetric, function=losses.mean_squared_error): ...
class MeanAbsoluteError(FunctionMetric, function=losses.mean_absolute_error): ...
class MeanAbsolutePercentageError(FunctionMetric, function=losses.mean_absolute_percentage_error): ...
class MeanSquaredLogarithmicError(FunctionMetric, function=losses.mean_squared_logarithmic_error): ...
class LogCoshError(FunctionMetric, function=losses.log_cosh, usual_name="logcosh"): ...
class Hinge(FunctionMetric, function=losses.hinge): ...
class SquaredHinge(FunctionMetric, function=losses.squared_hinge): ...
class CategoricalHinge(FunctionMetric, function=losses.categorical_hinge): ...
class KLDivergence(FunctionMetric, function=losses.kl_divergence): ...
class Poisson(FunctionMetric, function=losses.poisson): ...
class BinaryCrossentropy(FunctionMetric, function=losses.binary_crossentropy): ...
class CategoricalCrossentropy(FunctionMetric, function=losses.categorical_crossentropy): ...
class SparseCategoricalCrossentropy(FunctionMetric, function=losses.sparse_categorical_crossentropy): ...
class CosineSimilarity(FunctionMetric, function=cosine): ...
# fmt: on


class RootMeanSquaredError(Mean):
    """The root of the mean squared difference.

    >>> float(tf.keras.metrics.RootMeanSquaredError()([[0.0], [0.0]], [[3.0], [3.0]]))
    3.0
    """

    usual_name = "root_mean_squared_error"

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:  # type: ignore[override]
        y_true, y_pred = alike(y_true, y_pred)
        super().update_state((y_true - y_pred) ** 2, sample_weight)

    def result(self) -> Tensor:
        return constant(np.sqrt(super().result().array))


_BY_SHAPE = {
    **dict.fromkeys(("accuracy", "acc"), accuracy_by_shape),
    **dict.fromkeys(("crossentropy", "ce"), crossentropy_by_shape),
}
_SHORT: dict[str, Callable[[], Any]] = {
    **{name: partial(MeanMetricWrapper, function, name) for name, function in _BY_SHAPE.items()},
    "mse": MeanSquaredError, "MSE": MeanSquaredError, "mae": MeanAbsoluteError, "MAE": MeanAbsoluteError,
    "mape": MeanAbsolutePercentageError, "MAPE": MeanAbsolutePercentageError, "msle": MeanSquaredLogarithmicError,
    "MSLE": MeanSquaredLogarithmicError, "bce": BinaryCrossentropy, "BCE": BinaryCrossentropy,
}  # fmt: skip


def get(identifier: Any) -> Any:
    """The metric for a name, a Metric, or a function of (y_true, y_pred); raises ValueError for anything else.

    "accuracy" and "crossentropy" mean the kind that fits the shapes of truth and prediction.

    >>> tf.keras.metrics.get("mae").name
    'mean_absolute_error'
    """
    found = pick(Metric, identifier, _SHORT, "A loss function does too: metrics=[tf.keras.losses.mean_squared_error].")
    return (
        found if found is None or isinstance(found, Metric) else MeanMetricWrapper(found, getattr(found, "name", None))
    )


serialize, deserialize = stored("metrics", get, "metric", "Precision()")

__all__ = [
    "AUC", "Accuracy", "BinaryAccuracy", "BinaryCrossentropy", "CategoricalAccuracy", "CategoricalCrossentropy",
    "CategoricalHinge", "CosineSimilarity", "F1Score", "FalseNegatives", "FalsePositives", "Hinge", "KLD",
    "KLDivergence", "LogCoshError", "MAE", "MAPE", "MSE", "MSLE", "Mean", "MeanAbsoluteError",
    "MeanAbsolutePercentageError", "MeanIoU", "MeanMetricWrapper", "MeanSquaredError", "MeanSquaredLogarithmicError",
    "Metric", "Poisson", "Precision", "R2Score", "Recall", "RootMeanSquaredError", "SparseCategoricalAccuracy",
    "SparseCategoricalCrossentropy", "SparseTopKCategoricalAccuracy", "SquaredHinge", "Sum", "TopKCategoricalAccuracy",
    "TrueNegatives", "TruePositives", "binary_accuracy", "binary_crossentropy", "binary_focal_crossentropy",
    "categorical_accuracy", "categorical_crossentropy", "categorical_focal_crossentropy", "categorical_hinge",
    "deserialize", "get", "hinge", "huber", "kl_divergence", "kld", "kullback_leibler_divergence", "mae", "mape",
    "mean_absolute_error", "mean_absolute_percentage_error", "mean_squared_error", "mean_squared_logarithmic_error",
    "mse", "msle", "poisson", "serialize", "sparse_categorical_accuracy", "sparse_categorical_crossentropy",
    "sparse_top_k_categorical_accuracy", "squared_hinge", "top_k_categorical_accuracy",
]  # fmt: skip
