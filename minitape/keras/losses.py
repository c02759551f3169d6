"""What training makes small: a number per example from the truth and a prediction, and then one number for the batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops.elementwise import abs as abs_
from ..ops.elementwise import cast, clip_by_value, log, relu, softplus, squared_difference
from ..ops.indexing import one_hot
from ..ops.nn import log_softmax
from ..ops.reductions import reduce_mean, reduce_sum
from ..ops.shapes import expand_dims, squeeze
from ..record.events import state, within
from ..record.refusal import refusal
from ..tensor import Tensor, convert
from .names import snake

SMALL = 1e-7  # probabilities are kept this far from 0 and 1, where logarithms end

_REDUCTIONS = ("sum_over_batch_size", "mean", "sum", "none", None)


# ---- one number per example ------------------------------------------------------------------------------------------------


def mean_squared_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of the squared differences, along the last axis.

    >>> mean_squared_error([[1.0, 2.0]], [[1.0, 4.0]]).numpy()
    array([2.], dtype=float32)
    """
    y_true, y_pred = _alike(y_true, y_pred)
    return reduce_mean(squared_difference(y_true, y_pred), -1)


def mean_absolute_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of the absolute differences, along the last axis.

    >>> mean_absolute_error([[1.0, 2.0]], [[1.0, 4.0]]).numpy()
    array([1.], dtype=float32)
    """
    y_true, y_pred = _alike(y_true, y_pred)
    return reduce_mean(abs_(y_true - y_pred), -1)


def binary_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1
) -> Tensor:
    """How surprised `y_pred` is by 0s and 1s; with `from_logits` it is the number before a sigmoid, which is safer.

    >>> binary_crossentropy([[1.0]], [[0.0]], from_logits=True).numpy()
    array([0.6931472], dtype=float32)
    """
    y_true, y_pred = _alike(y_true, y_pred)
    if label_smoothing:
        y_true = y_true * (1.0 - label_smoothing) + 0.5 * label_smoothing
    if from_logits:
        return reduce_mean(softplus(y_pred) - y_true * y_pred, axis)
    p = clip_by_value(y_pred, SMALL, 1.0 - SMALL)
    return reduce_mean(-(y_true * log(p) + (1.0 - y_true) * log(1.0 - p)), axis)


def categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1
) -> Tensor:
    """How surprised `y_pred` is by one-hot rows; with `from_logits` it is what stands before a softmax.

    >>> categorical_crossentropy([[0.0, 1.0]], [[0.0, 0.0]], from_logits=True).numpy()
    array([0.6931472], dtype=float32)
    """
    y_true, y_pred = _alike(y_true, y_pred)
    if label_smoothing:
        y_true = y_true * (1.0 - label_smoothing) + label_smoothing / y_pred.shape[axis]
    return -reduce_sum(y_true * _log_probabilities(y_pred, from_logits, axis), axis)


def sparse_categorical_crossentropy(y_true: Any, y_pred: Any, from_logits: bool = False, axis: int = -1) -> Tensor:
    """The same for classes by their number.

    >>> sparse_categorical_crossentropy([1], [[0.0, 0.0]], from_logits=True).numpy()
    array([0.6931472], dtype=float32)
    """
    classes, y_pred = convert(y_true), convert(y_pred)
    if len(classes.shape) == len(y_pred.shape) and classes.shape[-1] == 1:
        classes = squeeze(classes, -1)
    if tuple(classes.shape) != tuple(y_pred.shape[:-1]):
        raise refusal(
            ValueError,
            "Arguments `target` and `output` must have the same shape up until the last dimension: "
            f"target.shape={classes.shape}, output.shape={y_pred.shape}",
            "Targets are class numbers here, one per example; for one column per class leave out `sparse_`.",
        )
    rows = one_hot(cast(classes, "int64"), y_pred.shape[axis], dtype=y_pred.dtype)
    if from_logits:
        return -reduce_sum(rows * log_softmax(y_pred, axis), axis)
    # As Keras does: the logarithms are normalised once more.
    return -reduce_sum(rows * log_softmax(log(clip_by_value(y_pred, SMALL, 1.0 - SMALL)), axis), axis)


def hinge(y_true: Any, y_pred: Any) -> Tensor:
    """How far `y_pred` is from lying on the right side by 1, for truths -1 and 1 (or 0 and 1).

    >>> hinge([[-1.0, 1.0]], [[0.5, 3.0]]).numpy()
    array([0.75], dtype=float32)
    """
    y_true, y_pred = _alike(y_true, y_pred)
    if not (y_true._array_now < 0).any():
        y_true = 2.0 * y_true - 1.0
    return reduce_mean(relu(1.0 - y_true * y_pred), -1)


def _log_probabilities(y_pred: Tensor, from_logits: bool, axis: int) -> Tensor:
    if from_logits:
        return log_softmax(y_pred, axis)
    return log(clip_by_value(y_pred / reduce_sum(y_pred, axis, keepdims=True), SMALL, 1.0 - SMALL))


def _alike(y_true: Any, y_pred: Any) -> tuple[Tensor, Tensor]:
    """Both as tensors of one dtype; where one has a last axis of length 1 more, the ranks are made equal."""
    y_pred = convert(y_pred)
    y_true = cast(convert(y_true), y_pred.dtype)
    return same_rank(y_true, y_pred)


def same_rank(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Two tensors with as many axes, where a last axis of length 1 is all that is between them.

    >>> [one.shape for one in same_rank(convert([1.0, 2.0]), convert([[1.0], [2.0]]))]
    [TensorShape([2, 1]), TensorShape([2, 1])]
    """
    if len(a.shape) == len(b.shape) + 1 and a.shape[-1] == 1:
        return (a, expand_dims(b, -1)) if len(b.shape) == 1 else (squeeze(a, -1), b)
    if len(b.shape) == len(a.shape) + 1 and b.shape[-1] == 1:
        b, a = same_rank(b, a)
    return a, b


# ---- one number for the batch ------------------------------------------------------------------------------------------------


class Loss:
    """One number for a batch: subclass it and write `call`, which gives one number per example.

    Args: reduction, "sum_over_batch_size" (the mean of these numbers), "sum" or "none"; name.

    >>> MeanSquaredError()([[1.0], [2.0]], [[1.0], [4.0]]).numpy()
    np.float32(2.0)
    """

    def __init__(self, reduction: str | None = "sum_over_batch_size", name: str | None = None) -> None:
        if reduction not in _REDUCTIONS:
            raise refusal(
                ValueError,
                f"Invalid value for argument `reduction`. Expected one of {_REDUCTIONS}. Received: reduction={reduction}",
                "None gives a loss per example.",
            )
        self.reduction = reduction
        self.name = name or snake(type(self).__name__)

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """One number per example."""
        raise refusal(
            NotImplementedError,
            f"{type(self).__name__} must have a method call(self, y_true, y_pred)",
            "Return one loss per example from it: tf.reduce_mean((y_true - y_pred) ** 2, axis=-1).",
        )

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Tensor:
        with within(scope=f"{state.context.scope}/{self.name}".lstrip("/")):
            values = convert(self.call(y_true, y_pred))
            if sample_weight is not None:
                values, weight = same_rank(values, cast(convert(sample_weight), values.dtype))
                values = values * weight
            if self.reduction in (None, "none") or not values.shape:
                return values
            return reduce_sum(values) if self.reduction == "sum" else reduce_mean(values)


class _Function(Loss):
    """A loss that is one of the functions above."""

    function: Callable[..., Any]

    def __init__(self, reduction: str | None = "sum_over_batch_size", name: str | None = None, **settings: Any) -> None:
        super().__init__(reduction, name)
        self.settings = settings

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """What the function says."""
        return type(self).function(y_true, y_pred, **self.settings)


class MeanSquaredError(_Function):
    """Squared differences."""

    function = staticmethod(mean_squared_error)


class MeanAbsoluteError(_Function):
    """Absolute differences."""

    function = staticmethod(mean_absolute_error)


class BinaryCrossentropy(_Function):
    """For truths that are 0 or 1."""

    function = staticmethod(binary_crossentropy)

    def __init__(
        self,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
    ) -> None:
        super().__init__(reduction, name, from_logits=from_logits, label_smoothing=label_smoothing, axis=axis)


class CategoricalCrossentropy(_Function):
    """For truths that are one-hot rows."""

    function = staticmethod(categorical_crossentropy)

    def __init__(
        self,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
    ) -> None:
        super().__init__(reduction, name, from_logits=from_logits, label_smoothing=label_smoothing, axis=axis)


class SparseCategoricalCrossentropy(_Function):
    """For truths that are numbers of classes."""

    function = staticmethod(sparse_categorical_crossentropy)

    def __init__(
        self,
        from_logits: bool = False,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
    ) -> None:
        super().__init__(reduction, name, from_logits=from_logits, axis=axis)


class Hinge(_Function):
    """For truths that are -1 or 1."""

    function = staticmethod(hinge)


class Wrapped(Loss):
    """Any function of (y_true, y_pred), as a loss."""

    def __init__(self, function: Callable[[Any, Any], Any]) -> None:
        super().__init__(name=getattr(function, "__name__", "loss"))
        self.function = function

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """What the function says."""
        return self.function(y_true, y_pred)


mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error

_BY_NAME: dict[str, type[Loss]] = {
    "mse": MeanSquaredError, "mean_squared_error": MeanSquaredError,
    "mae": MeanAbsoluteError, "mean_absolute_error": MeanAbsoluteError,
    "binary_crossentropy": BinaryCrossentropy, "categorical_crossentropy": CategoricalCrossentropy,
    "sparse_categorical_crossentropy": SparseCategoricalCrossentropy, "hinge": Hinge,
}  # fmt: skip


def get(identifier: Any) -> Loss | None:
    """The loss for a name, a Loss, or a function of (y_true, y_pred); raises ValueError for anything else.

    >>> get("mse").name
    'mean_squared_error'
    """
    if identifier is None or isinstance(identifier, Loss):
        return identifier
    if isinstance(identifier, str) and identifier in _BY_NAME:
        return _BY_NAME[identifier]()
    if callable(identifier):
        return Wrapped(identifier)
    raise refusal(
        ValueError,
        f"Could not interpret loss identifier: {identifier}. Names are {', '.join(_BY_NAME)}.",
        "Any function does too: loss=lambda y_true, y_pred: ...",
    )
