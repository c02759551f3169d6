"""The tangent of the small net's output for a move of all its weights, against the net alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Step, Workload
from .frameworks import by_framework, functional, library
from .mlp import SIZES, arrays, net
from .products import directions


def primal(sizes: tuple[int, ...], batch: int, dtype: str) -> Step:
    """The net without any derivative, by hand."""
    x, _, weights = arrays(sizes, batch, dtype)
    return lambda: [net(np.tanh, x, weights)]


def floor(sizes: tuple[int, ...], batch: int, dtype: str) -> Step:
    """Value and tangent by hand: two more products a layer, so about three times the net alone."""
    x, _, weights = arrays(sizes, batch, dtype)
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


def taped(framework: str, sizes: tuple[int, ...], batch: int, dtype: str) -> Step:
    """Not a tape, an accumulator."""
    tf = library(framework)
    data, _, start = arrays(sizes, batch, dtype)
    x, weights = tf.constant(data), [tf.Variable(weight) for weight in start]
    moved = [tf.constant(direction) for direction in directions(start)]

    def step() -> list[Any]:
        with tf.autodiff.ForwardAccumulator(weights, moved) as accumulator:
            y = net(tf.tanh, x, weights)
        return [y, accumulator.jvp(y)]

    return step


def function(framework: str, sizes: tuple[int, ...], batch: int, dtype: str) -> Step:
    module, xp = functional(framework)
    data, _, start = arrays(sizes, batch, dtype)
    x, weights = xp.asarray(data), [xp.asarray(weight) for weight in start]
    moved = [xp.asarray(direction) for direction in directions(start)]

    def program(weights: Any) -> Any:
        return net(xp.tanh, x, weights)

    if framework == "jax":
        return lambda: [np.asarray(part) for part in module.jvp(program, (weights,), (moved,))]
    return lambda: list(module.make_jvp(program)(weights)(moved))


def torch(sizes: tuple[int, ...], batch: int, dtype: str) -> Step:
    import torch

    data, _, start = arrays(sizes, batch, dtype)
    x, weights = torch.from_numpy(data), [torch.from_numpy(weight) for weight in start]
    moved = [torch.from_numpy(direction) for direction in directions(start)]

    def program(weights: Any) -> Any:
        return net(torch.tanh, x, weights)

    return lambda: list(torch.func.jvp(program, (weights,), (moved,)))


MAKERS = by_framework(floor=floor, taped=taped, function=function, torch=torch, primal=primal)
SMALL = {"sizes": (3, 4, 2), "batch": 5}
WORKLOADS = {
    f"JVP over the net alone, {dtype}": Workload(
        MAKERS, {**SIZES, "dtype": dtype}, {**SMALL, "dtype": dtype}, against="primal", tolerance=tolerance
    )
    for dtype, tolerance in (("float64", 1e-9), ("float32", 1e-4))
}
