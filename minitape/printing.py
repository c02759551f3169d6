"""`tf.print`: tensors as plain numbers, on standard error unless told otherwise."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .tensor import Operand


def _text(value: Any, summarize: int | None) -> str:
    if isinstance(value, Operand):
        array = value._array_now
        if array.ndim == 0:
            number = array[()]
            whole = isinstance(number, np.floating) and float(number).is_integer() and abs(float(number)) < 1e16
            return str(int(number)) if whole else str(number)
        edge = 3 if summarize is None else summarize
        limit = array.size if edge == -1 else 2 * edge
        text = np.array2string(array, threshold=limit, edgeitems=max(edge, 1), floatmode="unique", separator=" ")
        return text.replace(". ", " ").replace(".]", "]")
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_text(one, summarize)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        inside = ", ".join(_text(one, summarize) for one in value)
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    return str(value)



def print(*inputs: Any, output_stream: Any = None, summarize: int | None = None, sep: str = " ", end: str = "\n", name: str | None = None) -> None:  # noqa: A001
    """Write the values in one line, to standard error by default (as TensorFlow does).

    >>> import minitape as tf, sys
    >>> tf.print("x is", tf.constant([1.0, 2.5]), output_stream=sys.stdout)
    x is [1 2.5]
    """
    stream = sys.stderr if output_stream is None else output_stream
    if isinstance(stream, str) and stream.startswith("file://"):
        with open(stream[len("file://") :], "a", encoding="utf-8") as file:
            file.write(sep.join(_text(one, summarize) for one in inputs) + end)
        return
    stream.write(sep.join(_text(one, summarize) for one in inputs) + end)
