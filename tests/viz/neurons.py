"""A net of single numbers, as courses build one by hand: a class for a neuron, a layer, the net."""

from __future__ import annotations

from typing import Any

import numpy as np

import minitape as tf


class Neuron:
    def __init__(self, inputs: int, numbers: Any) -> None:
        self.w = [tf.Variable(numbers.uniform(-1, 1)) for _ in range(inputs)]
        self.b = tf.Variable(0.0)

    def __call__(self, x: Any) -> Any:
        act = sum((wi * xi for wi, xi in zip(self.w, x, strict=True)), self.b)
        return tf.tanh(act)

    def parameters(self) -> list[Any]:
        return [*self.w, self.b]


class Layer:
    def __init__(self, inputs: int, outputs: int, numbers: Any) -> None:
        self.neurons = [Neuron(inputs, numbers) for _ in range(outputs)]

    def __call__(self, x: Any) -> Any:
        out = [neuron(x) for neuron in self.neurons]
        return out[0] if len(out) == 1 else out

    def parameters(self) -> list[Any]:
        return [p for neuron in self.neurons for p in neuron.parameters()]


class Net:
    def __init__(self, inputs: int, outputs: list[int]) -> None:
        sizes, numbers = [inputs, *outputs], np.random.default_rng(0)
        self.layers = [Layer(sizes[at], sizes[at + 1], numbers) for at in range(len(outputs))]

    def __call__(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self) -> list[Any]:
        return [p for layer in self.layers for p in layer.parameters()]
