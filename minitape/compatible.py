"""`compat("tf")`: TensorFlow's behaviour where minitape deliberately differs, for lessons that show it."""

from __future__ import annotations

import threading
from typing import Any

from .record.blocks import Block


class _Depth(threading.local):
    depth = 0


_blocks = _Depth()


def tensorflow() -> bool:
    """Whether `compat("tf")` is in force on this thread."""
    return _blocks.depth > 0


class compat(Block):
    """While the block runs, recompute regions and custom gradients behave as TensorFlow's do.

    A recompute region gives no gradient to tensors from outside and to keyword arguments, and zeros to arguments that it does
    not use; its rerun draws other random numbers and is not compared with the first run; accumulators and most second
    derivatives raise NotImplementedError.  Of a custom gradient, accumulators differentiate the body, and take the rule only
    where the body has no derivative.  Raises ValueError for any name but "tf".

    >>> x, k = tf.constant(2.0), tf.constant(3.0)
    >>> scaled = tf.recompute_grad(lambda x, k: x * k)
    >>> with tf.compat("tf"), tf.GradientTape() as tape:
    ...     tape.watch([x, k])
    ...     y = scaled(x, k=k)
    >>> tape.gradient(y, k) is None
    True
    """

    v1: Any  # `tf.compat.v1`, set by the package
    v2: Any  # `tf.compat.v2`, the package itself

    def __init__(self, name: str) -> None:
        if name != "tf":
            raise ValueError(f'compat knows "tf", TensorFlow\'s behaviour; got {name!r}')

    def __enter__(self) -> compat:
        self._before = _blocks.depth
        self.entered = True
        _blocks.depth += 1
        return self

    def put_back(self) -> None:
        """Restore what was in force before the block."""
        _blocks.depth = self._before
        self.entered = False
