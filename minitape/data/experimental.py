"""`tf.data.experimental`: older names of what now stands in `tf.data` itself."""

from .dataset import Dataset
from .elements import AUTOTUNE
from .elements import INFINITE as INFINITE_CARDINALITY
from .elements import UNKNOWN as UNKNOWN_CARDINALITY

cardinality, get_single_element, from_list = Dataset.cardinality, Dataset.get_single_element, Dataset.from_list
choose_from_datasets, sample_from_datasets = Dataset.choose_from_datasets, Dataset.sample_from_datasets
Counter = Dataset.counter

__all__ = [
    "AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY", "Counter", "cardinality", "choose_from_datasets", "from_list",
    "get_single_element", "sample_from_datasets",
]  # fmt: skip
