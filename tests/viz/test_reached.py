"""How many actions lead to an op of a long run: a fold is chosen and opened (two), the op is chosen (one), however long the run is."""

from __future__ import annotations

from typing import Any

import pytest

import minitape as tf
import viz
from viz.capture import stream_of
from viz.paint.page import inside
from viz.tell import opened_folds
from viz.tell.folding import Folding

MOST = 6


def rnn(turns: int) -> Any:
    with viz.record("a cell, again and again") as run:
        w, u = tf.Variable([[0.5, -0.3], [0.2, 0.4]]), tf.Variable([[0.3, 0.1], [-0.2, 0.6]])
        h, x = tf.constant([[0.1, 0.2]]), tf.constant([[1.0, -1.0]])
        with tf.GradientTape() as tape:
            for _ in range(turns):
                h = tf.tanh(h @ w + x @ u)
            loss = tf.reduce_sum(h * h)
        tape.gradient(loss, [w, u])
    return run


def training(steps: int) -> Any:
    with viz.record("steps") as run:
        w, b, x = tf.Variable(0.5), tf.Variable(0.0), tf.constant([1.0, 2.0, 3.0])
        for _ in range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((w * x + b - 2.0 * x) ** 2)
            dw, db = tape.gradient(loss, [w, b])
            w.assign_sub(0.05 * dw)
            b.assign_sub(0.05 * db)
    return run


def attention(layers: int) -> Any:
    with viz.record("attention") as run:
        h = tf.constant([[0.5, -1.0, 0.25], [1.5, 0.75, -0.5]])
        eye = [[0.3, 0.1, 0.0], [0.0, 0.2, -0.1], [0.1, 0.0, 0.4]]
        weights = [[tf.Variable(eye) for _ in range(5)] for _ in range(layers)]
        with tf.GradientTape() as tape:
            for q, k, v, o, f in weights:
                scores = tf.nn.softmax((h @ q) @ tf.transpose(h @ k) / 1.75)
                h = h + (scores @ (h @ v)) @ o
                h = h + tf.nn.relu(h @ f)
            loss = tf.reduce_mean(h * h)
        tape.gradient(loss, [one for layer in weights for one in layer])
    return run


def actions(records: Any, open_: tuple[str, ...] = ()) -> int:
    """What an op needs that lies deepest: it is chosen (one), or the largest fold is chosen and opened first (two)."""
    folding = Folding(records, open_)
    ways = [("rounds",)] if any(record.kind == "rounds" for record in folding.records) else []
    inside = open_[-1] if open_ and open_[-1] != "rounds" else ""
    folds = [block for block in folding.block_of.values() if block.parent == inside and len(block.ops) > 1]
    if folds:
        ways.append((*open_, max(folds, key=lambda block: len(block.ops)).id))
    open_one = (
        1 if len(ways) == 1 and len({block.id for block in folds}) < 2 else 2
    )  # a sole fold need not be chosen: F opens it
    return max([open_one + actions(records, way) for way in ways], default=1)


MORE = {
    "training 1000": 8
}  # rounds of rounds: a fold for all between the first and the last, and in it three levels more


@pytest.mark.parametrize(
    "make",
    [
        *((rnn, turns) for turns in (3, 20, 50, 500)),
        *((training, steps) for steps in (3, 20, 50, 1000)),
        (attention, 4),
    ],
    ids=lambda one: f"{one[0].__name__} {one[1]}",
)
def test_every_op_is_reached_in_a_few_actions(make: Any) -> None:
    function, size = make
    needed = actions(stream_of(function(size)).records)
    assert needed <= MORE.get(f"{function.__name__} {size}", MOST)


def test_a_page_finds_what_is_folded_in_three() -> None:
    """`/`, a name, Enter: each name of the run with all folds open is on the page, folded or not."""
    run = training(20)
    opened = opened_folds(run, everything=True)
    names = {value["name"] for value in run.scene.values} | set(inside(run.scene, opened)[0])
    assert {value["name"] for one in opened.values() for value in one.values} <= names
    assert len(names) > len(run.scene.values)
