"""Cross-entropies: how little probability a prediction gave to the truth, one number per example."""

from __future__ import annotations

from typing import Any

from ...ops.clip import clip_by_value
from ...ops.elementwise import cast, log, not_equal, sigmoid, where
from ...ops.elementwise import pow as power
from ...ops.losses import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from ...ops.nn import softmax
from ...ops.reductions import reduce_mean, reduce_sum
from ...ops.shapes import expand_dims, squeeze
from ...record.refusal import value_error
from ...tensor import Tensor, convert
from .shapes import alike

SMALL = 1e-7  # probabilities are kept this far from 0 and 1, so that logarithms stay finite


def binary_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1
) -> Tensor:
    """The cross-entropy of `y_pred` with truths of 0 and 1; with `from_logits`, y_pred stands before its sigmoid.

    >>> tf.keras.losses.binary_crossentropy([[1.0], [0.0]], [[0.5], [0.75]]).numpy()
    array([0.6931472, 1.3862944], dtype=float32)
    """
    y_true, y_pred = _paired(y_true, y_pred, "binary_crossentropy")
    y_true = _smooth(y_true, label_smoothing, 2)
    return reduce_mean(
        sigmoid_cross_entropy_with_logits(y_true, y_pred) if from_logits else _binary(y_true, y_pred), axis
    )


def binary_focal_crossentropy(
    y_true: Any, y_pred: Any, apply_class_balancing: bool = False, alpha: float = 0.25, gamma: float = 2.0,
    from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1,
) -> Tensor:  # fmt: skip
    """`binary_crossentropy` in which numbers that are predicted well count less (Lin et al. 2018).

    >>> tf.keras.losses.binary_focal_crossentropy([[1.0], [0.0]], [[0.5], [0.75]]).numpy()
    array([0.1732868, 0.7797906], dtype=float32)
    """
    y_true, y_pred = _paired(y_true, y_pred, "binary_focal_crossentropy")
    y_true = _smooth(y_true, label_smoothing, 2)
    p = sigmoid(y_pred) if from_logits else y_pred
    right = y_true * p + (1.0 - y_true) * (1.0 - p)
    surprise = power(1.0 - right, gamma) * _binary(y_true, p)
    if apply_class_balancing:
        surprise = (y_true * alpha + (1.0 - y_true) * (1.0 - alpha)) * surprise
    return reduce_mean(surprise, axis)


def categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1
) -> Tensor:
    """The cross-entropy of `y_pred` with one-hot rows; with `from_logits`, y_pred stands before its softmax.

    >>> tf.keras.losses.categorical_crossentropy([[0.0, 1.0], [1.0, 0.0]], [[0.5, 0.5], [0.25, 0.75]]).numpy()
    array([0.6931472, 1.3862944], dtype=float32)
    """
    y_true, y_pred = _paired(y_true, y_pred, "categorical_crossentropy")
    y_true = _smooth(y_true, label_smoothing, y_pred.shape[axis])
    if from_logits:
        return softmax_cross_entropy_with_logits(y_true, y_pred, axis)
    return -reduce_sum(y_true * log(_chances(y_pred, axis)), axis)


def categorical_focal_crossentropy(
    y_true: Any, y_pred: Any, alpha: float = 0.25, gamma: float = 2.0, from_logits: bool = False,
    label_smoothing: float = 0.0, axis: int = -1,
) -> Tensor:  # fmt: skip
    """`categorical_crossentropy` in which rows that are predicted well count less.

    >>> tf.keras.losses.categorical_focal_crossentropy([[0.0, 1.0], [1.0, 0.0]], [[0.5, 0.5], [0.25, 0.75]]).numpy()
    array([0.0433217 , 0.19494765], dtype=float32)
    """
    y_true, y_pred = alike(y_true, y_pred)
    y_true = _smooth(y_true, label_smoothing, y_pred.shape[axis])
    p = _chances(softmax(y_pred, axis) if from_logits else y_pred, axis)
    return reduce_sum(power(1.0 - p, gamma) * alpha * (-y_true * log(p)), axis)


def sparse_categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, ignore_class: int | None = None, axis: int = -1
) -> Tensor:
    """The cross-entropy of `y_pred` with class numbers; examples of `ignore_class` have a loss of 0.

    Raises ValueError where there is not one class number per example, InvalidArgumentError for one that is out of range.

    >>> tf.keras.losses.sparse_categorical_crossentropy([1, 0], [[0.0, 0.0], [2.0, 0.0]], from_logits=True).numpy()
    array([0.6931472 , 0.12692805], dtype=float32)
    """
    classes, y_pred = convert(y_true), convert(y_pred)
    if len(classes.shape) == len(y_pred.shape) and classes.shape[-1] == 1:
        classes = squeeze(classes, -1)
    if axis not in (-1, len(y_pred.shape) - 1):
        raise value_error(
            f"Only axis=-1 is currently supported. Received: axis={axis}",
            "Bring the classes to the end: tf.transpose(y_pred, perm).",
        )
    if tuple(classes.shape) != tuple(y_pred.shape[:-1]):
        raise value_error(
            "Arguments `target` and `output` must have the same shape up until the last dimension: "
            f"target.shape={classes.shape}, output.shape={y_pred.shape}",
            "Targets are class numbers here, one per example; for one column per class leave out `sparse_`.",
        )
    if classes.tag.dtype.kind not in "iu":
        classes = cast(classes, "int64")
    kept = None if ignore_class is None else not_equal(classes, ignore_class)
    if kept is not None:
        classes, y_pred = where(kept, classes, 0), where(expand_dims(kept, -1), y_pred, 0.0)
    # As Keras does: the logarithms of probabilities are normalised once more.
    scores = y_pred if from_logits else log(clip_by_value(y_pred, SMALL, 1.0 - SMALL))
    surprise = sparse_softmax_cross_entropy_with_logits(classes, scores)
    return surprise if kept is None else where(kept, surprise, 0.0)


def kl_divergence(y_true: Any, y_pred: Any) -> Tensor:
    """The divergence Σ y_true × log(y_true ÷ y_pred) of probabilities, along the last axis (Kullback and Leibler 1951).

    >>> tf.keras.losses.kl_divergence([[0.5, 0.5], [0.5, 0.5]], [[0.5, 0.5], [0.25, 0.75]]).numpy()
    array([0.        , 0.14384106], dtype=float32)
    """
    y_true, y_pred = (clip_by_value(chances, SMALL, 1.0) for chances in alike(y_true, y_pred))
    return reduce_sum(y_true * log(y_true / y_pred), -1)


def poisson(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of y_pred − y_true × log(y_pred): rates against counts, up to a constant.

    >>> tf.keras.losses.poisson([[2.0], [1.0]], [[1.0], [0.5]]).numpy()
    array([0.99999976, 1.193147  ], dtype=float32)
    """
    y_true, y_pred = alike(y_true, y_pred)
    return reduce_mean(y_pred - y_true * log(y_pred + SMALL), -1)


def _paired(y_true: Any, y_pred: Any, name: str) -> tuple[Tensor, Tensor]:
    """Both, if each number of one has its partner in the other."""
    y_true, y_pred = alike(y_true, y_pred)
    if y_true.shape != y_pred.shape:
        classes = name.startswith("categorical") and y_true.ndim < y_pred.ndim
        raise value_error(
            "Arguments `target` and `output` must have the same shape. Received: "
            f"target.shape={y_true.shape}, output.shape={y_pred.shape}",
            "For targets that are class numbers write sparse_categorical_crossentropy."
            if classes
            else f"{name} compares each number with its own target: does the last layer have as many units as there are targets?",
        )
    return y_true, y_pred


def _smooth(y_true: Tensor, share: float, count: int) -> Tensor:
    """Label smoothing: a share of each truth's certainty is spread over all classes."""
    return y_true * (1.0 - share) + share / count if share else y_true


def _binary(y_true: Tensor, y_pred: Tensor) -> Tensor:
    p = clip_by_value(y_pred, SMALL, 1.0 - SMALL)
    return -(y_true * log(p) + (1.0 - y_true) * log(1.0 - p))


def _chances(y_pred: Tensor, axis: int) -> Tensor:
    answer: Tensor = clip_by_value(y_pred / reduce_sum(y_pred, axis, keepdims=True), SMALL, 1.0 - SMALL)
    return answer
