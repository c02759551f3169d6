"""What nets are made of: activations, convolutions, windows, normalizations, cross-entropies, attention."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops import elementwise as e
from ...ops import nn, nn_conv, pooling, reductions, shapes
from ...ops.einsum import einsum
from ...ops.losses import sigmoid_cross_entropy_with_logits
from ...tensor import convert, created
from .. import activations
from ..losses import entropies
from .operands import Rows, flat, floats, one, together

_SMALL = 1e-7


def _normalized(function: Callable[..., Any]) -> Callable[..., Any]:
    def probabilities(x: Any, axis: int | None = -1) -> Any:
        x = floats(x)
        return function(x, axis) if axis is not None else shapes.reshape(function(flat(x)), x.tag.shape)

    return probabilities


def _layout(x: Any, data_format: str | None) -> str:
    first = data_format == "channels_first"
    return ("NCW" if first else "NWC") if convert(x).ndim == 3 else "NCHW" if first else "NHWC"


def _sliding(convolve: Callable[..., Any]) -> Callable[..., Any]:
    """A convolution with Keras' arguments."""

    def slid(
        inputs: Any, kernel: Any, strides: Any = 1, padding: str = "valid", data_format: str | None = None, dilation_rate: Any = 1
    ) -> Any:  # fmt: skip
        x, kernel = together(inputs, kernel)
        return convolve(x, kernel, strides, padding.upper(), _layout(x, data_format), dilation_rate)

    return slid


_conv, _depthwise = _sliding(nn_conv.convolution), _sliding(nn_conv.depthwise_conv2d)


def _conv_transpose(
    inputs: Any, kernel: Any, strides: Any = 1, padding: str = "valid", output_padding: Any = None,
    data_format: str | None = None, dilation_rate: Any = 1,
) -> Any:  # fmt: skip
    from ..layers.conv_transpose import Conv1DTranspose, Conv2DTranspose  # which are made of these functions

    x, kernel = together(inputs, kernel)
    kind = Conv1DTranspose if x.ndim == 3 else Conv2DTranspose
    layer: Any = kind(
        kernel.shape[-2], tuple(kernel.shape[:-2]), strides, padding, output_padding, data_format=data_format,
        dilation_rate=dilation_rate, use_bias=False,
    )  # fmt: skip
    layer.kernel = kernel
    return layer._convolved(x, _layout(x, data_format))


def _separable(
    inputs: Any, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = 1, padding: str = "valid",
    data_format: str | None = None, dilation_rate: Any = 1,
) -> Any:  # fmt: skip
    apart = _depthwise(inputs, depthwise_kernel, strides, padding, data_format, dilation_rate)
    return _conv(apart, pointwise_kernel, data_format=data_format)


def _pool(row: Callable[..., Any]) -> Callable[..., Any]:
    def pooled(
        inputs: Any, pool_size: Any, strides: Any = None, padding: str = "valid", data_format: str | None = None
    ) -> Any:
        x = convert(inputs)
        steps = pool_size if strides is None else strides
        if x.ndim != 3:
            return row(x, pool_size, steps, padding.upper(), _layout(x, data_format))
        first = data_format == "channels_first"
        wide = shapes.expand_dims(shapes.transpose(x, [0, 2, 1]) if first else x, 1)
        found = shapes.squeeze(
            row(wide, [1, int(np.ravel(pool_size)[0])], [1, int(np.ravel(steps)[0])], padding.upper()), 1
        )
        return shapes.transpose(found, [0, 2, 1]) if first else found

    return pooled


def _batch_normalization(
    x: Any, mean: Any, variance: Any, axis: int, offset: Any = None, scale: Any = None, epsilon: float = 1e-3
) -> Any:
    x = floats(x)
    shape = [-1 if at == axis % x.ndim else 1 for at in range(x.ndim)]
    around, spread, moved, grown = (
        part if part is None else shapes.reshape(part, shape) for part in (mean, variance, offset, scale)
    )
    return nn.batch_normalization(x, around, spread, moved, grown, epsilon)


def _scaled(x: Any, weights: Any, axis: Any) -> Any:
    if weights is None:
        return None
    axes = {at % x.ndim for at in ([axis] if isinstance(axis, int) else axis)}
    return shapes.reshape(weights, [n if at in axes else 1 for at, n in enumerate(x.tag.shape)])


def _layer_normalization(
    x: Any, gamma: Any = None, beta: Any = None, axis: Any = -1, epsilon: float | None = None, **kwargs: Any
) -> Any:
    x = floats(x)
    mean, variance = nn.moments(x, [axis] if isinstance(axis, int) else list(axis), keepdims=True)
    small = _SMALL if epsilon is None else epsilon
    return nn.batch_normalization(x, mean, variance, _scaled(x, beta, axis), _scaled(x, gamma, axis), small)


def _rms_normalization(x: Any, scale: Any = None, axis: Any = -1, epsilon: float | None = None) -> Any:
    x = floats(x)
    size = e.rsqrt(reductions.reduce_mean(e.square(x), axis, keepdims=True) + (_SMALL if epsilon is None else epsilon))
    return x * size if scale is None else x * size * _scaled(x, scale, axis)


def _binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> Any:
    target, output = together(floats(target), floats(output))
    if from_logits:
        return sigmoid_cross_entropy_with_logits(target, output)
    p = e.clip(output, _SMALL, 1.0 - _SMALL)
    return -(target * e.log(p) + (1.0 - target) * e.log(1.0 - p))


def _attention(
    query: Any, key: Any, value: Any, bias: Any = None, mask: Any = None, scale: float | None = None, is_causal: bool = False,
    flash_attention: Any = None, attn_logits_soft_cap: float | None = None,
) -> Any:  # fmt: skip
    """softmax(q · k / √size) · v, in each head: [batch, steps, heads, size]."""
    query, key, value = together(floats(query), floats(key), floats(value))
    scores = einsum("btnh,bsnh->bnts", query, key) * (1.0 / math.sqrt(query.shape[-1]) if scale is None else scale)
    if attn_logits_soft_cap is not None:
        scores = e.tanh(scores / attn_logits_soft_cap) * attn_logits_soft_cap
    if bias is not None:
        scores = scores + bias
    seen = None if mask is None else e.cast(mask, "bool")
    if is_causal:
        past = created(np.tri(query.shape[1], key.shape[1], dtype=bool))
        seen = past if seen is None else e.logical_and(seen, past)
    if seen is not None:
        scores = e.where(seen, scores, 0.7 * float(np.finfo(scores.tag.dtype).min))
    return einsum("bnts,bsnh->btnh", nn.softmax(scores, -1), value)


def _psnr(x1: Any, x2: Any, max_val: float) -> Any:
    x1, x2 = together(floats(x1), floats(x2))
    return -10.0 / math.log(10.0) * e.log(reductions.reduce_mean(e.square(x1 - x2)) / float(max_val) ** 2)


def _blocks(row: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, block_size, data_format="channels_last": row(x, block_size, _layout(x, data_format))


ROWS: Rows = {
    **{name: getattr(activations, name) for name in (
        "celu", "elu", "glu", "hard_shrink", "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh", "leaky_relu",
        "mish", "silu", "soft_shrink", "sparse_plus", "sparse_sigmoid", "sparsemax", "squareplus",
        "swish", "tanh_shrink", "threshold",
    )},
    **{name: one(getattr(activations, name)) for name in ("log_sigmoid", "relu", "relu6", "selu")},
    "gelu": lambda x, approximate=True: activations.gelu(x, approximate),
    "softmax": _normalized(nn.softmax), "log_softmax": _normalized(nn.log_softmax),
    "conv": _conv, "conv_transpose": _conv_transpose, "depthwise_conv": _depthwise, "separable_conv": _separable,
    "average_pool": _pool(pooling.avg_pool), "max_pool": _pool(pooling.max_pool),
    "batch_normalization": _batch_normalization, "layer_normalization": _layer_normalization,
    "rms_normalization": _rms_normalization, "binary_crossentropy": _binary_crossentropy,
    "categorical_crossentropy": lambda target, output, from_logits=False, axis=-1:
        entropies.categorical_crossentropy(target, output, from_logits, axis=axis),
    "sparse_categorical_crossentropy": lambda target, output, from_logits=False, axis=-1:
        entropies.sparse_categorical_crossentropy(target, output, from_logits, axis=axis),
    "dot_product_attention": _attention, "psnr": _psnr,
    "space_to_depth": _blocks(nn.space_to_depth), "depth_to_space": _blocks(nn.depth_to_space),
}  # fmt: skip
