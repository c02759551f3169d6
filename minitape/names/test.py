"""`tf.test`, as far as gradients go."""

from __future__ import annotations

from typing import Any

from ..testing import compute_gradient


def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    """False: there is only the CPU here.

    >>> tf.test.is_gpu_available()
    False
    """
    return False


__all__ = ["compute_gradient", "is_gpu_available"]
