"""The Jacobian of a small net's 10 outputs by its 64 inputs, a row at a time and a column at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Step, Workload
from .frameworks import by_framework, functional, library
from .mlp import arrays, net


def start(sizes: tuple[int, ...]) -> tuple[np.ndarray, list[np.ndarray]]:
    """One example as a row, and the weights."""
    x, _, weights = arrays(sizes, 1, "float64")
    return x, weights


def floor_reverse(sizes: tuple[int, ...]) -> Step:
    """All rows at once: the identity of the outputs, taken back through the layers."""
    x, weights = start(sizes)

    def step() -> list[Any]:
        y, slopes = x, []
        for i in range(0, len(weights) - 2, 2):
            y = np.tanh(y @ weights[i] + weights[i + 1])
            slopes.append(1.0 - y * y)
        back = weights[-2].T
        for i in reversed(range(len(slopes))):
            back = (back * slopes[i]) @ weights[2 * i].T
        return [back]

    return step


def floor_forward(sizes: tuple[int, ...]) -> Step:
    """All columns at once: the identity of the inputs, taken forward beside the value."""
    x, weights = start(sizes)

    def step() -> list[Any]:
        y, t = x, None
        for i in range(0, len(weights) - 2, 2):
            t = weights[i] if t is None else t @ weights[i]
            y = np.tanh(y @ weights[i] + weights[i + 1])
            t = t * (1.0 - y * y)
        return [(weights[-2] if t is None else t @ weights[-2]).T]

    return step


def taped_reverse(framework: str, sizes: tuple[int, ...]) -> Step:
    """TensorFlow without its vectorizing, which compiles a program for each call and is far slower for one so small."""
    tf = library(framework)
    data, fixed = start(sizes)
    x, weights = tf.constant(data), [tf.constant(weight) for weight in fixed]
    looped = {} if framework == "minitape" else {"experimental_use_pfor": False}

    def step() -> list[Any]:
        with tf.GradientTape(persistent=bool(looped)) as tape:
            tape.watch(x)
            y = net(tf.tanh, x, weights)
        return [tape.jacobian(y, x, **looped)]

    return step


def taped_forward(framework: str, sizes: tuple[int, ...]) -> Step:
    """An accumulator carries one direction, a pass for each input; one that takes a batch of them, all in one pass.

    TensorFlow's own compiles a program for each op, as its `jacobian` does, and is left out for the same reason.
    """
    tf = library(framework)
    data, fixed = start(sizes)
    x, weights = tf.constant(data), [tf.constant(weight) for weight in fixed]
    directions = tf.constant(np.eye(sizes[0])[:, None])

    def at_once() -> list[Any]:
        with tf.autodiff.ForwardAccumulator._batch_accumulator(x, directions) as accumulator:
            y = net(tf.tanh, x, weights)
        return [tf.transpose(accumulator.jvp(y)[:, 0])]

    if framework == "minitape":
        return at_once
    columns = [tf.constant(direction[None]) for direction in np.eye(sizes[0])]

    def step() -> list[Any]:
        found = []
        for column in columns:
            with tf.autodiff.ForwardAccumulator(x, column) as accumulator:
                y = net(tf.tanh, x, weights)
            found.append(accumulator.jvp(y)[0])
        return [tf.stack(found, axis=1)]

    return step


def _of_functions(framework: str, sizes: tuple[int, ...]) -> tuple[Any, Any, Any]:
    """autograd or jax, the net as a function of its input, and the input."""
    module, xp = functional(framework)
    data, fixed = start(sizes)
    weights = [xp.asarray(weight) for weight in fixed]
    return module, lambda x: net(xp.tanh, x, weights)[0], xp.asarray(data)


def function_reverse(framework: str, sizes: tuple[int, ...]) -> Step:
    module, program, x = _of_functions(framework, sizes)
    jacobian = module.jacrev(program) if framework == "jax" else module.jacobian(program)
    return lambda: [np.asarray(jacobian(x))]


def function_forward(framework: str, sizes: tuple[int, ...]) -> Step:
    """jax carries all directions at once; autograd one at a time."""
    module, program, x = _of_functions(framework, sizes)
    if framework == "jax":
        jacobian = module.jacfwd(program)
        return lambda: [np.asarray(jacobian(x))]
    columns = [direction[None] for direction in np.eye(sizes[0])]
    return lambda: [np.stack([module.make_jvp(program)(x)(column)[1] for column in columns], axis=1)]


def torch(direction: str, sizes: tuple[int, ...]) -> Step:
    import torch

    data, fixed = start(sizes)
    x, weights = torch.from_numpy(data), [torch.from_numpy(weight) for weight in fixed]

    def program(x: Any) -> Any:
        return net(torch.tanh, x, weights)[0]

    jacobian = (torch.func.jacrev if direction == "reverse" else torch.func.jacfwd)(program)
    return lambda: [jacobian(x)]


def torch_reverse(sizes: tuple[int, ...]) -> Step:
    return torch("reverse", sizes)


def torch_forward(sizes: tuple[int, ...]) -> Step:
    return torch("forward", sizes)


SETTINGS = {"sizes": (64, 64, 64, 10)}
SMALL = {"sizes": (3, 4, 2)}
MODES = {
    "reverse": by_framework(floor=floor_reverse, taped=taped_reverse, function=function_reverse, torch=torch_reverse),
    "forward": by_framework(floor=floor_forward, taped=taped_forward, function=function_forward, torch=torch_forward),
}
WORKLOADS = {f"Jacobian, {mode}": Workload(makers, SETTINGS, SMALL) for mode, makers in MODES.items()}
