# ruff: noqa: I001  a name per line would bury what there is
"""`tf.keras.losses`: what training minimizes.

A function says how bad a prediction is, a number per example (`errors.py`, `entropies.py`).  A `Loss` reduces these to one
number for the batch (`base.py`); it takes the function's settings.
"""

from __future__ import annotations

from typing import Any

from ...tensor import convert
from ..config import pick, stored
from .base import FunctionLoss, Loss, LossFunctionWrapper, Reduction
from .entropies import (
    binary_crossentropy, binary_focal_crossentropy, categorical_crossentropy, categorical_focal_crossentropy,
    kl_divergence, poisson, sparse_categorical_crossentropy,
)  # fmt: skip
from .errors import (
    categorical_hinge, cosine_similarity, dice, hinge, huber, log_cosh, mean_absolute_error,
    mean_absolute_percentage_error, mean_squared_error, mean_squared_logarithmic_error, squared_hinge, tversky,
)  # fmt: skip
from .shapes import same_rank


# A table: what each is, and in which shapes, its function says.
# fmt: off
class MeanSquaredError(FunctionLoss, function=mean_squared_error): ...
class MeanAbsoluteError(FunctionLoss, function=mean_absolute_error): ...
class MeanAbsolutePercentageError(FunctionLoss, function=mean_absolute_percentage_error): ...
class MeanSquaredLogarithmicError(FunctionLoss, function=mean_squared_logarithmic_error): ...
class CosineSimilarity(FunctionLoss, function=cosine_similarity): ...
class Huber(FunctionLoss, function=huber, usual_name="huber_loss"): ...
class LogCosh(FunctionLoss, function=log_cosh): ...
class Hinge(FunctionLoss, function=hinge): ...
class SquaredHinge(FunctionLoss, function=squared_hinge): ...
class CategoricalHinge(FunctionLoss, function=categorical_hinge): ...
class KLDivergence(FunctionLoss, function=kl_divergence): ...
class Poisson(FunctionLoss, function=poisson): ...
class BinaryCrossentropy(FunctionLoss, function=binary_crossentropy): ...
class BinaryFocalCrossentropy(FunctionLoss, function=binary_focal_crossentropy): ...
class CategoricalCrossentropy(FunctionLoss, function=categorical_crossentropy): ...
class CategoricalFocalCrossentropy(FunctionLoss, function=categorical_focal_crossentropy): ...
class Dice(FunctionLoss, function=dice): ...
class Tversky(FunctionLoss, function=tversky): ...
# fmt: on


class SparseCategoricalCrossentropy(FunctionLoss, function=sparse_categorical_crossentropy):
    ignore_class: int | None

    def share(self, y_true: Any, y_pred: Any) -> float | None:
        """The share of examples that are not of `ignore_class`."""
        if self.ignore_class is None:
            return None
        counts = convert(y_true).array != self.ignore_class
        return float(counts.mean()) or 1.0


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


def get(identifier: Any) -> Any:
    """The function for its name, "mse", and the object for that of a class, "MeanSquaredError"; else what was given.

    Raises ValueError for what is neither a name, nor a Loss, nor a function of (y_true, y_pred).

    >>> tf.keras.losses.get("mse")([[0.0], [0.0]], [[1.0], [3.0]]).numpy()
    array([1., 9.], dtype=float32)
    >>> tf.keras.losses.get("MeanSquaredError")([[0.0], [0.0]], [[1.0], [3.0]]).numpy()
    np.float32(5.0)
    """
    found = pick(Loss, identifier, _SHORT, "Any function does too: loss=lambda y_true, y_pred: ...")
    named = isinstance(identifier, str) and isinstance(found, FunctionLoss) and identifier not in Loss._classes
    return type(found).function if named else found


def as_loss(identifier: Any) -> Loss | None:
    """The loss for what `compile` is given.

    >>> as_loss("mse").name, as_loss(lambda y_true, y_pred: y_pred).name
    ('mean_squared_error', '<lambda>')
    """
    found = pick(Loss, identifier, _SHORT, "Any function does too: loss=lambda y_true, y_pred: ...")
    return found if found is None or isinstance(found, Loss) else LossFunctionWrapper(found)


serialize, deserialize = stored("losses", get, "loss", "Huber()", "name")

__all__ = [
    "BinaryCrossentropy", "BinaryFocalCrossentropy", "CategoricalCrossentropy", "CategoricalFocalCrossentropy",
    "CategoricalHinge", "CosineSimilarity", "Dice", "Hinge", "Huber", "KLD", "KLDivergence", "LogCosh", "Loss", "MAE",
    "MAPE", "MSE", "MSLE", "MeanAbsoluteError", "MeanAbsolutePercentageError", "MeanSquaredError",
    "MeanSquaredLogarithmicError", "Poisson", "Reduction", "SparseCategoricalCrossentropy", "SquaredHinge", "Tversky",
    "binary_crossentropy", "binary_focal_crossentropy", "categorical_crossentropy", "categorical_focal_crossentropy",
    "categorical_hinge", "cosine_similarity", "deserialize", "dice", "get", "hinge", "huber", "kl_divergence", "kld",
    "kullback_leibler_divergence", "log_cosh", "logcosh", "mae", "mape", "mean_absolute_error",
    "mean_absolute_percentage_error", "mean_squared_error", "mean_squared_logarithmic_error", "mse", "msle", "poisson",
    "serialize", "sparse_categorical_crossentropy", "squared_hinge", "tversky",
]  # fmt: skip
