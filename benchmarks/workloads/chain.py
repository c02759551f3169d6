"""A chain of single numbers: what an op costs when there is next to nothing to compute."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from . import Step, Workload
from .frameworks import by_framework, functional, library

FACTOR = 1.0001


def floor(length: int) -> Step:
    """Each op and its derivative, by hand, on 0-d arrays."""

    def step() -> list[Any]:
        x = y = np.array(1.0)
        factor = np.array(FACTOR)
        kept = []
        for _ in range(length // 2):
            kept.append(factor)
            y = np.multiply(y, factor)
            y = np.add(y, x)
        back, total = np.array(1.0), np.array(0.0)
        for _ in range(length // 2):
            total = np.add(total, back)
            back = np.multiply(back, kept.pop())
        return [y, total + back]

    return step


def program(x: Any, length: int) -> Any:
    """The chain, for whatever has arithmetic."""
    y = x
    for _ in range(length // 2):
        y = y * FACTOR
        y = y + x
    return y


def taped(framework: str, length: int) -> Step:
    tf = library(framework)

    def step() -> list[Any]:
        x = tf.constant(1.0, tf.float64)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = program(x, length)
        return [y, tape.gradient(y, x)]

    return step


def function(framework: str, length: int) -> Step:
    both = functional(framework)[0].value_and_grad(lambda x: program(x, length))
    return lambda: [float(slope) for slope in both(1.0)]


def torch(length: int) -> Step:
    import torch

    def step() -> list[Any]:
        x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
        y = program(x, length)
        y.backward()
        return [y.detach(), x.grad]

    return step


def mygrad(length: int) -> Step:
    import mygrad

    def step() -> list[Any]:
        x = mygrad.tensor(1.0)
        y = program(x, length)
        y.backward()
        return [y.data, x.grad]

    return step


def micrograd(length: int) -> Step:
    """On Python's numbers; it sorts its graph by recursion, so the limit follows the chain's length."""
    from micrograd.engine import Value

    sys.setrecursionlimit(2 * length + 1_000)

    def step() -> list[Any]:
        x = Value(1.0)
        y = program(x, length)
        y.backward()
        return [y.data, x.grad]

    return step


MAKERS = by_framework(floor=floor, taped=taped, function=function, torch=torch, mygrad=mygrad, micrograd=micrograd)
WORKLOADS = {
    f"chain of {length:,}": Workload(MAKERS, {"length": length}, {"length": 20}, per=length)
    for length in (1_000, 10_000, 100_000)
}
