"""From one number per example to one number for a batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import nest
from ...ops.elementwise import cast, multiply
from ...ops.reductions import reduce_mean, reduce_sum
from ...record.events import state, within
from ...tensor import Operand, Tensor, convert
from .. import masks
from ..allowed import called_with, made_first, one_of, unwritten
from ..config import Configured, OfFunction
from ..names import snake, unique
from .shapes import check_weights, same_rank


class Reduction:
    """The names of the ways to make one number of many.

    >>> tf.keras.losses.Reduction.SUM
    'sum'
    """

    AUTO, NONE, SUM, SUM_OVER_BATCH_SIZE = "auto", "none", "sum", "sum_over_batch_size"
    MEAN, MEAN_WITH_SAMPLE_WEIGHT = "mean", "mean_with_sample_weight"

    @classmethod
    def all(cls) -> tuple[str | None, ...]:
        """All of them; None is "none"."""
        return (cls.AUTO, cls.SUM_OVER_BATCH_SIZE, cls.MEAN, cls.MEAN_WITH_SAMPLE_WEIGHT, cls.SUM, cls.NONE, None)


class Loss(Configured):
    """One number for a batch: subclass it and write `call`, which gives one number per example.

    Args: reduction, "sum_over_batch_size" (the mean of these numbers), "sum", "mean_with_sample_weight" (their sum over the
    sum of the weights) or "none"; name; dtype, to which predictions are cast.  Raises ValueError for another reduction.

    A call takes y_true and y_pred, [examples, ...], and a weight for each example, or for each number.

    >>> tf.keras.losses.MeanSquaredError()([[1.0], [2.0]], [[1.0], [4.0]]).numpy()
    np.float32(2.0)
    """

    usual_name: str | None = None  # without one the name is the class's, made unique

    def __init__(
        self, name: str | None = None, reduction: str | None = Reduction.SUM_OVER_BATCH_SIZE, dtype: Any = None
    ) -> None:
        called_with(self.call, ("y_true", "y_pred"), "the call of a loss", "def call(self, y_true, y_pred): ...")
        self.reduction = one_of("reduction", reduction, Reduction.all(), "None gives a loss per example.")
        self.dtype = dtype
        self.name = name or self.usual_name or unique(snake(type(self).__name__))

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """One number per example."""
        advice = "Return one loss per example from it: tf.reduce_mean((y_true - y_pred) ** 2, axis=-1)."
        raise unwritten(self, "call(self, y_true, y_pred)", advice)

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Tensor:
        with within(scope=f"{state.context.scope}/{self.name}".lstrip("/")):
            mask = masks.of(y_pred)
            if self.dtype is not None:
                y_pred = nest.map_structure(lambda prediction: cast(prediction, self.dtype), y_pred)
            values = convert(self.call(self.truth(y_true, y_pred), y_pred))
            weight = None if sample_weight is None else cast(convert(sample_weight), values.dtype)
            if isinstance(mask, Operand):
                counts = masks.weights(mask, values.dtype, self.reduction in ("mean", Reduction.SUM_OVER_BATCH_SIZE))
                weight = counts if weight is None else multiply(*same_rank(weight, counts))
            if weight is not None:
                values, weight = same_rank(values, weight)
                check_weights(weight.shape, values.shape)
                values = values * weight
            share = self.share(y_true, y_pred)
            if self.reduction in (None, Reduction.NONE) or not values.shape:
                return values
            if self.reduction == Reduction.MEAN_WITH_SAMPLE_WEIGHT and weight is not None:
                return reduce_sum(values) / reduce_sum(weight)
            if self.reduction == Reduction.SUM:
                return reduce_sum(values)
            return reduce_mean(values) if share is None else reduce_mean(values) / share

    def get_config(self) -> dict[str, Any]:
        """The arguments of its constructor; the dtype where one was given."""
        config = super().get_config()
        return {name: value for name, value in config.items() if name != "dtype" or value is not None}

    def truth(self, y_true: Any, y_pred: Any) -> Any:
        """What `call` is given as y_true: numbers of the predictions' dtype, labels too, as in Keras."""
        kind = convert(nest.flatten(y_pred)[0]).dtype
        return nest.map_structure(lambda truth: truth if truth is None else cast(truth, kind), y_true)

    def share(self, y_true: Any, y_pred: Any) -> float | None:
        """The share of examples over which the mean is taken, where some do not count."""
        return None


class FunctionLoss(OfFunction, Loss):
    """A loss made of one of our functions of (y_true, y_pred); the function's further arguments are its settings."""

    _means = "The mean of `{}` over the batch, or what `reduction` says."
    _common = {"reduction": Reduction.SUM_OVER_BATCH_SIZE, "name": None, "dtype": None}

    def __init__(self, *args: Any, **options: Any) -> None:
        made_first(type(self), args[0] if args else None, "losses", "y_true, y_pred")
        Loss.__init__(self, **self._settle(args, options))

    def truth(self, y_true: Any, y_pred: Any) -> Any:
        """As it is: the functions convert it themselves, as in Keras."""
        return y_true

    def call(self, y_true: Any, y_pred: Any) -> Any:
        return self._of(y_true, y_pred)


class LossFunctionWrapper(Loss):
    """Any function of (y_true, y_pred), as a loss."""

    def __init__(self, function: Callable[[Any, Any], Any], **options: Any) -> None:
        called_with(function, ("y_true", "y_pred"), "a loss", "def loss(y_true, y_pred): ...")
        super().__init__(**{"name": getattr(function, "__name__", "loss"), **options})
        self.function = function

    def call(self, y_true: Any, y_pred: Any) -> Any:
        return self.function(y_true, y_pred)
