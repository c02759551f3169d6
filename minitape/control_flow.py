"""Loops and branches: eager, so a Python loop under another name."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from . import nest
from .tensor import convert


def while_loop(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, shape_invariants: Any = None,
    parallel_iterations: int = 10, back_prop: bool = True, swap_memory: bool = False,
    maximum_iterations: int | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Run the body while the condition holds; returns the loop variables in their structure.

    >>> import minitape as tf
    >>> i, y = while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2.0), [tf.constant(0), tf.constant(1.0)])
    >>> int(i), float(y)
    (3, 8.0)
    """
    variables = nest.map_structure(convert, loop_vars)
    count = 0
    while (maximum_iterations is None or count < maximum_iterations) and bool(cond(*variables)):
        answer = body(*variables)
        answer = answer if isinstance(answer, list | tuple) else (answer,)
        variables = nest.pack_sequence_as(loop_vars, [convert(one) for one in nest.flatten(answer)])
        count += 1
    return variables


def cond(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any], name: str | None = None) -> Any:
    """What one of the two functions returns.

    >>> cond(True, lambda: 1, lambda: 2)
    1
    """
    return true_fn() if bool(pred) else false_fn()


def function(func: Callable[..., Any] | None = None, **options: Any) -> Any:
    """A plain call: nothing is compiled, so tapes see every op inside; the options of TensorFlow's decorator are accepted.

    >>> @function
    ... def double(x):
    ...     return x * 2
    >>> double(3)
    6
    """
    if func is None:
        return functools.partial(function, **options)

    @functools.wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    call.python_function = func  # type: ignore[attr-defined]
    return call
