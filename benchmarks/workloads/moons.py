"""Two half moons told apart by 32 hidden units (2-32-1): many steps on small arrays, the shape of a lesson's training loop.

The goals come from a run that did not note its number of examples, but noted ratios to the floor: torch took 2.6 times as
long in float64 and 4.4 in float32, mygrad 3.3 and 4.9, and the floor itself took 0.56 of its time in float32.  With 256
examples all five come back within the noise (2.6 and 4.9, 3.3 and 4.9, 0.63); the last alone would want about 500, where
torch's two do not fit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Step, Workload
from .frameworks import by_framework, functional, library

RATE = 0.1
EXAMPLES = 256


def arrays(dtype: str) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Points, labels (0 or 1), and the start."""
    draw = np.random.default_rng(0)
    angle = np.linspace(0.0, np.pi, EXAMPLES // 2)
    upper = np.stack([np.cos(angle), np.sin(angle)], 1)
    points = np.concatenate([upper, [1.0, 0.5] - upper]) + draw.normal(size=(EXAMPLES, 2)) * 0.1
    labels = np.repeat([[0.0], [1.0]], EXAMPLES // 2, 0)
    start = [draw.normal(size=(2, 32)), np.zeros(32), draw.normal(size=(32, 1)) * 0.2, np.zeros(1)]
    return points.astype(dtype), labels.astype(dtype), [weight.astype(dtype) for weight in start]


def floor(steps: int, dtype: str) -> Step:
    """Logistic loss and its derivative by hand."""
    x, label, start = arrays(dtype)
    scale = np.asarray(1.0 / len(x), dtype)

    def run() -> list[Any]:
        w, b, u, c = [weight.copy() for weight in start]
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


def taped(framework: str, steps: int, dtype: str) -> Step:
    tf = library(framework)
    points, labels, start = arrays(dtype)
    x, label = tf.constant(points), tf.constant(labels)

    def run() -> list[Any]:
        weights = [tf.Variable(weight) for weight in start]
        w, b, u, c = weights
        for _ in range(steps):
            with tf.GradientTape() as tape:
                hidden = tf.tanh(x @ w + b)
                score = hidden @ u + c
                loss = tf.reduce_mean(tf.math.softplus(score) - label * score)
            for weight, gradient in zip(weights, tape.gradient(loss, weights), strict=True):
                weight.assign_sub(RATE * gradient)
        return [weight.numpy() for weight in weights]

    return run


def function(framework: str, steps: int, dtype: str) -> Step:
    module, xp = functional(framework)
    points, labels, start = arrays(dtype)
    x, label = xp.asarray(points), xp.asarray(labels)

    def loss(weights: Any) -> Any:
        w, b, u, c = weights
        score = xp.tanh(x @ w + b) @ u + c
        return xp.mean(xp.logaddexp(xp.zeros_like(label), score) - label * score)

    gradient_of = module.grad(loss)

    def run() -> list[Any]:
        weights = [xp.asarray(weight) for weight in start]
        for _ in range(steps):
            weights = [weight - RATE * gradient for weight, gradient in zip(weights, gradient_of(weights), strict=True)]
        return [np.asarray(weight) for weight in weights]

    return run


def torch(steps: int, dtype: str) -> Step:
    import torch

    points, labels, start = arrays(dtype)
    x, label = torch.from_numpy(points), torch.from_numpy(labels)

    def run() -> list[Any]:
        weights = [torch.from_numpy(weight.copy()).requires_grad_() for weight in start]
        w, b, u, c = weights
        for _ in range(steps):
            score = torch.tanh(x @ w + b) @ u + c
            loss = (torch.nn.functional.softplus(score) - label * score).mean()
            gradients = torch.autograd.grad(loss, weights)
            with torch.no_grad():
                for weight, gradient in zip(weights, gradients, strict=True):
                    weight -= RATE * gradient
        return [weight.detach() for weight in weights]

    return run


def mygrad(steps: int, dtype: str) -> Step:
    import mygrad

    x, label, start = arrays(dtype)
    zero = np.zeros_like(label)

    def run() -> list[Any]:
        weights = [mygrad.tensor(weight) for weight in start]
        w, b, u, c = weights
        for _ in range(steps):
            score = mygrad.tanh(x @ w + b) @ u + c
            loss = mygrad.mean(mygrad.logaddexp(zero, score) - label * score)
            loss.backward()
            for weight in weights:
                weight.data -= RATE * weight.grad
        return [weight.data for weight in weights]

    return run


MAKERS = by_framework(floor=floor, taped=taped, function=function, torch=torch, mygrad=mygrad)
WORKLOADS = {
    f"two moons, {dtype}": Workload(
        MAKERS, {"steps": 1_000, "dtype": dtype}, {"steps": 3, "dtype": dtype}, per=1_000, tolerance=tolerance,
    )
    for dtype, tolerance in (("float64", 1e-9), ("float32", 1e-2))
}  # fmt: skip
