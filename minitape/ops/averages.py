"""Losses as distributed training adds them up; here there is one machine."""

from __future__ import annotations

from typing import Any

from ..notes import named
from ..tensor import Tensor, convert
from .reductions import reduce_sum


@named("nn.compute_average_loss")
def compute_average_loss(
    per_example_loss: Any, sample_weight: Any = None, global_batch_size: Any = None, name: str | None = None
) -> Tensor:
    """The sum over the examples, each times its weight, divided by the size of the whole batch.

    >>> tf.nn.compute_average_loss([1.0, 3.0], global_batch_size=4).numpy()
    np.float32(1.0)
    """
    losses = convert(per_example_loss)
    if sample_weight is not None:
        losses = losses * convert(sample_weight, hint=losses.tag.dtype)
    return reduce_sum(losses) / float(losses.shape[0] if global_batch_size is None else global_batch_size)


@named("nn.scale_regularization_loss")
def scale_regularization_loss(regularization_loss: Any, name: str | None = None) -> Tensor:
    """The sum of the losses: with one machine nothing is to be divided.

    >>> tf.nn.scale_regularization_loss([1.0, 3.0]).numpy()
    np.float32(4.0)
    """
    return reduce_sum(regularization_loss)
