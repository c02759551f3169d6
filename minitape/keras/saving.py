"""The numbers of a model's weights in a file, and copies of a model."""

from __future__ import annotations

import os
import zipfile
from typing import Any

import numpy as np

from ..record.refusal import value_error


def save_weights(model: Any, path: Any, overwrite: bool = True) -> None:
    """Write all weights into a file of NumPy's, in their order, each by its path.

    Raises ValueError for a model that has no weights yet, and with overwrite=False for a file that is there.

    >>> import tempfile, os
    >>> model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1, kernel_initializer="ones")])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "line.weights.h5")
    ...     model.save_weights(path)
    ...     model.set_weights([np.zeros((2, 1)), np.zeros(1)])
    ...     model.load_weights(path)
    >>> model.get_weights()[0].ravel()
    array([1., 1.], dtype=float32)
    """
    if not model.variables and not model.built:
        raise value_error(f"Model {model.name!r} has no weights to save yet.", "Call it once, or build it, then save.")
    if not overwrite and os.path.exists(path):
        raise value_error(f"{path} is there already.", "Choose another path, or write overwrite=True.")
    table = {
        f"{number:05}/{getattr(variable, 'path', variable.name)}": variable.array_now
        for number, variable in enumerate(model.variables)
    }
    with open(path, "wb") as file:
        np.savez(file, **table)


def load_weights(model: Any, path: Any, skip_mismatch: bool = False) -> None:
    """Read what `save_weights` wrote; with `skip_mismatch` weights of another shape stay as they are.

    Raises ValueError for another kind of file, and where weights do not fit.
    """
    try:
        with np.load(path) as file:
            table = [file[name] for name in sorted(file.files)]
    except (zipfile.BadZipFile, ValueError, AttributeError):
        raise value_error(
            f"{path} is no file of weights that minitape wrote.",
            "Files of Keras are HDF5: in Keras, np.savez(path, *model.get_weights()) writes one that can be read here.",
        ) from None
    if skip_mismatch and model.variables:
        before = model.get_weights()
        table = [new if new.shape == old.shape else old for new, old in zip(table, before, strict=False)]
        table += before[len(table) :]
    model.set_weights(table)


def clone_model(model: Any, input_tensors: Any = None, clone_function: Any = None) -> Any:
    """Another model of the same layers, with new weights.

    Args: clone_function, from a layer to its copy.  Raises ValueError for a model that is a subclass of `Model`.

    >>> model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
    >>> twin = tf.keras.models.clone_model(model)
    >>> twin.set_weights(model.get_weights())
    >>> bool((twin(tf.ones([1, 2])) == model(tf.ones([1, 2]))).numpy())
    True
    """
    copied = getattr(model, "_copied", None)
    if copied is None or input_tensors is not None:
        raise value_error(
            f"Expected a Sequential or a model of symbols, received {type(model).__name__}"
            + (" and input_tensors" if input_tensors is not None else "")
            + ".",
            f"Make another one: {type(model).__name__}(...).",
        )
    return copied(clone_function or (lambda layer: type(layer).from_config(layer.get_config())))
