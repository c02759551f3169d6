"""Programs on arrays as people write them in a cell: a net's steps, attention, a convolution, regions, a Hessian, a NaN."""

from __future__ import annotations

from typing import Any

import numpy as np

import minitape as tf
import viz


def _some(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype("f") * 0.5


def classifier() -> None:
    """Three training steps of two layers."""
    x, labels = tf.constant(_some(16, 4)), tf.constant(np.arange(16) % 3)
    W1, b1 = tf.Variable(_some(4, 8), name="W1"), tf.Variable(tf.zeros([8]), name="b1")
    W2, b2 = tf.Variable(_some(8, 3), name="W2"), tf.Variable(tf.zeros([3]), name="b2")
    weights = [W1, b1, W2, b2]
    for _ in range(3):
        with tf.GradientTape() as tape:
            h = tf.tanh(x @ W1 + b1)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, h @ W2 + b2))
        for weight, slope in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(0.1 * slope)


def convolution() -> None:
    """A filter, a pool and a layer."""
    x, k, w = (
        tf.constant(_some(2, 6, 6, 1)),
        tf.Variable(_some(3, 3, 1, 2), name="k"),
        tf.Variable(_some(8, 2), name="w"),
    )
    with tf.GradientTape() as tape:
        h = tf.nn.relu(tf.nn.conv2d(x, k, 1, "VALID"))
        loss = tf.reduce_sum((tf.reshape(tf.nn.max_pool2d(h, 2, 2, "VALID"), [2, 8]) @ w) ** 2)
    tape.gradient(loss, [k, w])


def attention() -> None:
    """Two heads, twice."""
    x = tf.constant(_some(3, 4))
    layers = [[tf.Variable(_some(4, 4), name=f"{name}{i}") for name in "QKVO"] for i in range(2)]
    with tf.GradientTape() as tape:
        h = x
        for Q, K, V, O in layers:
            heads = []
            for at in (slice(0, 2), slice(2, 4)):
                q, k, v = (h @ Q)[:, at], (h @ K)[:, at], (h @ V)[:, at]
                heads.append(tf.nn.softmax(q @ tf.transpose(k) / 1.414) @ v)
            h = h + tf.concat(heads, 1) @ O
        loss = tf.reduce_mean(h * h)
    tape.gradient(loss, [weight for layer in layers for weight in layer])


def regions() -> None:
    """A region that runs again inside of another, with matrices that come back along edges around both."""
    W1 = tf.Variable([[0.5, 0.2], [0.1, -0.3]], name="W1")
    inner = tf.recompute_grad(lambda z: tf.tanh(z @ W1))
    outer = tf.recompute_grad(lambda z: inner(inner(z)) * 2.0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(outer(tf.constant([[1.0, 2.0]])))
    tape.gradient(loss, W1)


def reversible() -> None:
    """Two layers whose halves have a weight each."""
    W, V = tf.Variable([[0.3, 0.1], [0.2, -0.4]], name="W"), tf.Variable([[0.1, 0.5], [-0.2, 0.3]], name="V")
    layers = [tf.ReversibleLayer(lambda h: tf.tanh(h @ W), lambda h: tf.tanh(h @ V)) for _ in range(2)]
    with tf.GradientTape() as tape:
        one, other = tf.ReversibleSequential(layers)(tf.constant(_some(2, 2)), tf.constant(_some(2, 2)))
        loss = tf.reduce_sum(one * other)
    tape.gradient(loss, [W, V])


def hessian() -> None:
    """A Hessian times a direction."""
    x, W = tf.constant(_some(6, 3)), tf.Variable(_some(3, 2), name="W")
    with tf.autodiff.ForwardAccumulator(W, tf.constant(_some(2, 3).T)) as acc:
        with tf.GradientTape() as tape:
            h = tf.tanh(x @ W)
            loss = tf.reduce_mean(h * h)
        slope = tape.gradient(loss, W)
    acc.jvp(slope)


def recurrent() -> None:
    """Twenty turns."""
    w, u, x = tf.Variable(_some(2, 2), name="w"), tf.Variable(_some(1, 2), name="u"), tf.constant([[0.4], [0.1]])
    with tf.GradientTape() as tape:
        h = tf.zeros([2, 2])
        for _ in range(20):
            h = tf.tanh(h @ w + x @ u)
        loss = tf.reduce_mean(h * h)
    tape.gradient(loss, [w, u])


def adam() -> None:
    """One step of an optimizer that has a memory."""
    w, optimizer = tf.Variable([1.0, -2.0], name="w"), tf.keras.optimizers.Adam(0.1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w)
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])


def newton() -> None:
    """Two tapes in a loop of five turns."""
    x = tf.Variable(1.5, name="x")
    for _ in range(5):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x * tf.sin(x)
            slope = inner.gradient(y, x)
        x.assign_sub(slope / outer.gradient(slope, x))


def broken() -> None:
    """The logarithm of zero, and what becomes of it."""
    x = tf.Variable([0.0, 1.0, 2.0], name="x")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.math.log(x) * x)
    tape.gradient(y, x)


NETS = (classifier, convolution, attention, regions, reversible, hessian, recurrent, adam, newton, broken)


def recorded(net: Any) -> viz.Run:
    """A run of one of them."""
    with viz.record(net.__name__) as run:
        net()
    return run
