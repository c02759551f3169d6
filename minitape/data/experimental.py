"""`tf.data.experimental`: what has come to stand in `tf.data` itself, under its older names."""

from ..errors import refuses
from .dataset import Dataset
from .elements import AUTOTUNE
from .elements import INFINITE as INFINITE_CARDINALITY
from .elements import UNKNOWN as UNKNOWN_CARDINALITY

cardinality, get_single_element, from_list = Dataset.cardinality, Dataset.get_single_element, Dataset.from_list

__getattr__ = refuses("data.experimental")

__all__ = ["AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY", "cardinality", "from_list", "get_single_element"]
