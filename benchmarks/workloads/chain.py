"""A chain of single numbers: what an op costs when there is next to nothing to compute."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Step, Workload, library


def floor(length: int) -> Step:
    """Each op and its derivative, by hand, on 0-d arrays."""

    def step() -> list[Any]:
        x = y = np.array(1.0)
        factor = np.array(1.0001)
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


def taped(framework: str) -> Any:
    def make(length: int) -> Step:
        tf = library(framework)

        def step() -> list[Any]:
            x = tf.constant(1.0, tf.float64)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x
                for _ in range(length // 2):
                    y = y * 1.0001
                    y = y + x
            return [y.numpy(), tape.gradient(y, x).numpy()]

        return step

    return make


def torch(length: int) -> Step:
    import torch

    def step() -> list[Any]:
        x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
        y = x
        for _ in range(length // 2):
            y = y * 1.0001
            y = y + x
        y.backward()
        return [y.detach().numpy(), x.grad.numpy()]

    return step


def autograd(length: int) -> Step:
    from autograd import value_and_grad

    def program(x: Any) -> Any:
        y = x
        for _ in range(length // 2):
            y = y * 1.0001
            y = y + x
        return y

    return lambda: list(value_and_grad(program)(1.0))


MAKERS = {
    "floor": floor, "minitape": taped("minitape"), "torch": torch, "autograd": autograd, "tensorflow": taped("tensorflow"),
}  # fmt: skip
WORKLOADS = {
    f"chain of {length:,}": Workload(MAKERS, {"length": length}, {"length": 20}, per=length)
    for length in (1_000, 10_000, 100_000)
}
