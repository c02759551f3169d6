"""A small net of dense layers, one gradient step: 64-256-256-10, 128 examples."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Step, Workload
from .frameworks import by_framework, functional, library

Arrays = list[np.ndarray]


def arrays(sizes: tuple[int, ...], batch: int, dtype: str) -> tuple[np.ndarray, np.ndarray, Arrays]:
    """Inputs, targets, and the weights and biases one after the other."""
    draw = np.random.default_rng(0)
    weights: Arrays = []
    for before, after in zip(sizes[:-1], sizes[1:], strict=True):
        weights.append((draw.normal(size=(before, after)) / np.sqrt(before)).astype(dtype))
        weights.append(np.zeros(after, dtype))
    x = draw.normal(size=(batch, sizes[0])).astype(dtype)
    return x, draw.normal(size=(batch, sizes[-1])).astype(dtype), weights


def floor(sizes: tuple[int, ...], batch: int, dtype: str) -> Step:
    """Forward and backward by hand."""
    x, target, weights = arrays(sizes, batch, dtype)
    layers = len(weights) // 2

    def step() -> list[Any]:
        values = [x]
        for i in range(layers):
            y = values[-1] @ weights[2 * i] + weights[2 * i + 1]
            values.append(np.tanh(y) if i < layers - 1 else y)
        wrong = values[-1] - target
        loss = np.mean(wrong * wrong)
        back = wrong * np.asarray(2.0 / wrong.size, dtype)
        gradients: list[Any] = []
        for i in reversed(range(layers)):
            after = values.pop()  # let go as it is passed
            if i < layers - 1:
                back = back * (1.0 - after * after)
            gradients[:0] = [values[-1].T @ back, back.sum(0)]
            if i:
                back = back @ weights[2 * i].T
        return [loss, *gradients]

    return step


def net(tanh: Any, x: Any, weights: list[Any]) -> Any:
    """The same net, for whatever multiplies matrices by `@`."""
    for i in range(0, len(weights), 2):
        x = x @ weights[i] + weights[i + 1]
        if i < len(weights) - 2:
            x = tanh(x)
    return x


def taped(framework: str, sizes: tuple[int, ...], batch: int, dtype: str) -> Step:
    tf = library(framework)
    data, wanted, start = arrays(sizes, batch, dtype)
    x, target, weights = tf.constant(data), tf.constant(wanted), [tf.Variable(weight) for weight in start]

    def step() -> list[Any]:
        with tf.GradientTape() as tape:
            wrong = net(tf.tanh, x, weights) - target
            loss = tf.reduce_mean(wrong * wrong)
        return [loss, *tape.gradient(loss, weights)]

    return step


def function(framework: str, sizes: tuple[int, ...], batch: int, dtype: str) -> Step:
    module, xp = functional(framework)
    data, wanted, start = arrays(sizes, batch, dtype)
    x, target, weights = xp.asarray(data), xp.asarray(wanted), [xp.asarray(weight) for weight in start]

    def loss(weights: Any) -> Any:
        wrong = net(xp.tanh, x, weights) - target
        return xp.mean(wrong * wrong)

    both = module.value_and_grad(loss)

    def step() -> list[Any]:
        value, gradients = both(weights)
        return [np.asarray(value), *[np.asarray(gradient) for gradient in gradients]]

    return step


def torch(sizes: tuple[int, ...], batch: int, dtype: str) -> Step:
    import torch

    data, wanted, start = arrays(sizes, batch, dtype)
    x, target = torch.from_numpy(data), torch.from_numpy(wanted)
    weights = [torch.from_numpy(weight).requires_grad_() for weight in start]

    def step() -> list[Any]:
        wrong = net(torch.tanh, x, weights) - target
        loss = (wrong * wrong).mean()
        return [loss.detach(), *torch.autograd.grad(loss, weights)]

    return step


def mygrad(sizes: tuple[int, ...], batch: int, dtype: str) -> Step:
    import mygrad

    x, target, start = arrays(sizes, batch, dtype)
    weights = [mygrad.tensor(weight) for weight in start]

    def step() -> list[Any]:
        wrong = net(mygrad.tanh, x, weights) - target
        loss = mygrad.mean(wrong * wrong)
        loss.backward()
        return [loss.data, *[weight.grad for weight in weights]]

    return step


MAKERS = by_framework(floor=floor, taped=taped, function=function, torch=torch, mygrad=mygrad)
SIZES = {"sizes": (64, 256, 256, 10), "batch": 128}
SMALL = {"sizes": (3, 4, 2), "batch": 5}
WORKLOADS = {
    "MLP, float64": Workload(MAKERS, {**SIZES, "dtype": "float64"}, {**SMALL, "dtype": "float64"}),
    "MLP, float32": Workload(MAKERS, {**SIZES, "dtype": "float32"}, {**SMALL, "dtype": "float32"}, tolerance=1e-4),
}
