"""`tf.keras.losses`: what training makes small.

A function says how bad a prediction is, a number per example (`errors.py`, `entropies.py`); a `Loss` makes one number for the
batch of them (`base.py`), and its settings are the function's.
"""

from __future__ import annotations

from typing import Any

from ...tensor import convert
from ..config import described, pick, revived
from .base import FunctionLoss, Loss, Reduction, Wrapped
from .entropies import (
    binary_crossentropy,
    binary_focal_crossentropy,
    categorical_crossentropy,
    categorical_focal_crossentropy,
    kl_divergence,
    poisson,
    sparse_categorical_crossentropy,
)  # fmt: skip
from .errors import (
    categorical_hinge,
    cosine_similarity,
    dice,
    hinge,
    huber,
    log_cosh,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    mean_squared_logarithmic_error,
    squared_hinge,
    tversky,
)  # fmt: skip
from .shapes import same_rank


class MeanSquaredError(FunctionLoss):
    """Squared differences."""

    function = staticmethod(mean_squared_error)


class MeanAbsoluteError(FunctionLoss):
    """Absolute differences."""

    function = staticmethod(mean_absolute_error)


class MeanAbsolutePercentageError(FunctionLoss):
    """Differences in percent of the truth."""

    function = staticmethod(mean_absolute_percentage_error)


class MeanSquaredLogarithmicError(FunctionLoss):
    """Squared differences of logarithms."""

    function = staticmethod(mean_squared_logarithmic_error)


class CosineSimilarity(FunctionLoss):
    """Directions: -1 where they agree."""

    function = staticmethod(cosine_similarity)


class Huber(FunctionLoss):
    """Squares near 0, straight lines farther away.

    >>> Huber(delta=2.0)([[0.0]], [[3.0]]).numpy()
    np.float32(4.0)
    """

    said = "huber_loss"

    function = staticmethod(huber)


class LogCosh(FunctionLoss):
    """The logarithm of the hyperbolic cosine."""

    function = staticmethod(log_cosh)


class Hinge(FunctionLoss):
    """For truths that are -1 or 1."""

    function = staticmethod(hinge)


class SquaredHinge(FunctionLoss):
    """The same, squared."""

    function = staticmethod(squared_hinge)


class CategoricalHinge(FunctionLoss):
    """For truths that are one-hot rows."""

    function = staticmethod(categorical_hinge)


class KLDivergence(FunctionLoss):
    """Between probabilities."""

    function = staticmethod(kl_divergence)


class Poisson(FunctionLoss):
    """For counts."""

    function = staticmethod(poisson)


class BinaryCrossentropy(FunctionLoss):
    """For truths that are 0 or 1."""

    function = staticmethod(binary_crossentropy)


class BinaryFocalCrossentropy(FunctionLoss):
    """The same, where what is easy counts less."""

    function = staticmethod(binary_focal_crossentropy)


class CategoricalCrossentropy(FunctionLoss):
    """For truths that are one-hot rows."""

    function = staticmethod(categorical_crossentropy)


class CategoricalFocalCrossentropy(FunctionLoss):
    """The same, where what is easy counts less."""

    function = staticmethod(categorical_focal_crossentropy)


class SparseCategoricalCrossentropy(FunctionLoss):
    """For truths that are numbers of classes."""

    function = staticmethod(sparse_categorical_crossentropy)
    ignore_class: int | None

    def share(self, y_true: Any, y_pred: Any) -> float | None:
        """The part that is not of `ignore_class`."""
        if self.ignore_class is None:
            return None
        counts = convert(y_true).array != self.ignore_class
        return float(counts.mean()) or 1.0


class Dice(FunctionLoss):
    """Of two regions."""

    function = staticmethod(dice)


class Tversky(FunctionLoss):
    """Of two regions, with weights for either side."""

    function = staticmethod(tversky)


mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error
mape = MAPE = mean_absolute_percentage_error
msle = MSLE = mean_squared_logarithmic_error
kld = KLD = kullback_leibler_divergence = kl_divergence
logcosh = log_cosh
_SHORT = {
    "mse": MeanSquaredError, "MSE": MeanSquaredError, "mae": MeanAbsoluteError, "MAE": MeanAbsoluteError,
    "mape": MeanAbsolutePercentageError, "MAPE": MeanAbsolutePercentageError, "msle": MeanSquaredLogarithmicError,
    "MSLE": MeanSquaredLogarithmicError, "kld": KLDivergence, "KLD": KLDivergence, "bce": BinaryCrossentropy,
    "BCE": BinaryCrossentropy, "logcosh": LogCosh, "kullback_leibler_divergence": KLDivergence,
}  # fmt: skip


def get(identifier: Any) -> Loss | None:
    """The loss for a name, a Loss, or a function of (y_true, y_pred); raises ValueError for anything else.

    >>> get("mse").name
    'mean_squared_error'
    """
    found = pick(Loss, identifier, _SHORT, "Any function does too: loss=lambda y_true, y_pred: ...")
    return found if found is None or isinstance(found, Loss) else Wrapped(found)


def serialize(loss: Any) -> Any:
    """A loss as a name and what it was made with.

    >>> serialize(Huber())["class_name"]
    'Huber'
    """
    return described(loss)


def deserialize(name: Any, custom_objects: Any = None) -> Any:
    """The loss that such a description, or a name, stands for.

    >>> deserialize(serialize(Huber(2.0))).delta
    2.0
    """
    return revived(Loss, name) if isinstance(name, dict) else get(name)
