"""`tf.keras.preprocessing`: what older programs do to lists of words and numbers before these become tensors."""

from ...record.refusal import answering
from ..utils import timeseries_dataset_from_array
from . import sequence, text

__all__ = ["sequence", "text", "timeseries_dataset_from_array"]

for _room in (sequence, text):
    answering(vars(_room), f"tf.keras.preprocessing.{_room.__name__.rpartition('.')[2]}", _room.__all__)
