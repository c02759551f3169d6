"""Two half moons told apart by 32 hidden units: many steps on small arrays, the shape of a lesson's training loop."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Step, Workload, library

RATE = 0.1


def arrays(dtype: str, examples: int = 256) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Points, labels (0 or 1), and the start."""
    draw = np.random.default_rng(0)
    angle = np.linspace(0.0, np.pi, examples // 2)
    upper = np.stack([np.cos(angle), np.sin(angle)], 1)
    points = np.concatenate([upper, [1.0, 0.5] - upper]) + draw.normal(size=(examples, 2)) * 0.1
    labels = np.repeat([[0.0], [1.0]], examples // 2, 0)
    start = [draw.normal(size=(2, 32)), np.zeros(32), draw.normal(size=(32, 1)) * 0.2, np.zeros(1)]
    return points.astype(dtype), labels.astype(dtype), [one.astype(dtype) for one in start]


def floor(steps: int, dtype: str) -> Step:
    """Logistic loss and its derivative by hand."""
    x, label, start = arrays(dtype)
    scale = np.asarray(1.0 / len(x), dtype)

    def run() -> list[Any]:
        w, b, u, c = [one.copy() for one in start]
        for _ in range(steps):
            hidden = np.tanh(x @ w + b)
            score = hidden @ u + c
            np.mean(np.logaddexp(0.0, score) - label * score)
            probability = 1.0 / (1.0 + np.exp(-score))
            back = (probability - label) * scale
            behind = (back @ u.T) * (1.0 - hidden * hidden)
            u, c = u - RATE * (hidden.T @ back), c - RATE * back.sum(0)
            w, b = w - RATE * (x.T @ behind), b - RATE * behind.sum(0)
        return [w, b, u, c]

    return run


def taped(framework: str) -> Any:
    def make(steps: int, dtype: str) -> Step:
        tf = library(framework)
        points, labels, start = arrays(dtype)
        x, label = tf.constant(points), tf.constant(labels)

        def run() -> list[Any]:
            weights = [tf.Variable(one) for one in start]
            w, b, u, c = weights
            for _ in range(steps):
                with tf.GradientTape() as tape:
                    hidden = tf.tanh(tf.matmul(x, w) + b)
                    score = tf.matmul(hidden, u) + c
                    loss = tf.reduce_mean(tf.math.softplus(score) - label * score)
                for one, gradient in zip(weights, tape.gradient(loss, weights), strict=True):
                    one.assign_sub(RATE * gradient)
            return list(weights)

        return run

    return make


def torch(steps: int, dtype: str) -> Step:
    import torch

    points, labels, start = arrays(dtype)
    x, label = torch.from_numpy(points), torch.from_numpy(labels)

    def run() -> list[Any]:
        weights = [torch.from_numpy(one.copy()).requires_grad_() for one in start]
        w, b, u, c = weights
        for _ in range(steps):
            hidden = torch.tanh(x @ w + b)
            score = hidden @ u + c
            loss = (torch.nn.functional.softplus(score) - label * score).mean()
            gradients = torch.autograd.grad(loss, weights)
            with torch.no_grad():
                for one, gradient in zip(weights, gradients, strict=True):
                    one -= RATE * gradient
        return [one.detach().numpy() for one in weights]

    return run


MAKERS = {"floor": floor, "minitape": taped("minitape"), "torch": torch, "tensorflow": taped("tensorflow")}
WORKLOADS = {
    f"two moons, {dtype}": Workload(
        MAKERS, {"steps": 300, "dtype": dtype}, {"steps": 3, "dtype": dtype}, per=300,
        tolerance=1e-9 if dtype == "float64" else 1e-2,
    )
    for dtype in ("float64", "float32")
}  # fmt: skip
