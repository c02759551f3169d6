"""The tangent of the small net's output for a move of all its weights, against the net alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Step, Workload, library
from .mlp import SIZES, arrays, net
from .products import directions


def primal(sizes: tuple[int, ...], batch: int) -> Step:
    """The net without any derivative, by hand."""
    x, _, weights = arrays(sizes, batch, "float64")

    def step() -> list[Any]:
        y = x
        for i in range(0, len(weights), 2):
            y = y @ weights[i] + weights[i + 1]
            if i < len(weights) - 2:
                y = np.tanh(y)
        return [y]

    return step


def floor(sizes: tuple[int, ...], batch: int) -> Step:
    """Value and tangent by hand: two more products a layer, so about three times the net alone."""
    x, _, weights = arrays(sizes, batch, "float64")
    moved = directions(weights)

    def step() -> list[Any]:
        y, t = x, None
        for i in range(0, len(weights), 2):
            onward = y @ moved[i] + moved[i + 1]
            t = onward if t is None else onward + t @ weights[i]
            y = y @ weights[i] + weights[i + 1]
            if i < len(weights) - 2:
                y = np.tanh(y)
                t = t * (1.0 - y * y)
        return [y, t]

    return step


def accumulated(framework: str) -> Any:
    def make(sizes: tuple[int, ...], batch: int) -> Step:
        tf = library(framework)
        data, _, start = arrays(sizes, batch, "float64")
        x, weights = tf.constant(data), [tf.Variable(one) for one in start]
        moved = [tf.constant(one) for one in directions(start)]

        def step() -> list[Any]:
            with tf.autodiff.ForwardAccumulator(weights, moved) as accumulator:
                y = net(tf, x, weights)
            return [y, accumulator.jvp(y)]

        return step

    return make


WORKLOADS = {
    "JVP over the net alone": Workload(
        {"primal": primal, "floor": floor, "minitape": accumulated("minitape"), "tensorflow": accumulated("tensorflow")},
        dict(SIZES), {"sizes": (3, 4, 2), "batch": 5}, against="primal",
    )
}  # fmt: skip
