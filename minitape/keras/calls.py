"""What the call that is going on says to the layers inside of it: whether it is for training."""

from __future__ import annotations

import threading
from typing import Any

from ..record.blocks import Block


class _Calls(threading.local):
    training: Any = None  # the `training` argument of the outermost call, for all layers inside it


calls = _Calls()


class calling(Block):
    """A block in which layers are called for training or not, where somebody said which; None says nothing, unless `exactly`.

    >>> layer = tf.keras.layers.Dropout(1.0)
    >>> with calling(True):
    ...     layer(tf.constant([5.0])).numpy()
    array([0.], dtype=float32)
    """

    def __init__(self, training: Any, exactly: bool = False) -> None:
        self._training = calls.training if training is None and not exactly else training

    def __enter__(self) -> None:
        self._before = calls.training
        self.entered = True
        calls.training = self._training

    def put_back(self) -> None:
        calls.training = self._before
        self.entered = False
