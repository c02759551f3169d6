"""`tf.print`: tensors as plain numbers, on standard error unless told otherwise."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .tensor import Operand


def _text(value: Any, summarize: int) -> str:
    """A value inside a structure: tensors as their numbers, anything else as Python shows it."""
    if isinstance(value, Operand):
        return _array(value.array_now, summarize)
    if type(value) is dict:
        return "{" + ", ".join(f"{key!r}: {_text(value[key], summarize)}" for key in sorted(value, key=str)) + "}"
    if type(value) is list:
        return "[" + ", ".join(_text(part, summarize) for part in value) + "]"
    if type(value) is tuple:
        return "(" + ", ".join(_text(part, summarize) for part in value) + (",)" if len(value) == 1 else ")")
    return repr(value)


def _array(array: np.ndarray, summarize: int, indent: int = 1) -> str:
    if array.ndim == 0:
        return _number(array[()])
    parts = [_array(part, summarize, indent + 1) for part in _ends(array, summarize)]
    if summarize != -1 and len(array) > 2 * summarize:
        parts.insert(summarize, "...")
    between = " " if array.ndim == 1 else "\n" * (array.ndim - 1) + " " * indent
    return "[" + between.join(parts) + "]"


def _ends(array: np.ndarray, summarize: int) -> list[np.ndarray]:
    rows = [np.asarray(row) for row in array]
    if summarize == -1 or len(rows) <= 2 * summarize:
        return rows
    return [*rows[:summarize], *rows[len(rows) - summarize :]]


def _number(number: Any) -> str:
    """One number as C++ prints it: 6 digits (float64: 15) if they determine it, else as many as needed."""
    if isinstance(number, bool | np.bool):
        return str(int(number))
    if isinstance(number, np.floating):
        kind, few, all_ = (float, 15, 17) if number.dtype == np.float64 else (np.float32, 6, 9)
        short = f"{number:.{few}g}"
        return short if kind(short) == kind(number) or np.isnan(number) else f"{number:.{all_}g}"
    if isinstance(number, bytes):
        return '"' + number.decode(errors="replace") + '"'
    return str(number)


def print(  # noqa: A001
    *inputs: Any,
    output_stream: Any = None,
    summarize: int = 3,
    sep: str = " ",
    end: str = "\n",
    name: str | None = None,
) -> None:
    """Write the values in one line, to standard error by default (as TensorFlow does).

    Args: output_stream, sys.stdout, another stream, or "file://path" to append to; summarize, how many entries to show at
    each end of a long axis, -1 for all.

    >>> import sys
    >>> tf.print("x is", tf.constant([1.0, 2.5]), output_stream=sys.stdout)
    x is [1 2.5]
    """
    line = sep.join(value if isinstance(value, str) else _text(value, summarize) for value in inputs) + end
    if isinstance(output_stream, str) and output_stream.startswith("file://"):
        with open(output_stream[len("file://") :], "a", encoding="utf-8") as file:
            file.write(line)
    else:
        (sys.stderr if output_stream is None else output_stream).write(line)
