"""`tf.train`: checkpoints of variables, and moving averages.  What reads and writes records and clusters is out of scope."""

from ..record.refusal import answering
from .average import ExponentialMovingAverage
from .checkpoint import Checkpoint
from .files import CheckpointReader, latest_checkpoint, list_variables, load_checkpoint, load_variable
from .manager import CheckpointManager

__all__ = [
    "Checkpoint", "CheckpointManager", "CheckpointReader", "ExponentialMovingAverage", "latest_checkpoint", "list_variables",
    "load_checkpoint", "load_variable",
]  # fmt: skip

answering(globals(), "tf.train", __all__)
