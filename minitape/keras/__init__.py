# ruff: noqa: I001  a name per line would bury what there is
"""`tf.keras`: layers, models, losses, metrics and optimizers in the small.

A layer adds no mechanism of its own: it makes variables, and its `call` uses the ops of the table, so tapes and pictures see
inside.  Read `layer.py`, then `layers/dense.py`, then `train_step` in `training.py`; `symbol.py`, `functional.py` and
`operation.py` are a world of their own.  `config.py` says how everything here tells what it was made with.
"""

from ..absent import not_for_calls
from ..record.refusal import answering
from . import (
    activations, backend, callbacks, constraints, initializers, layers, losses, metrics, models, operation, ops,
    optimizers, preprocessing, random, regularizers, utils,
)  # fmt: skip
from .functional import Input
from .input_spec import InputSpec
from .layer import Layer
from .model import Model
from .sequential import Sequential
from .symbol import KerasTensor

Loss, Metric, Optimizer, Initializer = losses.Loss, metrics.Metric, optimizers.Optimizer, initializers.Initializer
Regularizer = regularizers.Regularizer

__all__ = [
    "Initializer", "Input", "InputSpec", "KerasTensor", "Layer", "Loss", "Metric", "Model", "Optimizer", "Regularizer",
    "Sequential", "activations", "backend", "callbacks", "constraints", "initializers", "layers", "losses", "metrics",
    "models", "ops", "optimizers", "preprocessing", "random", "regularizers", "utils",
]  # fmt: skip

for _room in (
    activations, backend, callbacks, constraints, initializers, layers, losses, metrics, models, ops, optimizers,
    preprocessing, random, regularizers, utils,
):  # fmt: skip
    answering(vars(_room), f"tf.keras.{_room.__name__.rpartition('.')[2]}", _room.__all__)
answering(vars(optimizers.schedules), "tf.keras.optimizers.schedules", optimizers.schedules.__all__)
answering(globals(), "tf.keras", __all__)
not_for_calls(__name__, __all__)
not_for_calls(layers.__name__, layers.__all__)
