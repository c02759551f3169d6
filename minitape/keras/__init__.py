"""`tf.keras`: layers, models, losses, metrics and optimizers in the small.

A layer adds no mechanism of its own: it makes variables, and its `call` uses the ops of the table, so tapes and pictures see
inside.  Read `layer.py`, then `layers/dense.py`, then `train_step` in `model.py`; `symbol.py` and `functional.py` are a world
of their own.
"""

from . import activations, backend, initializers, layers, losses, metrics, models, optimizers, random, utils
from .functional import Input
from .input_spec import InputSpec
from .layer import Layer
from .model import Model
from .sequential import Sequential
from .symbol import KerasTensor

Loss, Metric, Optimizer = losses.Loss, metrics.Metric, optimizers.Optimizer

__all__ = [
    "Input", "InputSpec", "KerasTensor", "Layer", "Loss", "Metric", "Model", "Optimizer", "Sequential", "activations", "backend",
    "initializers", "layers", "losses", "metrics", "models", "optimizers", "random", "utils",
]  # fmt: skip
