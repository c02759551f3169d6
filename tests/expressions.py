"""Short programs, a line each, that TensorFlow and minitape answer alike.

They stand in tests/data/expressions/SUBJECT.txt; what TensorFlow 2.21 answers stands in tests/data/subjects.json, which
`python -m tools.facts subjects` writes.  A line is an expression of `tf`, `np`, `D` (tf.data.Dataset), `ops` (tf.keras.ops), `numbers` and `derived`; a line
that begins with `#` is a heading.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent / "data" / "expressions"
SUBJECTS = sorted(path.stem for path in FOLDER.glob("*.txt"))


def lines(subject: str) -> list[str]:
    """The expressions of a subject."""
    text = (FOLDER / f"{subject}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def numbers(*shape: int, seed: int = 0, dtype: str = "float32") -> np.ndarray:
    """Numbers with two decimals between 0 and 1, the same everywhere."""
    return (np.random.RandomState(seed).randint(1, 100, shape) / 100).astype(dtype)


def derivatives(tf: Any) -> Any:
    """`derived(f, x, ...)`: the value of f, its gradients, and the gradients of these times their own numbers."""

    def derived(function: Any, *arrays: Any, order: int = 2) -> list[Any]:
        inputs = [tf.constant(array) for array in arrays]
        with tf.GradientTape() as outer:
            outer.watch(inputs)
            with tf.GradientTape() as inner:
                inner.watch(inputs)
                y = function(*inputs)
                loss = tf.reduce_sum(y * y)
            first = [None if one is None else tf.convert_to_tensor(one) for one in inner.gradient(loss, inputs)]
            if order == 1:
                return [y, first]
            swing = tf.add_n([tf.reduce_sum(one * one) for one in first if one is not None])
        return [y, first, outer.gradient(swing, inputs)]

    return derived


def plain(value: Any) -> Any:
    """An answer as JSON: a tensor as [dtype, numbers], what is no number as its text."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple) and not hasattr(value, "as_list"):
        return [plain(part) for part in value]
    if isinstance(value, int | float) and not isinstance(value, np.generic):
        return value
    if hasattr(value, "numpy"):
        value = np.asarray(value.numpy())
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        listed = [one.decode() for one in array.reshape(-1)] if array.dtype == object else array.tolist()
        return [array.dtype.name, json.loads(json.dumps(listed, default=lambda one: [one.real, one.imag]))]
    return repr(value)


def answer(tf: Any, line: str) -> Any:
    """What an expression gives; an exception is its name."""
    space = {
        "tf": tf,
        "np": np,
        "D": tf.data.Dataset,
        "numbers": numbers,
        "ops": tf.keras.ops,
        "derived": derivatives(tf),
    }
    try:
        return plain(eval(line, space))
    except Exception as problem:
        return f"! {type(problem).__name__}"


def differences(ours: Any, theirs: Any, where: str = "") -> list[str]:
    """Where two answers differ: float32 by more than 2e-6 of the largest number of a tensor, float64 by more than 1e-12."""
    if isinstance(theirs, dict) and isinstance(ours, dict) and ours.keys() == theirs.keys():
        return [found for key in theirs for found in differences(ours[key], theirs[key], f"{where}/{key}")]
    if isinstance(theirs, list) and isinstance(ours, list) and len(ours) == len(theirs):
        if len(theirs) == 2 and isinstance(theirs[0], str) and ours[0] == theirs[0] and theirs[0].startswith("float"):
            return _far(np.array(ours[1], float), np.array(theirs[1], float), theirs[0], where)
        pairs = zip(ours, theirs, strict=True)
        return [found for place, pair in enumerate(pairs) for found in differences(*pair, f"{where}/{place}")]
    return [] if ours == theirs else [f"{where}: {ours!r} against {theirs!r}"]


def _far(ours: np.ndarray, theirs: np.ndarray, dtype: str, where: str) -> list[str]:
    if ours.shape != theirs.shape:
        return [f"{where}: shape {ours.shape} against {theirs.shape}"]
    close = {"float16": 1e-3, "float32": 2e-6}.get(dtype, 1e-12)
    largest = max(1e-3, float(np.abs(theirs[np.isfinite(theirs)]).max(initial=0.0)))
    same = (np.abs(ours - theirs) <= close * largest) | (ours == theirs) | np.isnan(ours) & np.isnan(theirs)
    return [] if same.all() else [f"{where}: {ours[~same][:5]} against {theirs[~same][:5]}"]
