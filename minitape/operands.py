"""Operands by keyword, `tf.multiply(y=b, x=a)`, and functions that cannot be called with what they will be given."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from .record.refusal import type_error


def in_order(
    names: Sequence[str], given: tuple[Any, ...], named: dict[str, Any], *, alone: bool = True
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The operands in the order of their names, and the other keyword arguments.

    Raises TypeError for an operand that is missing or given twice, for one too many and, where operands stand `alone` because
    the op has no settings, for an unknown name.

    >>> in_order(("x", "y"), (1.0,), {"y": 2.0})
    ((1.0, 2.0), {})
    """
    if len(given) == len(names) + 1 and isinstance(given[-1], str):
        given = given[:-1]  # TensorFlow's last parameter is always the op's name
    if len(given) > len(names):
        raise type_error(
            f"Too many arguments were given. Expected {len(names)} ({', '.join(names)}) but got {len(given)}.",
            "What is not an operand is given by its name.",
        )
    for name in names[: len(given)]:
        if name in named:
            raise type_error(f"Got multiple values for argument {name!r}", "Give it once: by its place or by its name.")
    for name in named:
        if alone and name not in names:
            raise type_error(f"Got an unexpected keyword argument {name!r}", f"The operands are {', '.join(names)}.")
    missing = [name for name in names[len(given) :] if name not in named]
    if missing:
        raise type_error(
            f"Missing required positional argument {missing[0]!r}", f"The operands are {', '.join(names)}."
        )
    rest = {name: value for name, value in named.items() if name not in names}
    return (*given, *[named[name] for name in names[len(given) :]]), rest


def unfit(function: Callable[..., Any], given: Sequence[Any]) -> inspect.Signature | None:
    """The signature of a function that cannot be called with so many arguments; None of one that can, or does not say.

    >>> print(unfit(lambda x: x, [1, 2]), unfit(lambda x: x, [1]))
    (x) None
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some of those that are written in C
        return None
    try:
        signature.bind(*given)
    except TypeError:
        return signature
    return None
