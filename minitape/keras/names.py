"""Automatic names (the first Dense is "dense", the next "dense_1"), those of parameters, and the dtype of weights where none is
given."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any

from ..record.refusal import value_error

_count: dict[str, int] = {}
_usual = {"dtype": "float32"}


def floatx() -> str:
    """The dtype of weights, where none is given (`tf.keras.backend.floatx`).

    >>> tf.keras.backend.floatx()
    'float32'
    """
    return _usual["dtype"]


def set_floatx(value: str) -> None:
    """Take another dtype for weights from now on: "float16", "float32" or "float64"; raises ValueError for others.

    >>> tf.keras.backend.set_floatx("float64"), tf.keras.backend.floatx(), tf.keras.backend.set_floatx("float32")
    (None, 'float64', None)
    """
    if value not in ("float16", "float32", "float64"):
        raise value_error(
            f"Unknown `floatx` value: {value}. Expected one of float16, float32, float64", '"float64", say.'
        )
    _usual["dtype"] = value


def snake(name: str) -> str:
    """A class name in Keras's small letters.

    >>> snake("BatchNormalization"), snake("Conv2D"), snake("ReLU")
    ('batch_normalization', 'conv2d', 're_lu')
    """
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", re.sub(r"\W+", "", name))
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()


def unique(prefix: str) -> str:
    """The prefix itself the first time, and then with a number appended.

    >>> unique("example"), unique("example")
    ('example', 'example_1')
    """
    _count[prefix] = before = _count.get(prefix, -1) + 1
    return f"{prefix}_{before}" if before else prefix


@functools.cache
def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's parameters, `self` included; "**" where it takes any.

    >>> parameters(tf.keras.layers.Dense.build)
    ('self', 'input_shape')
    """
    found = inspect.signature(function).parameters.values()
    return tuple("**" if parameter.kind is parameter.VAR_KEYWORD else parameter.name for parameter in found)


@functools.cache
def defaults(function: Callable[..., Any]) -> dict[str, Any]:
    """The parameters that have a value of their own, and what it is.

    >>> defaults(lambda x, training, mask=None: x)
    {'mask': None}
    """
    found = inspect.signature(function).parameters.values()
    return {parameter.name: parameter.default for parameter in found if parameter.default is not parameter.empty}


def clear_session(free_memory: bool = True) -> None:
    """Start counting automatic names anew (`tf.keras.utils.clear_session`).

    >>> tf.keras.utils.clear_session()
    >>> names = [tf.keras.layers.Dense(1).name for _ in range(2)]
    >>> tf.keras.utils.clear_session()
    >>> names, tf.keras.layers.Dense(1).name
    (['dense', 'dense_1'], 'dense')
    """
    _count.clear()
