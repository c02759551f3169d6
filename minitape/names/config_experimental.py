"""`tf.config.experimental`: what programs say to a GPU in their first lines, where there is none."""

from __future__ import annotations

from typing import Any

from ..record.refusal import answering
from .config import list_logical_devices, list_physical_devices


def set_memory_growth(device: Any, enable: bool) -> None:
    """Accepted: only a GPU has memory of its own.

    >>> for device in tf.config.experimental.list_physical_devices("GPU"):
    ...     tf.config.experimental.set_memory_growth(device, True)
    """


__all__ = ["list_logical_devices", "list_physical_devices", "set_memory_growth"]
answering(globals(), "tf.config.experimental", __all__)
