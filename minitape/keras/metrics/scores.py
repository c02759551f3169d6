"""Scores that are computed from sums over all examples, and are no mean."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...record.refusal import value_error
from ...tensor import Tensor, constant
from ..allowed import one_of, within
from ..losses.shapes import alike, check_weights
from .base import Metric, array_of, ratio


def _table(metric: str, truth: np.ndarray, guess: np.ndarray) -> None:
    """Raises ValueError for what is no row per example with a column per class or output."""
    if truth.ndim != 2 or guess.ndim != 2:
        raise value_error(
            f"{metric} expects 2D inputs with shape (batch_size, output_dim). Received input shapes: "
            f"y_pred.shape={guess.shape} and y_true.shape={truth.shape}.",
            "A column of one number per example is y[:, tf.newaxis].",
        )


class F1Score(Metric):
    """The harmonic mean of precision and recall of each class, from one-hot truths; `average` is None, "micro", "macro" or
    "weighted".

    A class is predicted where it is the most probable one, or lies above `threshold`.

    >>> tf.keras.metrics.F1Score()([[1, 0], [0, 1], [0, 1]], [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]).numpy().round(3)
    array([0.667, 0.667], dtype=float32)
    """

    def __init__(
        self, average: str | None = None, threshold: float | None = None, name: str = "f1_score", dtype: Any = None
    ) -> None:
        super().__init__(name, dtype)
        self.average, self.threshold = average, threshold

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        truth, guess = array_of(y_true, self.dtype), array_of(y_pred, self.dtype)
        _table("FBetaScore", truth, guess)
        if not self.variables:
            columns = () if self.average == "micro" else (guess.shape[-1],)
            self.right, self.claimed, self.there = (
                self.add_variable(columns, name=name) for name in ("right", "claimed", "there")
            )
        if self.threshold is None:
            predicted = (guess == guess.max(-1, keepdims=True)) & (np.abs(guess) > 1e-9)
        else:
            predicted = guess > self.threshold
        weight = (
            np.ones((len(guess), 1)) if sample_weight is None else array_of(sample_weight, self.dtype).reshape(-1, 1)
        )
        check_weights(weight.shape, guess.shape)
        axis = None if self.average == "micro" else 0
        for variable, count in ((self.right, predicted * truth), (self.claimed, predicted), (self.there, truth)):
            self._add(variable, (count * weight).sum(axis))

    def result(self) -> Tensor:
        """The score so far, of each class or of all."""
        right, predicted, there = (variable.array_now for variable in (self.right, self.claimed, self.there))
        precision, recall = ratio(right, predicted), ratio(right, there)
        score = ratio(2 * precision * recall, precision + recall)
        if self.average == "macro":
            score = score.mean()
        elif self.average == "weighted":
            score = (score * ratio(there, there.sum())).sum()
        return constant(score)


class MeanIoU(Metric):
    """The mean over the classes of intersection over union: examples of a class in truth and prediction, over those in either.

    >>> tf.keras.metrics.MeanIoU(num_classes=2)([0, 0, 1, 1], [0, 1, 0, 1]).numpy().round(3)
    np.float32(0.333)
    """

    def __init__(
        self, num_classes: int, name: str | None = None, dtype: Any = None, ignore_class: int | None = None,
        sparse_y_true: bool = True, sparse_y_pred: bool = True, axis: int = -1,
    ) -> None:  # fmt: skip
        super().__init__(name, dtype)
        self.num_classes, self.ignore_class, self.axis = num_classes, ignore_class, axis
        self.sparse_y_true, self.sparse_y_pred = sparse_y_true, sparse_y_pred
        self.total_cm = self.add_variable((num_classes, num_classes), name="total_confusion_matrix")

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Count a batch of classes by number, or by a number for each class where truths or predictions are not sparse."""
        truth, guess = self._numbered(y_true, self.sparse_y_true), self._numbered(y_pred, self.sparse_y_pred)
        weight = np.ones(()) if sample_weight is None else array_of(sample_weight, self.dtype).ravel()
        check_weights(weight.shape, truth.shape)
        weight = np.broadcast_to(weight, truth.shape)
        counted = (truth >= 0) & (truth < self.num_classes) & (guess >= 0) & (guess < self.num_classes)
        counted &= truth != (-1 if self.ignore_class is None else self.ignore_class)
        counts = np.zeros((self.num_classes, self.num_classes))
        np.add.at(counts, (truth[counted], guess[counted]), weight[counted])
        self._add(self.total_cm, counts)

    def _numbered(self, y: Any, sparse: bool) -> np.ndarray:
        return (array_of(y, "int64") if sparse else array_of(y, self.dtype).argmax(self.axis)).ravel()

    def result(self) -> Tensor:
        """The mean over the classes that appeared."""
        counts = self.total_cm.array_now
        either = counts.sum(0) + counts.sum(1) - np.diag(counts)
        return constant(ratio(ratio(np.diag(counts), either).sum(), np.asarray((either > 0).sum(), counts.dtype)))


class R2Score(Metric):
    """The share of the truth's variance that predictions explain, 1 at best: the mean over columns, or of each with
    `class_aggregation=None`.

    Raises ValueError for another aggregation, and for a negative `num_regressors`.

    >>> tf.keras.metrics.R2Score()([[1.0], [4.0], [3.0]], [[2.0], [4.0], [4.0]]).numpy().round(3)
    np.float32(0.571)
    """

    def __init__(
        self, class_aggregation: str | None = "uniform_average", num_regressors: int = 0, name: str = "r2_score",
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, dtype)
        ways = (None, "uniform_average", "variance_weighted_average")
        one_of("class_aggregation", class_aggregation, ways, "None gives a score per output.")
        hint = "It is how many inputs the prediction was made from; 0 leaves the score as it is."
        self.num_regressors, self.class_aggregation = (
            within("num_regressors", num_regressors, "[0, ∞)", hint),
            class_aggregation,
        )
        self.num_samples = self.add_variable((), name="num_samples")
        self.squared_sum: Any = None

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        truth, guess = [
            array_of(numbers, self.dtype)
            for numbers in alike(array_of(y_true, self.dtype), array_of(y_pred, self.dtype))
        ]
        _table("R2Score", truth, guess)
        if self.squared_sum is None:
            names = ("squared_sum", "sum", "residual", "count")
            self.squared_sum, self.sum, self.residual, self.count = (
                self.add_variable((guess.shape[-1],), name=name) for name in names
            )
        weight = np.ones(()) if sample_weight is None else array_of(sample_weight, self.dtype)
        weight = weight[:, np.newaxis] if weight.ndim == 1 else weight
        check_weights(weight.shape, truth.shape)
        weight = np.broadcast_to(weight, truth.shape)
        self._add(self.sum, (truth * weight).sum(0))
        self._add(self.squared_sum, (truth * truth * weight).sum(0))
        self._add(self.residual, ((truth - guess) ** 2 * weight).sum(0))
        self._add(self.count, weight.sum(0))
        self._add(self.num_samples, truth.size)

    def result(self) -> Tensor:
        """The score so far, of all outputs or of each; an output that never changes has the score 0."""
        total, squares, residual, count = (
            variable.array_now for variable in (self.sum, self.squared_sum, self.residual, self.count)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = squares - total * (total / count)
            score = 1 - residual / spread
            score = np.where(np.isinf(score), 0, score)
            if self.class_aggregation == "variance_weighted_average":
                score = (score * spread).sum() / spread.sum()
        if self.class_aggregation == "uniform_average":
            score = score.mean()
        left = float(self.num_samples.array_now) - 1 - self.num_regressors
        if self.num_regressors and left > 0:
            score = 1 - (1 - score) * (left + self.num_regressors) / left
        return constant(score, self.dtype)
