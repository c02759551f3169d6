"""Images in another size.

A change of size is linear along rows and along columns, so one row of the table serves all methods: it multiplies by two
matrices, with the weight of each old position in each new one.  Its transpose is itself with both matrices transposed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..kinds import Linear
from ..notes import Notes

# fmt: off
resize_ = Linear("resize", lambda x, rows, columns: _resized(x, rows, columns),
    lambda g, rows, columns: resize_(g, rows=rows.T, columns=columns.T),
    notes=Notes(phrase="rows · x · columnsᵀ, in each channel", title="ResizeBilinear", kinds="f"))
# fmt: on


def _resized(x: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """[batch, rows, columns, channels] with both middle axes multiplied by a matrix."""
    tall = np.tensordot(rows.astype(x.dtype), x, (1, 1))
    whole = np.tensordot(columns.astype(x.dtype), tall, (1, 2))
    return np.ascontiguousarray(whole.transpose(2, 1, 0, 3))


# ---- the matrices: [new, old], the weight of each old position in each new one -------------------------------------


def _places(old: int, new: int) -> np.ndarray:
    """Where the centres of the new pixels lie among the old ones, in float32, as TensorFlow computes it."""
    return (np.arange(new, dtype=np.float32) + np.float32(0.5)) * np.float32(old / new) - np.float32(0.5)


def _bilinear(old: int, new: int) -> np.ndarray:
    """Each new pixel between its two neighbours."""
    where, answer = _places(old, new), np.zeros((new, old), np.float32)
    below = np.floor(where)
    share = where - below
    np.add.at(answer, (np.arange(new), np.maximum(below, 0).astype(int)), 1 - share)
    np.add.at(answer, (np.arange(new), np.minimum(np.ceil(where), old - 1).astype(int)), share)
    return answer


def _bicubic(old: int, new: int) -> np.ndarray:
    """Each new pixel between its four neighbours, along a cubic (Keys 1981) tabulated at 1024 points, as in TensorFlow."""
    where, answer = _places(old, new), np.zeros((new, old))
    for row, centre in enumerate(where):
        below = int(np.floor(centre))
        share = np.rint((centre - np.float32(below)) * np.float32(1024)) / 1024
        for step in (-1, 0, 1, 2):
            if 0 <= below + step < old:
                answer[row, below + step] = _cubic(abs(step - share))
    return _summing_to_one(answer)


def _area(old: int, new: int) -> np.ndarray:
    """Each new pixel is the mean of the stretch that it covers."""
    edges = np.arange(new + 1) * (old / new)
    first, last = edges[:-1, None], edges[1:, None]
    covered = np.minimum(last, np.arange(1, old + 1)) - np.maximum(first, np.arange(old))
    return _summing_to_one(np.maximum(covered, 0.0))


def _cubic(x: float) -> float:
    if x >= 2.0:
        return 0.0
    return ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0 if x >= 1.0 else (1.5 * x - 2.5) * x * x + 1.0


def _mitchell(x: float) -> float:
    if x >= 2.0:
        return 0.0
    return ((-7.0 * x / 18 + 2) * x - 10.0 / 3) * x + 16.0 / 9 if x >= 1.0 else (7.0 * x / 6 - 2) * x * x + 8.0 / 9


def _lanczos(radius: float) -> Callable[[float], float]:
    def weight(x: float) -> float:
        if x > radius:
            return 0.0
        return 1.0 if x <= 1e-3 else radius * np.sin(np.pi * x) * np.sin(np.pi * x / radius) / (np.pi * x) ** 2

    return weight


# By method: how far its window reaches, and the weight at a distance.
_WINDOWS: dict[str, tuple[float, Callable[[float], float]]] = {
    "bilinear": (1.0, lambda x: max(0.0, 1.0 - x)),
    "bicubic": (2.0, _cubic),
    "mitchellcubic": (2.0, _mitchell),
    "lanczos3": (3.0, _lanczos(3.0)),
    "lanczos5": (5.0, _lanczos(5.0)),
    "gaussian": (1.5, lambda x: float(np.exp(-2.0 * x * x)) if x < 1.5 else 0.0),
}
_PLAIN = {"bilinear": _bilinear, "bicubic": _bicubic, "area": _area}
METHODS = ("bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian", "mitchellcubic")


def weights(method: str, old: int, new: int, antialias: bool) -> np.ndarray:
    """The matrix of a method; `antialias` widens its window where the image shrinks, so that every old pixel counts."""
    if method in _PLAIN and (not antialias or method == "area"):
        return _PLAIN[method](old, new)
    reach, weight = _WINDOWS[method]
    scale = np.float32(old / new)
    half, wide = np.float32(0.5), max(scale, np.float32(1)) if antialias else np.float32(1)
    answer = np.zeros((new, old))
    for row in range(new):
        middle = (np.float32(row) + half) * scale
        first = max(int(np.ceil(middle - reach * wide - half)), 0)
        last = min(int(np.floor(middle + reach * wide - half)), old - 1)
        for column in range(first, last + 1):
            answer[row, column] = weight(float(abs(np.float32(column) + half - middle) / wide))
    return _summing_to_one(answer)


def _summing_to_one(answer: np.ndarray) -> np.ndarray:
    return (answer / answer.sum(1, keepdims=True)).astype(np.float32)


def nearest(old: int, new: int) -> np.ndarray:
    """For each new pixel the old one in which its centre lies."""
    middles = (np.arange(new, dtype=np.float32) + np.float32(0.5)) * np.float32(old / new)
    return np.minimum(np.floor(middles), old - 1).astype(int)
