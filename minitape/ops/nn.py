"""Rows of neural networks."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidArgumentError
from ..kinds import General
from ..notes import Notes, named
from ..record.refusal import refusal
from ..tensor import Operand, Tensor, convert
from .clip import clip_by_norm
from .draws import draws
from .elementwise import cast, exp, maximum, multiply, relu, rsqrt, softplus, square, squared_difference
from .indexing import gather, gather_along
from .joins import concat
from .reductions import reduce_mean, reduce_sum, sum_
from .shapes import _shape, axis_within, broadcast_to, broadcastable, reshape, squeeze, transpose

# fmt: off
softmax_ = General("softmax", lambda x, axis: _softmax(x, axis),
    vjp=[lambda g, out, axis, out_shape: (g - sum_(g * out, axis=(axis % len(out_shape),), keepdims=True)) * out],
    jvp=[lambda t, out, axis: (t - reduce_sum(t * out, axis, keepdims=True)) * out],
    notes=Notes(phrase="exp(x) ÷ Σ exp(x)", kinds="f", quiet=True))
log_softmax_ = General("log_softmax", lambda x, axis: _log_softmax(x, axis),
    vjp=[lambda g, out, axis, out_shape: g - exp(out) * sum_(g, axis=(axis % len(out_shape),), keepdims=True)],
    jvp=[lambda t, out, axis: t - reduce_sum(exp(out) * t, axis, keepdims=True)],
    notes=Notes(phrase="x − log Σ exp(x)", kinds="f", quiet=True))
# fmt: on


def _softmax(x: np.ndarray, axis: int) -> np.ndarray:
    grown = np.exp(x - x.max(axis, keepdims=True, initial=-np.inf))
    return grown / grown.sum(axis, keepdims=True)


def _log_softmax(x: np.ndarray, axis: int) -> np.ndarray:
    moved = x - x.max(axis, keepdims=True, initial=-np.inf)
    return moved - np.log(np.exp(moved).sum(axis, keepdims=True))


@named("math.softmax nn.softmax")
def softmax(logits: Any, axis: int = -1, name: str | None = None) -> Tensor:
    """Positive numbers that sum to 1 along an axis.

    >>> tf.nn.softmax([0.0, 0.0]).numpy()
    array([0.5, 0.5], dtype=float32)
    """
    logits = convert(logits)
    return softmax_(logits, axis=axis_within(-1 if axis is None else int(axis), logits.ndim))


@named("math.log_softmax nn.log_softmax")
def log_softmax(logits: Any, axis: int = -1, name: str | None = None) -> Tensor:
    """The logarithm of the softmax, without overflow.

    >>> tf.nn.log_softmax([0.0, 0.0]).numpy()
    array([-0.6931472, -0.6931472], dtype=float32)
    """
    return log_softmax_(convert(logits), axis=int(-1 if axis is None else axis))


# ---- losses ---------------------------------------------------------------------------------------------------------


@named("nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(labels: Any, logits: Any, axis: int = -1, name: str | None = None) -> Tensor:
    """The cross-entropy − Σ labels × log softmax(logits) of each example; labels are probabilities.

    >>> tf.nn.softmax_cross_entropy_with_logits([1.0, 0.0], [0.0, 0.0]).numpy()
    np.float32(0.6931472)
    """
    logits = convert(logits)
    labels = cast(convert(labels, hint=logits.tag.dtype), logits.dtype)
    if not broadcastable(labels.tag.shape, logits.tag.shape):
        raise refusal(
            InvalidArgumentError,
            f"logits and labels must be broadcastable: logits_size={logits.shape.as_list()} "
            f"labels_size={labels.shape.as_list()}",
            "One probability per logit. Labels that are class numbers go to sparse_softmax_cross_entropy_with_logits, or "
            "through tf.one_hot.",
        )
    return -reduce_sum(labels * log_softmax(logits, axis), axis)


@named("nn.sparse_softmax_cross_entropy_with_logits")
def sparse_softmax_cross_entropy_with_logits(labels: Any, logits: Any, name: str | None = None) -> Tensor:
    """The cross-entropy of `logits` [..., classes] with class numbers `labels` [...].

    Raises ValueError where the shapes do not fit, InvalidArgumentError for a class number out of range.

    >>> tf.nn.sparse_softmax_cross_entropy_with_logits([0], [[0.0, 0.0]]).numpy()
    array([0.6931472], dtype=float32)
    """
    labels, logits = convert(labels), convert(logits)
    if labels.ndim != logits.ndim - 1:
        raise refusal(
            ValueError,
            f"Rank mismatch: Rank of labels (received {labels.ndim}) should equal rank of logits minus 1 "
            f"(received {logits.ndim}). Labels are class numbers here; for probabilities leave out `sparse_`.",
        )
    if labels.shape != logits.shape[:-1]:
        raise refusal(
            ValueError,
            f"Shape mismatch: The shape of labels (received {labels.shape}) should equal the shape of logits "
            f"except for the last dimension (received {logits.shape}).",
            "One class number per row of logits.",
        )
    if labels.tag.dtype.kind not in "iu":
        raise refusal(
            InvalidArgumentError,
            f"Value for attr 'Tlabels' of {labels.dtype.name} is not in the list of allowed values: int32, int64",
            "Labels are class numbers here: tf.cast(labels, tf.int32); for probabilities leave out `sparse_`.",
        )
    classes, given = logits.shape[-1], labels.array
    wrong = given[(given < 0) | (given >= classes)]
    if wrong.size:
        raise refusal(
            InvalidArgumentError,
            f"a label of {wrong.flat[0]} is outside the valid range of [0, {classes})",
            f"With {classes} columns, classes are numbered 0 to {classes - 1}; "
            f"tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class={wrong.flat[0]}) leaves one out.",
        )
    return -gather_along(log_softmax(logits), labels)


@named("nn.sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Tensor:
    """The cross-entropy of each logit with its own label, 0 to 1: softplus(logits) − logits × labels.

    >>> tf.nn.sigmoid_cross_entropy_with_logits([1.0], [0.0]).numpy()
    array([0.6931472], dtype=float32)
    """
    return weighted_cross_entropy_with_logits(labels, logits, 1.0)


@named("nn.weighted_cross_entropy_with_logits")
def weighted_cross_entropy_with_logits(labels: Any, logits: Any, pos_weight: Any, name: str | None = None) -> Tensor:
    """`sigmoid_cross_entropy_with_logits` in which positive labels count `pos_weight` times.

    >>> tf.nn.weighted_cross_entropy_with_logits([1.0], [0.0], 2.0).numpy()
    array([1.3862944], dtype=float32)
    """
    logits = convert(logits)
    labels = convert(labels, hint=logits.tag.dtype)
    if labels.shape != logits.shape:
        raise refusal(
            ValueError,
            f"`logits` and `labels` must have the same shape, received ({logits.shape} vs {labels.shape}).",
            "Labels that are class numbers go to sparse_softmax_cross_entropy_with_logits, or through tf.one_hot.",
        )
    if not isinstance(pos_weight, Operand) and pos_weight == 1.0:
        return softplus(logits) - logits * labels
    return (1.0 - labels) * logits + (1.0 + (pos_weight - 1.0) * labels) * softplus(-logits)


@named("nn.l2_loss")
def l2_loss(t: Any, name: str | None = None) -> Tensor:
    """Half of the sum of squares.

    >>> tf.nn.l2_loss([3.0, 4.0]).numpy()
    np.float32(12.5)
    """
    return reduce_sum(square(t)) / 2.0


# ---- layers without state -------------------------------------------------------------------------------------------


@named("nn.bias_add")
def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> Tensor:
    """The value plus a bias for each channel (the last axis).

    >>> tf.nn.bias_add([[1.0, 2.0]], [10.0, 20.0]).numpy()
    array([[11., 22.]], dtype=float32)
    """
    value = convert(value)
    bias = convert(bias, hint=value.tag.dtype)
    if bias.ndim != 1:
        raise refusal(
            InvalidArgumentError,
            f"Biases must be 1D: {bias.shape.as_list()}",
            "One number per channel; to add anything else write +.",
        )
    return value + bias


@named("nn.dropout")
def dropout(x: Any, rate: Any, noise_shape: Any = None, seed: Any = None, name: str | None = None) -> Tensor:
    """Each number zero with probability `rate`, the others scaled up so that the expected sum stays.

    >>> tf.nn.dropout([1.0, 2.0], rate=0.0).numpy()
    array([1., 2.], dtype=float32)
    """
    x = convert(x)
    if not x.dtype.is_floating:
        raise refusal(
            ValueError,
            f"`x.dtype` must be a floating point tensor as `x` will be scaled. Received: x_dtype={x.dtype}",
            "tf.cast(x, tf.float32) makes one.",
        )
    if isinstance(rate, str):
        raise refusal(ValueError, f"`rate` must be a scalar or scalar tensor. Received: rate={rate}", "0.5, say.")
    if not isinstance(rate, Operand) and not 0 <= rate < 1:
        raise refusal(
            ValueError,
            f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}",
            "It is the part that is dropped: 0.2 keeps four of five.",
        )
    if float(rate) == 0.0:
        return x
    shape = x.tag.shape if noise_shape is None else _shape(noise_shape)
    kept = draws(seed).random(shape) >= float(rate)
    scaled = x / (1.0 - convert(rate, hint=x.tag.dtype))
    return scaled * kept.astype(x.tag.dtype)


@named("nn.embedding_lookup")
def embedding_lookup(params: Any, ids: Any, max_norm: float | None = None, name: str | None = None) -> Tensor:
    """The rows of a table; the gradient by the table comes back as IndexedSlices.

    >>> tf.nn.embedding_lookup([[1.0, 2.0], [3.0, 4.0]], [1]).numpy()
    array([[3., 4.]], dtype=float32)
    """
    rows = gather(params[0] if isinstance(params, list) and isinstance(params[0], Operand) else params, ids)
    if max_norm is None:
        return rows
    return clip_by_norm(rows, max_norm, axes=list(range(convert(ids).ndim, rows.ndim)))


@named("nn.moments")
def moments(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Mean and variance along the axes.

    >>> [float(moment) for moment in tf.nn.moments([1.0, 3.0], [0])]
    [2.0, 1.0]
    """
    x = convert(x)
    mean = reduce_mean(x, axes, keepdims=True)
    variance = reduce_mean(squared_difference(x, mean), axes, keepdims=keepdims)
    return (mean if keepdims else squeeze(mean, axes)), variance


@named("nn.batch_normalization")
def batch_normalization(
    x: Any, mean: Any, variance: Any, offset: Any, scale: Any, variance_epsilon: float, name: str | None = None
) -> Tensor:
    """(x − mean) ÷ sqrt(variance + epsilon) × scale + offset; scale and offset may be None.

    >>> tf.nn.batch_normalization([1.0, 3.0], 2.0, 1.0, None, None, 0.0).numpy()
    array([-1.,  1.], dtype=float32)
    """
    x = convert(x)
    factor = rsqrt(convert(variance, hint=x.tag.dtype) + variance_epsilon)
    factor = factor if scale is None else factor * scale
    shift = -(mean * factor) if offset is None else offset - mean * factor
    return multiply(x, factor) + shift


@named("math.l2_normalize nn.l2_normalize linalg.l2_normalize")
def l2_normalize(x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None) -> Tensor:
    """The vector divided by its length.

    >>> tf.nn.l2_normalize([3.0, 4.0]).numpy().round(4)
    array([0.6, 0.8], dtype=float32)
    """
    x = convert(x)
    return x * rsqrt(maximum(reduce_sum(square(x), axis, keepdims=True), epsilon))


@named("nn.crelu")
def crelu(features: Any, axis: int = -1, name: str | None = None) -> Tensor:
    """relu(x) and relu(−x), joined along an axis (Shang et al. 2016).

    >>> tf.nn.crelu([-1.0, 2.0]).numpy()
    array([0., 2., 1., 0.], dtype=float32)
    """
    x = convert(features)
    return relu(concat([x, -x], axis))


@named("nn.weighted_moments")
def weighted_moments(
    x: Any, axes: Any, frequency_weights: Any, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Mean and variance along the axes, with a weight for each number.

    >>> [float(moment) for moment in tf.nn.weighted_moments([1.0, 3.0], [0], [3.0, 1.0])]
    [1.5, 0.75]
    """
    x = convert(x)
    weights = broadcast_to(convert(frequency_weights, hint=x.tag.dtype), x.shape)
    total = reduce_sum(weights, axes, keepdims=True)
    mean = reduce_sum(weights * x, axes, keepdims=True) / total
    variance = reduce_sum(weights * squared_difference(x, mean), axes, keepdims=True) / total
    return (mean, variance) if keepdims else (squeeze(mean, axes), squeeze(variance, axes))


def _blocks(x: Any, block_size: int, deep: bool) -> Tensor:
    """Blocks of pixels as channels (`deep`), or channels as blocks of pixels: [batch, rows, columns, channels]."""
    x, size = convert(x), int(block_size)
    batch, rows, columns, channels = x.tag.shape
    if deep:
        split = reshape(x, (batch, rows // size, size, columns // size, size, channels))
        return reshape(
            transpose(split, [0, 1, 3, 2, 4, 5]), (batch, rows // size, columns // size, size * size * channels)
        )
    split = reshape(x, (batch, rows, columns, size, size, channels // size**2))
    return reshape(transpose(split, [0, 1, 3, 2, 4, 5]), (batch, rows * size, columns * size, channels // size**2))


@named("nn.space_to_depth")
def space_to_depth(input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None) -> Tensor:
    """Each block of pixels becomes one pixel with as many times the channels.

    >>> tf.nn.space_to_depth([[[[1.0], [2.0]], [[3.0], [4.0]]]], 2).numpy().ravel()
    array([1., 2., 3., 4.], dtype=float32)
    """
    return _blocks(input, block_size, True)


@named("nn.depth_to_space")
def depth_to_space(input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None) -> Tensor:
    """The channels of each pixel become a block of pixels.

    >>> tf.nn.depth_to_space([[[[1.0, 2.0, 3.0, 4.0]]]], 2).shape
    TensorShape([1, 2, 2, 1])
    """
    return _blocks(input, block_size, False)
