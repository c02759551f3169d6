"""`tf.keras.models`."""

from typing import Any

from ..record.refusal import refusal
from .functional import Functional
from .model import Model
from .saving import clone_model
from .sequential import Sequential


def load_model(*args: Any, **options: Any) -> Any:
    """Raises NotImplementedError: a model is not loaded as a whole, because it consists of your program.

    >>> tf.keras.models.load_model("model.keras")
    Traceback (most recent call last):
        ...
    NotImplementedError: Models are not saved or read as a whole.
      at ...
    """
    raise refusal(
        NotImplementedError,
        "Models are not saved or read as a whole.",
        "Make the model, call it once, and model.load_weights(path) puts the numbers in.",
    )


__all__ = ["Functional", "Model", "Sequential", "clone_model", "load_model"]
