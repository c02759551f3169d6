"""`tf.keras.optimizers`: each is one function on arrays, from a weight, its gradient and slots to new ones.

`base.py` has what all of them share, `schedules.py` the learning rates that change.
"""

from __future__ import annotations

from typing import Any

from ..config import pick, stored
from . import schedules
from .base import Optimizer
from .kinds import SGD, Adadelta, Adagrad, Adam, Adamax, AdamW, Lamb, Nadam, RMSprop
from .later import Adafactor, Ftrl, Lion


def get(identifier: Any) -> Optimizer:
    """The optimizer for a name, a class, a description or an Optimizer; raises ValueError for anything else.

    >>> type(tf.keras.optimizers.get("adam")).__name__
    'Adam'
    """
    return pick(Optimizer, identifier, hint="Or make one: tf.keras.optimizers.SGD(0.1).")


serialize, deserialize = stored("optimizers", get, "optimizer", "SGD()")

__all__ = [
    "SGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Lamb", "Lion", "Nadam", "Optimizer",
    "RMSprop", "deserialize", "get", "schedules", "serialize",
]  # fmt: skip
