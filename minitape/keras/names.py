"""Automatic names: the first Dense is "dense", the next "dense_1"."""

from __future__ import annotations

import re

_count: dict[str, int] = {}


def snake(name: str) -> str:
    """A class name in Keras's small letters.

    >>> snake("BatchNormalization"), snake("Conv2D"), snake("ReLU")
    ('batch_normalization', 'conv2d', 're_lu')
    """
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", re.sub(r"\W+", "", name))
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()


def unique(prefix: str) -> str:
    """The prefix itself, and then with a number behind it.

    >>> unique("example"), unique("example")
    ('example', 'example_1')
    """
    _count[prefix] = before = _count.get(prefix, -1) + 1
    return f"{prefix}_{before}" if before else prefix


def clear_session(free_memory: bool = True) -> None:
    """Start counting automatic names anew (`tf.keras.utils.clear_session`)."""
    _count.clear()
