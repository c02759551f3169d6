"""`tf.keras`: layers, models, losses, metrics and optimizers in the small.

A layer adds no mechanism of its own: it makes variables, and its `call` uses the ops of the table, so tapes and pictures see
inside.  Read `layer.py`, then `layers/dense.py`, then `train_step` in `model.py`.
"""

from . import activations, backend, initializers, layers, losses, metrics, models, optimizers, random, utils
from .layer import InputSpec, Layer
from .model import Model
from .sequential import Input, Sequential

Loss, Metric, Optimizer = losses.Loss, metrics.Metric, optimizers.Optimizer

__all__ = [
    "Input", "InputSpec", "Layer", "Loss", "Metric", "Model", "Optimizer", "Sequential", "activations", "backend",
    "initializers", "layers", "losses", "metrics", "models", "optimizers", "random", "utils",
]  # fmt: skip
