"""Rows of the losses that classifiers are trained with: a cross-entropy of raw scores is one op, as in TensorFlow."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..kinds import Elementwise, General
from ..notes import Notes, named, written
from ..record.refusal import invalid_argument, value_error
from ..tensor import Operand, Tensor, convert, to_array
from .elementwise import cast, exp, log, logical_and, sigmoid, softplus, where
from .indexing import put_along_, take_along_
from .nn import log_softmax_, softmax_
from .reductions import spread, sum_
from .shapes import axis_within, broadcast_to, broadcastable

# fmt: off
cross_entropy_ = General("softmax_cross_entropy", lambda logits, labels, axis: _cross_entropy(logits, labels, axis),
    vjp=[lambda g, logits, labels, axis, logits_shape:
            spread(g, logits_shape, (axis,)) * _surplus(logits, labels, axis),
         lambda g, logits, axis, logits_shape:
            -spread(g, logits_shape, (axis,)) * log_softmax_(logits, axis=axis)],
    jvp=[lambda t, logits, labels, axis: _total(t * _surplus(logits, labels, axis), axis),
         lambda t, logits, axis: -_total(t * log_softmax_(logits, axis=axis), axis)],
    arguments=("logits", "labels"),
    notes=Notes(phrase="− Σ labels × log softmax(logits)", sign="cross entropy", kinds="f", quiet=True,
        title="SoftmaxCrossEntropyWithLogits"))
sparse_cross_entropy_ = General("sparse_softmax_cross_entropy", lambda logits, labels: _of_classes(logits, labels),
    vjp=[lambda g, logits, labels, logits_shape:
            spread(g, logits_shape, (len(logits_shape) - 1,)) * softmax_(logits, axis=-1)
            - put_along_(g, labels, shape=logits_shape),
         None],
    jvp=[lambda t, logits, labels: _total(t * softmax_(logits, axis=-1), -1) - take_along_(t, labels), None],
    arguments=("logits", "labels"),
    notes=Notes(phrase="− log softmax(logits)[..., labels]", sign="cross entropy", kinds="f", quiet=True,
        same_dtype=False, title="SparseSoftmaxCrossEntropyWithLogits"))
sigmoid_cross_entropy_ = Elementwise("sigmoid_cross_entropy",
    lambda logits, labels: softplus.bare(logits) - logits * labels,
    lambda dx, logits, labels: dx * (sigmoid(logits) - labels), lambda dy, logits: -dy * logits,
    arguments=("logits", "labels"),
    notes=Notes("max(logits, 0) − logits × labels + log(1 + exp(−|logits|))", sign="cross entropy", kinds="f"))
l2_loss_ = General("l2_loss", lambda x: np.square(x).sum(dtype=x.dtype) / x.dtype.type(2),
    vjp=[lambda g, x: g * x],
    jvp=[lambda t, x: sum_(t * x, axis=tuple(range(t.ndim)), keepdims=False)],
    notes=Notes(phrase="Σ(x²) ÷ 2", kinds="f"))
# fmt: on


def _cross_entropy(logits: np.ndarray, labels: np.ndarray, axis: int) -> np.ndarray:
    found: np.ndarray = -(labels * log_softmax_.bare(logits, axis)).sum(axis)
    return found


def _of_classes(logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
    found: np.ndarray = -take_along_.bare(log_softmax_.bare(logits, -1), labels)
    return found


def _total(x: Tensor, axis: int) -> Tensor:
    return sum_(x, axis=(axis % x.ndim,), keepdims=False)


@written("softmax(logits) × Σ(labels) − labels")
def _surplus(logits: Tensor, labels: Tensor, axis: int) -> Tensor:
    """How much more of its labels' sum each class is given than its label says."""
    return softmax_(logits, axis=axis) * sum_(labels, axis=(axis,), keepdims=True) - labels


@named("nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(labels: Any, logits: Any, axis: int = -1, name: str | None = None) -> Tensor:
    """The cross-entropy − Σ labels × log softmax(logits) of each example; labels are probabilities.

    >>> tf.nn.softmax_cross_entropy_with_logits([1.0, 0.0], [0.0, 0.0]).numpy()
    np.float32(0.6931472)
    """
    logits = convert(logits)
    whole = labels.dtype.is_integer if isinstance(labels, Operand) else to_array(labels).dtype.kind in "iu"
    labels = cast(convert(labels, hint=logits.tag.dtype), logits.dtype)
    numbered = (
        whole and labels.ndim < logits.ndim
    )  # spread over the rows, class numbers would be taken for probabilities
    if numbered or not broadcastable(labels.tag.shape, logits.tag.shape):
        sizes = f"logits_size={logits.shape.as_list()} labels_size={labels.shape.as_list()}"
        raise invalid_argument(
            f"the labels are class numbers: {sizes}"
            if numbered
            else f"logits and labels must be broadcastable: {sizes}",
            "One probability per logit. Labels that are class numbers go to sparse_softmax_cross_entropy_with_logits, or "
            "through tf.one_hot.",
        )
    if labels.tag.shape != logits.tag.shape:
        shape = np.broadcast_shapes(labels.tag.shape, logits.tag.shape)
        labels, logits = broadcast_to(labels, shape), broadcast_to(logits, shape)
    return cross_entropy_(logits, labels, axis=axis_within(axis, logits.ndim))


@named("nn.sparse_softmax_cross_entropy_with_logits")
def sparse_softmax_cross_entropy_with_logits(labels: Any, logits: Any, name: str | None = None) -> Tensor:
    """The cross-entropy of `logits` [..., classes] with class numbers `labels` [...].

    Raises ValueError where the shapes do not fit, InvalidArgumentError for a class number out of range.

    >>> tf.nn.sparse_softmax_cross_entropy_with_logits([0], [[0.0, 0.0]]).numpy()
    array([0.6931472], dtype=float32)
    """
    labels, logits = convert(labels), convert(logits)
    if labels.ndim != logits.ndim - 1:
        raise value_error(
            f"Rank mismatch: Rank of labels (received {labels.ndim}) should equal rank of logits minus 1 "
            f"(received {logits.ndim}). Labels are class numbers here; for probabilities leave out `sparse_`."
        )
    if labels.shape != logits.shape[:-1]:
        raise value_error(
            f"Shape mismatch: The shape of labels (received {labels.shape}) should equal the shape of logits "
            f"except for the last dimension (received {logits.shape}).",
            "One class number per row of logits.",
        )
    if labels.tag.dtype.kind not in "iu":
        raise invalid_argument(
            f"Value for attr 'Tlabels' of {labels.dtype.name} is not in the list of allowed values: int32, int64",
            "Labels are class numbers here: tf.cast(labels, tf.int32); for probabilities leave out `sparse_`.",
        )
    classes, given = logits.shape[-1], labels.array
    wrong = given[(given < 0) | (given >= classes)]
    if wrong.size:
        raise invalid_argument(
            f"a label of {wrong.flat[0]} is outside the valid range of [0, {classes})",
            f"With {classes} columns, classes are numbered 0 to {classes - 1}; "
            f"tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class={wrong.flat[0]}) leaves one out.",
        )
    return sparse_cross_entropy_(logits, labels)


@named("nn.sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Tensor:
    """The cross-entropy of each logit with its own label, 0 to 1: softplus(logits) − logits × labels.

    >>> tf.nn.sigmoid_cross_entropy_with_logits([1.0], [0.0]).numpy()
    array([0.6931472], dtype=float32)
    """
    return weighted_cross_entropy_with_logits(labels, logits, 1.0)


def _paired(guess: Any, truth: Any, names: str, advice: str) -> tuple[Tensor, Tensor]:
    """Both as tensors, if each number of one has its partner in the other."""
    guess = convert(guess)
    truth = convert(truth, hint=guess.tag.dtype)
    if truth.shape != guess.shape:
        raise value_error(f"{names} must have the same shape, received ({guess.shape} vs {truth.shape}).", advice)
    return guess, truth


@named("nn.weighted_cross_entropy_with_logits")
def weighted_cross_entropy_with_logits(labels: Any, logits: Any, pos_weight: Any, name: str | None = None) -> Tensor:
    """`sigmoid_cross_entropy_with_logits` in which positive labels count `pos_weight` times.

    >>> tf.nn.weighted_cross_entropy_with_logits([1.0], [0.0], 2.0).numpy()
    array([1.3862944], dtype=float32)
    """
    advice = "Labels that are class numbers go to sparse_softmax_cross_entropy_with_logits, or through tf.one_hot."
    logits, labels = _paired(logits, labels, "`logits` and `labels`", advice)
    if not isinstance(pos_weight, Operand) and pos_weight == 1.0:
        return sigmoid_cross_entropy_(logits, labels)
    return (1.0 - labels) * logits + (1.0 + (pos_weight - 1.0) * labels) * softplus(-logits)


@named("nn.log_poisson_loss")
def log_poisson_loss(targets: Any, log_input: Any, compute_full_loss: bool = False, name: str | None = None) -> Tensor:
    """How unlikely counts `targets` are where exp(log_input) are expected: exp(log_input) − log_input × targets.

    With `compute_full_loss` Stirling's approximation of log(targets!) is added, for targets above 1.

    >>> tf.nn.log_poisson_loss([2.0], [0.0]).numpy()
    array([1.], dtype=float32)
    """
    advice = "One count per prediction: tf.reshape(targets, log_input.shape), or tf.squeeze(log_input, -1)."
    log_input, targets = _paired(log_input, targets, "`log_input` and `targets`", advice)
    loss = exp(log_input) - log_input * targets
    if not compute_full_loss:
        return loss
    few = logical_and(targets >= 0.0, targets <= 1.0)
    many = where(few, 1.0, targets)  # no logarithm of 0, whose slope is infinite
    return loss + where(few, 0.0, many * log(many) - many + 0.5 * log(2.0 * math.pi * many))


@named("nn.l2_loss")
def l2_loss(t: Any, name: str | None = None) -> Tensor:
    """Half of the sum of squares.

    >>> tf.nn.l2_loss([3.0, 4.0]).numpy()
    np.float32(12.5)
    """
    return l2_loss_(t)
