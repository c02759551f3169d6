"""Hessian-vector products of a small net (32-64-64-10): reverse over reverse, and forward over reverse.

The goals come from a run that did not note its number of examples, but noted ratios to the floor: torch 3.0 in the one order and
9.7 in the other, autograd 8.6 and 6.6.  With 128 examples, as in `mlp`, they come back (3.0 and 7.4, 7.4 and 6.0 on a busy
machine); with 32 all four are twice as high or more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import Step, Workload
from .frameworks import by_framework, functional, library
from .mlp import arrays, net


def directions(weights: list[np.ndarray]) -> list[np.ndarray]:
    """A direction to move the weights in."""
    draw = np.random.default_rng(1)
    return [draw.normal(size=weight.shape).astype(weight.dtype) for weight in weights]


def floor(sizes: tuple[int, ...], batch: int) -> Step:
    """The tangent of the gradient by hand (Pearlmutter 1994): forward and backward, each with its tangent beside it."""
    x, target, weights = arrays(sizes, batch, "float64")
    moved = directions(weights)
    layers = len(weights) // 2

    def step() -> list[Any]:
        values, tangents = [x], [np.zeros_like(x)]
        for i in range(layers):
            y = values[-1] @ weights[2 * i] + weights[2 * i + 1]
            t = values[-1] @ moved[2 * i] + moved[2 * i + 1]
            if i:
                t = t + tangents[-1] @ weights[2 * i]
            if i < layers - 1:
                y = np.tanh(y)
                t = t * (1.0 - y * y)
            values.append(y)
            tangents.append(t)
        scale = 2.0 / values[-1].size
        back, back_t = (values[-1] - target) * scale, tangents[-1] * scale
        answer: list[Any] = []
        for i in reversed(range(layers)):
            if i < layers - 1:
                y, t = values[i + 1], tangents[i + 1]
                slope = 1.0 - y * y
                back_t = back_t * slope - 2.0 * back * y * t
                back = back * slope
            answer[:0] = [tangents[i].T @ back + values[i].T @ back_t, back_t.sum(0)]
            if i:
                back_t = back_t @ weights[2 * i].T + back @ moved[2 * i].T
                back = back @ weights[2 * i].T
        return answer

    return step


def _tapes(framework: str, sizes: tuple[int, ...], batch: int) -> tuple[Any, Callable[[], Any], list[Any], list[Any]]:
    """minitape or TensorFlow, the loss as a function of nothing, the weights, and the direction."""
    tf = library(framework)
    data, wanted, start = arrays(sizes, batch, "float64")
    x, target, weights = tf.constant(data), tf.constant(wanted), [tf.Variable(weight) for weight in start]

    def loss() -> Any:
        wrong = net(tf.tanh, x, weights) - target
        return tf.reduce_mean(wrong * wrong)

    return tf, loss, weights, [tf.constant(direction) for direction in directions(start)]


def taped_reverse_over_reverse(framework: str, sizes: tuple[int, ...], batch: int) -> Step:
    tf, loss, weights, moved = _tapes(framework, sizes, batch)

    def step() -> list[Any]:
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                value = loss()
            gradients = inner.gradient(value, weights)
        return list(outer.gradient(gradients, weights, output_gradients=moved))

    return step


def taped_forward_over_reverse(framework: str, sizes: tuple[int, ...], batch: int) -> Step:
    tf, loss, weights, moved = _tapes(framework, sizes, batch)

    def step() -> list[Any]:
        with tf.autodiff.ForwardAccumulator(weights, moved) as accumulator:
            with tf.GradientTape() as tape:
                value = loss()
            gradients = tape.gradient(value, weights)
        return list(accumulator.jvp(gradients))

    return step


def _of_functions(framework: str, sizes: tuple[int, ...], batch: int) -> tuple[Any, Any, Any, list[Any], list[Any]]:
    """autograd or jax, its NumPy, the loss as a function of the weights, the weights, and the direction."""
    module, xp = functional(framework)
    data, wanted, start = arrays(sizes, batch, "float64")
    x, target = xp.asarray(data), xp.asarray(wanted)

    def loss(weights: Any) -> Any:
        wrong = net(xp.tanh, x, weights) - target
        return xp.mean(wrong * wrong)

    return module, xp, loss, [xp.asarray(one) for one in start], [xp.asarray(one) for one in directions(start)]


def function_reverse_over_reverse(framework: str, sizes: tuple[int, ...], batch: int) -> Step:
    module, xp, loss, weights, moved = _of_functions(framework, sizes, batch)
    gradient = module.grad(loss)

    def along(weights: Any) -> Any:
        return sum(xp.sum(part * way) for part, way in zip(gradient(weights), moved, strict=True))

    product = module.grad(along)
    return lambda: [np.asarray(part) for part in product(weights)]


def function_forward_over_reverse(framework: str, sizes: tuple[int, ...], batch: int) -> Step:
    module, _, loss, weights, moved = _of_functions(framework, sizes, batch)
    gradient = module.grad(loss)
    if framework == "jax":
        return lambda: [np.asarray(part) for part in module.jvp(gradient, (weights,), (moved,))[1]]
    return lambda: list(module.make_jvp(gradient)(weights)(moved)[1])


def _torch(sizes: tuple[int, ...], batch: int) -> tuple[Any, list[Any], list[Any]]:
    """The loss as a function of the weights, the weights, and the direction."""
    import torch

    data, wanted, start = arrays(sizes, batch, "float64")
    x, target = torch.from_numpy(data), torch.from_numpy(wanted)

    def loss(weights: Any) -> Any:
        wrong = net(torch.tanh, x, weights) - target
        return (wrong * wrong).mean()

    return loss, [torch.from_numpy(one) for one in start], [torch.from_numpy(one) for one in directions(start)]


def torch_reverse_over_reverse(sizes: tuple[int, ...], batch: int) -> Step:
    import torch

    loss, start, moved = _torch(sizes, batch)
    weights = [weight.requires_grad_() for weight in start]

    def step() -> list[Any]:
        gradients = torch.autograd.grad(loss(weights), weights, create_graph=True)
        return list(torch.autograd.grad(gradients, weights, grad_outputs=moved))

    return step


def torch_forward_over_reverse(sizes: tuple[int, ...], batch: int) -> Step:
    import torch

    loss, weights, moved = _torch(sizes, batch)
    gradient = torch.func.grad(loss)
    return lambda: list(torch.func.jvp(gradient, (weights,), (moved,))[1])


SETTINGS = {"sizes": (32, 64, 64, 10), "batch": 128}
SMALL = {"sizes": (3, 4, 2), "batch": 5}
ORDERS = {
    "reverse over reverse": by_framework(
        floor=floor, taped=taped_reverse_over_reverse, function=function_reverse_over_reverse,
        torch=torch_reverse_over_reverse,
    ),
    "forward over reverse": by_framework(
        floor=floor, taped=taped_forward_over_reverse, function=function_forward_over_reverse,
        torch=torch_forward_over_reverse,
    ),
}  # fmt: skip
WORKLOADS = {f"Hessian times vector, {order}": Workload(makers, SETTINGS, SMALL) for order, makers in ORDERS.items()}
