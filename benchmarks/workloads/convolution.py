"""A small net of convolutions, one gradient step: 28 x 28 pictures, two layers of 3 x 3 with pooling, ten classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Step, Workload
from .frameworks import by_framework, functional, library

CHANNELS = (1, 8, 16)


def arrays(side: int, batch: int) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Pictures (batch, height, width, channel), their classes one-hot, and two filters, a matrix and a bias."""
    draw = np.random.default_rng(0)
    weights = [
        draw.normal(size=(3, 3, before, after)) / (9 * before) ** 0.5
        for before, after in zip(CHANNELS[:-1], CHANNELS[1:], strict=True)
    ]
    features = (side // 4) ** 2 * CHANNELS[-1]
    weights += [draw.normal(size=(features, 10)) / features**0.5, np.zeros(10)]
    pictures = draw.normal(size=(batch, side, side, 1))
    classes = np.eye(10)[draw.integers(0, 10, batch)]
    return pictures.astype("float32"), classes.astype("float32"), [weight.astype("float32") for weight in weights]


# ---- by hand --------------------------------------------------------------------------------------------------------------


def patches(x: np.ndarray) -> np.ndarray:
    """The 3 x 3 surroundings of every pixel as a row, zeros beyond the edge."""
    around = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    seen = np.lib.stride_tricks.sliding_window_view(around, (3, 3), (1, 2))
    return seen.transpose(0, 1, 2, 4, 5, 3).reshape(-1, 9 * x.shape[3])


def scattered(rows: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The transpose of `patches`: every entry added to the pixel that it came from."""
    batch, height, width, channels = shape
    around = np.zeros((batch, height + 2, width + 2, channels), rows.dtype)
    parts = rows.reshape(batch, height, width, 3, 3, channels)
    for i in range(3):
        for j in range(3):
            around[:, i : i + height, j : j + width] += parts[:, :, :, i, j]
    return around[:, 1:-1, 1:-1]


def pooled(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The largest of every 2 x 2 pixels, and where it was."""
    batch, height, width, channels = x.shape
    squares = x.reshape(batch, height // 2, 2, width // 2, 2, channels)
    largest = squares.max((2, 4), keepdims=True)
    return largest[:, :, 0, :, 0], squares == largest


def spread(g: np.ndarray, where: np.ndarray) -> np.ndarray:
    """The backward pass of `pooled`."""
    batch, height, _, width, _, channels = where.shape
    return (g[:, :, None, :, None] * where).reshape(batch, 2 * height, 2 * width, channels)


def floor(side: int, batch: int) -> Step:
    """Convolutions as products of patches and filters; forward and backward by hand."""
    pictures, classes, (first, second, matrix, bias) = arrays(side, batch)

    def step() -> list[Any]:
        rows1 = patches(pictures)
        y, where1 = pooled((rows1 @ first.reshape(9, -1)).reshape(batch, side, side, -1))
        hidden1 = np.maximum(y, 0)
        rows2 = patches(hidden1)
        y, where2 = pooled((rows2 @ second.reshape(-1, CHANNELS[2])).reshape(batch, side // 2, side // 2, -1))
        hidden2 = np.maximum(y, 0)
        flat = hidden2.reshape(batch, -1)
        scores = flat @ matrix + bias
        scores -= scores.max(1, keepdims=True)
        powers = np.exp(scores)
        sums = powers.sum(1, keepdims=True)
        loss = np.mean((classes * (np.log(sums) - scores)).sum(1))
        back = (powers / sums - classes) / np.float32(batch)
        g = spread((back @ matrix.T).reshape(hidden2.shape) * (hidden2 > 0), where2).reshape(-1, CHANNELS[2])
        second_gradient = (rows2.T @ g).reshape(second.shape)
        g = scattered(g @ second.reshape(-1, CHANNELS[2]).T, hidden1.shape) * (hidden1 > 0)
        g = spread(g, where1).reshape(-1, CHANNELS[1])
        return [loss, (rows1.T @ g).reshape(first.shape), second_gradient, flat.T @ back, back.sum(0)]

    return step


# ---- by the frameworks ------------------------------------------------------------------------------------------------------


def taped(framework: str, side: int, batch: int) -> Step:
    tf = library(framework)
    pictures, classes, start = arrays(side, batch)
    x, labels, weights = tf.constant(pictures), tf.constant(classes), [tf.Variable(weight) for weight in start]

    def step() -> list[Any]:
        with tf.GradientTape() as tape:
            hidden = x
            for filters in weights[:2]:
                hidden = tf.nn.conv2d(hidden, filters, strides=1, padding="SAME")
                hidden = tf.nn.relu(tf.nn.max_pool2d(hidden, ksize=2, strides=2, padding="VALID"))
            scores = tf.reshape(hidden, (batch, -1)) @ weights[2] + weights[3]
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=scores))
        return [loss, *tape.gradient(loss, weights)]

    return step


def jax(side: int, batch: int) -> Step:
    module, jnp = functional("jax")
    lax = module.lax
    pictures, classes, start = arrays(side, batch)
    x, labels, weights = jnp.asarray(pictures), jnp.asarray(classes), [jnp.asarray(weight) for weight in start]

    def loss(weights: Any) -> Any:
        hidden = x
        for filters in weights[:2]:
            hidden = lax.conv_general_dilated(
                hidden, filters, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
            )
            hidden = lax.reduce_window(hidden, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
            hidden = module.nn.relu(hidden)
        scores = hidden.reshape(batch, -1) @ weights[2] + weights[3]
        return -jnp.mean(jnp.sum(labels * module.nn.log_softmax(scores), 1))

    both = module.value_and_grad(loss)

    def step() -> list[Any]:
        value, gradients = both(weights)
        return [np.asarray(value), *[np.asarray(gradient) for gradient in gradients]]

    return step


def channels_first(start: list[np.ndarray], side: int) -> list[np.ndarray]:
    """The weights in the order of those who keep channels before height and width."""
    first, second, matrix, bias = start
    features = matrix.reshape(side // 4, side // 4, CHANNELS[2], 10).transpose(2, 0, 1, 3).reshape(-1, 10)
    return [*[np.ascontiguousarray(kernel.transpose(3, 2, 0, 1)) for kernel in (first, second)], features, bias]


def channels_last(gradients: list[np.ndarray], side: int) -> list[np.ndarray]:
    """And their gradients back in ours."""
    first, second, matrix, bias = gradients
    features = matrix.reshape(CHANNELS[2], side // 4, side // 4, 10).transpose(1, 2, 0, 3).reshape(-1, 10)
    return [*[kernel.transpose(2, 3, 1, 0) for kernel in (first, second)], features, bias]


def torch(side: int, batch: int) -> Step:
    import torch

    F = torch.nn.functional
    pictures, classes, start = arrays(side, batch)
    x, labels = torch.from_numpy(pictures.transpose(0, 3, 1, 2).copy()), torch.from_numpy(classes)
    weights = [torch.from_numpy(weight).requires_grad_() for weight in channels_first(start, side)]

    def step() -> list[Any]:
        hidden = x
        for filters in weights[:2]:
            hidden = F.relu(F.max_pool2d(F.conv2d(hidden, filters, padding=1), 2))
        loss = F.cross_entropy(hidden.reshape(batch, -1) @ weights[2] + weights[3], labels)
        gradients = torch.autograd.grad(loss, weights)
        return [loss.detach(), *channels_last([gradient.numpy() for gradient in gradients], side)]

    return step


def mygrad(side: int, batch: int) -> Step:
    import mygrad
    from mygrad.nnet import conv_nd, max_pool, relu, softmax_crossentropy

    pictures, classes, start = arrays(side, batch)
    x, labels = pictures.transpose(0, 3, 1, 2).copy(), classes.argmax(1)
    weights = [mygrad.tensor(weight) for weight in channels_first(start, side)]

    def step() -> list[Any]:
        hidden: Any = x
        for filters in weights[:2]:
            hidden = relu(max_pool(conv_nd(hidden, filters, stride=1, padding=1), (2, 2), 2))
        loss = softmax_crossentropy(hidden.reshape(batch, -1) @ weights[2] + weights[3], labels)
        loss.backward()
        return [loss.data, *channels_last([weight.grad for weight in weights], side)]

    return step


MAKERS = by_framework(floor=floor, taped=taped, jax=jax, torch=torch, mygrad=mygrad)
WORKLOADS = {
    "convolutions, float32": Workload(MAKERS, {"side": 28, "batch": 64}, {"side": 8, "batch": 3}, tolerance=1e-3)
}
