"""Reversible layers: what went in is rebuilt from what came out, so nothing in between is kept (Gomez et al. 2017, RevNet)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from ..custom import grad_pass_through
from ..ops.elementwise import round as to_whole
from ..record.refusal import refusal, value_error
from ..tensor import Operand, convert
from . import chance
from .errors import DriftWarning, warn
from .wrapper import AbstractRecomputeWrapper

SAMPLE = 16  # numbers of each value that are remembered to measure drift


class ReversibleLayer(AbstractRecomputeWrapper):
    """Additive coupling: y1 = x1 + f(x2), y2 = x2 + g(y1).  f and g need no inverse of their own.

    `exact` does the additions in fixed point, on a grid of 2^-24 (float32: 2^-8), where they can be undone to the bit;
    `preserve_rng` has f and g draw the same random numbers once more.  Raises ValueError where f or g gives another shape
    than the half that it is added to; OverflowError if numbers leave the range in which `exact` holds.

    >>> layer = tf.ReversibleLayer(tf.sin, tf.tanh)
    >>> y1, y2 = layer(tf.constant(1.0), tf.constant(2.0))
    >>> [round(float(x), 6) for x in layer.inverse(y1, y2)]
    [1.0, 2.0]
    """

    keeps_inputs: ClassVar[bool] = False
    hands_up: ClassVar[bool] = True

    def __init__(
        self, f: Callable[..., Any], g: Callable[..., Any], exact: bool = False, preserve_rng: bool = True
    ) -> None:
        self.f, self.g, self.exact, self.preserve_rng = f, g, exact, preserve_rng

    def call(self, x1: Any, x2: Any) -> Any:
        """The coupling."""
        y1 = self._grid(x1) + self._fitting("f", self._first("f", x2), x1)
        y2 = self._grid(x2) + self._fitting("g", self._first("g", y1), x2)
        return y1, y2

    def inverse(self, y1: Any, y2: Any) -> Any:
        """The inputs that give these outputs; blocks that draw random numbers can be undone in the backward pass only."""
        x2 = y2 - self._again("g", y1)
        return y1 - self._again("f", x2), x2

    def _gradient(self, grad_ys: Any, rev_ys: Any, **grad_kwargs: Any) -> tuple[Any, ...]:
        variables = grad_kwargs.get("variables", ())
        (dy1, dy2), (y1, y2) = grad_ys, rev_ys
        del grad_ys, rev_ys
        moved, (back,), by_g, _ = self._block_recompute_and_gradients(
            functools.partial(self._again, "g"), [y1], dy2, variables
        )
        # Each sum deletes its operands before the next begins: one array more would be a third of all that is held.
        x2 = y2 - moved
        del y2, moved
        dy1 = dy1 if back is None else dy1 + back
        del back
        moved, (back,), by_f, _ = self._block_recompute_and_gradients(
            functools.partial(self._again, "f"), [x2], dy1, variables
        )
        x1 = y1 - moved
        del y1, moved
        dx2 = dy2 if back is None else dy2 + back
        both = zip(by_f, by_g, strict=True)
        grad_vars = [
            gradient if other is None else other if gradient is None else gradient + other for gradient, other in both
        ]
        return (dy1, dx2), (x1, x2), grad_vars

    def _moved(self, block: str, x: Any) -> Any:
        function = self.f if block == "f" else self.g
        return self._grid(function(self._grid(x) if self.exact else x))

    def _fitting(self, block: str, moved: Any, half: Any) -> Any:
        """A block's output; raises ValueError where its shape is not that of the half that it is added to.

        Such a sum would broadcast, and could not be undone.
        """
        shape, wanted = convert(moved).tag.shape, convert(half).tag.shape
        if shape != wanted:
            raise value_error(
                f"{type(self).__name__}: {block} gave shape {shape}, to be added to a half of shape {wanted}",
                f"Have {block} keep the shape, as a layer of the same width does, or end it in tf.broadcast_to.",
            )
        return moved

    def _first(self, block: str, x: Any) -> Any:
        before = chance.states()
        value = self._moved(block, x)
        if sources := chance.drawn_from(before, chance.states()):
            record = self._record
            record.sources = [*record.sources, *sources]
            if self.preserve_rng:
                record.draws = {**(record.draws or {}), block: before}
        return value

    def _again(self, block: str, x: Any) -> Any:
        draws = (self._record.draws if self._at_work else None) or {}
        with chance.drawing_from(draws.get(block)):
            return self._moved(block, x)

    def _grid(self, value: Any) -> Any:
        if not self.exact:
            return value
        value = convert(value)
        fine, limit = (2.0**24, 2.0**28) if value.dtype == "float64" else (2.0**8, 2.0**15)
        if not bool(np.all(np.abs(value.array) < limit)):
            raise refusal(
                OverflowError,
                f"a value beyond {limit:g}: exact coupling holds numbers of type {value.dtype.name} below that",
            )
        return _whole(value * fine) / fine


_whole = grad_pass_through(to_whole)


class ReversibleSequential:
    """Reversible layers one after the other: a tape keeps the last outputs only, whatever the depth.

    Rebuilding is as good as floating point: each layer's rebuilt inputs are compared with a few remembered numbers.  Args:
    layers; drift, what to do beyond `tol` (relative; by default 1e-3, 1e-6 in float64): "warn", "raise" or "off"; anchor_every,
    keep true values after every so many layers, which bounds the drift.

    >>> net = tf.ReversibleSequential([tf.ReversibleLayer(tf.sin, tf.sin) for _ in range(8)])
    >>> x = tf.constant([1.0, 2.0])
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y1, y2 = net(x, x)
    >>> tape.gradient(y1, x).shape
    TensorShape([2])
    """

    def __init__(
        self,
        layers: Sequence[AbstractRecomputeWrapper],
        drift: str = "warn",
        tol: float | None = None,
        anchor_every: int | None = None,
    ) -> None:
        if drift not in ("warn", "raise", "off"):
            raise value_error(f"drift is 'warn', 'raise' or 'off', got {drift!r}")
        self.layers = list(layers)
        self.drift, self.tol, self.anchor_every = drift, tol, anchor_every
        self.errors: dict[int, float] = {}  # by layer: how far its rebuilt inputs were off, in the last backward pass

    def __call__(self, *x: Any) -> Any:
        values: Any = tuple([convert(value) if not isinstance(value, Operand) else value for value in x])
        for number, layer in enumerate(self.layers):
            anchor = self.anchor_every is not None and (number + 1) % self.anchor_every == 0
            values = layer._call(values, {}, anchor, self._watch(number, values))
        return values

    def inverse(self, *y: Any) -> Any:
        """The inputs that give these outputs."""
        for layer in reversed(self.layers):
            y = layer.inverse(*y)  # type: ignore[attr-defined]
        return y

    def _watch(self, number: int, values: Sequence[Any]) -> Any:
        if self.drift == "off":
            return None
        remembered = [_sample(value) for value in values]

        def compare(rebuilt: Sequence[Any]) -> None:
            largest = max(float(np.abs(sample).max(initial=0.0)) for sample in remembered) or 1.0
            off = max(
                float(np.abs(sample - _sample(other)).max(initial=0.0)) / largest
                for sample, other in zip(remembered, rebuilt, strict=True)
            )
            self.errors[number] = off
            tol = self.tol if self.tol is not None else 1e-6 if remembered[0].dtype == np.float64 else 1e-3
            if off > tol:
                text = (
                    f"layer {number} of {len(self.layers)} rebuilt its inputs {off:.2g} off, beyond {tol:g}: rounding grows on "
                    "the backward pass. Keep true values now and then (anchor_every=), use float64, or exact=True in the layers."
                )
                if self.drift == "raise":
                    raise refusal(FloatingPointError, text)
                warn(text, DriftWarning)

        return compare


def _sample(value: Any) -> np.ndarray:
    flat = value.array_now.reshape(-1)
    return flat[:: max(1, -(-flat.size // SAMPLE))].copy()
