"""Truths and predictions brought into shapes that fit."""

from __future__ import annotations

from typing import Any

from ...ops.elementwise import cast
from ...ops.shapes import broadcastable, expand_dims, squeeze
from ...record.refusal import value_error
from ...tensor import Tensor, convert


def alike(y_true: Any, y_pred: Any) -> tuple[Tensor, Tensor]:
    """Both as tensors of one dtype; where one has a last axis of length 1 more, the ranks are made equal.

    Whole numbers become fractions, as the mean of a loss does in Keras.

    >>> [tensor.dtype.name for tensor in alike([1], [1.0])], [tensor.dtype.name for tensor in alike([1], [2])]
    (['float32', 'float32'], ['float32', 'float32'])
    """
    y_pred = convert(y_pred)
    if not (y_pred.dtype.is_floating or y_pred.dtype.is_complex):
        y_pred = cast(y_pred, "float32")
    y_true = cast(convert(y_true), y_pred.dtype)
    return same_rank(y_true, y_pred)


def same_rank(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Two tensors with equally many axes, if they differ by a last axis of length 1 only.

    >>> [tensor.shape for tensor in same_rank(convert([1.0, 2.0]), convert([[1.0], [2.0]]))]
    [TensorShape([2, 1]), TensorShape([2, 1])]
    """
    if len(a.shape) == len(b.shape) + 1 and a.shape[-1] == 1:
        return (a, expand_dims(b, -1)) if len(b.shape) == 1 else (squeeze(a, -1), b)
    if len(b.shape) == len(a.shape) + 1 and b.shape[-1] == 1:
        b, a = same_rank(b, a)
    return a, b


def check_weights(weight: Any, values: Any) -> None:
    """Raise ValueError where weights of these shapes do not belong to the examples.

    >>> check_weights((3,), (2,))
    Traceback (most recent call last):
        ...
    ValueError: sample_weight of shape (3,) does not fit what it weighs, of shape (2,)...
    """
    if not broadcastable(weight, values):
        raise value_error(
            f"sample_weight of shape {tuple(weight)} does not fit what it weighs, of shape {tuple(values)}",
            "There is one weight for each example: print(y_true.shape, sample_weight.shape).",
        )
