"""`tf.train`: checkpoints of variables, and moving averages.  What reads and writes records and clusters is out of scope."""

from typing import Any

from .average import ExponentialMovingAverage
from .checkpoint import Checkpoint
from .files import CheckpointReader, latest_checkpoint, list_variables, load_checkpoint, load_variable
from .manager import CheckpointManager

_RECORDS = ("Example", "Feature", "Features", "BytesList", "FloatList", "Int64List", "SequenceExample", "FeatureList")


def __getattr__(name: str) -> Any:
    why = ": out of scope (records in files: keep arrays in NumPy's files)" if name in _RECORDS else ""
    raise AttributeError(f"module 'minitape.train' has no attribute {name!r}{why}")


__all__ = [
    "Checkpoint", "CheckpointManager", "CheckpointReader", "ExponentialMovingAverage", "latest_checkpoint", "list_variables",
    "load_checkpoint", "load_variable",
]  # fmt: skip
