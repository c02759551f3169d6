"""A checkpoint's file: arrays by name, in NumPy's format; and a text file that names the latest checkpoint."""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..errors import NotFoundError
from ..record.refusal import refusal

VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"  # what TensorFlow appends to the path of a variable


def _write_in_place(path: str, write: Any) -> None:
    """Write under another name, then rename: a reader finds the old file or the new one, and never half of one."""
    folder = os.path.dirname(path) or "."
    os.makedirs(folder, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=folder, prefix=os.path.basename(path), suffix=".unfinished")
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def write(prefix: str, arrays: Mapping[str, np.ndarray]) -> None:
    """Write the arrays under this name."""
    _write_in_place(f"{prefix}.npz", lambda file: np.savez(file, **dict[str, Any](arrays)))


def read(prefix: str) -> dict[str, np.ndarray]:
    """The arrays under this name; raises NotFoundError where there are none."""
    try:
        with np.load(f"{prefix}.npz", allow_pickle=False) as found:
            return {name: found[name] for name in found.files}
    except (FileNotFoundError, NotADirectoryError):
        raise refusal(
            NotFoundError,
            f"Failed to find any matching files for {prefix}",
            "Checkpoint.save returns the name that it gave, with its number: tf.train.latest_checkpoint(folder) finds it.",
        ) from None
    except (zipfile.BadZipFile, ValueError, OSError):
        raise refusal(
            NotFoundError,
            f"{prefix}.npz is no checkpoint that minitape wrote",
            "TensorFlow's own files cannot be read here.",
        ) from None


def note(folder: str, names: list[str]) -> None:
    """Write down which checkpoints the folder keeps, the latest last."""
    latest = [f"model_checkpoint_path: {json.dumps(names[-1])}"] if names else []
    text = "\n".join([*latest, *[f"all_model_checkpoint_paths: {json.dumps(name)}" for name in names], ""])
    _write_in_place(os.path.join(folder, "checkpoint"), lambda file: file.write(text.encode()))


def kept(folder: str) -> list[str]:
    """The names of the checkpoints that the folder keeps, oldest first."""
    try:
        with open(os.path.join(folder, "checkpoint"), encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [json.loads(line.partition(": ")[2]) for line in lines if line.startswith("all_model_checkpoint_paths")]


def latest_checkpoint(checkpoint_dir: Any, latest_filename: str | None = None) -> str | None:
    """The name of the newest checkpoint in a folder, or None.

    >>> tf.train.latest_checkpoint("a folder that is not there") is None
    True

    >>> import tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(w=tf.Variable(1.0)).save(folder + "/small")
    ...     os.path.basename(tf.train.latest_checkpoint(folder))
    'small-1'
    """
    folder = os.fspath(checkpoint_dir)
    names = [name for name in kept(folder) if os.path.exists(os.path.join(folder, f"{name}.npz"))]
    return os.path.join(folder, names[-1]) if names else None


class CheckpointReader:
    """Reads arrays from a checkpoint by their names; raises NotFoundError where there is no checkpoint of this name.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     reader = tf.train.CheckpointReader(tf.train.Checkpoint(w=tf.Variable([1.0, 2.0])).write(folder + "/small"))
    >>> reader.get_variable_to_shape_map()
    {'w/.ATTRIBUTES/VARIABLE_VALUE': [2]}
    >>> reader.get_tensor("w/.ATTRIBUTES/VARIABLE_VALUE")
    array([1., 2.], dtype=float32)
    """

    def __init__(self, prefix: str) -> None:
        self._arrays = read(prefix)

    def has_tensor(self, tensor_str: str) -> bool:
        """Whether there is an array of this name."""
        return tensor_str in self._arrays

    def get_tensor(self, tensor_str: str) -> Any:
        """The array of this name; raises NotFoundError where there is none."""
        if tensor_str not in self._arrays:
            raise refusal(
                NotFoundError, f"Key {tensor_str} not found in checkpoint", f"There are: {list(self._arrays)}"
            )
        return self._arrays[tensor_str][()]

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """The shapes by name."""
        return {name: list(array.shape) for name, array in self._arrays.items()}

    def get_variable_to_dtype_map(self) -> dict[str, Any]:
        """The dtypes by name."""
        return {name: as_dtype(array.dtype) for name, array in self._arrays.items()}


def _prefix(folder_or_prefix: Any) -> str:
    path = os.fspath(folder_or_prefix)
    return latest_checkpoint(path) or path


def load_checkpoint(ckpt_dir_or_file: Any) -> CheckpointReader:
    """The checkpoint of this name, or the newest in a folder; raises NotFoundError where there is none.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(w=tf.Variable([1.0, 2.0])).save(folder + "/small")
    ...     reader = tf.train.load_checkpoint(folder)
    >>> reader.has_tensor("w/.ATTRIBUTES/VARIABLE_VALUE")
    True
    """
    return CheckpointReader(_prefix(ckpt_dir_or_file))


def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[int]]]:
    """The names and shapes in a checkpoint; raises NotFoundError where there is none.

    >>> import tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(w=tf.Variable([1.0, 2.0])).write(os.path.join(folder, "small"))
    ...     found = tf.train.list_variables(path)
    >>> found[0]
    ('w/.ATTRIBUTES/VARIABLE_VALUE', [2])
    """
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    """One array of a checkpoint; raises NotFoundError where there is no such checkpoint, or no such name in it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(w=tf.Variable([1.0, 2.0])).write(folder + "/small")
    ...     w = tf.train.load_variable(path, "w/.ATTRIBUTES/VARIABLE_VALUE")
    >>> w
    array([1., 2.], dtype=float32)
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name)
