"""`tf.keras.optimizers`: each is one function on arrays, from a weight, its gradient and slots to new ones.

`base.py` has what all of them share, `schedules.py` the learning rates that change.
"""

from __future__ import annotations

from typing import Any

from ..config import described, pick, revived
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


def serialize(optimizer: Any) -> Any:
    """An optimizer as the name of its class and its arguments.

    >>> tf.keras.optimizers.serialize(tf.keras.optimizers.SGD(0.5))["config"]["learning_rate"]
    0.5
    """
    return described(optimizer)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The optimizer that such a description stands for.

    >>> tf.keras.optimizers.deserialize(tf.keras.optimizers.serialize(tf.keras.optimizers.SGD(0.5))).learning_rate.numpy()
    np.float32(0.5)
    """
    return revived(Optimizer, config)


__all__ = [
    "SGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Lamb", "Lion", "Nadam", "Optimizer",
    "RMSprop", "deserialize", "get", "schedules", "serialize",
]  # fmt: skip
