"""`tf.keras`: layers, models, losses, metrics and optimizers in the small.

A layer adds no mechanism of its own: it makes variables, and its `call` uses the ops of the table, so tapes and pictures see
inside.  Read `layer.py`, then `layers/dense.py`, then `train_step` in `training.py`; `symbol.py`, `functional.py` and
`operation.py` are a world of their own.  `config.py` says how everything here tells what it was made with.
"""

from typing import Any

from ..errors import absent
from . import (
    activations,
    backend,
    callbacks,
    constraints,
    initializers,
    layers,
    losses,
    metrics,
    models,
    operation,
    ops,
    optimizers,
    random,
    regularizers,
    utils,
)  # fmt: skip
from .functional import Input
from .input_spec import InputSpec
from .layer import Layer
from .model import Model
from .sequential import Sequential
from .symbol import KerasTensor

_ELSEWHERE = {
    "datasets": "downloads: read the arrays with NumPy",
    "applications": "models that somebody trained: make the layers, and load_weights",
    "mixed_precision": "one dtype at a time: tf.keras.backend.set_floatx",
    "preprocessing": "reading files: tf.data.Dataset.from_tensor_slices takes arrays",
    "saving": "model.save_weights(path) and model.get_config()",
}


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        raise AttributeError(f"module 'minitape.keras' has no attribute {name!r}: out of scope ({_ELSEWHERE[name]})")
    raise AttributeError(absent(name, __all__).replace("'minitape'", "'minitape.keras'"))


Loss, Metric, Optimizer, Initializer = losses.Loss, metrics.Metric, optimizers.Optimizer, initializers.Initializer
Regularizer = regularizers.Regularizer

__all__ = [
    "Initializer", "Input", "InputSpec", "KerasTensor", "Layer", "Loss", "Metric", "Model", "Optimizer", "Regularizer",
    "Sequential", "activations", "backend", "callbacks", "constraints", "initializers", "layers", "losses", "metrics",
    "models", "ops", "optimizers", "random", "regularizers", "utils",
]  # fmt: skip
