"""Rows of neural networks."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kinds import General
from ..notes import Notes, named
from ..record.refusal import invalid_argument, value_error
from ..tensor import Operand, Tensor, convert
from .clip import clip_by_norm
from .draws import draws
from .elementwise import divide_no_nan, exp, maximum, multiply, relu, rsqrt, square, squared_difference
from .indexing import gather
from .joins import concat
from .reductions import _softmax, reduce_mean, reduce_sum, sum_
from .shapes import _shape, axis_within, broadcast_to, reshape, squeeze, transpose

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
        raise invalid_argument(
            f"Biases must be 1D: {bias.shape.as_list()}", "One number per channel; to add anything else write +."
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
        raise value_error(
            f"`x.dtype` must be a floating point tensor as `x` will be scaled. Received: x_dtype={x.dtype}",
            "tf.cast(x, tf.float32) makes one.",
        )
    if isinstance(rate, str):
        raise value_error(f"`rate` must be a scalar or scalar tensor. Received: rate={rate}", "0.5, say.")
    if not isinstance(rate, Operand) and not 0 <= rate < 1:
        raise value_error(
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
    mean = divide_no_nan(reduce_sum(weights * x, axes, keepdims=True), total)
    variance = divide_no_nan(reduce_sum(weights * squared_difference(x, mean), axes, keepdims=True), total)
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
