"""The k-th derivative of x**10 by k tapes inside each other."""

from __future__ import annotations

from contextlib import ExitStack
from math import perm
from typing import Any

from . import Step, Workload, library


def floor(order: int) -> Step:
    """The closed form."""
    return lambda: [perm(10, order) * 1.1 ** (10 - order)]


def taped(framework: str) -> Any:
    def make(order: int) -> Step:
        tf = library(framework)
        x = tf.constant(1.1, tf.float64)

        def step() -> list[Any]:
            with ExitStack() as open_tapes:
                tapes = [open_tapes.enter_context(tf.GradientTape()) for _ in range(order)]
                for tape in tapes:
                    tape.watch(x)
                y = x**10.0
                for tape in reversed(tapes[1:]):
                    y = tape.gradient(y, x)
            return [tapes[0].gradient(y, x).numpy()]

        return step

    return make


def torch(order: int) -> Step:
    import torch

    x = torch.tensor(1.1, dtype=torch.float64, requires_grad=True)

    def step() -> list[Any]:
        y = x**10.0
        for left in reversed(range(order)):
            (y,) = torch.autograd.grad(y, x, create_graph=left > 0)
        return [y.detach().numpy()]

    return step


MAKERS = {"floor": floor, "minitape": taped("minitape"), "torch": torch, "tensorflow": taped("tensorflow")}
WORKLOADS = {f"derivative {k} of x**10": Workload(MAKERS, {"order": k}, {"order": k}) for k in range(1, 7)}
