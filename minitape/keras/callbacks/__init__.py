"""`tf.keras.callbacks`: objects that `fit` calls while it trains."""

from .base import Callback, History, LambdaCallback, LearningRateScheduler, TerminateOnNaN
from .monitors import EarlyStopping, ModelCheckpoint, ReduceLROnPlateau

__all__ = [
    "Callback", "EarlyStopping", "History", "LambdaCallback", "LearningRateScheduler", "ModelCheckpoint", "ReduceLROnPlateau",
    "TerminateOnNaN",
]  # fmt: skip
