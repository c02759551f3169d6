"""`tf.data` for data in memory: datasets of arrays, generators and ranges, and the steps between them and a training loop.

Read `elements.py`, then `steps.py`, where each step is a generator of a few lines, then `dataset.py`, which gives them
TensorFlow's names.  A dataset is plain Python: as in TensorFlow no tape sees its steps, and its elements are constants.
"""

from ..record.refusal import answering
from . import experimental
from .dataset import Dataset
from .elements import AUTOTUNE, DatasetSpec
from .experimental import INFINITE_CARDINALITY, UNKNOWN_CARDINALITY
from .iterator import Iterator, NumpyIterator
from .options import Options

__all__ = [
    "AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY", "Dataset", "DatasetSpec", "Iterator", "NumpyIterator", "Options",
    "experimental",
]  # fmt: skip

answering(globals(), "tf.data", __all__)
answering(vars(experimental), "tf.data.experimental", experimental.__all__)
