"""Whether a prediction is right: 1 or 0 per example."""

from __future__ import annotations

from typing import Any

from ...ops.counting import in_top_k
from ...ops.elementwise import cast, equal
from ...ops.reductions import argmax
from ...ops.shapes import reshape, squeeze
from ...tensor import Tensor, convert
from .. import losses


def accuracy(y_true: Any, y_pred: Any) -> Tensor:
    """1 where a prediction equals the truth, else 0.

    >>> accuracy([1, 2, 3, 4], [0, 2, 3, 4]).numpy()
    array([0., 1., 1., 1.], dtype=float32)
    """
    y_pred = convert(y_pred)
    y_true, y_pred = losses.same_rank(cast(convert(y_true), y_pred.dtype), y_pred)
    return cast(equal(y_true, y_pred), "float32")


def binary_accuracy(y_true: Any, y_pred: Any, threshold: float = 0.5) -> Tensor:
    """1 where a probability is on the same side of the threshold as the truth, else 0.

    >>> tf.keras.metrics.binary_accuracy([1.0, 0.0], [0.7, 0.9]).numpy()
    array([1., 0.], dtype=float32)
    """
    return accuracy(y_true, cast(convert(y_pred) > threshold, "float32"))


def categorical_accuracy(y_true: Any, y_pred: Any) -> Tensor:
    """1 where the largest prediction is that of the one-hot row's 1, else 0.

    >>> tf.keras.metrics.categorical_accuracy([[0.0, 1.0], [1.0, 0.0]], [[0.2, 0.8], [0.1, 0.9]]).numpy()
    array([1., 0.], dtype=float32)
    """
    return accuracy(argmax(y_true, -1), argmax(y_pred, -1))


def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Tensor:
    """1 where the largest prediction is that of the true class, else 0.

    >>> tf.keras.metrics.sparse_categorical_accuracy([1, 0], [[0.2, 0.8], [0.1, 0.9]]).numpy()
    array([1., 0.], dtype=float32)
    """
    y_true, y_pred = convert(y_true), convert(y_pred)
    if len(y_true.shape) == len(y_pred.shape) and y_true.shape[-1] == 1:
        y_true = squeeze(y_true, -1)
    return accuracy(y_true, argmax(y_pred, -1))


def top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Tensor:
    """1 where the class of a one-hot row's 1 is among the `k` largest predictions, else 0.

    >>> tf.keras.metrics.top_k_categorical_accuracy([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], [[0.1, 0.2, 0.7]] * 2, k=2).numpy()
    array([1., 0.], dtype=float32)
    """
    return sparse_top_k_categorical_accuracy(argmax(y_true, -1), y_pred, k)


def sparse_top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Tensor:
    """1 where a class number is among the `k` largest predictions, else 0.

    >>> tf.keras.metrics.sparse_top_k_categorical_accuracy([1, 0], [[0.1, 0.2, 0.7], [0.1, 0.2, 0.7]], k=2).numpy()
    array([1., 0.], dtype=float32)
    """
    y_true, y_pred = cast(convert(y_true), "int32"), convert(y_pred)
    rows = y_pred if y_pred.ndim < 3 else reshape(y_pred, [-1, y_pred.shape[-1]])
    classes = y_true if y_true.ndim < 2 else reshape(y_true, [-1])
    return reshape(cast(in_top_k(classes, rows, k), "float32"), y_true.shape)


def accuracy_by_shape(y_true: Any, y_pred: Any) -> Tensor:
    """The kind of accuracy that `metrics=["accuracy"]` means for truths and predictions of these shapes.

    >>> accuracy_by_shape([0, 1], [[0.1, 0.9], [0.2, 0.8]]).numpy()
    array([0., 1.], dtype=float32)
    """
    y_true, y_pred = convert(y_true), convert(y_pred)
    if y_pred.shape[-1:] == [1] or y_pred.ndim < 2:
        return binary_accuracy(y_true, y_pred)
    if y_true.ndim < y_pred.ndim or y_true.shape[-1] == 1:
        return sparse_categorical_accuracy(y_true, y_pred)
    return categorical_accuracy(y_true, y_pred)


def crossentropy_by_shape(y_true: Any, y_pred: Any) -> Tensor:
    """The kind of cross-entropy that `metrics=["crossentropy"]` means for truths and predictions of these shapes.

    >>> crossentropy_by_shape([1], [[0.5, 0.5]]).numpy()
    array([0.6931472], dtype=float32)
    """
    y_true, y_pred = convert(y_true), convert(y_pred)
    if y_pred.shape[-1:] == [1] or y_pred.ndim < 2:
        return losses.binary_crossentropy(y_true, y_pred)
    if y_true.ndim < y_pred.ndim or y_true.shape[-1] == 1:
        return losses.sparse_categorical_crossentropy(y_true, y_pred)
    return losses.categorical_crossentropy(y_true, y_pred)
