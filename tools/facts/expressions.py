"""Expressions, and what a TensorFlow gives for each: dtype, shape and values, or the exception.

They stand in expressions.txt, a line each.  Where the first words of an exception's message are promised too, they follow
on a line of their own, after `says:`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

SOURCE = Path(__file__).with_suffix(".txt")
SAYS = "    says: "


def read() -> tuple[list[str], dict[str, str]]:
    """All expressions, and the promised beginnings of messages by expression."""
    expressions: list[str] = []
    beginnings: dict[str, str] = {}
    for line in SOURCE.read_text(encoding="utf-8").splitlines():
        if line.startswith(SAYS):
            beginnings[expressions[-1]] = line.removeprefix(SAYS)
        elif line:
            expressions.append(line)
    return expressions, beginnings


def answer(tf: Any, expression: str) -> tuple[str, str]:
    """What the expression gives, written down, and the message where it raises."""
    try:
        return str(shown(tf, eval(expression, space(tf)))), ""
    except Exception as problem:
        return f"raises {type(problem).__name__}", re.sub(r"^\{\{function_node \S+\}\} ", "", str(problem))


def shown(tf: Any, value: Any) -> Any:
    """A result as it is written down: numbers rounded to five digits after the point."""
    if isinstance(value, tf.IndexedSlices):
        return ("IndexedSlices", *(shown(tf, part) for part in (value.indices, value.values, value.dense_shape)))
    if isinstance(value, list | tuple):
        parts = [shown(tf, part) for part in value]
        return parts if isinstance(value, list) else tuple(parts)
    if isinstance(value, dict):
        return {key: shown(tf, part) for key, part in value.items()}
    if hasattr(value, "numpy") and hasattr(value, "dtype"):
        array = np.asarray(value)
        wide = array if array.dtype.kind in "cO" else array.astype("float64")
        zero = 0.0 if wide.dtype.kind == "f" else wide.dtype.type()  # which makes zeros of -0.0
        return (array.dtype.name, array.shape, (np.round(wide, 5) + zero).tolist() if array.size < 30 else "big")
    return (
        value if isinstance(value, int | float | str | bool | type(None)) else type(value).__name__ + repr(value)[:60]
    )


def space(tf: Any) -> dict[str, Any]:
    """What an expression may use: some tensors, and derivatives of functions."""

    def grad(function: Any, *points: Any) -> Any:
        """What a tape says."""
        points = tuple(point if isinstance(point, tf.Variable) else tf.constant(point) for point in points)
        with tf.GradientTape() as tape:
            tape.watch(points)
            y = function(*points)
        return tape.gradient(y, list(points))

    def slope(function: Any, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x)

    def hess(function: Any, point: Any) -> Any:
        """A derivative of the derivative, whose elements are told apart by their number."""
        x = tf.constant(point)
        with tf.GradientTape() as outer:
            outer.watch(x)
            first = tf.convert_to_tensor(slope(function, x))
            weights = tf.cast(tf.reshape(tf.range(tf.size(first)), first.shape), first.dtype)
            target = tf.reduce_sum(first * weights)
        return outer.gradient(target, x)

    def jvp(function: Any, point: Any) -> Any:
        """What an accumulator says."""
        x = tf.constant(point)
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
            y = function(x)
        return accumulator.jvp(y)

    return {
        "tf": tf,
        "np": np,
        "x": tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        "i": tf.constant([5, 7, 9]),
        "s": tf.constant(2.0),
        "v": tf.Variable([1.0, 2.0, 3.0]),
        "m": tf.constant([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]]),
        "b": tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]]),
        "z": tf.constant([1 + 2j, 3 - 1j]),
        "img": tf.constant(np.sin(np.arange(80)).reshape(2, 5, 4, 2).astype("f4")),
        "flt": tf.constant(np.cos(np.arange(36)).reshape(3, 2, 2, 3).astype("f4")),
        "grad": grad,
        "hess": hess,
        "jvp": jvp,
    }
