"""Counting: how often numbers and classes occur, which are different, which are among the first.  None has a derivative."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..dtypes import as_dtype
from ..notes import Notes, named
from ..primitive import Primitive, flat
from ..record.refusal import invalid_argument
from ..tensor import Tensor, convert
from .elementwise import cast

_MIXED = Notes(same_dtype=False)

# fmt: off
bincount_ = flat("bincount", lambda x, least, most, dtype: np.bincount(x.reshape(-1), None, least)[:most].astype(dtype),
    notes=Notes(phrase="how often each number from 0 on occurs in x"))
weighted_bincount_ = flat("weighted_bincount",
    lambda x, weights, least, most: np.bincount(x.reshape(-1), weights.reshape(-1), least)[:most].astype(weights.dtype),
    arguments=("x", "weights"),
    notes=Notes(phrase="the sum of the weights of each number from 0 on", same_dtype=False))
confusion_matrix_ = flat("confusion_matrix",
    lambda labels, predictions, count, dtype: _table(labels, predictions, 1, count, dtype),
    arguments=("labels", "predictions"), notes=_MIXED)
weighted_confusion_matrix_ = flat("weighted_confusion_matrix",
    lambda labels, predictions, weights, count, dtype: _table(labels, predictions, weights, count, dtype),
    arguments=("labels", "predictions", "weights"), notes=_MIXED)
histogram_ = flat("histogram_fixed_width", lambda x, limits, parts, dtype: _histogram(x, limits, parts).astype(dtype),
    arguments=("x", "limits"), notes=_MIXED)
sequence_mask_ = flat("sequence_mask",
    lambda lengths, width, dtype: (np.arange(width) < lengths[..., None]).astype(dtype), arguments=("lengths",))
in_top_k_ = flat("in_top_k", lambda targets, predictions, k: _among(targets, predictions, k),
    arguments=("targets", "predictions"), notes=_MIXED)
unique_ = Primitive("unique", lambda x, dtype: _unique(x, dtype)[:2], arguments=("x",), outputs=2,
    notes=Notes(phrase="the different numbers of x, and where each stands among them"))
unique_with_counts_ = Primitive("unique_with_counts", lambda x, dtype: _unique(x, dtype), arguments=("x",), outputs=3,
    notes=Notes(phrase="the different numbers of x, where each stands among them, and how often they occur"))
# fmt: on


def _table(labels: np.ndarray, predictions: np.ndarray, weights: Any, count: int, dtype: Any) -> np.ndarray:
    table = np.zeros((count, count), dtype)
    np.add.at(table, (labels.astype(int), predictions.astype(int)), weights)
    return table


def _histogram(x: np.ndarray, limits: Any, parts: int) -> np.ndarray:
    low, high = limits
    places = np.floor((x.ravel() - low) / (high - low) * parts)
    return np.bincount(np.clip(places, 0, parts - 1).astype(int), minlength=parts)


def _among(targets: np.ndarray, predictions: np.ndarray, k: int) -> np.ndarray:
    own = np.take_along_axis(predictions, targets[:, None].astype(np.int64), -1)
    return np.asarray((predictions > own).sum(-1) < k)


def _unique(x: np.ndarray, dtype: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    _, first, inverse, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(first)
    return x[first[order]], np.argsort(order)[inverse].astype(dtype), counts[order].astype(dtype)


@named("math.bincount")
def bincount(
    arr: Any, weights: Any = None, minlength: Any = None, maxlength: Any = None, dtype: Any = "int32", name: str | None = None
) -> Tensor:  # fmt: skip
    """How often each whole number from 0 on occurs; with weights, the sum of the weights.

    >>> tf.math.bincount([1, 1, 3]).numpy()
    array([0, 2, 0, 1], dtype=int32)
    """
    x = convert(arr)
    if x.tag.dtype.kind not in "iu" or (x.array < 0).any():
        raise invalid_argument(
            f"bincount counts whole numbers from 0 on, got {x.tag.dtype} from {x.array.min(initial=0)}",
            "Shift them, or tf.cast(x, tf.int32).",
        )
    least = 0 if minlength is None else int(minlength)
    most = None if maxlength is None else int(maxlength)
    if weights is not None:
        return weighted_bincount_(x, convert(weights), least=least, most=most)
    return bincount_(x, least=least, most=most, dtype=as_dtype(dtype).numpy_dtype)


@named("math.confusion_matrix")
def confusion_matrix(
    labels: Any, predictions: Any, num_classes: Any = None, weights: Any = None, dtype: Any = "int32", name: str | None = None
) -> Tensor:  # fmt: skip
    """How often each class (row) was taken for each class (column).

    >>> tf.math.confusion_matrix([0, 1], [1, 1]).numpy()
    array([[0, 1],
           [0, 1]], dtype=int32)
    """
    true, predicted = convert(labels), convert(predictions)
    if true.ndim == predicted.ndim + 1 and true.shape[-1] == 1:
        true = true[..., 0]
    elif predicted.ndim == true.ndim + 1 and predicted.shape[-1] == 1:
        predicted = predicted[..., 0]
    if true.ndim != 1 or true.shape != predicted.shape:
        raise invalid_argument(
            f"a confusion matrix counts pairs of classes: labels and predictions must be two lists of one length, got shapes "
            f"{list(true.shape)} and {list(predicted.shape)}",
            "Of probabilities tf.argmax(predictions, axis=-1) makes classes; tf.reshape(x, [-1]) makes a list.",
        )
    both = (true.array, predicted.array)
    largest = max((int(classes.max()) for classes in both if classes.size), default=-1)
    count = largest + 1 if num_classes is None else int(num_classes)
    for whose, classes in zip(("labels", "predictions"), both):
        if classes.size and not 0 <= classes.min() <= classes.max() < count:
            raise invalid_argument(
                f"`{whose}` hold the class {classes[(classes < 0) | (classes >= count)][0]}, outside of the {count} classes",
                f"Classes are numbered 0 to {count - 1}; num_classes says how many there are.",
            )
    settings: dict[str, Any] = {"count": count, "dtype": as_dtype(dtype).numpy_dtype}
    if weights is None:
        return confusion_matrix_(true, predicted, **settings)
    return weighted_confusion_matrix_(true, predicted, convert(weights), **settings)


@named("histogram_fixed_width")
def histogram_fixed_width(
    values: Any, value_range: Any, nbins: int = 100, dtype: Any = "int32", name: str | None = None
) -> Tensor:
    """How many numbers lie in each of `nbins` equal parts of a range; those outside count in the first and the last.

    >>> tf.histogram_fixed_width([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5).numpy()
    array([2, 1, 1, 0, 2], dtype=int32)
    """
    return histogram_(values, value_range, parts=int(nbins), dtype=as_dtype(dtype).numpy_dtype)


@named("sequence_mask")
def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = "bool", name: str | None = None) -> Tensor:
    """True for the first `lengths[i]` places of row i.

    >>> tf.sequence_mask([1, 2]).numpy()
    array([[ True, False],
           [ True,  True]])
    """
    counts = convert(lengths)
    if (
        maxlen is not None and counts.dtype.is_floating
    ):  # as in TensorFlow: 1.5 counts as 1 where it is said how many there are
        counts = cast(counts, "int32")
    width = math.ceil(float(counts.array.max(initial=0) if maxlen is None else maxlen))
    return sequence_mask_(counts, width=width, dtype=as_dtype(dtype).numpy_dtype)


@named("math.in_top_k nn.in_top_k")
def in_top_k(targets: Any, predictions: Any, k: int, name: str | None = None) -> Tensor:
    """For each example, whether its class is among the k largest predictions; ties count.

    >>> tf.nn.in_top_k([1, 0], [[0.1, 0.9], [0.2, 0.8]], 1).numpy()
    array([ True, False])
    """
    return in_top_k_(targets, predictions, k=int(k))


class Unique(NamedTuple):
    """The result of `unique`."""

    y: Tensor
    idx: Tensor


class UniqueWithCounts(NamedTuple):
    """The result of `unique_with_counts`."""

    y: Tensor
    idx: Tensor
    count: Tensor  # type: ignore[assignment]  # a tuple has a method of this name


@named("unique")
def unique(x: Any, out_idx: Any = "int32", name: str | None = None) -> Unique:
    """The different numbers in the order of their first appearance, and for each number its index among them.

    >>> [tensor.numpy().tolist() for tensor in tf.unique([2, 1, 2])]
    [[2, 1], [0, 1, 0]]
    """
    return Unique(*unique_(_row(x), dtype=as_dtype(out_idx).numpy_dtype))


@named("unique_with_counts")
def unique_with_counts(x: Any, out_idx: Any = "int32", name: str | None = None) -> UniqueWithCounts:
    """`unique`, and how often each of the different numbers occurs.

    >>> [tensor.numpy().tolist() for tensor in tf.unique_with_counts([2, 1, 2])]
    [[2, 1], [0, 1, 0], [2, 1]]
    """
    return UniqueWithCounts(*unique_with_counts_(_row(x), dtype=as_dtype(out_idx).numpy_dtype))


def _row(x: Any) -> Tensor:
    row = convert(x)
    if row.ndim != 1:
        raise invalid_argument(
            f"unique expects a 1D vector, got shape {list(row.shape)}", "tf.reshape(x, [-1]) makes one."
        )
    return row
