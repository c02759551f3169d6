"""Batch normalization in one call, with the moving statistics of a layer."""

from __future__ import annotations

from typing import Any

from ..notes import named
from ..record.refusal import value_error
from ..tensor import Tensor, convert
from .elementwise import stop_gradient
from .nn import batch_normalization, moments
from .shapes import transpose

SMALLEST = 1.001e-5  # epsilon is at least this, whatever is asked for


@named("compat.v1.nn.fused_batch_norm")
def fused_batch_norm(
    x: Any, scale: Any, offset: Any, mean: Any = None, variance: Any = None, epsilon: float = 0.001,
    data_format: str = "NHWC", is_training: bool = True, name: str | None = None, exponential_avg_factor: float = 1.0,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """A batch of images normalized channel by channel, and the mean and variance for the next call.

    x has shape [batch, height, width, channels], the others [channels]; "NCHW" puts the channels second.  In training the
    statistics are the batch's own, and those returned are `mean` and `variance` moved towards them by
    `exponential_avg_factor`, without a derivative; the variance is that of a sample (divided by n - 1).  Otherwise `mean` and
    `variance` are used and returned.  Raises ValueError for another rank or format, or where they are missing.

    >>> y, mean, variance = fused_batch_norm([[[[1.0], [3.0]]]], [1.0], [0.0], epsilon=1e-4)
    >>> y.numpy().ravel().round(3).tolist(), mean.numpy().tolist(), variance.numpy().tolist()
    ([-1.0, 1.0], [2.0], [2.0])
    """
    x = convert(x)
    if x.ndim != 4 or data_format not in ("NHWC", "NCHW"):
        raise value_error(
            f"fused_batch_norm takes images of rank 4 as NHWC or NCHW, got shape {x.shape} as {data_format!r}",
            "For other shapes: tf.nn.moments, then tf.nn.batch_normalization.",
        )
    if data_format == "NCHW":
        x = transpose(x, [0, 2, 3, 1])
    epsilon = max(epsilon, SMALLEST)
    if is_training:
        now, spread = moments(x, [0, 1, 2])
        y = batch_normalization(x, now, spread, offset, scale, epsilon)
        count = x.tag.shape[0] * x.tag.shape[1] * x.tag.shape[2]
        carried = now, spread * (count / max(count - 1, 1))
        if exponential_avg_factor != 1.0:
            before = _given(mean, variance)
            carried = tuple(
                old + exponential_avg_factor * (new - old) for old, new in zip(before, carried, strict=True)
            )
    else:
        carried = _given(mean, variance)
        y = batch_normalization(x, *carried, offset, scale, epsilon)
    if data_format == "NCHW":
        y = transpose(y, [0, 3, 1, 2])
    return y, stop_gradient(carried[0]), stop_gradient(carried[1])


def _given(mean: Any, variance: Any) -> tuple[Tensor, Tensor]:
    if mean is None or variance is None:
        raise value_error(
            "fused_batch_norm needs mean and variance here: they come from training",
            "With is_training=True and no exponential_avg_factor the batch's own are taken.",
        )
    return convert(mean), convert(variance)
