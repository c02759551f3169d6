"""Counts of true and false positives and negatives, at one threshold or many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ops.elementwise import sigmoid
from ...record.refusal import value_error
from ...tensor import Tensor, constant, convert
from ..allowed import one_of, within
from ..losses import same_rank
from ..losses.shapes import check_weights
from .base import Metric, array_of, ratio

KINDS = ("true_positives", "false_positives", "true_negatives", "false_negatives")
SMALL = 1e-7  # how far the outermost thresholds lie outside of 0 and 1


class _Counts(Metric):
    """Counts of some `KINDS` at each threshold; subclasses compute a number from them.

    A prediction is positive where it lies above the threshold.  With `top_k` the k largest of each row are predictions, and
    all others are not; with `class_id` only that column counts.
    """

    kinds: tuple[str, ...] = ()
    top_k: int | None = None
    class_id: int | None = None
    column_weights: np.ndarray | None = None

    def _count_at(self, thresholds: Sequence[float], columns: tuple[int, ...] = ()) -> None:
        for threshold in thresholds:
            if threshold is None or not -SMALL <= threshold <= 1 + SMALL and threshold != -np.inf:
                raise value_error(
                    f"Threshold values must be in [0, 1]. Received: {list(thresholds)}",
                    "They are compared with probabilities.",
                )
        self._thresholds = np.asarray(thresholds, self.dtype)
        for kind in self.kinds:
            setattr(self, kind, self.add_variable((len(thresholds), *columns), name=kind))

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        for kind, count in zip(KINDS, self._counted(y_true, y_pred, sample_weight), strict=True):
            if kind in self.kinds:
                self._add(getattr(self, kind), count)

    def _counted(self, y_true: Any, y_pred: Any, sample_weight: Any) -> list[np.ndarray]:
        """The four counts of a batch, for each threshold (and column)."""
        a, b = same_rank(convert(array_of(y_pred, self.dtype)), convert(array_of(y_true, self.dtype)))
        guess, truth = a.array, b.array
        weight = np.ones_like(guess)
        if sample_weight is not None:
            given = array_of(sample_weight, self.dtype)
            given = given.reshape(given.shape + (1,) * (guess.ndim - given.ndim))
            check_weights(given.shape, guess.shape)
            weight = weight * given
        if self.column_weights is not None:
            weight = weight * self.column_weights
        if self.top_k is not None:
            largest = np.argsort(-guess, axis=-1, kind="stable")[..., : self.top_k]
            kept = np.zeros(guess.shape, bool)
            np.put_along_axis(kept, largest, True, -1)
            guess = np.where(kept, guess, -np.inf)
        if self.class_id is not None:
            guess, truth, weight = (item[..., self.class_id] for item in (guess, truth, weight))
        above = guess > self._thresholds.reshape(-1, *[1] * guess.ndim)
        true = truth.astype(bool)
        axes = tuple(range(1, guess.ndim + 1 - len(self._columns())))
        kinds = (true, above), (~true, above), (~true, ~above), (true, ~above)
        return [(weight * (actual & predicted)).sum(axes) for actual, predicted in kinds]

    def _columns(self) -> tuple[int, ...]:
        return tuple(getattr(self, self.kinds[0]).shape)[1:]

    def _numbers(self, *kinds: str) -> list[np.ndarray]:
        return [getattr(self, kind).array_now for kind in kinds]

    def _one_or_many(self, values: np.ndarray) -> Tensor:
        return constant(values[0] if len(values) == 1 else values)


def _at(thresholds: Any, default: float) -> list[float]:
    given = default if thresholds is None else thresholds
    return list(given) if isinstance(given, list | tuple) else [given]


class _OneCount(_Counts):
    _example = ">>> float(tf.keras.metrics.{}()([0, 0, 0, 1, 1, 1], [0.9, 0.2, 0.1, 0.8, 0.1, 0.3]))"

    def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.thresholds = thresholds
        self._count_at(_at(thresholds, 0.5))

    def result(self) -> Tensor:
        return self._one_or_many(self._numbers(*self.kinds)[0])


# fmt: off
class TruePositives(_OneCount, answer="1.0"):
    """How many positives were predicted rightly."""
    kinds = ("true_positives",)
class FalsePositives(_OneCount, answer="1.0"):
    """How many negatives were predicted to be positive."""
    kinds = ("false_positives",)
class TrueNegatives(_OneCount, answer="2.0"):
    """How many negatives were predicted rightly."""
    kinds = ("true_negatives",)
class FalseNegatives(_OneCount, answer="2.0"):
    """How many positives were predicted to be negative."""
    kinds = ("false_negatives",)
# fmt: on


class _Share(_Counts):
    """True positives as a share of a sum of counts."""

    _example = ">>> tf.keras.metrics.{}()([0, 0, 1, 1, 1], [0.9, 0.7, 0.8, 0.1, 0.7]).numpy().round(3)"

    def __init__(
        self, thresholds: Any = None, top_k: int | None = None, class_id: int | None = None, name: str | None = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, dtype)
        self.thresholds, self.top_k, self.class_id = thresholds, top_k, class_id
        self._count_at(_at(thresholds, 0.5 if top_k is None else -np.inf))

    def result(self) -> Tensor:
        """The share so far; 0 before the first example."""
        right, others = self._numbers(*self.kinds)
        return self._one_or_many(ratio(right, right + others))


# fmt: off
class Precision(_Share, answer="np.float32(0.5)"):
    """The share of positive predictions that are right."""
    kinds = ("true_positives", "false_positives")
class Recall(_Share, answer="np.float32(0.667)"):
    """The share of positives that were predicted to be positive."""
    kinds = ("true_positives", "false_negatives")
# fmt: on


class AUC(_Counts):
    """The area under the curve of recall over false alarms ("ROC"), or of precision over recall ("PR").

    It is computed from counts at `num_thresholds` thresholds.  Args: summation_method, "interpolation", "minoring" or
    "majoring"; multi_label, for a curve of each column, and the mean of their areas.  Raises ValueError for another `curve` or
    method, and for thresholds outside of [0, 1].

    >>> float(tf.keras.metrics.AUC(num_thresholds=3)([0, 0, 1, 1], [0.0, 0.5, 0.3, 0.9]))
    0.75
    """

    kinds = KINDS

    def __init__(
        self, num_thresholds: int = 200, curve: str = "ROC", summation_method: str = "interpolation", name: str | None = None,
        dtype: Any = None, thresholds: Sequence[float] | None = None, multi_label: bool = False, num_labels: int | None = None,
        label_weights: Any = None, from_logits: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(name, dtype)
        if thresholds is None:  # each is a row of counts
            within("num_thresholds", num_thresholds, "(1, 1000000]", "200 is usual.")
        self.curve, self.from_logits = one_of("curve", curve, ("ROC", "PR")), from_logits
        self.summation_method = one_of("summation_method", summation_method, ("interpolation", "minoring", "majoring"))
        self.multi_label, self.num_labels = multi_label, num_labels
        self.label_weights, self.thresholds = label_weights, thresholds
        self.column_weights = None if multi_label or label_weights is None else np.asarray(label_weights)
        inner = (
            [i / (num_thresholds - 1) for i in range(1, num_thresholds - 1)]
            if thresholds is None
            else sorted(thresholds)
        )
        self.num_thresholds = len(inner) + 2
        self._at = [-SMALL, *inner, 1 + SMALL]
        if not multi_label or num_labels:
            self._count_at(self._at, (num_labels,) if multi_label and num_labels else ())

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        if self.from_logits:
            y_pred = sigmoid(convert(y_pred))
        if not hasattr(self, "true_positives"):
            self._count_at(self._at, (convert(y_pred).shape[-1],))
        super().update_state(y_true, y_pred, sample_weight)

    def result(self) -> Tensor:
        tp, fp, tn, fn = self._numbers(*KINDS)
        if self.curve == "PR" and self.summation_method == "interpolation":
            areas = _interpolated(tp, fp, fn)
        else:
            recall = ratio(tp, tp + fn)
            x, y = (ratio(fp, fp + tn), recall) if self.curve == "ROC" else (recall, ratio(tp, tp + fp))
            low, high = np.minimum(y[:-1], y[1:]), np.maximum(y[:-1], y[1:])
            heights = {"interpolation": (y[:-1] + y[1:]) / 2, "minoring": low, "majoring": high}[self.summation_method]
            areas = (x[:-1] - x[1:]) * heights
        by_column = areas.sum(0)
        if self.multi_label and self.label_weights is not None:
            weights = np.asarray(self.label_weights, by_column.dtype)
            return constant(ratio((by_column * weights).sum(), weights.sum()))
        return constant(by_column.mean())


def _interpolated(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray) -> np.ndarray:
    """The area under precision between neighbouring thresholds, where it is no straight line (Davis and Goadrich 2006)."""
    p = tp + fp
    more, gone = p[:-1] - p[1:], tp[:-1] - tp[1:]
    slope = ratio(gone, np.maximum(more, 0))
    start = tp[1:] - slope * p[1:]
    both = (p[:-1] > 0) & (p[1:] > 0)
    growth = np.where(both, ratio(p[:-1], np.maximum(p[1:], 0)), 1)
    return ratio(slope * (gone + start * np.log(growth)), np.maximum(tp[1:] + fn[1:], 0))
