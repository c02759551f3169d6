"""The setting in which a guide's program runs: its random numbers and fresh weights injected, its plots thrown away.

The printed words under tests/data/guides/ are TensorFlow's own: NAME.out is what `run` printed with TensorFlow as `tf`.
"""

from __future__ import annotations

import contextlib
import io
import pathlib
from typing import Any

import numpy as np

FOLDER = pathlib.Path(__file__).parent / "data" / "guides"


class Draws:
    """The same numbers for everybody."""

    def __init__(self, tf: Any) -> None:
        self._tf = tf
        self._draw = np.random.default_rng(7)

    def normal(self, shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None) -> Any:
        return self._tf.constant((self._draw.standard_normal(tuple(shape)) * stddev + mean).astype("float32"))

    def uniform(self, shape: Any, minval: float = 0.0, maxval: float = 1.0, dtype: Any = None, seed: Any = None) -> Any:
        return self._tf.constant((self._draw.random(tuple(shape)) * (maxval - minval) + minval).astype("float32"))

    def settled(self, layer: Any, shape: Any = None) -> Any:
        """The layer, with weights that were drawn here."""
        if shape is not None:
            layer(self._tf.zeros(shape))
        for one in layer.weights:
            one.assign(self._draw.standard_normal(tuple(one.shape)).astype("float32") * 0.5)
        return layer


class Nowhere:
    """Plots whatever it is given, which must at least be numbers."""

    def __getattr__(self, name: str) -> Any:
        def draw(*data: Any, **options: Any) -> None:
            for one in data:
                if not isinstance(one, str):
                    np.asarray(one, dtype=float)

        return draw


def run(name: str, tf: Any) -> str:
    """What the program prints."""
    draws, printed = Draws(tf), io.StringIO()
    before = tf.random.normal, tf.random.uniform
    tf.random.normal, tf.random.uniform = draws.normal, draws.uniform
    program = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    space = {"tf": tf, "np": np, "plt": Nowhere(), "settled": draws.settled, "__name__": name}
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(program, f"{name}.py", "exec"), space)
    finally:
        tf.random.normal, tf.random.uniform = before
    return printed.getvalue()
