"""The k-th derivative of x**10 by k tapes inside each other."""

from __future__ import annotations

from contextlib import ExitStack
from math import perm
from typing import Any

import numpy as np

from . import Step, Workload
from .frameworks import by_framework, functional, library

AT = 1.1


def floor(order: int) -> Step:
    """The closed form, on a 0-d array."""
    x = np.array(AT)
    return lambda: [perm(10, order) * x ** (10 - order)]


def taped(framework: str, order: int) -> Step:
    tf = library(framework)
    x = tf.constant(AT, tf.float64)

    def step() -> list[Any]:
        with ExitStack() as open_tapes:
            tapes = [open_tapes.enter_context(tf.GradientTape()) for _ in range(order)]
            for tape in tapes:
                tape.watch(x)
            y = x**10.0
            for tape in reversed(tapes[1:]):
                y = tape.gradient(y, x)
        return [tapes[0].gradient(y, x)]

    return step


def function(framework: str, order: int) -> Step:
    module, _ = functional(framework)

    def derivative(x: Any) -> Any:
        return x**10.0

    for _ in range(order):
        derivative = module.grad(derivative)
    return lambda: [float(derivative(AT))]


def torch(order: int) -> Step:
    import torch

    x = torch.tensor(AT, dtype=torch.float64, requires_grad=True)

    def step() -> list[Any]:
        y = x**10.0
        for left in reversed(range(order)):
            (y,) = torch.autograd.grad(y, x, create_graph=left > 0)
        return [y]

    return step


def mygrad(order: int) -> Step:
    """The first derivative alone: its gradients are plain arrays."""
    import mygrad

    def step() -> list[Any]:
        x = mygrad.tensor(AT)
        (x**10.0).backward()
        return [x.grad]

    return step


def micrograd(order: int) -> Step:
    """The first derivative alone: its gradients are plain numbers."""
    from micrograd.engine import Value

    def step() -> list[Any]:
        x = Value(AT)
        (x**10.0).backward()
        return [x.grad]

    return step


MAKERS = by_framework(floor=floor, taped=taped, function=function, torch=torch)
FIRST = {"mygrad": mygrad, "micrograd": micrograd}
WORKLOADS = {
    f"derivative {k} of x**10": Workload({**MAKERS, **(FIRST if k == 1 else {})}, {"order": k}, {"order": k})
    for k in range(1, 7)
}
