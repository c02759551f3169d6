"""The notebooks' exercises in which code is written: by name, the properties that the code must have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .derivatives import derivative, hessian, jacobian, slopes
from .engine import applies, carries, pulls, records, tapes, walks
from .judge import Property, all_of
from .kept import draws_again, fits, keeps, lighter, rebuilds, thrifty, undoes
from .programs import chooses_row, cubed, descends, moves, reports, three
from .properties import lets_go, program, trains, watches
from .rules import agrees, rule
from .subject import tf

THREE_TAPES = """
x = tf.constant(1.5)
with tf.GradientTape() as a:
a.watch(x)
with tf.GradientTape() as b:
b.watch(x)
with tf.GradientTape() as c:
c.watch(x)
y = x * x * x * x
first = c.gradient(y, x)
second = b.gradient(first, x)
third = a.gradient(second, x)
"""
TWO_ACCUMULATORS = """
x = tf.constant(1.5)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as outer:
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as inner:
y = x ** 3.0
d1 = inner.jvp(y)
d2 = outer.jvp(d1)
"""
FORWARD_OVER_BACKWARD = """
a, b = tf.Variable(3.0), tf.Variable(2.0)
with tf.autodiff.ForwardAccumulator([a, b], [tf.constant(0.0), tf.constant(1.0)]) as acc:
with tf.GradientTape() as tape:
y = a * a * b
da, db = tape.gradient(y, [a, b])
h0, h1 = acc.jvp(da), acc.jvp(db)
"""
_PAIRS = [(2.0, 3.0), (0.7, 1.9), (-1.2, 0.4)]
_TRIPLES = [(2.0, 3.0, 2.5), (0.7, 1.9, -0.5)]
_SCORES = [([2.0, -1.0, 0.3], [1.0, 1.0, -1.0]), ([-3.0, 0.5, -0.2], [-1.0, 1.0, -1.0])]


def _hinge(scores: list[float], labels: list[float]) -> Any:
    return np.maximum(0.0, 1.0 - np.array(labels) * np.array(scores)) ** 2


# Each is made when it is needed, so that a learner's first `check` does not wait for the rest.
TASKS: dict[str, Callable[[], Property]] = {
    "01.5": lambda: agrees(
        lambda x, y: (y, x + 2.0 * y), _PAIRS, names="x y", gives="dx dy",
        known=lambda x, y: {"what y brings through s alone": y, "what dy had already": x + y},
        why="Right: s moves just as fast as y does, so all of ds is added to dy.",
    ),
    "01.8": lambda: agrees(
        lambda x, y, u: (u * y, u * x), _TRIPLES, names="x y arrives", gives="dx dy",
        known=lambda x, y, u: {"the other factor alone: what arrives is missing": y, "this, with what arrives missing": x},
        why="Right: each gets the other factor, times what arrives.",
    ),
    "01.9": lambda: slopes(asks="nobody"),
    "01.10": lambda: agrees(
        lambda x, y: x + 2.0 * y, _PAIRS, names="x y",
        known=lambda x, y: {"what came through s alone: it replaced what was there": y,
                            "what came from the product alone": x + y},
    ),
    "02.9": cubed,
    "02.10": lambda: slopes(asks="tape"),
    "02.11": lambda: derivative(lambda x: x * x, asks="tape"),
    "03.6": three,
    "03.9": watches,
    "03.10": lambda: derivative(lambda x: x * x, asks="tape"),
    "04.8": lambda: derivative(lambda x: tf.exp(x) * x, asks="tape"),
    "04.9": lambda: derivative(lambda x: 4.0 * x * x, asks="tape"),
    "04.10": reports,
    "05.5": lambda: agrees(
        lambda x: (4.0 * x**3, 2.0 * x * x), [(3.0,), (0.7,), (-1.3,)], names="x", gives="dz/dx dz/dy", tensors=True,
        known=lambda x: {"dy/dx": 2.0 * x, "one use of y": x * x}, asks="tape", tapes=1,
        why="Right: one backward pass comes to y before it comes to x, so one call gives both.",
    ),
    "05.8": lambda: all_of(slopes(several=True), lets_go([tf.sin, tf.exp], tf.constant(1.5), tapes=1)),
    "05.9": descends,
    "06.8": lambda: program(THREE_TAPES, third=36.0),
    "06.9": lambda: slopes(orders=(1, 2, 3), asks="tape"),
    "06.10": lambda: derivative(lambda x: x * x * x, order=2, asks="tape", tapes=1),
    "07.6": lambda: agrees(
        lambda slope: 0.1 * slope, [(-18.0,), (4.0,), (0.3,)], names="slope",
        known=lambda slope: {"the whole slope: the learning rate is missing": slope},
        why="Right: 0.1 times the slope. A negative slope makes w larger.",
    ),
    "07.10": lambda: trains(5),
    "07.11": lambda: trains(1),
    "08.5": chooses_row,
    "08.8": lambda: jacobian(asks="tape"),
    "08.9": lambda: hessian(asks="tape"),
    "09.5": lambda: rule(np.round, lambda u, x: [u], [(3.7, 2.6), (-0.4, 1.2)],
                         known=lambda u, x: {"a fixed 1: what came from above is missing": 1.0, "rounded": np.round(u)}),
    "09.11": lambda: rule(
        lambda x: np.sqrt(x * x + 1.0), lambda u, x: [u * x / np.sqrt(x * x + 1.0)], [(5.0, 0.6), (-2.0, 1.9)],
        known=lambda u, x: {"the slope alone: what came from above is missing": x / np.sqrt(x * x + 1.0)},
    ),
    "09.10": lambda: rule(
        lambda x, y: (-y, x), lambda u, x, y: [u[1], -u[0]], [((10.0, 1.0), 1.0, 2.0), ((0.5, -3.0), 4.0, 0.3)], names="x y",
        known=lambda u, x, y: {"what came back to first": u[0], "what came back to second, turned around": -u[1]},
    ),
    "09.6": lambda: rule(
        lambda x: 3.0 * x, lambda u, x: [3.0 * u, x * u], [(10.0, 2.0), (-0.5, 1.3)],
        known=lambda u, x: {"what comes back to x": 3.0 * u},
    ),
    "09.7": lambda: rule(
        lambda x: x**3, lambda u, x: [3.0 * u * x * x], [(-1.5, 0.7), (2.5, 2.0)], bend=lambda x: 6.0 * x,
        known=lambda u, x: {"that of x * x": 2.0 * u * x},
    ),
    "10.7": lambda: keeps(lambda x: tf.sin(tf.sin(tf.sin(tf.sin(x)))), 4000),
    "11.5": lambda: fits(16, 60_000),
    "11.6": thrifty,
    "11.7": draws_again,
    "12.9": lambda: derivative(lambda x: tf.sin(x) * x, asks="accumulator"),
    "13.8": lambda: program(TWO_ACCUMULATORS, d1=6.75, d2=9.0),
    "13.9": lambda: slopes(orders=(1, 2, 3), asks="accumulator"),
    "13.10": lambda: agrees(
        lambda x, h: 6.0 * x, [(0.7, 0.01), (1.9, 0.01)], names="x h",
        known=lambda x, h: {"the slope, not how it changes": 3.0 * x * x},
        why="Right: 6 · x. TensorFlow's 2.4 at 0.7 is wrong.",
    ),
    "14.9": lambda: program(FORWARD_OVER_BACKWARD, h0=6.0, h1=0.0),
    "14.10": lambda: hessian(asks="accumulator"),
    "15.5": lambda: agrees(
        lambda y1, y2, f, g: (y1 - np.asarray(f(y2 - np.asarray(g(y1)))), y2 - np.asarray(g(y1))),
        [(1.9093, 2.957, tf.sin, tf.tanh), (0.4, -1.1, tf.tanh, tf.exp)], names="y1 y2 f g", gives="x1 x2", tensors=True,
        known=lambda y1, y2, f, g: {"f of y2, where f was computed from x2": y1 - np.asarray(f(tf.constant(y2)))},
        why="Right: f runs again on x2, which is known by now, and its value is taken away.",
    ),
    "15.6": lambda: undoes(3.0),
    "15.9": rebuilds,
    "16.3": lambda: pulls(lambda x, y: x * y, 2),
    "16.4": lambda: pulls(tf.sin, 1),
    "16.5": applies,
    "16.6": records,
    "16.7": walks,
    "16.8": tapes,
    "16.9": carries,
    "17.4": lambda: agrees(
        lambda s, t: float(np.mean(np.sign(s) == np.sign(t))), _SCORES, names="scores labels", tensors=True,
        known=lambda s, t: {"the share that is wrong": float(np.mean(np.sign(s) != np.sign(t))),
                            "how many are right, not their share": float(np.sum(np.sign(s) == np.sign(t)))},
    ),
    "17.5": lambda: agrees(
        lambda s, t: float(_hinge(s, t).mean()), _SCORES, names="scores labels", tensors=True,
        known=lambda s, t: {"the sum, not the mean": float(_hinge(s, t).sum()),
                            "the loss without its square": float(np.sqrt(_hinge(s, t)).mean()),
                            "the loss without max": float(((1.0 - np.array(t) * np.array(s)) ** 2).mean())},
    ),
    "17.6": lambda: moves(momentum=0.9),
    "17.7": lighter,
}  # fmt: skip
