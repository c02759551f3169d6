"""Programs with knobs, for tests: one of each kind that the lessons turn."""

from __future__ import annotations

import minitape as tf


def wave(x=1.7):
    x = tf.Variable(x)
    with tf.GradientTape() as tape:
        y = tf.sin(x) * x
    return tape.gradient(y, x)


def nested(x=1.7, persistent=False):
    x = tf.Variable(x)
    with tf.GradientTape() as outer:
        with tf.GradientTape(persistent=persistent) as inner:
            y = x * x * x
        dy_dx = inner.gradient(y, x)
        again = inner.gradient(y, x)
    return outer.gradient(dy_dx + again, x)


def forward(x=1.7):
    x = tf.constant(x)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(2.0)) as acc:
        y = tf.sin(x) * x
    return acc.jvp(y)


def train(rate=0.1, steps=3):
    weight, bias = tf.Variable([[0.5], [-1.0]]), tf.Variable([0.25])
    x, labels = tf.constant([[1.0, 2.0], [3.0, -1.0]]), tf.constant([[1.0], [0.0]])
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ weight + bias - labels) ** 2.0)
        for one, slope in zip([weight, bias], tape.gradient(loss, [weight, bias]), strict=True):
            one.assign_sub(rate * slope)
    return loss


def chain(schedule="none", x=0.5):
    def steps(h):
        for _ in range(4):
            h = tf.sin(h) * 1.1
        return h

    run = tf.recompute_grad(steps) if schedule == "recompute" else steps
    x = tf.Variable(x)
    with tf.GradientTape() as tape:
        y = run(x)
    return tape.gradient(y, x)


KNOBS = {
    wave: {"x": (-3.0, 3.0)},
    nested: {"x": (-3.0, 3.0), "persistent": bool},
    forward: {"x": (-3.0, 3.0)},
    train: {"rate": (0.001, 0.2, 0.001), "steps": [1, 2, 3]},
    chain: {"schedule": ["none", "recompute"], "x": (-2.0, 2.0)},
}
