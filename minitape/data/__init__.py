"""`tf.data` of what lies in memory: arrays, generators, ranges, and the steps between them and a training loop.

Read `elements.py`, then `steps.py`, where each step is a generator of a few lines, then `dataset.py`, which gives them
TensorFlow's names.  A dataset is plain Python: no tape sees its steps, as in TensorFlow, and its elements arrive as constants.
"""

from types import SimpleNamespace
from typing import Any

from .dataset import Dataset
from .elements import AUTOTUNE, INFINITE, UNKNOWN, DatasetSpec
from .iterator import Iterator, NumpyIterator
from .options import Options

INFINITE_CARDINALITY, UNKNOWN_CARDINALITY = INFINITE, UNKNOWN

experimental = SimpleNamespace(
    AUTOTUNE=AUTOTUNE,
    INFINITE_CARDINALITY=INFINITE,
    UNKNOWN_CARDINALITY=UNKNOWN,
    cardinality=Dataset.cardinality,
    get_single_element=Dataset.get_single_element,
    from_list=Dataset.from_list,
)

_FILES = ("TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset")


def __getattr__(name: str) -> Any:
    why = ": out of scope (it reads files: read them in Python, and give Dataset.from_tensor_slices the arrays)"
    raise AttributeError(f"module 'minitape.data' has no attribute {name!r}{why if name in _FILES else ''}")


__all__ = [
    "AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY", "Dataset", "DatasetSpec", "Iterator", "NumpyIterator", "Options",
    "experimental",
]  # fmt: skip
