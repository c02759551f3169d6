"""Pooling: one number for each window, the largest or the mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..notes import named
from ..record.refusal import invalid_argument, refusal, value_error
from ..tensor import Tensor, convert, to_array
from .elementwise import cast, floormod
from .nn_conv import _back, _image_tensor, _pair, _window, avg_pool_, max_places_, max_pool_
from .shapes import expand_dims, squeeze, transpose


@named("nn.max_pool nn.max_pool2d")
def max_pool(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """The largest number of each window; of several it is the first that takes the derivative.

    >>> tf.nn.max_pool([[[[1.0], [3.0], [2.0]]]], ksize=[1, 2], strides=[1, 1], padding="VALID").numpy().ravel()
    array([3., 3.], dtype=float32)
    """
    image, first = _image_tensor(input, data_format)
    window = _window(image.tag.shape[1:3], _pair(ksize, first), _pair(strides, first), padding)
    return _back(max_pool_(image, window=window), first)


@named("nn.max_pool_with_argmax")
def max_pool_with_argmax(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC", output_dtype: Any = "int64",
    include_batch_in_index: bool = False, name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The largest number of each window, and its index in the flat image.

    >>> values, places = tf.nn.max_pool_with_argmax([[[[1.0], [3.0], [2.0]]]], [1, 2], [1, 1], "VALID")
    >>> places.numpy().ravel()
    array([1, 1])
    """
    image, _ = _image_tensor(input, data_format)
    window = _window(image.tag.shape[1:3], ksize, strides, padding)
    positions = max_places_(image, window=window)
    numbers = int(np.prod(image.tag.shape[1:], dtype=int))
    shown = positions if include_batch_in_index else floormod(positions, numbers)
    return max_pool_(image, window=window), cast(shown, output_dtype)


@named("nn.avg_pool nn.avg_pool2d")
def avg_pool(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """The mean of each window; a border added by "SAME" does not count.

    >>> tf.nn.avg_pool([[[[1.0], [3.0], [2.0]]]], ksize=[1, 2], strides=[1, 1], padding="VALID").numpy().ravel()
    array([2. , 2.5], dtype=float32)
    """
    image, first = _image_tensor(input, data_format)
    window = _window(image.tag.shape[1:3], _pair(ksize, first), _pair(strides, first), padding)
    return _back(avg_pool_(image, window=window), first)


def _along(pool: Callable[..., Tensor], input: Any, ksize: Any, strides: Any, padding: Any, data_format: str) -> Tensor:
    """A pooling of [batch, length, channels]."""
    x = convert(input)
    if x.ndim != 3:
        raise invalid_argument(
            f"input must have 3 axes, [batch, length, channels], got {x.shape}", "x[tf.newaxis] adds one."
        )
    first = data_format.startswith("NC")
    size, step = (int(np.ravel(to_array(setting))[0]) for setting in (ksize, strides))
    line = transpose(x, [0, 2, 1]) if first else x
    pooled = squeeze(pool(expand_dims(line, 1), [1, size], [1, step], padding), 1)
    return transpose(pooled, [0, 2, 1]) if first else pooled


@named("nn.max_pool1d")
def max_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NWC", name: str | None = None
) -> Tensor:
    """The largest number of each window along one axis.

    >>> tf.nn.max_pool1d([[[1.0], [3.0], [2.0]]], 2, 1, "VALID").numpy().ravel()
    array([3., 3.], dtype=float32)
    """
    return _along(max_pool, input, ksize, strides, padding, data_format)


@named("nn.avg_pool1d")
def avg_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NWC", name: str | None = None
) -> Tensor:
    """The mean of each window along one axis.

    >>> tf.nn.avg_pool1d([[[1.0], [3.0], [2.0]]], 2, 1, "VALID").numpy().ravel()
    array([2. , 2.5], dtype=float32)
    """
    return _along(avg_pool, input, ksize, strides, padding, data_format)


@named("nn.pool")
def pool(
    input: Any, window_shape: Any, pooling_type: str, strides: Any = None, padding: str = "VALID",
    data_format: str | None = None, dilations: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The largest number ("MAX") or the mean ("AVG") of each window, of images or of sequences; strides are 1 by themselves.

    Raises ValueError for another type of pooling, NotImplementedError for windows with holes (`dilations`).

    >>> tf.nn.pool([[[1.0], [3.0], [2.0]]], [2], "AVG").numpy().ravel()
    array([2. , 2.5], dtype=float32)
    """
    line = convert(input).ndim == 3
    pools = {"MAX": (max_pool1d, max_pool), "AVG": (avg_pool1d, avg_pool)}
    if pooling_type not in pools:
        raise value_error(
            f"pooling_type must be 'MAX' or 'AVG', got {pooling_type!r}", 'Write tf.nn.pool(x, [2], "MAX").'
        )
    if dilations is not None and np.any(to_array(dilations) != 1):
        raise refusal(
            NotImplementedError,
            f"windows with holes, dilations={dilations}, are not pooled here",
            "tf.image.extract_patches(x, sizes, strides, rates=[1, 2, 2, 1], padding) has them: take the largest of each patch.",
        )
    plain, layout = (pools[pooling_type][0], "NWC") if line else (pools[pooling_type][1], "NHWC")
    return plain(input, window_shape, 1 if strides is None else strides, padding, data_format or layout)
