"""`tf.keras.losses`: what training makes small.

A function says how bad a prediction is, a number per example (`errors.py`, `entropies.py`); a `Loss` makes one number for the
batch of them (`base.py`), and its settings are the function's.
"""

from __future__ import annotations

from typing import Any

from ...tensor import convert
from ..config import described, pick, revived
from .base import FunctionLoss, Loss, LossFunctionWrapper, Reduction
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


class MeanSquaredError(FunctionLoss, function=mean_squared_error):
    """Squared differences."""


class MeanAbsoluteError(FunctionLoss, function=mean_absolute_error):
    """Absolute differences."""


class MeanAbsolutePercentageError(FunctionLoss, function=mean_absolute_percentage_error):
    """Differences in percent of the truth."""


class MeanSquaredLogarithmicError(FunctionLoss, function=mean_squared_logarithmic_error):
    """Squared differences of logarithms."""


class CosineSimilarity(FunctionLoss, function=cosine_similarity):
    """Directions: -1 where they agree."""


class Huber(FunctionLoss, function=huber):
    """Squares near 0, straight lines farther away.

    >>> Huber(delta=2.0)([[0.0]], [[3.0]]).numpy()
    np.float32(4.0)
    """

    said = "huber_loss"


class LogCosh(FunctionLoss, function=log_cosh):
    """The logarithm of the hyperbolic cosine."""


class Hinge(FunctionLoss, function=hinge):
    """For truths that are -1 or 1."""


class SquaredHinge(FunctionLoss, function=squared_hinge):
    """The same, squared."""


class CategoricalHinge(FunctionLoss, function=categorical_hinge):
    """For truths that are one-hot rows."""


class KLDivergence(FunctionLoss, function=kl_divergence):
    """Between probabilities."""


class Poisson(FunctionLoss, function=poisson):
    """For counts."""


class BinaryCrossentropy(FunctionLoss, function=binary_crossentropy):
    """For truths that are 0 or 1."""


class BinaryFocalCrossentropy(FunctionLoss, function=binary_focal_crossentropy):
    """The same, where what is easy counts less."""


class CategoricalCrossentropy(FunctionLoss, function=categorical_crossentropy):
    """For truths that are one-hot rows."""


class CategoricalFocalCrossentropy(FunctionLoss, function=categorical_focal_crossentropy):
    """The same, where what is easy counts less."""


class SparseCategoricalCrossentropy(FunctionLoss, function=sparse_categorical_crossentropy):
    """For truths that are numbers of classes."""

    ignore_class: int | None

    def share(self, y_true: Any, y_pred: Any) -> float | None:
        """The part that is not of `ignore_class`."""
        if self.ignore_class is None:
            return None
        counts = convert(y_true).array != self.ignore_class
        return float(counts.mean()) or 1.0


class Dice(FunctionLoss, function=dice):
    """Of two regions."""


class Tversky(FunctionLoss, function=tversky):
    """Of two regions, with weights for either side."""


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
    return found if found is None or isinstance(found, Loss) else LossFunctionWrapper(found)


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
