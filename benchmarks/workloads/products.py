"""Hessian-vector products of a small net: a tape inside a tape, and an accumulator around a tape."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Step, Workload, library
from .mlp import arrays, net


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


def directions(weights: list[np.ndarray]) -> list[np.ndarray]:
    """A direction to move the weights in."""
    draw = np.random.default_rng(1)
    return [draw.normal(size=one.shape).astype(one.dtype) for one in weights]


def _loss(tf: Any, x: Any, target: Any, weights: list[Any]) -> Any:
    wrong = net(tf, x, weights) - target
    return tf.reduce_mean(wrong * wrong)


def reverse_over_reverse(framework: str) -> Any:
    def make(sizes: tuple[int, ...], batch: int) -> Step:
        tf = library(framework)
        data, wanted, start = arrays(sizes, batch, "float64")
        x, target, weights = tf.constant(data), tf.constant(wanted), [tf.Variable(one) for one in start]
        moved = [tf.constant(one) for one in directions(start)]

        def step() -> list[Any]:
            with tf.GradientTape() as outer:
                with tf.GradientTape() as inner:
                    loss = _loss(tf, x, target, weights)
                gradients = inner.gradient(loss, weights)
            return list(outer.gradient(gradients, weights, output_gradients=moved))

        return step

    return make


def forward_over_reverse(framework: str) -> Any:
    def make(sizes: tuple[int, ...], batch: int) -> Step:
        tf = library(framework)
        data, wanted, start = arrays(sizes, batch, "float64")
        x, target, weights = tf.constant(data), tf.constant(wanted), [tf.Variable(one) for one in start]
        moved = [tf.constant(one) for one in directions(start)]

        def step() -> list[Any]:
            with tf.autodiff.ForwardAccumulator(weights, moved) as accumulator:
                with tf.GradientTape() as tape:
                    loss = _loss(tf, x, target, weights)
                gradients = tape.gradient(loss, weights)
            return list(accumulator.jvp(gradients))

        return step

    return make


SETTINGS = {"sizes": (32, 64, 64, 10), "batch": 32}
SMALL = {"sizes": (3, 4, 2), "batch": 5}
WORKLOADS = {
    f"Hessian times vector, {name}": Workload(
        {"floor": floor, "minitape": how("minitape"), "tensorflow": how("tensorflow")}, SETTINGS, SMALL
    )
    for name, how in (("reverse over reverse", reverse_over_reverse), ("forward over reverse", forward_over_reverse))
}
